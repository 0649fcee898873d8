"""The HTTP API, version 1."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import JSONResponse

from markscheme.adapters.wire import Limits, grade_json, parse_body, parse_match
from markscheme.grading.errors import InputError
from markscheme.grading.rubric import Rubric
from markscheme.web.desk import GradingDesk
from markscheme.web.errors import WrongContentTypeError
from markscheme.web.openapi import json_request, problems
from markscheme.web.schemas import Health, MatchList, QuestionDetail, QuestionList, QuestionSummary, Readiness

JSON = "application/json"

router = APIRouter()


async def desk_of(request: Request) -> GradingDesk:
    """The desk that the application keeps."""
    desk: GradingDesk = request.app.state.desk
    return desk


async def limits_of(request: Request) -> Limits:
    """The limits that the settings give."""
    limits: Limits = request.app.state.limits
    return limits


async def json_bytes(request: Request) -> bytes:
    """The raw body. Raises WrongContentTypeError where it does not call itself JSON."""
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip().lower() != JSON:
        message = f"The content type is {given[:60]!r}. Send the body as {JSON}."
        raise WrongContentTypeError(message)
    return await request.body()


def query_of(*allowed: str) -> Callable[[Request], Awaitable[None]]:
    """A check that the address has no other query parameters: a misspelt one would be passed over without a word."""

    async def check(request: Request) -> None:
        for name in request.query_params:
            if name not in allowed:
                known = f"Allowed here: {', '.join(allowed)}." if allowed else "None is allowed here."
                message = f"The query parameter {name[:60]!r} is not known. {known}"
                raise InputError(message)

    return check


Desk = Annotated[GradingDesk, Depends(desk_of)]
Body = Annotated[bytes, Depends(json_bytes)]


@router.post(
    "/v1/grade",
    summary="Grade one answer",
    tags=["grading"],
    response_class=JSONResponse,
    responses={200: {"description": "The grade."}, **problems(400, 404, 413, 415, 422, 503)},
    openapi_extra=json_request("GradeBody"),
)
async def grade(desk: Desk, body: Body, limits: Annotated[Limits, Depends(limits_of)]) -> JSONResponse:
    """Grade an answer by an indexed question, by points of your own, or by a sample answer."""
    wanted = parse_body(body, limits)
    return JSONResponse(grade_json(await desk.grade(wanted), explain=wanted.explain))


Topic = Annotated[
    str | None,
    Query(
        description="Only the questions of this topic: its title, in capital or small letters, or the part before the "
        "slash that its questions' ids begin with, such as `training-vs-inference`. An unknown topic has no questions."
    ),
]


@router.get(
    "/v1/questions",
    summary="List the questions",
    tags=["questions"],
    dependencies=[Depends(query_of("topic"))],
    responses=problems(422, 503),
)
async def questions(desk: Desk, topic: Topic = None) -> QuestionList:
    """List every question of the index, or those of one topic."""
    index = desk.grader.index
    rubrics = (index.rubric(question_id) for question_id in index.question_ids())
    return QuestionList(
        questions=[QuestionSummary.of(rubric) for rubric in rubrics if topic is None or _is_of(rubric, topic)]
    )


@router.get(
    "/v1/questions/{question_id:path}",
    summary="Show one question with its points",
    tags=["questions"],
    dependencies=[Depends(query_of())],
    responses=problems(404, 422, 503),
)
async def question(desk: Desk, question_id: str) -> QuestionDetail:
    """Show a question with its rubric. The id may hold slashes, as they are."""
    return QuestionDetail.of(desk.grader.index.rubric(question_id))


@router.post(
    "/v1/match",
    summary="Find the questions that a text is about",
    tags=["questions"],
    responses=problems(400, 413, 415, 422, 503),
    openapi_extra=json_request("MatchBody"),
)
async def match(desk: Desk, body: Body) -> MatchList:
    """Find the indexed questions nearest to a text, best first."""
    wanted = parse_match(body)
    return MatchList.of(await desk.match(wanted.text, wanted.limit))


@router.get("/healthz", summary="Say whether the process lives", tags=["service"])
async def healthz() -> Health:
    """Answer at once, whatever the index and the model do."""
    return Health(status="ok")


@router.get("/readyz", summary="Say whether indexed questions can be graded", tags=["service"], responses=problems(503))
async def readyz(desk: Desk) -> Readiness:
    """Answer 200 once the index and the model serve; else 503 with the reason."""
    return Readiness(status="ready", questions=len(desk.grader.index.question_ids()))


def _is_of(rubric: Rubric, topic: str) -> bool:
    return rubric.topic.casefold() == topic.casefold() or rubric.id.partition("/")[0] == topic
