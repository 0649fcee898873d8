import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from markscheme.pipeline.request import GradeRequest
from markscheme.web.desk import GradingDesk
from markscheme.web.errors import BusyError

REQUEST = GradeRequest(answer="x", sample_answers=("s",))
BODY = {"answer": "x", "sample_answer": "s"}
PATIENCE = 20


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 - what is awaited happens in another thread, which sets no event
            await asyncio.sleep(0.005)


def test_one_more_than_the_line_holds_is_refused_and_a_place_is_free_again_after(scripted: Any) -> None:
    gate = threading.Event()
    scripted.before = lambda: gate.wait(PATIENCE)

    async def scenario() -> None:
        desk = GradingDesk(lambda: scripted, workers=1, queue_limit=1)
        await desk.open()
        held = [asyncio.create_task(desk.grade(REQUEST)) for _ in range(2)]
        await until(lambda: len(scripted.seen) == 1)
        with pytest.raises(BusyError, match="a little later"):
            await desk.grade(REQUEST)
        with pytest.raises(BusyError):
            await desk.match("text", 1)
        gate.set()
        await asyncio.gather(*held)
        assert (await desk.grade(REQUEST)).score == 62.5
        desk.close()

    asyncio.run(scenario())


def test_who_stops_waiting_leaves_the_line_but_not_a_worker(scripted: Any) -> None:
    gate = threading.Event()
    scripted.before = lambda: gate.wait(PATIENCE)

    async def scenario() -> None:
        desk = GradingDesk(lambda: scripted, workers=1, queue_limit=1)
        await desk.open()
        working = asyncio.create_task(desk.grade(REQUEST))
        await until(lambda: len(scripted.seen) == 1)
        waiting = asyncio.create_task(desk.grade(REQUEST))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        next_one = asyncio.create_task(desk.grade(REQUEST))
        await asyncio.sleep(0)
        working.cancel()
        with pytest.raises(BusyError):
            await desk.grade(REQUEST)
        gate.set()
        await next_one
        desk.close()

    asyncio.run(scenario())
    assert len(scripted.seen) == 2


def test_before_it_is_open_nothing_is_graded(scripted: Any) -> None:
    desk = GradingDesk(lambda: scripted, workers=1, queue_limit=1)
    with pytest.raises(BusyError, match="not loaded yet"):
        _ = desk.grader
    desk.close()


def test_the_service_stays_quick_and_says_when_to_come_back(serve: Callable[..., Any], scripted: Any) -> None:
    gate = threading.Event()
    scripted.before = lambda: gate.wait(PATIENCE)
    with serve(scripted, threads=1, queue_limit=1) as client, ThreadPoolExecutor(2) as callers:
        held = [callers.submit(client.post, "/v1/grade", json=BODY) for _ in range(2)]
        deadline = time.monotonic() + PATIENCE
        while client.app.state.desk._room._value and time.monotonic() < deadline:
            time.sleep(0.005)
        refused = client.post("/v1/match", json={"text": "one too many"})
        assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        assert refused.headers["retry-after"] == "2"
        started = time.monotonic()
        assert client.get("/healthz").status_code == 200
        assert time.monotonic() - started < 1
        gate.set()
        assert [call.result(PATIENCE).status_code for call in held] == [200, 200]
        assert client.post("/v1/grade", json=BODY).status_code == 200
