"""What the generator notes of a trial."""

import msgspec

__all__ = ["Exchange", "Trace"]


class Exchange(msgspec.Struct, frozen=True):
    """One request; instants in nanoseconds of one monotonic clock."""

    scheduled_ns: int
    sent_ns: int
    ended_ns: int
    status: int
    """HTTP status; 0: the connection failed; -1: given up at the deadline."""


class Trace(msgspec.Struct, frozen=True):
    """Everything that happened, in order of arrival."""

    exchanges: list[Exchange]
    wall_ns: int
    cpu_ns: int
    """User and system time of the generator from the first arrival to the last answer."""
    busy_ns: int
    """What all processes of the machine took in that time, on all cores; stolen time included."""
    connections: int
    """The most that were open at once."""
    priority: str
    """How the generator was scheduled: "rr", "nice -10" or "normal"."""
