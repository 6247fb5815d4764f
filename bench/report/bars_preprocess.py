"""The bars of preprocessing alone, on one thread."""

from bench.harness.results import Results
from bench.report.bar import Bar
from bench.report.measured import ratio
from bench.report.selection import PHOTIC, mix_of_role, preprocess_by_round

__all__ = ["preprocess_bars"]

NAMES = {
    "decode_alone": "simplejpeg's decode alone",
    "pillow": "Pillow",
    "pillow_draft": "Pillow with draft",
    "opencv": "OpenCV",
    "simplejpeg_opencv": "simplejpeg + OpenCV",
    "simplejpeg_smallest": "simplejpeg at its smallest size + OpenCV",
}


def preprocess_bars(results: Results) -> list[Bar]:
    """CPU times of the same photos in the same round, ours over theirs or theirs over ours."""

    def time(role: str, name: str) -> dict[int, float]:
        return preprocess_by_round(results, name, mix_of_role(results, role))

    def at_most(role: str, rival: str, bar: float) -> Bar:
        name = f"preprocessing time, {mix_of_role(results, role)} / {NAMES[rival]}"
        return Bar(name, bar, None, ratio(time(role, PHOTIC), time(role, rival)))

    def faster(role: str, rival: str, bar: float) -> Bar:
        name = f"preprocessing, {mix_of_role(results, role)}: times as fast as {NAMES[rival]}"
        return Bar(name, bar, None, ratio(time(role, rival), time(role, PHOTIC)), at_most=False)

    return [
        at_most("labelled", "decode_alone", 1.15),
        faster("labelled", "pillow", 3.3),
        faster("labelled", "opencv", 2.3),
        faster("labelled", "simplejpeg_opencv", 2.3),
        faster("camera", "pillow", 4.5),
        at_most("camera", "simplejpeg_smallest", 1.1),
        at_most("camera", "pillow_draft", 1.1),
    ]
