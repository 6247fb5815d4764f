"""What Photic answers to each upload: the MANIFEST's word, or our policy where it leaves a choice.

The policy in one paragraph: a JPEG whose entropy-coded data ends early is ``truncated``. Harmless
are bytes before a marker that do not belong there, bytes after the image, a missing EOI, and data
that runs short in the last row of MCUs of a file that was not cut. Every other data warning of
libjpeg is ``corrupt_data``. PNG and WebP are served; everything else that is not a JPEG is
``not_jpeg``.
"""

import re

from corpus.manifest import Upload

OK = "ok"

SERVED_KINDS = frozenset({"wrong_ext_png", "wrong_ext_webp"})
"""The MANIFEST says not_jpeg, and allows a server to decode them by another path."""

DAMAGED = frozenset({"corrupt_data", "truncated"})
"""Files whose data is both wrong and short: which is found first is the decoder's business."""

BY_NAME: dict[str, frozenset[str]] = {
    # libjpeg warns of extraneous bytes before a marker only, and finds every MCU.
    "garbage_before_eoi__jpeg-decoder__extraneous-data.jpg": frozenset({OK}),
    "garbage_between_segments__Pillow__junk_jpeg_header.jpg": frozenset({OK}),
    "garbage_between_segments__TwelveMonkeys__0x00-to-0xFF-between-segments.jpg": frozenset({OK}),
    "garbage_in_scan__jpeg-decoder__extraneous-bytes-after-sos.jpg": frozenset({OK}),
    "restart_bad__jpeg-decoder__mjpeg.jpg": frozenset({OK}),
    # Cut within the EOI marker: no MCU is missing.
    "truncated__Pillow__truncated_jpeg.jpg": frozenset({OK}),
    "truncated__jpegn__test.corrupted.7.jpg": frozenset({OK}),
    "truncated__lepton_jpeg_rust__truncate4.jpg": frozenset({OK}),
    # 17 megapixels: the MANIFEST's limit was lower than our 50.
    "large_valid__image-size__very-large.jpg": frozenset({OK}),
    "syn_prog_10000x10000_truncated.jpg": frozenset({"too_many_pixels"}),
    # Bad Huffman codes in a complete file.
    "corrupt_scan__jpeg-decoder__subtract-with-overflow.jpg": frozenset({"corrupt_data"}),
    "fuzz_bug__seed-corpora__mozilla_1050342_jpeg-image-000.jpg": frozenset({"corrupt_data"}),
    "syn_scan_random.jpg": frozenset({"corrupt_data"}),
    "syn_crlf_mangled.jpg": DAMAGED,
    # A bit flip makes the scan run out of data in its last row of MCUs; a real EOI follows.
    "syn_bitflip_3.jpg": frozenset({OK}),
    "corrupt_scan__lepton__roundtripfail.jpg": DAMAGED,
    # 74 bits, 148 components, 322 megapixels, no SOS: any of these reasons is right.
    "mozilla_suite__metadata-extractor-images__754664a12e.jpg": frozenset(
        {"unsupported_precision", "too_many_components", "too_many_pixels", "truncated_header"}
    ),
    "syn_soi_then_noise_500k.jpg": frozenset({"corrupt_data", "no_image", "bad_structure"}),
}

BY_KIND: dict[str, frozenset[str]] = {
    "truncated": frozenset({"truncated"}),
    "cve_poc": DAMAGED,
    "fuzz_bug": DAMAGED,
    "mozilla_suite": DAMAGED,
    "fuzz_scans": frozenset({"too_many_scans", "corrupt_data"}),
    "slow_decode": DAMAGED | {"decode_time"},
}
"""For the files of these kinds where the MANIFEST leaves a choice."""


def permitted(upload: Upload) -> frozenset[str]:
    """The outcomes that are right for an upload: ``ok``, or error codes."""
    if upload.name in BY_NAME:
        return BY_NAME[upload.name]
    if upload.kind in SERVED_KINDS:
        return frozenset({OK})
    if leaves_choice(upload.expected):
        return BY_KIND[upload.kind]
    return frozenset({manifest_word(upload.expected)})


def leaves_choice(expected: str) -> bool:
    return expected.startswith("decode_warn") or expected == "reject"


def manifest_word(expected: str) -> str:
    """``ok`` for ``decode``, else the first code after ``reject:``."""
    if expected.startswith("decode"):
        return OK
    code = re.match(r"reject:(\w+)", expected)
    assert code is not None, expected
    return "corrupt_data" if code[1] == "corrupt" else code[1]
