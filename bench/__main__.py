"""`python -m bench`: measure Photic and its rivals on this machine (`make bench` sets up both)."""

import platform
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from bench.harness.fingerprint import REPOSITORY
from bench.options import Options
from bench.parts import PARTS, micro, report, run_parts
from bench.peers.registry import SERVERS

CHOICES = ("all", "micro", *PARTS, "report")


def _new_folder() -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return REPOSITORY / "bench/results" / f"{stamp}-{platform.node()}"


def _split(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(name for name in value.split(",") if name) or tuple(SERVERS)
    if unknown := [name for name in names if name not in SERVERS]:
        raise click.BadParameter(f"unknown: {', '.join(unknown)}; there are {', '.join(SERVERS)}")
    return names


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("part", type=click.Choice(CHOICES), default="all")
@click.argument("pytest_arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--photos",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of JPEGs; may be repeated. [default: three sizes made from package photos]",
)
@click.option("--servers", default="", callback=_split, help="Comma-separated. [default: all]")
@click.option("--quick", is_flag=True, help="A rough run in about three minutes, without `micro`.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the results; a part adds to those of others. [default: a new one]",
)
@click.option("--publish", is_flag=True, help="Copy the results to docs/benchmarks and the README.")
def main(
    *,
    part: str,
    pytest_arguments: tuple[str, ...],
    photos: tuple[Path, ...],
    servers: tuple[str, ...],
    quick: bool,
    out: Path | None,
    publish: bool,
) -> None:
    """Run one PART, or all of them, and write the report.

    After `micro`, more arguments go to pytest: `python -m bench micro -k preprocess`.
    """
    if pytest_arguments and part != "micro":
        raise click.UsageError(f"only `micro` takes {' '.join(pytest_arguments)}")
    options = Options(photos, servers, quick, (out or _new_folder()).resolve())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # and the servers with it
    well = True
    if part in PARTS or part == "all":
        well = run_parts(options, list(PARTS) if part == "all" else [part])
    if part == "micro" or (part == "all" and not quick):
        well = micro(options, pytest_arguments) == 0 and well
    if (options.out / "results.json").exists():
        report(options, publish=publish)
    elif part == "report":
        raise click.UsageError(f"{options.out} holds no results.json; --out names a run's folder")
    sys.exit(not well)


if __name__ == "__main__":
    main()
