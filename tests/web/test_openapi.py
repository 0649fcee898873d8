from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

METHODS = ("get", "post")


@pytest.fixture
def document(client: TestClient) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/openapi.json").json()
    assert client.get("/openapi.json").json() == document
    return document


def validator(document: dict[str, Any], schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**schema, "components": document["components"]})


def contents(document: dict[str, Any]) -> list[tuple[dict[str, Any], Any]]:
    """Every schema that stands beside an example."""
    found = []
    for path in document["paths"].values():
        for method in METHODS:
            operation = path.get(method, {})
            bodies = [operation.get("requestBody", {}), *operation.get("responses", {}).values()]
            for content in (entry for body in bodies for entry in body.get("content", {}).values()):
                given = [content["example"]] if "example" in content else []
                given += [example["value"] for example in content.get("examples", {}).values()]
                found += [(content["schema"], example) for example in given]
    return found


def test_every_route_of_the_api_is_described_and_the_page_is_not(document: dict[str, Any]) -> None:
    assert set(document["paths"]) == {
        "/v1/grade",
        "/v1/questions",
        "/v1/questions/{question_id}",
        "/v1/match",
        "/healthz",
        "/readyz",
    }


def test_every_example_obeys_its_schema(document: dict[str, Any]) -> None:
    pairs = contents(document)
    assert len(pairs) >= 15
    for schema, example in pairs:
        validator(document, schema).validate(example)


def test_the_schemas_refuse_what_the_routes_refuse(document: dict[str, Any]) -> None:
    schema = document["paths"]["/v1/grade"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    checked = validator(document, schema)
    assert checked.is_valid({"answer": "x", "points": ["p", {"text": "t"}], "id": 7})
    for bad in ({}, {"answer": 1}, {"answer": "x", "points": [{"text": 1}]}, {"answer": "x", "gold": 1}):
        assert not checked.is_valid(bad)


def test_every_reply_obeys_its_description(document: dict[str, Any], client: TestClient) -> None:
    def check(path: str, method: str, reply: Any) -> None:
        kind = reply.headers["content-type"]
        described = document["paths"][path][method]["responses"][str(reply.status_code)]["content"][kind]["schema"]
        validator(document, described).validate(reply.json())

    body = {"answer": "x", "question_id": "hashing/lookup"}
    check("/v1/grade", "post", client.post("/v1/grade", json=body))
    check("/v1/grade", "post", client.post("/v1/grade", json={}))
    check("/v1/grade", "post", client.post("/v1/grade", content=b""))
    check("/v1/questions", "get", client.get("/v1/questions"))
    check("/v1/questions/{question_id}", "get", client.get("/v1/questions/trees/balance"))
    check("/v1/questions/{question_id}", "get", client.get("/v1/questions/no"))
    check("/v1/match", "post", client.post("/v1/match", json={"text": "x"}))
    check("/healthz", "get", client.get("/healthz"))
    check("/readyz", "get", client.get("/readyz"))


def test_the_grade_has_no_field_that_is_not_described(document: dict[str, Any], client: TestClient) -> None:
    reply = client.post("/v1/grade", json={"answer": "x", "question_id": "hashing/lookup"}).json()
    schemas = document["components"]["schemas"]
    assert set(reply) == set(schemas["Grade"]["properties"])
    assert set(reply["points"][0]) | {"contradicts", "explanation"} == set(schemas["PointGrade"]["properties"])


def test_an_explained_grade_obeys_its_description(document: dict[str, Any], serve_built: Callable[..., Any]) -> None:
    body = {"answer": "The hash says where.", "question_id": "hashing/lookup", "explain": True}
    with serve_built("hashing") as client:
        reply = client.post("/v1/grade", json=body).json()
    schema = document["paths"]["/v1/grade"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    validator(document, schema).validate(reply)
    assert set(reply["points"][0]["explanation"]) == set(document["components"]["schemas"]["Explanation"]["properties"])


def test_the_name_of_a_profile_is_described_as_it_is_checked(document: dict[str, Any]) -> None:
    schema = document["paths"]["/v1/grade"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    checked = validator(document, schema)
    for name, valid in (("our-school", True), ("Ours", False), ("", False)):
        assert checked.is_valid({"answer": "x", "question_id": "q", "profile": name}) is valid


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_no_page_loads_scripts_from_elsewhere(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404
