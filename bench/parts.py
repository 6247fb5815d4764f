"""The parts of a run: each adds its figures to one ``results.json``."""

import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence

from bench.harness.fingerprint import REPOSITORY
from bench.harness.mixes import Mix
from bench.harness.results import Results, write_results
from bench.harness.server import bench_environment
from bench.options import Options

__all__ = ["PARTS", "micro", "report", "run_parts"]


def peers(options: Options, results: Results, mixes: list[Mix]) -> None:
    """All servers in a closed loop."""
    from bench.peers.run import run_peers

    run_peers(results, mixes, options.chosen_servers(), options.plan, say)


def torch(options: Options, results: Results, mixes: list[Mix]) -> None:
    """Photic beside eager PyTorch."""
    from bench.peers.torch_run import run_torch

    run_torch(results, mixes[0], options.plan, say)


def load(options: Options, results: Results, mixes: list[Mix]) -> None:
    """The servers in an open loop, with the first mix."""
    from bench.load.run import run

    def save() -> None:
        write_results(results, options.out)

    run(results, mixes[0], options.chosen_servers(), quick=options.quick, save=save, say=say)


PARTS: dict[str, Callable[[Options, Results, list[Mix]], None]] = {
    "peers": peers,
    "torch": torch,
    "load": load,
}


def run_parts(options: Options, names: Sequence[str]) -> bool:
    """Measure; a part that fails is noted and the others go on. Whether all went well."""
    mixes = options.mixes()
    results = options.results(mixes)
    failed = []
    for name in names:
        start = time.monotonic()
        say(f"== {name}")
        try:
            PARTS[name](options, results, mixes)
        except Exception as error:  # noqa: BLE001  what the others measured is worth half an hour
            traceback.print_exc()
            results.not_run[name] = repr(error)
            failed.append(name)
        finally:
            write_results(results, options.out)
        say(f"== {name} took {time.monotonic() - start:.0f} s")
    return not failed


def micro(options: Options, pytest_arguments: Sequence[str]) -> int:
    """Single stages under pytest-benchmark, which writes ``micro.json``; pytest's exit code."""
    options.out.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "bench/micro", "--benchmark-enable"]
    command += [f"--benchmark-json={options.out / 'micro.json'}"]
    command += ["-W", "ignore:Not saving anything"]  # some only print
    command += pytest_arguments
    folder = {"PHOTOS": str(options.photos[0].resolve())} if options.photos else {}
    done = subprocess.run(command, cwd=REPOSITORY, env=bench_environment(folder), check=False)
    return done.returncode


def report(options: Options, *, publish: bool) -> None:
    """Write the report and say where it is; publish it if asked to."""
    from bench.report.document import write_report
    from bench.report.publish import publish as publish_run

    say(f"report: {write_report(options.out)}")
    if publish:
        say(f"published: {publish_run(options.out)}")


def say(line: str) -> None:
    """To the terminal, at once."""
    print(line, flush=True)
