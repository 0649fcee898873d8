from typing import Any

import pytest
from starlette.testclient import TestClient

from markscheme.grading.rubric import Point, Rubric


def test_the_list_sums_up_every_question(client: TestClient) -> None:
    questions = client.get("/v1/questions").json()["questions"]
    assert [question["id"] for question in questions] == ["hashing/lookup", "hashing/resize", "trees/balance"]
    assert questions[0] == {
        "id": "hashing/lookup",
        "topic": "Hashing",
        "question": "Why is a hash table quick to search?",
        "difficulty": "easy",
        "points": 2,
    }
    assert questions[1]["difficulty"] is None


def test_the_list_of_one_topic(client: TestClient) -> None:
    def ids(topic: str) -> list[str]:
        reply = client.get("/v1/questions", params={"topic": topic})
        return [question["id"] for question in reply.json()["questions"]]

    assert ids("Trees") == ["trees/balance"]
    assert ids("tREES") == ["trees/balance"]
    assert ids("Tree") == []


def test_a_topic_is_known_by_the_start_of_its_ids_too(client: TestClient, scripted: Any) -> None:
    scripted.index.rubrics = (Rubric("maps/hash", "Why?", (Point("p1", "So."),), topic="Maps and Hashing"),)
    counts = [
        len(client.get("/v1/questions", params={"topic": topic}).json()["questions"])
        for topic in ("maps", "maps and hashing", "maps/hash", "map")
    ]
    assert counts == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("address", "known"),
    [("/v1/questions", "Allowed here: topic."), ("/v1/questions/hashing/lookup", "None is allowed here.")],
)
def test_an_unknown_query_parameter_is_refused(client: TestClient, address: str, known: str) -> None:
    reply = client.get(address, params={"topci": "Trees"})
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid_input")
    assert reply.json()["errors"][0]["pointer"] == ""
    assert reply.json()["detail"] == f"The query parameter 'topci' is not known. {known}"


def test_one_question_shows_its_points(client: TestClient) -> None:
    question = client.get("/v1/questions/hashing/lookup").json()
    assert question["status"] == "reviewed"
    assert len(question["rubric_version"]) == 12
    assert question["points"][0]["alternatives"] == ["The key's hash is its address."]
    assert question["points"][1] == {
        "id": "p2",
        "text": "Collisions make it slower.",
        "heading": None,
        "importance": "okay",
        "weight": 0.5,
        "alternatives": [],
        "misconceptions": [],
    }


def test_an_escaped_slash_is_a_slash(client: TestClient) -> None:
    assert client.get("/v1/questions/hashing%2Flookup").json()["id"] == "hashing/lookup"


def test_an_unknown_question_is_not_found(client: TestClient) -> None:
    reply = client.get("/v1/questions/no/such%FF")
    assert (reply.status_code, reply.json()["code"]) == (404, "unknown_question")


def test_match_gives_the_nearest_questions(client: TestClient) -> None:
    matches = client.post("/v1/match", json={"text": "hash tables", "limit": 2}).json()["matches"]
    assert [match["question_id"] for match in matches] == ["hashing/lookup", "hashing/resize"]
    assert matches[0] == {
        "question_id": "hashing/lookup",
        "question": "Why is a hash table quick to search?",
        "topic": "Hashing",
        "similarity": 0.5,
    }


def test_match_names_the_field_at_fault(client: TestClient) -> None:
    reply = client.post("/v1/match", json={"text": "x", "limit": 0})
    assert (reply.status_code, reply.json()["errors"][0]["pointer"]) == (422, "/limit")
