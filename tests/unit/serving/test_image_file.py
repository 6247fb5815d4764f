"""Files and streams are read within a limit, and never waited for."""

import io
import os
import socket
from pathlib import Path

import pytest

from photic.errors import BadRequest, BodyTooLarge
from photic.serving import image_file
from photic.serving.image_file import read_image_file, read_stream


class Endless:
    """A stream like /dev/zero; counts what is taken from it."""

    def __init__(self) -> None:
        self.given = 0

    def read(self, size: int, /) -> bytes:
        self.given += size
        return bytes(size)


def refusal(path: os.PathLike[str] | str, limit: int = 100) -> BadRequest:
    with pytest.raises(BadRequest) as refused:
        read_image_file(path, limit)
    assert refused.value.code == "unreadable_file"
    return refused.value


@pytest.mark.parametrize("size", [0, 1, 99, 100])
def test_a_file_up_to_the_limit(tmp_path, size):
    path = tmp_path / "image"
    path.write_bytes(os.urandom(size))
    assert read_image_file(path, 100) == path.read_bytes()
    assert read_image_file(str(path), 100) == path.read_bytes()


def test_a_file_of_several_chunks(tmp_path):
    path = tmp_path / "image"
    path.write_bytes(os.urandom(3_000_001))
    assert read_image_file(path, 3_000_001) == path.read_bytes()


def test_a_link_is_followed(tmp_path):
    (tmp_path / "image").write_bytes(b"abc")
    (tmp_path / "link").symlink_to(tmp_path / "image")
    assert read_image_file(tmp_path / "link", 3) == b"abc"


def test_a_larger_file_is_refused_without_reading_it(tmp_path, monkeypatch):
    path = tmp_path / "image"
    with path.open("wb") as file:
        file.truncate(2**40)  # sparse
    monkeypatch.setattr(image_file.os, "open", None)
    with pytest.raises(BodyTooLarge) as refused:
        read_image_file(path, 100)
    assert refused.value.detail == f"{path}: {2**40} bytes; body.max_bytes allows 100"
    assert refused.value.code == "body_too_large"


def test_a_file_that_grows_meanwhile_is_read_no_further_than_the_limit():
    assert Path("/proc/self/status").stat().st_size == 0  # as such files look
    with pytest.raises(BodyTooLarge, match="more than 100 bytes"):
        read_image_file("/proc/self/status", 100)


@pytest.mark.timeout(20)
def test_a_fifo_is_refused_and_not_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "fifo")
    assert refusal(tmp_path / "fifo").detail.endswith("fifo: is a FIFO, not a regular file")
    # Nor when it takes the place of a file just after that look.
    regular = Path(__file__).stat()
    monkeypatch.setattr(image_file.os, "stat", lambda _: regular)
    assert "is a FIFO" in refusal(tmp_path / "fifo", 1_000_000).detail


@pytest.mark.timeout(20)
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_device_is_refused_and_not_opened(device, monkeypatch):
    monkeypatch.setattr(image_file.os, "open", None)
    assert refusal(device).detail == f"{device}: is a device, not a regular file"


def test_folders_and_sockets(tmp_path):
    assert refusal(tmp_path).detail == f"{tmp_path}: is a folder, not a regular file"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        assert "is a socket" in refusal(tmp_path / "s").detail


def test_what_is_not_there(tmp_path):
    assert refusal(tmp_path / "x").detail == f"{tmp_path / 'x'}: No such file or directory"
    assert refusal("").detail == ": No such file or directory"
    assert "null" in refusal("a\0b").detail
    refusal(os.fsdecode(b"\xff")).detail.encode()  # text that any terminal can show


@pytest.mark.parametrize("size", [0, 1, 99, 100])
def test_a_stream_up_to_the_limit(size):
    assert read_stream(io.BytesIO(b"x" * size), 100) == b"x" * size


def test_an_endless_stream_is_read_no_further_than_the_limit():
    stream = Endless()
    with pytest.raises(BodyTooLarge) as refused:
        read_stream(stream, 5_000_000)
    assert (
        refused.value.detail
        == "standard input: more than 5000000 bytes; body.max_bytes allows 5000000"
    )
    assert stream.given == 5_000_001
