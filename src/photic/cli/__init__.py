"""The ``photic`` command: its sub-commands, and how any error becomes one line and an exit code."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Final

import click

from photic.cli.output import silence, warn
from photic.errors import ConfigurationError, PhoticError
from photic.settings_loader import forbid_telemetry, forbid_thread_pools
from photic.thread_names import name_this_thread

__all__ = ["main", "run"]

FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130

_COMMANDS: Final[dict[str, str]] = {
    "serve": "Serve models over HTTP.",
    "predict": "Name what images show.",
    "preprocess": "Save what the model would see of an image.",
    "models": "List the models, their versions and inputs.",
    "config": "Show every setting, its value and where it came from.",
}
"""The commands, each in a module of its name, and their summaries. Modules load when needed, so
that ``photic --help`` is instant."""


class LazyGroup(click.Group):
    """Imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of the table."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(import_module(f"photic.cli.{cmd_name}"), cmd_name)
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"photic {version('photic')} (onnxruntime {version('onnxruntime')})")
        context.exit()


@click.group(cls=LazyGroup, context_settings={"max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def photic() -> None:
    """Photic: image inference on ordinary CPUs."""


def main() -> None:
    """Run the command line and exit with its code."""
    # Before any command imports NumPy and ONNX Runtime, which start threads at that moment.
    forbid_telemetry()
    forbid_thread_pools()
    name_this_thread("photic")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line.

    Returns:
        0 when all went well, 1 when an image or request failed, 2 for a wrong command line,
        setting or model, 130 after Ctrl-C.
    """
    try:
        code = photic.main(args=list(arguments), prog_name="photic", standalone_mode=False)
    except click.Abort:
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return MISUSED
    except (click.ClickException, PhoticError) as error:
        message, code = _explain(error)
        warn(f"photic: error: {' '.join(message.split())}")
        return code
    except OSError as error:  # such as `photic --help > /dev/full`
        silence(sys.stdout)
        place = "" if error.filename is None else f"{error.filename}: "
        warn(f"photic: error: {place}{error.strerror or error}")
        return FAILED
    return code if isinstance(code, int) else 0


def _explain(error: click.ClickException | PhoticError) -> tuple[str, int]:
    """The one line and the exit code."""
    match error:
        case click.UsageError():
            command = error.ctx.command_path if error.ctx else "photic"
            return f"{error.format_message()} (see `{command} --help`)", MISUSED
        case click.ClickException():
            return error.format_message(), error.exit_code
        case ConfigurationError():
            return str(error), MISUSED
        case _:
            return str(error), FAILED
