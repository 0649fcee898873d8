"""The page: choose a question or bring one, paste an answer, read the grade. It needs no JavaScript."""

from dataclasses import dataclass, field
from itertools import groupby

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from markscheme.adapters.wire import request_from_data
from markscheme.grading.errors import InputError, MarkschemeError
from markscheme.grading.rubric import Rubric
from markscheme.web.api import Desk, desk_of, limits_of
from markscheme.web.desk import GradingDesk
from markscheme.web.errors import KINDS, WrongContentTypeError, code_of
from markscheme.web.origin import check_origin
from markscheme.web.pages import templates
from markscheme.web.problem import problem_headers
from markscheme.web.result import Result, result_of

FIELDS = ("question_id", "question", "sample_answer", "answer")
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
_MAX_FIELDS = 20

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Filled:
    """What a person typed; empty where nothing was."""

    question_id: str = ""
    question: str = ""
    sample_answer: str = ""
    answer: str = ""


@dataclass(slots=True)
class Page:
    """What the template shows. `errors` go beside the field of their name; `problem` goes above the form."""

    filled: Filled = field(default_factory=Filled)
    topics: list[tuple[str, list[Rubric]]] = field(default_factory=list)
    notice: str | None = None
    problem: str | None = None
    errors: dict[str, str] = field(default_factory=dict)
    result: Result | None = None


@router.api_route("/", methods=["GET", "HEAD"])
async def show(request: Request, desk: Desk, question_id: str = "") -> Response:
    """The empty form, with a question chosen where the address names one."""
    return _render(request, _page(desk, Filled(question_id=question_id)))


@router.post("/")
async def send(request: Request) -> Response:
    """Grade what was typed. Whatever is wrong, it is all still there to be mended."""
    check_origin(request)
    filled = await _read(request)
    desk = await desk_of(request)
    page = _page(desk, filled)
    try:
        wanted = request_from_data(_data(filled), await limits_of(request))
        grade = await desk.grade(wanted)
        question = filled.question or _wording(desk, filled.question_id)
        page.result = result_of(grade, wanted.answer, question)
    except InputError as error:
        page.errors = _errors_by_field(error, filled)
        return _render(request, page, error)
    except MarkschemeError as error:
        if code_of(error) == "internal_error":
            raise
        page.problem = str(error)
        return _render(request, page, error)
    return _render(request, page)


def _render(request: Request, page: Page, error: MarkschemeError | None = None) -> Response:
    headers = {"Cache-Control": "no-store"}
    status = 200
    if error is not None:
        status = KINDS[code_of(error)].status
        headers.update(problem_headers(error))
    return templates.TemplateResponse(request, "page.html", {"page": page}, status_code=status, headers=headers)


def _page(desk: GradingDesk, filled: Filled) -> Page:
    try:
        index = desk.grader.index
        rubrics = [index.rubric(question_id) for question_id in index.question_ids()]
    except MarkschemeError as error:
        # Own questions can be graded all the same.
        return Page(filled, notice=str(error))
    rubrics.sort(key=lambda rubric: (rubric.topic, rubric.question))
    topics = [(topic, list(members)) for topic, members in groupby(rubrics, key=lambda rubric: rubric.topic)]
    return Page(filled, topics)


async def _read(request: Request) -> Filled:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in FORM_TYPES:
        message = f"Send the form as {FORM_TYPES[0]} or {FORM_TYPES[1]}."
        raise WrongContentTypeError(message)
    limit = request.app.state.max_body_bytes
    async with request.form(max_files=0, max_fields=_MAX_FIELDS, max_part_size=limit) as form:
        return Filled(**{name: _text(form, name) for name in FIELDS})


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    # Browsers send every line's end as two characters; a grade counts characters. There are no files: none is allowed.
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _data(filled: Filled) -> dict[str, object]:
    data: dict[str, object] = {"answer": filled.answer, "explain": True}
    for name in ("question_id", "sample_answer", "question"):
        value: str = getattr(filled, name)
        # A chosen question brings its own wording.
        if value.strip() and not (name == "question" and filled.question_id):
            data[name] = value
    return data


def _wording(desk: GradingDesk, question_id: str) -> str:
    return desk.grader.index.rubric(question_id).question if question_id else ""


def _errors_by_field(error: InputError, filled: Filled) -> dict[str, str]:
    told: dict[str, str] = {}
    for fault in (error, *error.others):
        name = fault.pointer.split("/")[1] if fault.pointer else "question_id"
        message = str(fault).replace(fault.pointer, "This", 1) if fault.pointer else str(fault)
        if not fault.pointer and fault.code == InputError.code:
            name, message = _which_question(filled)
        told.setdefault(name, message)
    return told


def _which_question(filled: Filled) -> tuple[str, str]:
    if filled.question.strip() and not filled.question_id:
        return "sample_answer", "Write a sample answer to your question, or choose one of the questions above."
    return "question_id", "Choose one of these questions, or bring your own with a sample answer: one of the two."
