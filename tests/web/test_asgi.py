"""The service as it is really started: another process, a real socket, settings from the environment."""

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from markscheme.grading.errors import SettingsError

START = "import uvicorn; uvicorn.run('markscheme.web.asgi:app', host='127.0.0.1', port=0, access_log=False)"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    variables = {
        "MARKSCHEME_HOME": str(tmp_path),
        "MARKSCHEME_EMBEDDER": "hashing",
        "MARKSCHEME_VERIFIER": "off",
        "MARKSCHEME_MAX_BODY_BYTES": "2048",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", START], env=os.environ | variables, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    lines = []
    for line in process.stderr:
        lines.append(line)
        if found := re.search(r"running on (http://[\d.]+:\d+)", line):
            yield found[1]
            break
    process.terminate()
    rest = process.communicate(timeout=20)[1]
    assert "Traceback" not in "".join(lines) + rest


def test_a_home_without_an_index_is_served_for_own_questions(address: str) -> None:
    with httpx2.Client(base_url=address, timeout=20) as client:
        assert client.get("/healthz").status_code == 200
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["code"]) == (503, "index_missing")
        assert "markscheme build" in ready.json()["detail"]
        body = {"answer": "The hash says where.", "sample_answer": "The hash says where the value is."}
        assert client.post("/v1/grade", json=body).status_code == 200
        assert client.post("/v1/grade", json=body | {"sample_answer": None, "question_id": "q"}).status_code == 503

        def chunks() -> Iterator[bytes]:
            for _ in range(5):
                yield b" " * 1_000

        headers = {"content-type": "application/json"}
        for content in (b" " * 5_000, chunks()):
            reply = client.post("/v1/grade", content=content, headers=headers)
            assert (reply.status_code, reply.json()["code"]) == (413, "body_too_large")
        assert client.post("/v1/grade", content=json.dumps(body), headers=headers).status_code == 200
        assert client.post("/", data=body).status_code == 200


def test_the_application_is_made_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MARKSCHEME_HOME", str(tmp_path))
    monkeypatch.setenv("MARKSCHEME_EMBEDDER", "hashing")
    monkeypatch.setenv("MARKSCHEME_VERIFIER", "off")
    monkeypatch.setenv("MARKSCHEME_MAX_ANSWER_CHARS", "5")
    monkeypatch.delitem(sys.modules, "markscheme.web.asgi", raising=False)
    made = importlib.import_module("markscheme.web.asgi")
    with TestClient(made.app) as client:
        body = {"answer": "123456", "sample_answer": "A sample answer."}
        assert "the limit is 5" in client.post("/v1/grade", json=body).json()["detail"]
        assert client.post("/v1/grade", json=body | {"answer": "12345"}).status_code == 200


def test_a_setting_that_cannot_be_used_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARKSCHEME_PORT", "many")
    monkeypatch.delitem(sys.modules, "markscheme.web.asgi", raising=False)
    with pytest.raises(SettingsError, match="MARKSCHEME_PORT"):
        importlib.import_module("markscheme.web.asgi")
