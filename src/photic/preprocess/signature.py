"""What bytes are, from the bytes alone: names and Content-Types lie."""

import re
from typing import TYPE_CHECKING, Final, get_args

from photic.errors import ImageError
from photic.settings import ImageFormat

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["FORMAT_NAMES", "identify", "refuse"]

_HEAD_BYTES: Final = 512
_JPEG_START: Final = b"\xff\xd8\xff"

_MAGIC: Final[tuple[tuple[str, bytes], ...]] = (
    ("jpeg", b"\xff\xd8"),  # a lone SOI is a JPEG too: the decoder says what it lacks
    ("png", b"\x89PNG\r\n\x1a\n"),
    ("gif", b"GIF87a"),
    ("gif", b"GIF89a"),
    ("tiff", b"II*\0"),
    ("tiff", b"MM\0*"),
    ("tiff", b"II+\0"),
    ("tiff", b"MM\0+"),
    ("jp2", b"\0\0\0\x0cjP  \r\n\x87\n"),
    ("jp2", b"\xff\x4f\xff\x51"),
    ("jxl", b"\xff\x0a"),
    ("jxl", b"\0\0\0\x0cJXL \r\n\x87\n"),
    ("ico", b"\0\0\1\0"),
    ("psd", b"8BPS"),
    ("pdf", b"%PDF-"),
    ("gzip", b"\x1f\x8b"),
    ("zip", b"PK\3\4"),
    ("zstd", b"\x28\xb5\x2f\xfd"),
    ("video", b"\x1a\x45\xdf\xa3"),
    ("lfs_pointer", b"version https://git-lfs"),
    ("mangled", b"\xef\xbf\xbd"),
    ("mangled", b"\xc3\xbf\xc3\x98\xc3\xbf"),
)
"""Kinds and their first bytes. ``mangled``: FF D8 FF read as UTF-8 with replacement, or Latin-1."""

_BASE64_STARTS: Final = (b"/9j/", b"iVBORw0KGgo", b"R0lGOD", b"UklGR")
_TEXT: Final[tuple[tuple[str, re.Pattern[bytes]], ...]] = (
    ("data_uri", re.compile(rb"data:[\w/+.-]+[;,]", re.IGNORECASE)),
    ("svg", re.compile(rb"(<\?xml.{0,400})?(<!.{0,400})?<svg[\s>]", re.IGNORECASE | re.DOTALL)),
    ("html", re.compile(rb"<(!doctype html|html|head|body)[\s>]", re.IGNORECASE)),
    ("multipart", re.compile(rb"--[^\r\n]{1,70}\r?\ncontent-", re.IGNORECASE)),
    ("json", re.compile(rb'(\{\s*["}]|\[\s*[\[\]{"\d-])')),
    ("form", re.compile(rb"%ff%d8|[\w.\-%+\[\]]{1,100}=", re.IGNORECASE)),
)
_PNM: Final = re.compile(rb"P[1-7]\s")
_PRINTABLE: Final = re.compile(rb"[\t\n\r\x20-\x7e\x80-\xff]+")

FORMAT_NAMES: Final[dict[str, str]] = {
    "png": "PNG",
    "webp": "WebP",
    "gif": "GIF",
    "bmp": "BMP",
    "tiff": "TIFF",
    "avif": "AVIF",
}
"""The members of ``settings.ImageFormat`` as people write them."""

_ADVICE: Final[dict[str, str]] = {
    "heic": "look like HEIC (an iPhone photo): send JPEG",
    "jp2": "look like JPEG 2000: send JPEG",
    "jxl": "look like JPEG XL: send JPEG",
    "ico": "look like an icon (ICO): send JPEG",
    "psd": "look like a Photoshop document: send JPEG",
    "pnm": "look like PNM (PPM, PGM or PBM): send JPEG",
    "svg": "look like SVG, which is not made of pixels: send JPEG",
    "pdf": "look like a PDF document: send its picture as JPEG",
    "video": "look like a video: send one frame as JPEG",
    "gzip": "are compressed with gzip: send the JPEG itself",
    "zstd": "are compressed with zstd: send the JPEG itself",
    "zip": "look like a ZIP archive: send one JPEG, or several as multipart/form-data",
    "base64": "are Base64 text: send the decoded bytes",
    "data_uri": "are a data: URI: send the decoded bytes, without the prefix and Base64",
    "form": "look like a URL-encoded form: send the bytes, with curl --data-binary @photo.jpg",
    "multipart": (
        "look like multipart/form-data sent as a raw body: send the header Content-Type: "
        "multipart/form-data with the boundary, with curl -F image=@photo.jpg"
    ),
    "json": "look like JSON: send the bytes, with curl --data-binary @photo.jpg",
    "html": "look like an HTML page: was an error page downloaded in place of the image?",
    "lfs_pointer": "are a Git LFS pointer, not the file: run `git lfs pull`",
    "mangled": (
        "begin as a JPEG whose bytes were decoded as text and encoded again, which destroys them: "
        "read and send the file in binary mode"
    ),
}


