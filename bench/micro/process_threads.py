"""What Linux counted for the threads of a server, by kind of thread."""

import re
from collections import Counter
from pathlib import Path

KINDS = {"photic": "event loop", "photic-http": "Granian", "photic-ort": "ORT's pool"}
"""By the names that Linux knows."""


class ProcessThreads:
    """Totals since the threads began.

    Attributes:
        cpu_ns: CPU time.
        waiting_ns: Time in which a thread could have run, but others had the cores.
        switches: How often a thread went to sleep.
    """

    def __init__(self, pid: int) -> None:
        self.cpu_ns: Counter[str] = Counter()
        self.waiting_ns: Counter[str] = Counter()
        self.switches: Counter[str] = Counter()
        for task in Path(f"/proc/{pid}/task").iterdir():
            kind = self._kind(task, pid)
            cpu_ns, waiting_ns, _ = map(int, (task / "schedstat").read_text().split())
            status = (task / "status").read_text()
            switches = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.MULTILINE)
            assert switches
            self.cpu_ns[kind] += cpu_ns
            self.waiting_ns[kind] += waiting_ns
            self.switches[kind] += int(switches[1])

    @staticmethod
    def _kind(task: Path, pid: int) -> str:
        if task.name == str(pid):
            return "event loop"
        return KINDS.get((task / "comm").read_text().strip(), "workers")
