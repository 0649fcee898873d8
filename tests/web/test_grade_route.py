import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from markscheme.grading.errors import UnknownProfileError


def test_an_indexed_question_is_graded(client: TestClient) -> None:
    reply = client.post("/v1/grade", json={"id": "a", "question_id": "hashing/lookup", "answer": "The hash."})
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/json"
    grade = reply.json()
    assert (grade["id"], grade["question_id"]) == ("a", "hashing/lookup")
    assert [point["id"] for point in grade["points"]] == ["p1", "p2"]


def test_the_request_reaches_the_grader_as_it_was_sent(client: TestClient, scripted: Any) -> None:
    answer = "Zwölf 🐟\r\nund\tmehr "
    client.post("/v1/grade", json={"answer": answer, "points": ["One.", "Two."], "question": "Why?"})
    client.post("/v1/grade", json={"answer": answer, "sample_answer": ["One.", "Two."]})
    by_points, by_samples = scripted.seen
    assert by_points.answer == answer
    assert [point.text for point in by_points.points] == ["One.", "Two."]
    assert by_points.question == "Why?"
    assert by_samples.sample_answers == ("One.", "Two.")


def test_what_else_is_asked_reaches_the_grader_too(client: TestClient, scripted: Any) -> None:
    client.post("/v1/grade", json={"answer": "x", "sample_answer": "s", "profile": "our-school", "explain": True})
    client.post("/v1/grade", json={"answer": "x", "sample_answer": "s"})
    assert [(one.profile, one.explain) for one in scripted.seen] == [("our-school", True), (None, False)]


def test_an_unknown_profile_is_told_with_its_field(client: TestClient, scripted: Any) -> None:
    def fail() -> None:
        message = "No profile has the name 'ours'."
        raise UnknownProfileError(message, pointer="/profile")

    scripted.before = fail
    reply = client.post("/v1/grade", json={"answer": "x", "sample_answer": "s", "profile": "ours"})
    assert (reply.status_code, reply.json()["code"]) == (422, "unknown_profile")
    assert reply.json()["errors"][0]["pointer"] == "/profile"


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_json_is_known_by_its_type(client: TestClient, kind: str) -> None:
    body = json.dumps({"answer": "x", "sample_answer": "s"})
    assert client.post("/v1/grade", content=body, headers={"content-type": kind}).status_code == 200
