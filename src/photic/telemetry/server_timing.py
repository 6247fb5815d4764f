"""The ``Server-Timing`` header of an answer (https://www.w3.org/TR/server-timing/)."""

from typing import Final

from photic.stages import Stage, Timeline

__all__ = ["server_timing"]

_BEGINNINGS: Final = [f"{stage.label};dur=" for stage in Stage]  # made once: every answer has them


def server_timing(timeline: Timeline) -> str:
    """The stages finished by now with their durations in milliseconds.

    ``respond`` is left out: it is not over while its own headers are written.

    Returns:
        Such as ``"admit;dur=0.021, receive;dur=0.410"``.
    """
    return ", ".join(
        [
            f"{_BEGINNINGS[stage]}{duration_ns / 1e6:.3f}"
            for stage, duration_ns in timeline.durations_ns()
            if stage is not Stage.RESPOND
        ]
    )
