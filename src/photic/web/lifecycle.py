"""Where the server stands between its start and its end."""

from enum import Enum

from photic.web.lingering import Lingering

__all__ = ["Lifecycle", "Phase"]


class Phase(Enum):
    """The phases, in order."""

    STARTING = "starting"
    SERVING = "serving"
    LEAVING = "leaving"
    """Told to stop: readiness says no, answers close their connections, new requests still come
    in until whoever balances the load has noticed."""
    DRAINING = "draining"
    """New requests are refused; those in flight finish."""
    STOPPED = "stopped"
    """The server has been told to stop; what still runs is cut off."""


class Lifecycle:
    """The phase that the server is in; belongs to the thread of the event loop.

    Attributes:
        phase: As above.
        lingering: The refused bodies that are still being read; ended before the server stops.
    """

    def __init__(self) -> None:
        self.phase = Phase.STARTING
        self.lingering = Lingering()

    @property
    def is_ready(self) -> bool:
        """Whether to send requests here."""
        return self.phase is Phase.SERVING

    @property
    def closes_connections(self) -> bool:
        """Whether each answer should be the last on its connection."""
        return self.phase in (Phase.LEAVING, Phase.DRAINING, Phase.STOPPED)
