"""The routes over the real grader with the model that people use."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from markscheme.web.examples import GRADE, REQUESTS


def test_the_service_grades_with_the_packaged_model(serve_built: Callable[..., Any]) -> None:
    good = "You hash the key, and the result tells you in which place the value is stored."
    with serve_built("minilm") as client:

        def score(answer: str) -> float:
            reply = client.post("/v1/grade", json={"answer": answer, "question_id": "hashing/lookup"})
            assert reply.status_code == 200, reply.text
            value: float = reply.json()["score"]
            return value

        assert client.get("/readyz").json()["questions"] == 3
        assert score(good) > score("I had pancakes for breakfast and then it rained.")
        matches = client.post("/v1/match", json={"text": "how do hash maps find things so fast"}).json()["matches"]
        assert matches[0]["question_id"] == "hashing/lookup"
        page = client.post("/", data={"question_id": "hashing/lookup", "answer": good})
        assert page.status_code == 200
        assert good in page.text.replace("</mark>", "").replace('<mark class="covered">', "")


def test_the_example_reply_is_what_the_example_request_gets(serve_built: Callable[..., Any]) -> None:
    example = cast("dict[str, Any]", GRADE)
    request = cast("dict[str, Any]", REQUESTS["GradeBody"]["by_points"])["value"]
    with serve_built("minilm") as client:
        reply = client.post("/v1/grade", json=request).json()
    assert list(reply) == list(example)
    assert reply["score"] == pytest.approx(example["score"], abs=5)
    assert reply["vital_coverage"] == pytest.approx(example["vital_coverage"], abs=0.05)
    assert reply["confidence"] == pytest.approx(example["confidence"], abs=0.05)
    moving = {"score", "vital_coverage", "points", "confidence", "grader"}
    assert {key: reply[key] for key in reply if key not in moving} == {
        key: example[key] for key in example if key not in moving
    }
    assert list(reply["grader"]) == list(example["grader"])
    for given, shown in zip(reply["points"], example["points"], strict=True):
        assert list(given) == list(shown)
        numbers = ("coverage", "credit", "confidence")
        for number in numbers:
            assert given.pop(number) == pytest.approx(shown[number], abs=0.05)
        assert given == {key: shown[key] for key in shown if key not in numbers}
