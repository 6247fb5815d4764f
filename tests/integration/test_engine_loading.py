"""Loading toy models: what fits is served, what does not is refused with the numbers."""

import numpy as np
import pytest
from onnx import TensorProto

import onnx_models
from oracle.photos import jpeg
from photic import Predictor
from photic.errors import ModelFileError
from photic.serving.engine import load_engine, open_bare
from photic.settings import BatchingSettings, Settings
from serving_fakes import plan

RECIPE = """
task = "{task}"
labels = "{labels}"
[input]
size = [8, 6]
fit = "stretch"
layout = "{layout}"
pixel_range = {pixel_range}
[output]
scores = "{scores}"
"""
RED = np.full((20, 30, 3), (255, 0, 0), np.uint8)


@pytest.fixture
def toy(tmp_path):
    """A model on disk with recipe and labels, opened as the command line opens it."""

    def opened(model, *, layout="NCHW", scores="none", labels=4, task="classification", level=1.0):
        path = onnx_models.save(model, tmp_path / "toy.onnx")
        names = ["red", "green", "blue", "white"][:labels] + ["more"] * (labels - 4)
        (tmp_path / "labels.txt").write_text("\n".join(names))
        recipe = tmp_path / "model.toml"
        recipe.write_text(
            RECIPE.format(
                task=task,
                labels="labels.txt" if labels else "",
                layout=layout,
                pixel_range=level,
                scores=scores,
            )
        )
        return open_bare(path, recipe=str(recipe), labels=None)

    return opened


def load(bundle, **batching: int):
    settings = Settings(batching=BatchingSettings(**batching))
    return load_engine(bundle, settings, plan())


def predict(bundle, image=RED, **options):
    with Predictor(bundle.path, recipe=str(bundle.path.with_name("model.toml"))) as predictor:
        return predictor.predict(image, **options)


@pytest.mark.parametrize(
    ("options", "level"),
    [
        ({}, 1.0),
        ({"layout": "NHWC"}, 1.0),
        ({"dtype": TensorProto.UINT8}, 255.0),
        ({"size": ("h", "w")}, 1.0),
        ({"batch": 1}, 1.0),
        ({"width": "classes"}, 1.0),
    ],
    ids=str,
)
def test_models_of_every_kind_name_a_red_image(toy, options, level):
    layout = options.get("layout", "NCHW")
    bundle = toy(onnx_models.classifier(**options), layout=layout, level=level)
    answer = predict(bundle, top_k=4)
    scores = [(c.label, pytest.approx(c.score, abs=1e-4)) for c in answer.predictions]
    expected = [("red", level), ("white", level), ("green", 0.0), ("blue", 0.0)]
    assert scores == expected
    assert (answer.model, answer.version, answer.variant) == ("toy", 1, "fp32")


def test_an_embedding_model_answers_with_its_output(toy):
    bundle = toy(onnx_models.classifier(), task="embedding", labels=0)
    assert predict(bundle).embedding == pytest.approx((1.0, 0.0, 0.0, 1.0), abs=1e-4)


@pytest.mark.parametrize("labels", [3, 5])
@pytest.mark.parametrize("width", [4, "classes"])
def test_labels_of_another_number_are_refused(toy, labels, width):
    bundle = toy(onnx_models.classifier(width=width), labels=labels)
    with pytest.raises(ModelFileError) as refused:
        load(bundle)
    message = f"{bundle.path}: the label file has {labels} lines but the output has 4"
    assert str(refused.value) == message


def test_a_recipe_of_another_size_is_refused(toy):
    bundle = toy(onnx_models.classifier(size=(9, 6)))
    with pytest.raises(ModelFileError) as refused:
        load(bundle)
    assert str(refused.value) == (
        f"{bundle.path}: input 'image' is [batch, 3, 9, 6] but the recipe makes [3, 8, 6]"
    )


def test_a_recipe_of_another_layout_is_refused_and_told_the_right_one(toy):
    with pytest.raises(ModelFileError, match='set layout = "NHWC"'):
        load(toy(onnx_models.classifier(layout="NHWC"), layout="NCHW"))


@pytest.mark.parametrize(("scores", "warned"), [("softmax", True), ("none", False)])
def test_softmax_of_probabilities_is_warned_about_once(toy, caplog, scores, warned):
    engine = load(toy(onnx_models.probabilities(), scores=scores))
    assert engine.classes == 4
    assert ("already sum to 1" in caplog.text) is warned
    assert len(caplog.records) == warned


@pytest.mark.parametrize(
    ("model", "served"),
    [
        (onnx_models.classifier(), 4),
        (onnx_models.classifier(batch=1), 1),
        (onnx_models.baked_batch(), 1),
        (onnx_models.mixing_batch(), 1),
    ],
    ids=["open", "fixed at 1", "baked in", "mixing"],
)
def test_b14_the_batch_is_what_the_model_can_do(toy, caplog, model, served):
    engine = load(toy(model), preferred_batch=4, max_queue_delay_ms=2)
    assert engine.preferred_batch == served
    assert engine.max_queue_delay_ns == 2_000_000
    assert ("served one image at a time" in caplog.text) is (served == 1)


def test_nan_is_an_error_of_that_image_and_never_a_number(toy):
    bundle = toy(onnx_models.not_finite())
    white = np.full((20, 30, 3), 255, np.uint8)
    with Predictor(bundle.path, recipe=str(bundle.path.with_name("model.toml"))) as predictor:
        good, bad = predictor.predict_many([white, RED])
    assert [c.score for c in good.predictions][:1] == pytest.approx([np.log(3)], abs=1e-3)
    assert bad.code == "inference_failed"
    assert "NaN or infinite" in bad.detail


def test_a_preset_gets_size_and_layout_from_the_model(tmp_path):
    path = onnx_models.save(onnx_models.classifier(size=(32, 32)), tmp_path / "bare.onnx")
    labels = tmp_path / "labels.txt"
    labels.write_text("red\ngreen\nblue\nwhite\n")
    bundle = open_bare(path, recipe="imagenet", labels=str(labels))
    assert bundle.recipe.input.size == (32, 32)
    with Predictor(path, recipe="imagenet", labels=labels) as predictor:
        answer = predictor.predict(jpeg(RED, subsampling=0), top_k=1)
    assert answer.predictions[0].label == "red"


def test_an_onnx_file_without_a_recipe_is_refused(tmp_path):
    path = onnx_models.save(onnx_models.classifier(), tmp_path / "bare.onnx")
    for model in (path, str(path)):
        with pytest.raises(ModelFileError, match=r"bare\.onnx: an ONNX file needs a recipe"):
            Predictor(model)


def test_a_missing_file_is_one_line(tmp_path, capfd):
    with pytest.raises(ModelFileError, match=r"none\.onnx: cannot read the model: No such file"):
        Predictor(tmp_path / "none.onnx", recipe="imagenet", labels="imagenet-1k")
    assert capfd.readouterr() == ("", "")
