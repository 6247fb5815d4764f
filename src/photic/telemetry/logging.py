"""Log lines on stderr."""

import logging
import sys
from typing import Final

from photic.settings import LoggingSettings

__all__ = ["configure_logging"]

_LINE: Final = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


def configure_logging(settings: LoggingSettings) -> None:
    """Write messages of the set level and above to stderr, one line each (tracebacks excepted)."""
    logging.basicConfig(level=settings.level.upper(), format=_LINE, stream=sys.stderr, force=True)
    # Of the libraries only what an operator must know; their debug lines may quote requests.
    for name in ("asyncio", "granian", "litestar", "PIL"):
        logging.getLogger(name).setLevel(logging.WARNING)
