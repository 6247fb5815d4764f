"""`python -m bench.guard`: the instruction counts beside their baseline; status 1 past +5 %.

With `--write`, the counts become the baseline.
"""

import sys

from bench.guard.baseline import MOST, Counts, find, read, replace, write
from bench.guard.counting import count
from bench.guard.driver import build_driver
from bench.guard.photos import PHOTOS, photo_path
from bench.guard.table import comparison, worst_change

__all__ = ["count_all", "main"]


def count_all() -> Counts:
    """Builds the driver and counts every photo.

    Raises:
        RuntimeError: The driver does not build, or does not preprocess a photo.
        FileNotFoundError: valgrind or a photo is missing.
    """
    driver = build_driver()
    counted = {name: count(driver, photo_path(name)) for name in PHOTOS}
    (toolchain,) = {toolchain for _, toolchain in counted.values()}
    return Counts(toolchain, {name: photo for name, (photo, _) in counted.items()})


def main(arguments: list[str]) -> int:
    now, known = count_all(), read()
    baseline = find(known, now)
    print(comparison(baseline, now))
    if arguments == ["--write"]:
        write(replace(known, now))
        return 0
    if baseline is None:
        print("no baseline for this toolchain; `make guard-baseline` writes one")
        return 1
    return int(worst_change(baseline, now) > MOST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
