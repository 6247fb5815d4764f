"""Log lines: one format, on stderr, from a level on."""

import logging
import re

import pytest

from photic.settings import LoggingSettings
from photic.telemetry.logging import configure_logging

QUIET = ("asyncio", "granian", "litestar", "PIL")


@pytest.fixture(autouse=True)
def loggers_as_they_were():
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    root.handlers.clear()  # so that `force` closes none of pytest's
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, quiet in levels.items():
        logging.getLogger(name).setLevel(quiet)


def test_lines_of_the_level_and_above_go_to_stderr(capsys):
    configure_logging(LoggingSettings(level="info"))
    logging.getLogger("photic.web").info("request %s", "abc")
    logging.getLogger("photic.web").debug("not this")
    written = capsys.readouterr()
    assert written.out == ""
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO    photic\.web: request abc\n", written.err
    )


def test_libraries_are_quiet_even_when_debugging(capsys):
    configure_logging(LoggingSettings(level="debug"))
    for name in QUIET:
        logging.getLogger(name).info("chatter")
    logging.getLogger("photic").debug("ours")
    assert capsys.readouterr().err.count("\n") == 1
