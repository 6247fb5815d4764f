"""What comes in is read in place; what goes out is exactly what was asked for, or refused."""

import array
import mmap

import numpy as np
import pytest


@pytest.mark.parametrize(
    "wrap",
    [
        bytes,
        bytearray,
        memoryview,
        lambda data: array.array("B", data),
        lambda data: np.frombuffer(data, np.uint8),
    ],
    ids=["bytes", "bytearray", "memoryview", "array", "numpy"],
)
def test_any_contiguous_bytes_will_do(chelsea_jpeg, decode, wrap):
    assert (decode(wrap(chelsea_jpeg)) == decode(chelsea_jpeg)).all()


def test_a_slice_is_read_where_it_lies(chelsea_jpeg, decode):
    body = b"--boundary\r\n" + chelsea_jpeg + b"\r\n--boundary--"
    part = memoryview(body)[12 : 12 + len(chelsea_jpeg)]
    assert (decode(part) == decode(chelsea_jpeg)).all()


def test_a_mapped_file_is_read_in_place(chelsea_jpeg, decode, tmp_path):
    path = tmp_path / "photo.jpg"
    path.write_bytes(chelsea_jpeg)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert (decode(mapped) == decode(chelsea_jpeg)).all()


@pytest.mark.parametrize("data", ["text", None, 7, ["bytes"]])
def test_what_has_no_bytes_is_a_type_error(make_decoder, row, data):
    with pytest.raises(TypeError):
        make_decoder().decode_into(data, row)


@pytest.mark.parametrize(
    "scattered", [memoryview(b"abcdef")[::2], np.zeros(8, np.uint8)[::2]], ids=["view", "numpy"]
)
def test_bytes_that_are_not_contiguous_are_a_value_error(make_decoder, row, scattered):
    with pytest.raises(ValueError, match="contiguous"):
        make_decoder().decode_into(scattered, row)


def read_only():
    out = np.empty((3, 224, 224), np.float32)
    out.flags.writeable = False
    return out


def misaligned():
    memory = np.empty(3 * 224 * 224 * 4 + 1, np.uint8)
    return memory[1:].view(np.float32).reshape(3, 224, 224)


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (np.empty((3, 224, 224), np.float64), TypeError, "float32"),
        (np.empty((3, 224, 224), np.uint8), TypeError, "float32"),
        (np.empty((3, 224, 224), ">f4"), TypeError, "float32"),
        (np.empty((224, 224, 3), np.float32), ValueError, r"\(224, 224, 3\).*\(3, 224, 224\)"),
        (np.empty((1, 3, 224, 224), np.float32), ValueError, r"\(1, 3, 224, 224\)"),
        (np.empty(3 * 224 * 224, np.float32), ValueError, r"\(150528,\)"),
        (np.empty((3, 224, 448), np.float32)[:, :, ::2], ValueError, "C-contiguous"),
        (np.empty((3, 224, 224), np.float32, order="F"), ValueError, "C-contiguous"),
        (read_only(), ValueError, "read-only"),
        (misaligned(), ValueError, "aligned"),
        (bytes(3 * 224 * 224 * 4), ValueError, "writable"),
        (None, TypeError, "bytes-like"),
        ([0.0], TypeError, "bytes-like"),
    ],
)
def test_an_output_that_does_not_fit_is_refused(make_decoder, chelsea_jpeg, out, error, message):
    with pytest.raises(error, match=message):
        make_decoder().decode_into(chelsea_jpeg, out)


def test_a_row_of_a_batch_is_written_in_place(chelsea_jpeg, decode, make_decoder):
    batch = np.full((4, 3, 224, 224), -1.0, np.float32)
    make_decoder().decode_into(chelsea_jpeg, batch[2])
    assert (batch[2] == decode(chelsea_jpeg)).all()
    assert (batch[[0, 1, 3]] == -1.0).all()


@pytest.mark.parametrize(
    ("pixels", "error", "message"),
    [
        (np.zeros((4, 4, 3), np.float32), TypeError, "uint8"),
        (np.zeros((4, 4), np.uint8), ValueError, r"\(4, 4\).*\(height, width, 3\)"),
        (np.zeros((4, 4, 4), np.uint8), ValueError, "height, width, 3"),
        (np.zeros((0, 4, 3), np.uint8), ValueError, "1 to 65535"),
        (np.zeros((4, 8, 3), np.uint8)[:, ::2], ValueError, "C-contiguous"),
    ],
)
def test_pixels_that_do_not_fit_are_refused(make_decoder, row, pixels, error, message):
    with pytest.raises(error, match=message):
        make_decoder().resample_into(pixels, row)


@pytest.mark.parametrize("orientation", [0, 9, -1])
def test_an_orientation_out_of_range_is_refused(make_decoder, row, orientation):
    with pytest.raises(ValueError, match="1 to 8"):
        make_decoder().resample_into(np.zeros((4, 4, 3), np.uint8), row, orientation)


def test_buffers_are_released(chelsea_jpeg, make_decoder, row):
    """A bytearray cannot be resized while somebody has a view of it."""
    data = bytearray(chelsea_jpeg)
    decoder = make_decoder()
    decoder.decode_into(data, row)
    data.append(0)
    with pytest.raises(Exception, match="early"):
        decoder.decode_into(data[:5000], row)
    data.append(0)
