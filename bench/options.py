"""What the command line of `python -m bench` asks for."""

from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from bench.harness.fingerprint import current_commit, fingerprint
from bench.harness.mixes import Mix, default_mixes, folder_mix
from bench.harness.results import Results, RunSettings, read_results
from bench.harness.server import Server
from bench.peers.plan import FULL, QUICK, Plan
from bench.peers.registry import SERVERS

__all__ = ["Options"]

QUICK_PHOTOS = 4


class Options(Struct, frozen=True):
    """One run.

    Attributes:
        photos: Folders of JPEGs, a mix each; none: mixes made from package photos.
        servers: Names of those to measure.
        quick: A rough run in minutes.
        out: Folder of the results.
    """

    photos: tuple[Path, ...]
    servers: tuple[str, ...]
    quick: bool
    out: Path

    @property
    def plan(self) -> Plan:
        """How long to measure."""
        return QUICK if self.quick else FULL

    def chosen_servers(self) -> list[Server]:
        """In the registry's order."""
        return [server for server in SERVERS.values() if server.name in self.servers]

    def mixes(self) -> list[Mix]:
        """Read or make the photos; of each mix but a few for a quick run."""
        mixes = [folder_mix(folder) for folder in self.photos] or default_mixes()
        return [Mix(mix.name, mix.photos[:QUICK_PHOTOS]) for mix in mixes] if self.quick else mixes

    def results(self, mixes: list[Mix]) -> Results:
        """Those in ``out`` already, to which this run adds its part, or new ones."""
        path = self.out / "results.json"
        if path.exists():
            return read_results(path)
        return Results(
            fingerprint=fingerprint(),
            commit=current_commit(),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            settings=RunSettings(
                quick=self.quick,
                rounds=self.plan.rounds,
                seconds=self.plan.seconds,
                mixes={mix.name: len(mix.photos) for mix in mixes},
                digests={mix.name: mix.digest for mix in mixes},
            ),
        )
