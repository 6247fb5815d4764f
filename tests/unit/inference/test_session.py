import pytest

import onnx_models
from photic.errors import ModelFileError
from photic.inference.session import load_description, load_session, plain_message


@pytest.fixture
def good(tmp_path):
    return onnx_models.save(onnx_models.classifier(), tmp_path / "model.onnx")


def load_error(path, capfd) -> str:
    """The message of the refusal, which is all that is said."""
    with pytest.raises(ModelFileError) as refused:
        load_session(path, intra_op_threads=1)
    assert capfd.readouterr() == ("", "")
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    assert refused.value.__context__ is None or refused.value.__suppress_context__
    return message.removeprefix(f"{path}: ")


def test_the_session_has_its_threads_and_does_not_spin(good):
    options = load_session(good, intra_op_threads=2).get_session_options()
    assert options.intra_op_num_threads == 2
    assert options.inter_op_num_threads == 1
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"


def test_a_description_tells_the_same_inputs_and_outputs(good):
    described, loaded = load_description(good), load_session(good, intra_op_threads=1)
    for one, other in (
        (described.get_inputs(), loaded.get_inputs()),
        (described.get_outputs(), loaded.get_outputs()),
    ):
        assert [(a.name, a.shape, a.type) for a in one] == [
            (b.name, b.shape, b.type) for b in other
        ]


def test_a_missing_file(tmp_path, capfd):
    message = load_error(tmp_path / "none.onnx", capfd)
    assert message == "cannot read the model: No such file or directory"


def test_a_folder(tmp_path, capfd):
    assert load_error(tmp_path, capfd) == "cannot read the model: Is a directory"


def test_an_empty_file(good, capfd):
    good.write_bytes(b"")
    assert load_error(good, capfd) == "the model file is empty"


def test_a_file_cut_in_half(good, capfd):
    whole = good.read_bytes()
    good.write_bytes(whole[: len(whole) // 2])
    assert load_error(good, capfd) == "cannot load the model: Protobuf parsing failed."


@pytest.mark.parametrize("garbage", [b"\x89PNG\r\n\x1a\n" * 9, b"<!doctype html>", bytes(500)])
def test_garbage(good, capfd, garbage):
    good.write_bytes(garbage)
    assert load_error(good, capfd).startswith("cannot load the model: ")


def test_an_opset_of_the_future(good, capfd):
    onnx_models.save(onnx_models.classifier(opset=99), good)
    assert "99" in load_error(good, capfd)


def test_an_operator_that_nobody_knows(good, capfd):
    odd = onnx_models.helper.make_node("Frobnicate", ["product"], ["scores"])
    onnx_models.save(onnx_models.classifier(tail=[odd]), good)
    assert "Frobnicate" in load_error(good, capfd)


def test_a_missing_file_of_weights(good, capfd):
    proto = onnx_models.classifier()
    weights = next(value for value in proto.graph.initializer if value.name == "weights")
    weights.ClearField("raw_data")
    weights.data_location = weights.EXTERNAL
    weights.external_data.add(key="location", value="weights.bin")
    onnx_models.save(proto, good)
    assert "weights.bin" in load_error(good, capfd)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (
            "[ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Load model from a failed:Protobuf bad.",
            "Protobuf bad.",
        ),
        ("[ONNXRuntimeError] : 1 : FAIL : Something\nand a stack", "1 : FAIL : Something"),
        ("", "ValueError"),
    ],
)
def test_messages_become_one_plain_line(said, plain):
    assert plain_message(ValueError(said)) == plain
