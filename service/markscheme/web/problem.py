"""Problems as they are sent: RFC 9457 `application/problem+json`, or a page for people."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from markscheme.grading.errors import InputError, MarkschemeError
from markscheme.web.errors import KINDS, code_of
from markscheme.web.pages import templates

API_PREFIX = "/v1/"
PROBLEM_JSON = "application/problem+json"


def problem_json(error: Exception) -> dict[str, object]:
    """The body of a problem. What nobody foresaw is not told: the log has it, under the request's id."""
    code = code_of(error)
    kind = KINDS[code]
    told: dict[str, object] = {
        "type": f"/problems#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": _detail(error, code),
        "code": code,
    }
    if isinstance(error, InputError):
        told["errors"] = [
            {"pointer": fault.pointer, "code": fault.code, "message": str(fault)} for fault in (error, *error.others)
        ]
    return told


def problem_headers(error: Exception) -> dict[str, str]:
    """`Retry-After`, in seconds, where trying again can help; `Allow` where the method was wrong."""
    kind = KINDS[code_of(error)]
    headers = {} if kind.retry_after is None else {"Retry-After": str(kind.retry_after)}
    kept: Mapping[str, str] | None = error.headers if isinstance(error, HTTPException) else None
    return {**headers, **(kept or {})}


def problem_response(request: Request, error: Exception) -> Response:
    """Answer with a problem: JSON to programs, a page to a browser outside the API."""
    told = problem_json(error)
    status = KINDS[code_of(error)].status
    headers = problem_headers(error)
    if not request.url.path.startswith(API_PREFIX) and "text/html" in request.headers.get("accept", ""):
        context = {"problem": told}
        return templates.TemplateResponse(request, "problem.html", context, status_code=status, headers=headers)
    return JSONResponse(told, status_code=status, headers=headers, media_type=PROBLEM_JSON)


def _detail(error: Exception, code: str) -> str:
    if code == "internal_error":
        return "Nothing more is told here. The log has the cause, under the X-Request-ID of this reply."
    if isinstance(error, HTTPException):
        if code == "malformed_form":
            return f"{error.detail} Send the fields of the form alone, as text."
        return f"{HTTPStatus(error.status_code).phrase}. See /openapi.json for the addresses and their methods."
    return str(error) if isinstance(error, MarkschemeError) else ""
