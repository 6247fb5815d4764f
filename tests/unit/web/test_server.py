"""Leaving in order, with a server that does not."""

import asyncio

import pytest

from photic.serving.admission import Admission
from photic.settings import AdmissionSettings, ServerSettings
from photic.web import server
from photic.web.lifecycle import Lifecycle


class LateServer:
    """Does not stop when told to; cancelled, it reports its end as Granian does."""

    async def serve(self) -> None:
        loop = asyncio.get_running_loop()
        ended = loop.create_future()
        try:
            await ended
        finally:
            loop.call_soon(ended.set_result, None)

    def stop(self) -> None:
        pass


class BrokenServer(LateServer):
    async def serve(self) -> None:
        raise OSError("no more sockets")


def leave(admission: Admission, kind: type[LateServer] = LateServer) -> bool:
    settings = ServerSettings(drain_timeout_ms=1)
    run = server._Run(None, None, settings, admission, Lifecycle())

    async def scenario() -> bool:
        late = kind()
        serving = asyncio.create_task(late.serve())
        await asyncio.sleep(0)
        finished = await run._leave(late, serving)
        assert not serving.done()
        return finished

    return asyncio.run(scenario())


@pytest.fixture
def admission(monkeypatch):
    monkeypatch.setattr(server, "_CLOSE_TIMEOUT_S", 0.01)
    admission = Admission(AdmissionSettings(), workers=1)
    admission.open()
    return admission


def test_a_server_that_ends_late_leaves_no_traceback(admission, caplog):
    assert leave(admission)
    assert caplog.records == []


def test_what_did_not_finish_in_time_is_told(admission, caplog):
    admission.admit(0)
    assert not leave(admission)
    assert [record.getMessage() for record in caplog.records] == [
        "1 request did not finish in time"
    ]


def test_a_server_that_failed_says_so(admission):
    with pytest.raises(OSError, match="no more sockets"):
        leave(admission, BrokenServer)
