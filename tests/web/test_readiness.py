import logging
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from markscheme.grading.errors import EmbedderError, IndexMismatchError, IndexMissingError

MISSING = IndexMissingError("There is no index yet. Run `markscheme build`.")


def test_a_served_index_is_ready(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ready", "questions": 3}


def test_an_index_that_cannot_be_served_leaves_own_questions(
    serve: Callable[..., Any], refused: Callable[..., Any]
) -> None:
    with serve(refused(MISSING)) as client:
        assert client.get("/healthz").status_code == 200
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["code"]) == (503, "index_missing")
        assert ready.json()["detail"] == str(MISSING)
        assert int(ready.headers["retry-after"]) > 0
        assert client.get("/v1/questions").status_code == 503
        by_id = client.post("/v1/grade", json={"answer": "x", "question_id": "hashing/lookup"})
        assert by_id.json()["code"] == "index_missing"
        assert client.post("/v1/grade", json={"answer": "x", "sample_answer": "s"}).status_code == 200
        page = client.get("/")
        assert page.status_code == 200
        assert "Run `markscheme build`" in page.text


@pytest.mark.parametrize("error", [MISSING, IndexMismatchError("Another model."), EmbedderError("No model.")])
def test_a_grader_that_cannot_be_loaded_answers_with_the_reason(serve: Callable[..., Any], error: Exception) -> None:
    with serve(error) as client:
        assert client.get("/healthz").status_code == 200
        for _ in range(3):
            ready = client.get("/readyz")
            assert (ready.status_code, ready.json()["detail"]) == (503, str(error))
        assert client.post("/v1/grade", json={"answer": 1}).status_code == 422
        reply = client.post("/v1/grade", json={"answer": "x", "sample_answer": "s"})
        assert reply.json()["detail"] == str(error)
    traceback, frames = error.__traceback__, 0
    while traceback is not None:
        traceback, frames = traceback.tb_next, frames + 1
    assert frames < 40


def test_a_slip_in_the_code_stops_the_start(serve: Callable[..., Any]) -> None:
    with pytest.raises(ZeroDivisionError), serve(ZeroDivisionError("slip")):
        pass


def test_an_error_that_nobody_foresaw_is_told_to_the_log_alone(
    client: TestClient, scripted: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        message = "the secret path"
        raise RuntimeError(message)

    scripted.before = fail
    with caplog.at_level(logging.ERROR):
        reply = client.post(
            "/v1/grade", json={"answer": "my words", "sample_answer": "s"}, headers={"x-request-id": "find-me"}
        )
    assert reply.status_code == 500
    assert reply.headers["content-type"] == "application/problem+json"
    assert (reply.json()["code"], reply.headers["x-request-id"]) == ("internal_error", "find-me")
    assert "secret" not in reply.text
    assert "find-me" in caplog.text
    assert "the secret path" in caplog.text
    assert "my words" not in caplog.text
    scripted.before = lambda: None
    assert client.post("/v1/grade", json={"answer": "x", "sample_answer": "s"}).status_code == 200
