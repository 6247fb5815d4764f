"""Multipart bodies: parts, names, limits, broken framing, at all chunk boundaries."""

import tracemalloc

import pytest

from photic.errors import BadRequest, BodyTooLarge
from photic.web.multipart import ImagePart, MultipartImages, is_multipart

TYPE = "multipart/form-data; boundary=frontier"


def part(data: bytes, disposition: str, *more: str) -> bytes:
    head = "\r\n".join([f"Content-Disposition: {disposition}", *more])
    return b"--frontier\r\n" + head.encode() + b"\r\n\r\n" + data + b"\r\n"


def file(data: bytes, filename: str = "a.jpg") -> bytes:
    return part(data, f'form-data; name="image"; filename="{filename}"', "Content-Type: image/jpeg")


def parse(*chunks: bytes, content_type: str = TYPE, max_images: int = 3) -> list[ImagePart]:
    form = MultipartImages(content_type, max_images=max_images)
    for chunk in chunks:
        form.write(chunk)
    return form.images()


END = b"--frontier--\r\n"
TWO = file(b"\xff\xd8 \r\n--front\r\n\r", "a.jpg") + file(b"", "b b.jpg") + END
TWO_PARTS = [ImagePart("a.jpg", b"\xff\xd8 \r\n--front\r\n\r"), ImagePart("b b.jpg", b"")]


def test_files_keep_order_names_and_bytes():
    assert parse(TWO) == TWO_PARTS


@pytest.mark.parametrize("cut", range(1, len(TWO)))
def test_any_chunk_boundary_gives_the_same_parts(cut):
    assert parse(TWO[:cut], TWO[cut:]) == TWO_PARTS


def test_byte_by_byte():
    assert parse(*[TWO[i : i + 1] for i in range(len(TWO))]) == TWO_PARTS


def test_without_a_file_name_the_field_names_the_image():
    assert parse(file(b"x", ""), END) == [ImagePart("image", b"x")]


def test_a_name_in_utf_8():
    assert parse(file(b"x", "größe.jpg"), END)[0].name == "größe.jpg"


def test_a_name_that_is_not_utf_8_spares_its_neighbours():
    latin_1 = file(b"2", "größe.jpg").replace("größe".encode(), "größe".encode("latin-1"))
    parts = parse(file(b"1") + latin_1 + file(b"3") + END)
    assert [(part.name, part.data) for part in parts] == [
        ("a.jpg", b"1"),
        ("gr\ufffd\ufffde.jpg", b"2"),
        ("a.jpg", b"3"),
    ]


def test_a_field_name_in_utf_8():
    assert parse(file(b"x", "").replace(b"image", "bild größe".encode()), END)[0].name == (
        "bild größe"
    )
    with pytest.raises(BadRequest, match="the form field 'größe' is not a file"):
        parse(part(b"3", 'form-data; name="größe"') + END)


def test_a_part_in_many_chunks_is_copied_once_into_one_buffer():
    """Beside the slices that the parser makes: their pieces are not kept to be joined."""
    data = bytes(range(256)) * 4_096
    whole = file(data) + END
    form = MultipartImages(TYPE, max_images=1)
    tracemalloc.start()
    try:
        for begin in range(0, len(whole), 65_536):
            form.write(whole[begin : begin + 65_536])
        [image] = form.images()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert image.data == data
    assert peak < 1.5 * len(data)


def test_a_quoted_boundary():
    kind = 'multipart/form-data; boundary="frontier"'
    assert parse(TWO, content_type=kind) == TWO_PARTS


def test_an_epilogue_is_ignored():
    assert parse(TWO, b"epilogue") == TWO_PARTS


def test_as_many_images_as_allowed():
    assert len(parse(*[file(b"x")] * 3, END)) == 3


def test_too_many_images_are_refused_before_the_rest_is_read():
    form = MultipartImages(TYPE, max_images=3)
    for _ in range(3):
        form.write(file(b"x"))
    with pytest.raises(BodyTooLarge, match=r"4 images or more.*limit is 3") as caught:
        form.write(file(b"x")[:-2])
    assert caught.value.code == "too_many_images"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "Unexpected end"),
        (TWO[:-20], "Unexpected end"),
        (file(b"x"), "Unexpected end"),
        (END, "no part"),
        (b"not multipart at all", "Unexpected end"),
        (part(b"3", 'form-data; name="top_k"') + END, "'top_k' is not a file"),
        (part(b"x", 'form-data; filename="a.jpg"') + END, "part 1 .* has no name"),
        (part(b"x", 'form-data; name=""; filename="a.jpg"') + END, "part 1 .* has no name"),
        (part(b"x", 'attachment; name="image"; filename="a"') + END, "Content-Disposition"),
        (b"--frontier\r\n\r\nx\r\n" + END, "Missing Content-Disposition"),
        (b"--frontier\r\nbroken\r\n\r\nx\r\n" + END, "Malformed segment header"),
        (b"--frontier\r\nA: b\nC: d\r\n\r\nx\r\n" + END, "line break|header"),
        (b"--frontier\r\nX: " + b"y" * 64_000 + b"\r\n\r\nx\r\n" + END, "header length"),
        (b"--frontier\r\n" + b"X: y\r\n" * 1_000 + b"\r\nx\r\n" + END, "header count"),
        (file(b"x").replace(b"image/jpeg", b"image/jpeg\r\nContent-Length: 9") + END, "size"),
    ],
)
def test_broken_bodies_are_refused_with_the_reason(body, says):
    with pytest.raises(BadRequest, match=says) as caught:
        parse(body)
    assert caught.value.code == "bad_multipart"


@pytest.mark.parametrize(
    "content_type",
    [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=" + "x" * 71,
        'multipart/form-data; boundary="é"',
    ],
)
def test_a_missing_or_strange_boundary(content_type):
    with pytest.raises(BadRequest, match="boundary of 1 to 70"):
        MultipartImages(content_type, max_images=1)


@pytest.mark.parametrize("length", [1, 70])
def test_boundaries_of_any_legal_length(length):
    boundary = "b" * length
    body = TWO.replace(b"--frontier", b"--" + boundary.encode())
    parts = parse(body, content_type=f"multipart/form-data; boundary={boundary}")
    assert [part.name for part in parts] == ["a.jpg", "b b.jpg"]


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("multipart/form-data; boundary=x", True),
        ("Multipart/Form-Data; boundary=x", True),
        ("multipart/mixed; boundary=x", False),
        ("image/jpeg", False),
        ("application/x-www-form-urlencoded", False),
        ("", False),
    ],
)
def test_which_content_types_are_forms(content_type, expected):
    assert is_multipart(content_type) is expected
