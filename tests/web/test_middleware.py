import asyncio
import logging
from typing import Any

import pytest
from starlette.testclient import TestClient

from markscheme.web.middleware import BodyLimit, RequestContext


@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/nothing", "/static/markscheme.css", "/problems"])
def test_every_reply_has_an_id_and_the_headers_that_bind_a_browser(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert len(headers["x-request-id"]) == 32
    policy = headers["content-security-policy"].split("; ")
    assert policy == [
        "default-src 'none'",
        "style-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_an_id_that_is_sent_comes_back(client: TestClient) -> None:
    assert client.get("/healthz", headers={"x-request-id": "Job_7.a-b"}).headers["x-request-id"] == "Job_7.a-b"


@pytest.mark.parametrize("unsafe", ["a b", "a\tb", "x" * 129, "é".encode().decode("latin-1"), ""])
def test_an_id_that_could_forge_a_log_line_is_replaced(client: TestClient, unsafe: str) -> None:
    given = client.get("/healthz", headers={b"x-request-id": unsafe.encode("latin-1")}).headers["x-request-id"]
    assert given != unsafe
    assert len(given) == 32


def test_a_refused_body_has_an_id_too(client: TestClient) -> None:
    reply = client.post("/v1/grade", content=b"x" * 5_000, headers={"x-request-id": "big"})
    assert (reply.status_code, reply.headers["x-request-id"]) == (413, "big")


def test_what_is_no_request_passes_through() -> None:
    passed: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passed.append((scope, receive, send))

    async def nothing(*_: Any) -> Any: ...

    for wrapped in (RequestContext(app), BodyLimit(app, limit=1)):
        asyncio.run(wrapped({"type": "lifespan"}, nothing, nothing))
    assert passed == [({"type": "lifespan"}, nothing, nothing)] * 2


def test_a_failure_in_the_middle_of_a_reply_is_not_covered_up(caplog: pytest.LogCaptureFixture) -> None:
    sent: list[Any] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        message = "cut off"
        raise OSError(message)

    async def receive() -> Any: ...

    async def send(message: Any) -> None:
        sent.append(message["type"])

    with pytest.raises(OSError, match="cut off"):
        asyncio.run(RequestContext(app)({"type": "http", "headers": []}, receive, send))
    assert sent == ["http.response.start"]
    assert "cut off" in caplog.text


@pytest.mark.parametrize(
    ("path", "kind"), [("/v1/grade", "application/json"), ("/", "multipart/form-data; boundary=b")]
)
def test_a_client_that_hangs_up_is_no_error(
    client: TestClient, caplog: pytest.LogCaptureFixture, path: str, kind: str
) -> None:
    messages = [{"type": "http.request", "body": b"--b", "more_body": True}, {"type": "http.disconnect"}]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(b"content-type", kind.encode())],
    }
    caplog.set_level(logging.DEBUG, "markscheme")
    asyncio.run(client.app(scope, receive, send))  # type: ignore[arg-type]  # the client knows it by two kinds
    assert sent == []
    (record,) = [record for record in caplog.records if record.name == "markscheme.web.middleware"]
    assert (record.levelname, record.exc_info) == ("DEBUG", None)
    assert "hung up" in record.getMessage()
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
