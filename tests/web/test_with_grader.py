"""The routes over the real grader and a built index; the embedder alone is the one that needs no model."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from markscheme import bootstrap
from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.settings import Settings


@pytest.fixture
def built(serve_built: Callable[..., Any]) -> Iterator[TestClient]:
    with serve_built("hashing") as client:
        yield client


def grade(client: TestClient, **body: object) -> Any:
    reply = client.post("/v1/grade", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_the_service_is_ready_with_every_question(built: TestClient) -> None:
    assert built.get("/readyz").json() == {"status": "ready", "questions": 3}
    assert len(built.get("/v1/questions").json()["questions"]) == 3


def test_a_question_is_graded_with_evidence_of_the_answer(built: TestClient) -> None:
    answer = "Well: the hash says where the value is. I like fish."
    result = grade(built, id="a", question_id="hashing/lookup", answer=answer)
    assert (result["id"], result["question_id"]) == ("a", "hashing/lookup")
    assert [point["id"] for point in result["points"]] == ["p1", "p2"]
    for evidence in (passage for point in result["points"] for passage in point["evidence"]):
        assert evidence["text"] == answer[evidence["start"] : evidence["end"]]
    assert result["points"][0]["coverage"] > result["points"][1]["coverage"]
    assert result["grader"]["embedder"] == "hashing@1"


@pytest.mark.parametrize("answer", ["", " \n\t "])
@pytest.mark.parametrize(
    "way", [{"question_id": "hashing/lookup"}, {"points": ["A point."]}, {"sample_answer": "A sample answer."}]
)
def test_an_empty_answer_gets_nothing_and_a_flag(built: TestClient, answer: str, way: dict[str, object]) -> None:
    result = grade(built, answer=answer, **way)
    assert result["score"] == 0
    assert result["flags"]
    assert {point["status"] for point in result["points"]} == {"missing"}


def test_own_points_and_own_sample_answers_are_graded(built: TestClient) -> None:
    by_points = grade(built, answer="The hash says where.", points=["The hash says where.", "Collisions cost time."])
    assert by_points["points"][0]["coverage"] > by_points["points"][1]["coverage"]
    samples = ["Trees stay balanced by turning nodes.", "The hash says where the value is."]
    by_samples = grade(built, answer="The hash says where the value is.", sample_answer=samples)
    assert "hash" in by_samples["points"][0]["text"]


def test_every_point_says_why_when_asked(built: TestClient) -> None:
    body: dict[str, Any] = {"question_id": "hashing/lookup", "answer": "The hash says where the value is."}
    explained = grade(built, **body, explain=True)
    for point in explained["points"]:
        explanation = point.pop("explanation")
        moved = explanation["average"] + sum(effect["effect"] for effect in explanation["effects"])
        assert point["coverage"] == pytest.approx(1 / (1 + math.exp(-moved)), abs=1e-4)
        assert explanation["passage"] == body["answer"]
    assert explained == grade(built, **body)


def test_the_same_request_gets_the_same_bytes(built: TestClient) -> None:
    body = {"answer": "The hash says where.", "question_id": "hashing/lookup"}
    assert built.post("/v1/grade", json=body).content == built.post("/v1/grade", json=body).content


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({"answer": "x", "question_id": "no/such"}, 404, "/question_id"),
        ({"answer": "x", "sample_answer": "?!"}, 422, "/sample_answer"),
        ({"answer": "x" * 201, "sample_answer": "s"}, 413, "/answer"),
    ],
)
def test_what_the_grader_refuses_is_told_with_its_field(
    built: TestClient, body: dict[str, object], status: int, pointer: str
) -> None:
    reply = built.post("/v1/grade", json=body)
    assert (reply.status_code, reply.json()["errors"][0]["pointer"]) == (status, pointer)


def test_a_question_is_found_by_its_words(built: TestClient) -> None:
    matches = built.post("/v1/match", json={"text": "Why is a search tree balanced?", "limit": 2}).json()["matches"]
    assert matches[0]["question_id"] == "trees/balance"
    assert matches[0]["similarity"] > matches[1]["similarity"]
    assert built.post("/v1/match", json={"text": "?!"}).status_code == 200


def test_the_page_shows_the_grade(built: TestClient) -> None:
    reply = built.post("/", data={"question_id": "hashing/lookup", "answer": "The hash says where the value is. <b>"})
    assert reply.status_code == 200
    assert "The hash says where the value is." in reply.text
    assert "&lt;b&gt;" in reply.text
    assert "of 100" in reply.text
    assert reply.text.count("<summary>Why") == 2


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: path.write_text("{", "utf-8"), "cannot be read as a calibration"),
        (lambda path: path.write_text('{"name": "ours", "version": 0}', "utf-8"), "cannot be read as a calibration"),
        (lambda path: path.write_text(path.read_text("utf-8").replace("match_passage", "luck"), "utf-8"), "luck"),
        (lambda path: path.write_text(path.read_text("utf-8").replace("match_passage", "supported"), "utf-8"), "off"),
    ],
)
def test_a_profile_that_cannot_be_used_is_a_fault_of_its_field(
    built: TestClient, settings: Settings, spoil: Callable[[Path], object], reason: str
) -> None:
    ours = replace(read_calibration(), name="ours")
    path = bootstrap.profiles(settings, None).save(ours, "tests", replace=False)
    spoil(path)
    reply = built.post("/v1/grade", json={"answer": "x", "question_id": "hashing/lookup", "profile": "ours"})
    assert reply.status_code == 422
    told = reply.json()
    assert (told["code"], told["type"]) == ("unusable_profile", "/problems#unusable_profile")
    assert [(one["pointer"], one["code"]) for one in told["errors"]] == [("/profile", "unusable_profile")]
    assert reason in told["detail"]
    assert str(path.parent) not in reply.text
