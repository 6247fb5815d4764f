"""Photic's own counts of its batches, for the time between two looks."""

import http.client
from collections import Counter

import msgspec

from bench.harness.server import RunningPeer

__all__ = ["BatchCounts", "batches"]

_PATIENCE_S = 5.0


class BatchCounts(msgspec.Struct, frozen=True):
    """Runs by number of rows, and how many of them used the latency session."""

    sizes: dict[str, int] = {}
    alone: int = 0

    def since(self, earlier: "BatchCounts") -> "BatchCounts":
        """What came after ``earlier``."""
        sizes = Counter(self.sizes)
        sizes.subtract(earlier.sizes)
        grown = sorted((size for size, runs in sizes.items() if runs), key=int)
        return BatchCounts({size: sizes[size] for size in grown}, self.alone - earlier.alone)


class _Model(msgspec.Struct, frozen=True):
    batch_sizes: dict[str, int] = {}
    alone: int = 0


class _Stats(msgspec.Struct, frozen=True):
    models: list[_Model] = []


def batches(peer: RunningPeer) -> BatchCounts:
    """All models' counts since the server started; none for a server without ``/v1/stats``."""
    connection = http.client.HTTPConnection(*peer.url[:2], timeout=_PATIENCE_S)
    try:
        connection.request("GET", "/v1/stats")
        answer = connection.getresponse()
        body = answer.read()
    finally:
        connection.close()
    if answer.status != http.HTTPStatus.OK:
        return BatchCounts()
    models = msgspec.json.decode(body, type=_Stats).models
    sizes: Counter[str] = Counter()
    for model in models:
        sizes.update(model.batch_sizes)
    return BatchCounts(dict(sizes), sum(model.alone for model in models))
