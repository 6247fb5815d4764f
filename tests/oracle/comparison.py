"""How far two rows are apart, in levels of 0 to 255."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Difference:
    """Of one image: the mean and the largest absolute difference, and the share within 4 levels."""

    name: str
    mean: float
    largest: float
    within_4: float


def difference(name: str, ours: NDArray[np.generic], theirs: NDArray[np.generic]) -> Difference:
    apart = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    return Difference(name, float(apart.mean()), float(apart.max()), float((apart <= 4.0).mean()))


def summary(title: str, differences: Iterable[Difference]) -> str:
    """One line for people: what a test measured, over all images."""
    all_of = tuple(differences)
    worst = max(all_of, key=lambda d: d.mean)
    return (
        f"{title}: {len(all_of)} images, mean {np.mean([d.mean for d in all_of]):.3f} levels, "
        f"worst {worst.mean:.3f} ({worst.name}), within 4 levels "
        f"{100 * np.mean([d.within_4 for d in all_of]):.3f} % of values, "
        f"in the worst image {100 * min(d.within_4 for d in all_of):.2f} %"
    )
