"""The routes over the real grader with the model that people use."""

from collections.abc import Callable
from typing import Any


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