def identify(data: "Buffer") -> str:
    """The kind of some bytes, as a word such as ``jpeg``, ``png``, ``heic``, ``json`` or ``empty``.

    ``jpeg`` and the members of ``settings.ImageFormat`` can be decoded; ``refuse`` explains all
    others. ``unknown`` when nothing fits.

    Args:
        data: Contiguous bytes; only the first 512 are read.
    """
    head = _head(data)
    if not head:
        return "empty"
    for kind, magic in _MAGIC:
        if head.startswith(magic):
            return kind
    return _identify_container(head) or _identify_text(head) or "unknown"


def refuse(kind: str, data: "Buffer", enabled: tuple[ImageFormat, ...]) -> ImageError:
    """The error for bytes that are not decoded: what they look like, and what to do.

    Args:
        kind: What ``identify`` said.
        data: The bytes.
        enabled: ``decode.formats``.
    """
    if kind == "empty":
        return ImageError("the body is empty: send the bytes of an image", code="empty")
    accepted = ", ".join(["JPEG", *(FORMAT_NAMES[name] for name in enabled)])
    return ImageError(f"the bytes {_look(kind, data)} (accepted: {accepted})", code="not_jpeg")


def _look(kind: str, data: "Buffer") -> str:
    if kind in get_args(ImageFormat):
        return (
            f"look like {FORMAT_NAMES[kind]}, which is not enabled here: send JPEG, or add "
            f'"{kind}" to decode.formats'
        )
    if kind in _ADVICE:
        return _ADVICE[kind]
    head = _head(data)
    start = head.find(_JPEG_START)
    if start > 0:
        return (
            f"are not an image, but a JPEG starts at byte {start}: was the body put together by "
            "hand, with something in front of the file?"
        )
    if kind == "text":
        return f"are text, beginning with {head[:24].decode('utf-8', 'replace')!r}"
    return f"are no known image: they begin with {head[:8].hex(' ')}"


def _head(data: "Buffer") -> bytes:
    return memoryview(data).cast("B")[:_HEAD_BYTES].tobytes()


def _identify_container(head: bytes) -> str | None:
    """Formats whose mark is more than fixed leading bytes."""
    if head.startswith(b"RIFF"):
        return "webp" if head[8:12] == b"WEBP" else "video"
    if head[4:8] == b"ftyp":
        return _identify_brands(head)
    # "BM" alone would also be a word of text; the size of the second header settles it.
    if head.startswith(b"BM") and head[14:18] in _BMP_HEADERS:
        return "bmp"
    return "pnm" if _PNM.match(head) else None


_BMP_HEADERS: Final = tuple(bytes((size, 0, 0, 0)) for size in (12, 16, 40, 52, 56, 64, 108, 124))
_HEIF_BRANDS: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def _identify_brands(head: bytes) -> str:
    """AVIF, HEIC or a video, by the brands of an ISO base media file (ISO/IEC 14496-12)."""
    size = int.from_bytes(head[:4], "big")
    brands = [head[8:12], *(head[at : at + 4] for at in range(16, min(size, len(head)), 4))]
    if b"avif" in brands or b"avis" in brands:
        return "avif"
    return "heic" if any(brand in _HEIF_BRANDS for brand in brands) else "video"


def _identify_text(head: bytes) -> str | None:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(_BASE64_STARTS):
        return "base64"
    for kind, pattern in _TEXT:
        if pattern.match(text):
            return kind
    return "text" if _PRINTABLE.fullmatch(head) and _is_utf8(head) else None


def _is_utf8(head: bytes) -> bool:
    """Whether the bytes are UTF-8, but for a character that the cut may have split."""
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return len(head) == _HEAD_BYTES and error.start >= len(head) - 3
    return True
