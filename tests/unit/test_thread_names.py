"""Names as the system has them: /proc/<pid>/task/<tid>/comm."""

import threading
from pathlib import Path

import pytest

from photic import thread_names
from photic.thread_names import name_new_threads, name_this_thread


def comm(thread_id: int) -> str:
    return Path(f"/proc/self/task/{thread_id}/comm").read_text().strip()


def name_in_thread(name: str) -> str:
    """What the system calls a thread that named itself."""
    seen = []

    def body():
        name_this_thread(name)
        seen.append(comm(threading.get_native_id()))

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    return seen[0]


def test_a_thread_names_itself():
    before = comm(threading.get_native_id())
    assert name_in_thread("photic-work-7") == "photic-work-7"
    assert comm(threading.get_native_id()) == before


def test_the_system_keeps_15_bytes():
    assert name_in_thread("photic-work-123456") == "photic-work-123"


def test_new_threads_inherit_the_name():
    go, seen = threading.Event(), []
    before = comm(threading.get_native_id())
    thread = threading.Thread(target=go.wait)
    with name_new_threads("photic-new"):
        thread.start()
    seen.append(comm(thread.native_id))
    go.set()
    thread.join()
    assert seen == ["photic-new"]
    assert comm(threading.get_native_id()) == before


def test_without_proc_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(thread_names, "_NAME", tmp_path / "none" / "comm")
    name_this_thread("photic")
    with name_new_threads("photic-new"):
        pass
    assert list(tmp_path.iterdir()) == []
