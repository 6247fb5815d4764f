"""Photic serving the ONNX export of a module, beside the module itself in eager PyTorch."""

import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.harness.closed_loop import Turns, closed_loop, send_all
from bench.harness.mixes import Mix
from bench.harness.results import Results
from bench.harness.server import RunningPeer, Server, bench_environment
from bench.peers.agreement import agreement
from bench.peers.plan import Plan
from bench.peers.registry import REPOSITORY, eager, photic, rival_python
from bench.peers.start import Say, try_start

__all__ = ["MODELS", "run_torch"]

MODELS = ("mobilenetv2", "resnet50")
EXPORTS = REPOSITORY / "build/torch"
SOURCE = REPOSITORY / "bench/peers/servers/torch_models.py"
RECIPE = ("--recipe", "imagenet", "--labels", "imagenet-1k")


def run_torch(results: Results, mix: Mix, plan: Plan, say: Say) -> None:
    """One client, rounds in turn, both models; and whether both sides say the same."""
    if not rival_python("rivals-torch").exists():
        results.not_run["torch"] = (
            "build/rivals-torch was not set up: see what `make bench` printed"
        )
        say(f"not run: torch: {results.not_run['torch']}")
        return
    for model in MODELS:
        onnx = exported(model)
        pair = (photic(f"photic-{model}", str(onnx), *RECIPE), eager(model))
        _compare(results, mix, pair, plan, say)


def exported(model: str) -> Path:
    """The ONNX file, made when it is not there or older than the module."""
    path = EXPORTS / f"{model}.onnx"
    if not path.exists() or path.stat().st_mtime < SOURCE.stat().st_mtime:
        EXPORTS.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [
                rival_python("rivals-torch"),
                "-m",
                "bench.peers.servers.torch_export",
                model,
                path,
            ],
            env=bench_environment({"PYTHONPATH": str(REPOSITORY)}),
            check=True,
            capture_output=True,
        )
    return path


def _compare(results: Results, mix: Mix, pair: Sequence[Server], plan: Plan, say: Say) -> None:
    with ExitStack() as stack:
        started = [try_start(results, server, mix.photos[0], say) for server in pair]
        peers = [stack.enter_context(peer) for peer in started if peer is not None]
        if len(peers) < len(pair):
            return
        for number in range(plan.rounds):
            for peer in peers:
                run = closed_loop(peer, mix, clients=1, seconds=plan.seconds, round_number=number)
                results.torch.append(run)
        ours, theirs = peers
        expected = _top_1(theirs, mix)
        results.agreement.append(agreement(ours, mix, theirs.server.label, expected))


def _top_1(peer: RunningPeer, mix: Mix) -> list[int]:
    finished = send_all(peer.endpoint, Turns(mix, most=len(mix.photos)), clients=1)
    return [-1 if f.reply.top1 is None else f.reply.top1 for f in finished]
