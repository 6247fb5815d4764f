"""The threads of a process as Linux counts them: names, CPU time, who wants a CPU."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SAMPLE_S = 0.002


class ThreadWatch:
    """What was seen of a process's threads while work was done.

    Attributes:
        names: Threads by name, each that was ever seen.
        busy: Names of the threads that used CPU time.
        most_runnable: The most threads that ran or waited for a CPU at once.
        cpu_ns: CPU time by name.
    """

    def __init__(self, pid: int) -> None:
        self._tasks = Path(f"/proc/{pid}/task")
        self._before = {task.name: self._used_ns(task) for task in self._tasks.iterdir()}
        self._seen: dict[str, str] = {}
        self.most_runnable = 0
        self.names: Counter[str] = Counter()
        self.busy: Counter[str] = Counter()
        self.cpu_ns: Counter[str] = Counter()

    def sample(self) -> None:
        runnable = 0
        for task in self._tasks.iterdir():
            name, _, rest = (task / "stat").read_text().partition("(")[2].rpartition(")")
            self._seen[task.name] = name
            runnable += rest.split()[0] == "R"
        self.most_runnable = max(self.most_runnable, runnable)

    def finish(self) -> None:
        self.sample()
        self.names = Counter(self._seen.values())
        for task in self._tasks.iterdir():
            used_ns = self._used_ns(task) - self._before.get(task.name, 0)
            if used_ns:
                self.busy[self._seen[task.name]] += 1
                self.cpu_ns[self._seen[task.name]] += used_ns

    @staticmethod
    def _used_ns(task: Path) -> int:
        return int((task / "schedstat").read_text().split()[0])


def thread_names(pid: int) -> Counter[str]:
    """How many threads of each name there are now."""
    return Counter(
        (task / "comm").read_text().rstrip("\n") for task in Path(f"/proc/{pid}/task").iterdir()
    )


@contextmanager
def watched(pid: int) -> Iterator[ThreadWatch]:
    """Watch a process's threads during the block; read the result after it."""
    watch, done = ThreadWatch(pid), threading.Event()

    def sample() -> None:
        while not done.wait(SAMPLE_S):
            watch.sample()

    sampler = threading.Thread(target=sample)
    sampler.start()
    try:
        yield watch
    finally:
        done.set()
        sampler.join()
    watch.finish()
