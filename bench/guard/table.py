"""The guard's output: photo by photo, and who spends the instructions."""

from bench.guard.baseline import Counts

__all__ = ["comparison", "worst_change"]


def worst_change(baseline: Counts, now: Counts) -> float:
    """The largest change of a photo; 0.05 is five per cent more instructions."""
    return max(
        photo.instructions / baseline.photos[name].instructions - 1
        for name, photo in now.photos.items()
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
        lines.append(_line(name, before and before.instructions, photo.instructions))
        old = before.groups if before else {}
        for group in dict.fromkeys([*photo.groups, *old]):
            lines.append(_line(f"  {group}", old.get(group), photo.groups.get(group)))
    return "\n".join(lines)


def _line(name: str, before: int | None, now: int | None) -> str:
    change = f"{100 * (now / before - 1):+.2f} %" if before and now else ""
    cells = "".join(f"{_millions(value):>10}" for value in (before, now))
    return f"{name:<34}{cells}{change:>10}"


def _millions(value: int | None) -> str:
    return "-" if value is None else f"{value / 1e6:.3f}"
