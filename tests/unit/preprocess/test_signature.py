import base64
import gzip
import io
import zipfile

import numpy as np
import pytest
from PIL import Image

from photic.errors import ImageError
from photic.preprocess.signature import identify, refuse

ENABLED = ("png", "webp")


def picture(encoding: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (16, 16), (10, 200, 30)).save(buffer, encoding)
    return buffer.getvalue()


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.jpg", picture("JPEG"))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("encoding", "kind"),
    [
        ("JPEG", "jpeg"),
        ("PNG", "png"),
        ("WEBP", "webp"),
        ("GIF", "gif"),
        ("BMP", "bmp"),
        ("TIFF", "tiff"),
        ("AVIF", "avif"),
        ("JPEG2000", "jp2"),
        ("ICO", "ico"),
        ("PPM", "pnm"),
        ("PDF", "pdf"),
    ],
)
def test_knows_what_pillow_writes(encoding: str, kind: str) -> None:
    assert identify(picture(encoding)) == kind


def box(*brands: bytes) -> bytes:
    body = b"ftyp" + brands[0] + b"\0\0\0\0" + b"".join(brands[1:])
    return (len(body) + 4).to_bytes(4, "big") + body + b"mdat"


JPEG = picture("JPEG")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"\xff\xd8", "jpeg"),
        (b"\xff\xd8\x07\xff\x01", "jpeg"),
        (b"\xff", "unknown"),
        (b"\xff\x00\x00", "unknown"),
        (b"\x89PNG\r\n", "unknown"),
        (box(b"heic", b"mif1", b"heic"), "heic"),
        (box(b"mif1", b"mif1", b"heic"), "heic"),
        (box(b"mif1", b"mif1", b"avif"), "avif"),
        (box(b"isom", b"mp42"), "video"),
        (b"RIFF\0\0\0\0AVI LIST", "video"),
        (b"\0\0\0\x0cJXL \r\n\x87\n", "jxl"),
        (b"II*\0\x08\0\0\0", "tiff"),
        (b"BMW drives past", "text"),
        (gzip.compress(JPEG), "gzip"),
        (zipped(), "zip"),
        (base64.b64encode(JPEG), "base64"),
        (base64.b64encode(picture("PNG")), "base64"),
        (b"data:image/jpeg;base64," + base64.b64encode(JPEG), "data_uri"),
        (b"image=%FF%D8%FF%E0", "form"),
        (b"%FF%D8%FF%E0", "form"),
        (b'--x1\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + JPEG, "multipart"),
        (b' {"image": "/9j/"}', "json"),
        (b'["/9j/"]', "json"),
        (b"\xef\xbb\xbf<!DOCTYPE html><html>", "html"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">', "svg"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "lfs_pointer"),
        (JPEG.decode("utf-8", "replace").encode(), "mangled"),
        (JPEG.decode("latin-1").encode(), "mangled"),
        (b"photo.jpg", "text"),
        ("fotö.jpg".encode() * 100, "text"),
        (b"\x00\x01\x02\x03", "unknown"),
    ],
)
def test_knows_what_people_send_by_mistake(data: bytes, kind: str) -> None:
    assert identify(data) == kind


@pytest.mark.parametrize("wrap", [bytearray, memoryview, lambda b: np.frombuffer(b, np.uint16)])
def test_takes_any_contiguous_buffer(wrap: object) -> None:
    assert identify(wrap(b"\xff\xd8\xff\xe0")) == "jpeg"  # type: ignore[operator]


def refusal(data: bytes) -> ImageError:
    return refuse(identify(data), data, ENABLED)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (box(b"heic"), "look like HEIC (an iPhone photo): send JPEG (accepted: JPEG, PNG, WebP)"),
        (picture("GIF"), 'look like GIF, which is not enabled here: send JPEG, or add "gif" to'),
        (b"image=%FF%D8", "curl --data-binary @photo.jpg"),
        (b"--x\r\nContent-Type: image/jpeg\r\n\r\n", "multipart/form-data with the boundary"),
        (b"\r\n" + JPEG, "a JPEG starts at byte 2"),
        (b"photo.jpg", "are text, beginning with 'photo.jpg'"),
        (b"\x00\x01\x02\x03", "begin with 00 01 02 03"),
        (JPEG.decode("utf-8", "replace").encode(), "binary mode"),
    ],
)
def test_says_what_the_bytes_look_like_and_what_to_do(data: bytes, words: str) -> None:
    error = refusal(data)
    assert (error.code, error.http_status) == ("not_jpeg", 415)
    assert words in error.detail
    assert "\n" not in error.detail


def test_an_empty_body_is_its_own_case() -> None:
    assert (refusal(b"").code, refusal(b"").http_status) == ("empty", 400)
