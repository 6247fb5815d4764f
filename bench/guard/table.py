"""The guard's output: photo by photo, and who spends the instructions."""

from typing import Final

from bench.guard.baseline import Counts

__all__ = ["comparison", "worst_change"]

_SMALL: Final = 0.005
"""Groups below this share of a photo are listed together."""


def worst_change(baseline: Counts, now: Counts) -> float:
    """The largest change of a photo, or of our own code on it; 0.05 is five per cent more."""
    return max(
        after / before - 1
        for name, photo in now.photos.items()
        for before, after in (
            (baseline.photos[name].instructions, photo.instructions),
            (baseline.photos[name].ours, photo.ours),
        )
    )


def comparison(baseline: Counts | None, now: Counts) -> str:
    """A table of instructions per photo, in millions: baseline, now, change; totals and groups."""
    tool = now.toolchain
    lines = [
        f"{tool.compiler}, {tool.architecture}, {tool.libjpeg}, kernels {tool.kernels}",
        f"{'million instructions':<34}{'baseline':>10}{'now':>10}{'change':>10}",
    ]
    for name, photo in now.photos.items():
        before = baseline.photos[name] if baseline else None
        lines.append(_line(name, before.instructions if before else None, photo.instructions))
        lines.append(_line("  all of our own code", before.ours if before else None, photo.ours))
        lines += _group_lines(before.groups if before else {}, photo.groups)
    return "\n".join(lines)


def _group_lines(before: dict[str, int], now: dict[str, int]) -> list[str]:
    """The groups that are large before or now; the small ones as one."""
    least = _SMALL * sum(now.values())
    large = [g for g in now | before if max(before.get(g, 0), now.get(g, 0)) >= least]
    rest = [
        sum(spent for group, spent in groups.items() if group not in large) if groups else None
        for groups in (before, now)
    ]
    lines = [_line(f"  {group}", before.get(group), now.get(group)) for group in large]
    return [*lines, _line("  the rest", *rest)]


def _line(name: str, before: int | None, now: int | None) -> str:
    change = f"{100 * (now / before - 1):+.2f} %" if before and now else ""
    cells = "".join(f"{_millions(value):>10}" for value in (before, now))
    return f"{name:<34}{cells}{change:>10}".rstrip()


def _millions(value: int | None) -> str:
    return "-" if value is None else f"{value / 1e6:.3f}"
