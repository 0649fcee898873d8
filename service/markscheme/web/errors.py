"""Every problem that the service answers with, and the one place where an error meets its HTTP status.

    code                  status
    malformed_json        400
    malformed_form        400
    cross_site            403
    not_found             404
    unknown_question      404
    method_not_allowed    405
    answer_too_long       413
    body_too_large        413
    wrong_content_type    415
    invalid_input         422
    empty_rubric          422
    unknown_profile       422
    unusable_profile      422
    calibration_refused   422
    internal_error        500
    busy                  503
    index_unservable      503
    index_missing         503
    index_damaged         503
    index_mismatch        503
    index_busy            503
    embedder_unavailable  503
    verifier_unavailable  503

A code never changes its meaning; clients may switch on it. `GET /problems` shows the same table to people.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from starlette.exceptions import HTTPException

from markscheme.grading.errors import MarkschemeError


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem. `retry_after` is in seconds, where trying again can help."""

    status: int
    title: str
    retry_after: int | None = None


class BusyError(MarkschemeError):
    """More answers wait to be graded than the service keeps."""

    code: ClassVar[str] = "busy"


class CrossSiteError(MarkschemeError):
    """The form was sent from a page of another site."""

    code: ClassVar[str] = "cross_site"


class WrongContentTypeError(MarkschemeError):
    """The body is not of a type that the route reads."""

    code: ClassVar[str] = "wrong_content_type"


class BodyTooLargeError(MarkschemeError):
    """The body is over the limit, in bytes."""

    code: ClassVar[str] = "body_too_large"


KINDS: Mapping[str, Kind] = {
    "malformed_json": Kind(400, "The body is not JSON in UTF-8"),
    "malformed_form": Kind(400, "The form cannot be read"),
    "cross_site": Kind(403, "The form came from another site"),
    "not_found": Kind(404, "Nothing is found at this address"),
    "unknown_question": Kind(404, "No question has this id"),
    "method_not_allowed": Kind(405, "This address does not take this method"),
    "answer_too_long": Kind(413, "The answer is over the limit"),
    "body_too_large": Kind(413, "The body is over the limit"),
    "wrong_content_type": Kind(415, "The body has the wrong content type"),
    "invalid_input": Kind(422, "A field is not as it should be"),
    "empty_rubric": Kind(422, "There is no point to mark by"),
    "unknown_profile": Kind(422, "No calibration profile has this name"),
    "unusable_profile": Kind(422, "The calibration profile cannot be used"),
    "calibration_refused": Kind(422, "The graded answers carry no calibration"),
    "internal_error": Kind(500, "The service failed"),
    "busy": Kind(503, "Too many answers are waiting", retry_after=2),
    "index_unservable": Kind(503, "The index cannot be served", retry_after=30),
    "index_missing": Kind(503, "No index has been built", retry_after=30),
    "index_damaged": Kind(503, "The index is damaged", retry_after=30),
    "index_mismatch": Kind(503, "The index is of another model", retry_after=30),
    "index_busy": Kind(503, "The index is being built", retry_after=30),
    "embedder_unavailable": Kind(503, "The model cannot be used", retry_after=30),
    "verifier_unavailable": Kind(503, "The verifier cannot be used", retry_after=30),
}

_CODE_OF_STATUS: Mapping[int, str] = {
    # Starlette's reader of forms is the only one that raises it.
    400: "malformed_form",
    404: "not_found",
    405: "method_not_allowed",
}


def code_of(error: Exception) -> str:
    """The code that an error is answered with; what nobody foresaw is `internal_error`."""
    if isinstance(error, HTTPException):
        return _CODE_OF_STATUS.get(error.status_code, "internal_error")
    return error.code if isinstance(error, MarkschemeError) and error.code in KINDS else "internal_error"
