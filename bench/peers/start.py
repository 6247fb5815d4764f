"""Starting the servers: all that can be, and a reason for each that cannot."""

import subprocess
from collections.abc import Callable, Iterable
from contextlib import ExitStack

import msgspec

from bench.harness.results import ColdStart, Results
from bench.harness.server import PeerFailed, RunningPeer, Server
from bench.peers.registry import missing

__all__ = ["Say", "start_all", "try_start", "versions"]

Say = Callable[[str], None]

_VERSIONS = """
import json, sys
from importlib.metadata import version
print(json.dumps({name: version(name) for name in sys.argv[1:]}))
"""


def start_all(
    results: Results, servers: Iterable[Server], photo: bytes, stack: ExitStack, say: Say
) -> list[RunningPeer]:
    """Start the servers one after the other; ``stack`` ends them.

    Notes cold starts and versions, and in ``not_run`` why a server could not be started.
    """
    peers = []
    for server in servers:
        peer = try_start(results, server, photo, say)
        if peer is not None:
            peers.append(stack.enter_context(peer))
            results.cold_start.append(ColdStart(server.name, peer.cold_start_ns))
    return peers


def try_start(results: Results, server: Server, photo: bytes, say: Say) -> RunningPeer | None:
    """One server and its versions, or None with the reason in ``not_run``."""
    if reason := missing(server):
        return _not_run(results, server, reason, say)
    try:
        peer = RunningPeer(server, photo)
    except PeerFailed as failure:
        return _not_run(results, server, str(failure), say)
    say(f"{server.name}: first answer after {peer.cold_start_ns / 1e9:.2f} s")
    results.versions[server.name] = versions(server)
    results.not_run.pop(server.name, None)  # of an earlier run with the same --out
    return peer


def _not_run(results: Results, server: Server, reason: str, say: Say) -> None:
    results.not_run[server.name] = reason
    say(f"not run: {server.name}: {reason}")


def versions(server: Server) -> dict[str, str]:
    """Of the server's distributions, asked of its own interpreter."""
    python = server.launch(0).command[0]
    printed = subprocess.run(
        [python, "-c", _VERSIONS, *server.versions], check=True, capture_output=True
    ).stdout
    return msgspec.json.decode(printed, type=dict[str, str])
