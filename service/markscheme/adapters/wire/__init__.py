"""The forms that callers send and get back, as JSON: requests in, grades and errors out. Wraps pydantic."""

from markscheme.adapters.wire.body import GradeBody, MatchBody, PointBody
from markscheme.adapters.wire.reply import error_json, grade_json
from markscheme.adapters.wire.request import (
    Limits,
    check_profile,
    parse_body,
    parse_line,
    parse_match,
    request_from_body,
    request_from_data,
)
from markscheme.adapters.wire.strict_json import read_json

__all__ = (
    "GradeBody",
    "Limits",
    "MatchBody",
    "PointBody",
    "check_profile",
    "error_json",
    "grade_json",
    "parse_body",
    "parse_line",
    "parse_match",
    "read_json",
    "request_from_body",
    "request_from_data",
)
