"""Every kind of bad request gets a problem that names its field, and the service lives after all of them."""

import json
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

GRADE = "/v1/grade"
JSON = {"content-type": "application/json"}


def body(**fields: object) -> bytes:
    return json.dumps(fields).encode()


BAD = {
    "neither": (body(answer="x"), 422, "invalid_input", ""),
    "both": (body(answer="x", question_id="q", sample_answer="s"), 422, "invalid_input", ""),
    "unknown id": (body(answer="x", question_id="no/such"), 404, "unknown_question", "/question_id"),
    "no points": (body(answer="x", points=[]), 422, "empty_rubric", "/points"),
    "no sample answers": (body(answer="x", sample_answer=[]), 422, "empty_rubric", "/sample_answer"),
    "no answer": (body(question_id="q"), 422, "invalid_input", "/answer"),
    "wrong type": (body(answer=["x"], question_id="q"), 422, "invalid_input", "/answer"),
    "wrong type inside": (body(answer="x", points=["p", {"text": 1}]), 422, "invalid_input", "/points/1/text"),
    "unknown key": (body(answer="x", question_id="q", gold=1), 422, "invalid_input", "/gold"),
    "not an object": (b"[]", 422, "invalid_input", ""),
    "too long": (body(answer="x" * 201, question_id="q"), 413, "answer_too_long", "/answer"),
    "surrogate": (b'{"answer": "\\ud800", "question_id": "q"}', 422, "invalid_input", "/answer"),
    "NUL": (b'{"answer": "\\u0000", "question_id": "q"}', 422, "invalid_input", "/answer"),
    "NaN": (b'{"answer": "x", "points": [{"text": "t", "weight": NaN}]}', 400, "malformed_json", ""),
    "broken UTF-8": (b'{"answer": "\xff", "question_id": "q"}', 400, "malformed_json", ""),
    "broken JSON": (b'{"answer": "x", ', 400, "malformed_json", ""),
    "a key twice": (b'{"answer": "x", "answer": "y", "question_id": "q"}', 400, "malformed_json", ""),
    "surrogate key": (b'{"answer": "x", "\\ud800": "y"}', 400, "malformed_json", ""),
    "depth": (b"[" * 4_000, 400, "malformed_json", ""),
    "nothing": (b"", 400, "malformed_json", ""),
}


@pytest.mark.parametrize("name", BAD)
def test_each_fault_is_a_problem_with_its_field(client: TestClient, name: str) -> None:
    content, status, code, pointer = BAD[name]
    reply = client.post(GRADE, content=content, headers=JSON)
    assert reply.status_code == status
    assert reply.headers["content-type"] == "application/problem+json"
    problem = reply.json()
    assert (problem["status"], problem["code"], problem["type"]) == (status, code, f"/problems#{code}")
    assert problem["errors"][0]["pointer"] == pointer
    assert problem["errors"][0]["message"] == problem["detail"]
    assert problem["title"]


def test_several_faults_are_told_together(client: TestClient) -> None:
    reply = client.post(GRADE, json={"answer": 1, "points": [{"weight": 0}]})
    assert [fault["pointer"] for fault in reply.json()["errors"]] == ["/answer", "/points/0/text", "/points/0/weight"]


def test_a_body_over_the_limit_is_refused_by_its_declared_length(client: TestClient) -> None:
    reply = client.post(GRADE, content=b"x" * 4_097, headers=JSON)
    assert (reply.status_code, reply.json()["code"]) == (413, "body_too_large")
    assert "4,096 bytes" in reply.json()["detail"]
    assert reply.headers["content-type"] == "application/problem+json"


def test_a_declared_length_of_many_digits_is_too_large(client: TestClient) -> None:
    reply = client.post(GRADE, content=b"x", headers=JSON | {"content-length": "9" * 5_000})
    assert reply.status_code == 413


def test_a_body_over_the_limit_is_refused_in_chunks_too(client: TestClient) -> None:
    sent = 0

    def chunks() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b"x" * 1_000

    reply = client.post(GRADE, content=chunks(), headers=JSON)
    assert (reply.status_code, reply.json()["code"]) == (413, "body_too_large")


def test_a_body_at_the_limit_is_read(client: TestClient) -> None:
    content = body(answer="x", sample_answer="s").ljust(4_096)
    assert client.post(GRADE, content=content, headers=JSON).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""])
def test_another_content_type_is_refused(client: TestClient, kind: str) -> None:
    reply = client.post(GRADE, content=body(answer="x", question_id="q"), headers={"content-type": kind})
    assert (reply.status_code, reply.json()["code"]) == (415, "wrong_content_type")
    assert "application/json" in reply.json()["detail"]


def test_another_method_and_another_address(client: TestClient) -> None:
    reply = client.get(GRADE)
    assert (reply.status_code, reply.json()["code"], reply.headers["allow"]) == (405, "method_not_allowed", "POST")
    assert client.get("/v1/nothing").json()["code"] == "not_found"


def test_the_service_lives_after_all_of_them(client: TestClient) -> None:
    for content, *_ in BAD.values():
        client.post(GRADE, content=content, headers=JSON)
        client.post("/v1/match", content=content, headers=JSON)
        client.post("/", content=content, headers=JSON)
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200
    assert client.post(GRADE, json={"answer": "x", "question_id": "hashing/lookup"}).status_code == 200
