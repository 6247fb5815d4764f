from pathlib import Path

import msgspec
import pytest
from onnx import TensorProto

import onnx_models
from photic.errors import ModelFileError
from photic.inference.session import load_session
from photic.inference.signature import (
    ImageInput,
    check_fit,
    check_labels,
    read_input,
    read_output,
)
from photic.models.bundle import ModelBundle
from photic.models.recipe import InputRecipe, ModelRecipe

FLOAT, DOUBLE, HALF = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16
IMAGE = (FLOAT, ["batch", 3, 8, 6])


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "model.onnx"


@pytest.fixture
def session(path):
    def load(model):
        onnx_models.save(model, path)
        return load_session(path, intra_op_threads=1)

    return load


def bundle(path: Path, *, layout: str = "NCHW", labels: int = 4) -> ModelBundle:
    return ModelBundle(
        name="toy",
        version=1,
        variant="fp32",
        path=path,
        recipe=ModelRecipe(input=InputRecipe(size=(256, 256), layout=layout)),
        labels=("label",) * labels,
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ("float32", "NCHW", (8, 6), None)),
        ({"batch": 1}, ("float32", "NCHW", (8, 6), 1)),
        ({"layout": "NHWC"}, ("float32", "NHWC", (8, 6), None)),
        ({"dtype": TensorProto.UINT8}, ("uint8", "NCHW", (8, 6), None)),
        ({"size": ("h", 6)}, ("float32", "NCHW", None, None)),
        ({"size": (3, 3), "layout": "NHWC"}, ("float32", "NCHW", (3, 3), None)),  # it cannot tell
    ],
)
def test_the_input_tells_dtype_layout_size_and_batch(session, path, options, expected):
    taken = read_input(session(onnx_models.classifier(**options)), path)
    assert taken.name == "image"
    assert (taken.dtype, taken.layout, taken.size, taken.fixed_batch) == expected


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (
            {"image": IMAGE, "mask": (FLOAT, ["batch", 1, 8, 6])},
            "the model has 2 inputs, image [batch, 3, 8, 6], mask [batch, 1, 8, 6]; Photic serves",
        ),
        ({"image": (HALF, ["batch", 3, 8, 6])}, "input 'image' is tensor(float16); Photic feeds"),
        ({"ids": (FLOAT, ["batch", 77])}, "input 'ids' is [batch, 77], not a batch of images"),
    ],
)
def test_an_input_that_is_no_batch_of_images_is_refused(session, path, inputs, message):
    model = onnx_models.identity(inputs=inputs, outputs={"out": next(iter(inputs.values()))})
    with pytest.raises(ModelFileError) as refused:
        read_input(session(model), path)
    assert str(refused.value).startswith(f"{path}: {message}")


def test_the_output_tells_its_width(session, path):
    given = read_output(session(onnx_models.classifier()), path, classes=4)
    assert (given.name, given.width) == ("scores", 4)


def outputs_model(**outputs):
    image = {"image": (FLOAT, ["n", "c"])}
    return onnx_models.identity(inputs=image, outputs=outputs)


def test_an_output_may_leave_its_width_open(session, path):
    given = read_output(session(outputs_model(out=(FLOAT, ["n", "c"]))), path, classes=10)
    assert (given.name, given.width) == ("out", None)


def test_of_several_outputs_the_one_as_wide_as_the_labels_counts(session, path):
    model = outputs_model(
        features=(FLOAT, ["n", 64]), logits=(FLOAT, ["n", 10]), map=(FLOAT, ["n", "m"])
    )
    assert read_output(session(model), path, classes=10).name == "logits"


@pytest.mark.parametrize("classes", [0, 11])
def test_of_several_outputs_none_is_guessed(session, path, classes):
    model = outputs_model(features=(FLOAT, ["n", 64]), logits=(FLOAT, ["n", 10]))
    with pytest.raises(ModelFileError, match=r"2 outputs, features \[n, 64\], logits \[n, 10\]"):
        read_output(session(model), path, classes=classes)


def test_two_outputs_as_wide_as_the_labels_are_not_guessed(session, path):
    model = outputs_model(logits=(FLOAT, ["n", 10]), scores=(FLOAT, ["n", 10]))
    with pytest.raises(ModelFileError, match="labels do not tell"):
        read_output(session(model), path, classes=10)


@pytest.mark.parametrize("output", [(FLOAT, ["n", 17, 3]), (FLOAT, ["n"]), (FLOAT, [1, 4, 1, 1])])
def test_an_output_that_is_no_row_is_refused(session, path, output):
    model = onnx_models.identity(inputs={"image": (FLOAT, output[1])}, outputs={"out": output})
    with pytest.raises(ModelFileError, match="float32 row for each image"):
        read_output(session(model), path, classes=4)


def test_an_output_of_another_type_is_refused(session, path):
    image = {"image": (DOUBLE, ["n", 4])}
    model = onnx_models.identity(inputs=image, outputs={"out": image["image"]})
    with pytest.raises(ModelFileError, match=r"output 'out' is tensor\(double\) \[n, 4\]"):
        read_output(session(model), path, classes=4)


def taken(*shape: int | str | None) -> ImageInput:
    return ImageInput("input", shape, "float32")


@pytest.mark.parametrize(
    "shape", [("batch", 3, 256, 256), (1, 3, 256, 256), (None, 3, "h", "w"), (None,) * 4]
)
def test_an_input_that_fits(path, shape):
    check_fit(taken(*shape), bundle(path), (3, 256, 256))


@pytest.mark.parametrize(
    ("shape", "layout", "message"),
    [
        (
            ("batch", 3, 224, 224),
            "NCHW",
            "input 'input' is [batch, 3, 224, 224] but the recipe makes [3, 256, 256]",
        ),
        (
            (None, 256, 256, 3),
            "NCHW",
            (
                "input 'input' is [?, 256, 256, 3] but the recipe makes [3, 256, 256] "
                '(set layout = "NHWC")'
            ),
        ),
        (
            ("n", 1, 256, 256),
            "NCHW",
            "input 'input' is [n, 1, 256, 256] but the recipe makes [3, 256, 256]",
        ),
        (
            (8, 3, 256, 256),
            "NCHW",
            (
                "input 'input' is [8, 3, 256, 256], a fixed batch of 8; export it with an open "
                "batch or with 1"
            ),
        ),
    ],
)
def test_an_input_that_does_not_fit_is_refused_with_the_numbers(path, shape, layout, message):
    with pytest.raises(ModelFileError) as refused:
        check_fit(taken(*shape), bundle(path, layout=layout), (3, 256, 256))
    assert str(refused.value) == f"{path}: {message}"


def test_a_uint8_input_takes_levels_and_no_normalised_values(path):
    levels = ImageInput("input", ("n", 3, 256, 256), "uint8")
    raw = msgspec.structs.replace(
        bundle(path), recipe=ModelRecipe(input=InputRecipe(size=(256, 256), pixel_range=255.0))
    )
    check_fit(levels, raw, (3, 256, 256))
    with pytest.raises(ModelFileError, match="uint8, which takes the levels 0 to 255 themselves"):
        check_fit(levels, bundle(path), (3, 256, 256))


def test_labels_must_be_as_many_as_the_output_is_wide(path):
    check_labels(4, bundle(path, labels=4))
    with pytest.raises(ModelFileError) as refused:
        check_labels(1000, bundle(path, labels=999))
    message = f"{path}: the label file has 999 lines but the output has 1000"
    assert str(refused.value) == message
