"""The description of the API: what FastAPI sees, and the bodies that the routes read for themselves."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from markscheme.adapters.wire import GradeBody, MatchBody
from markscheme.grading.grade import Grade
from markscheme.web.errors import KINDS
from markscheme.web.examples import GRADE, PROBLEM_CODES, REQUESTS
from markscheme.web.schemas import Problem

Described = dict[str, Any]

_COMPONENT = "#/components/schemas/{model}"
_PROBLEM_OF_FIELDS = 422
_ABOUT = (
    "Grades free-text answers to interview questions point by point, with evidence. "
    "Every problem is `application/problem+json` with a stable `code`; `/problems` lists them."
)


def json_request(model: str) -> Described:
    """The request body of an operation that reads JSON itself, to be as strict as it must."""
    content = {"application/json": {"schema": _reference(model), "examples": REQUESTS[model]}}
    return {"requestBody": {"required": True, "content": content}}


def problems(*statuses: int) -> dict[int | str, Described]:
    """The problems that an operation can answer with, each with an example."""
    return {status: _problem(status) for status in statuses}


def describe(app: FastAPI) -> Described:
    """The OpenAPI document of `app`, made once."""
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, description=_ABOUT, routes=app.routes)
        components: Described = document.setdefault("components", {}).setdefault("schemas", {})
        _, schema = models_json_schema(
            [(GradeBody, "validation"), (MatchBody, "validation"), (Problem, "serialization")],
            ref_template=_COMPONENT,
        )
        components.update(schema["$defs"])
        grade = TypeAdapter(Grade).json_schema(ref_template=_COMPONENT, mode="serialization")
        components.update(grade.pop("$defs"))
        components["Grade"] = grade
        replies = document["paths"]["/v1/grade"]["post"]["responses"]
        replies["200"]["content"] = {"application/json": {"schema": _reference("Grade"), "example": GRADE}}
        app.openapi_schema = document
    return app.openapi_schema


def _reference(model: str) -> Described:
    return {"$ref": _COMPONENT.format(model=model)}


def _problem(status: int) -> Described:
    code = PROBLEM_CODES[status]
    kind = KINDS[code]
    example: Described = {
        "type": f"/problems#{code}",
        "title": kind.title,
        "status": status,
        "detail": "What is wrong, where, and what to do.",
        "code": code,
    }
    if status == _PROBLEM_OF_FIELDS:
        example["errors"] = [{"pointer": "/points/0/weight", "code": code, "message": "must be more than 0."}]
    content = {"application/problem+json": {"schema": _reference("Problem"), "example": example}}
    titles = sorted({entry.title for entry in KINDS.values() if entry.status == status})
    return {"description": "; ".join(titles) + ".", "content": content}
