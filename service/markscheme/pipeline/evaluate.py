"""Answers that people judged: grade them, and say what plain likenesses of text would."""

import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from markscheme.agreement.baseline import Likeness, likeness
from markscheme.agreement.gold import Gold
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.overlap import word_overlap
from markscheme.agreement.results import COSINE, OVERLAP
from markscheme.grading.errors import InputError, MarkschemeError, UnservableIndexError
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import Embedder, SentenceSplitter
from markscheme.pipeline.request import GradeRequest
from markscheme.pipeline.sentence_cosine import SentenceCosine

_LOG = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JudgedRequest:
    """A request that can be graded, with what people decided; `line` is where it stands in its file, from 1."""

    line: int
    request: GradeRequest
    judged: JudgedAnswer


def judged_request(request: GradeRequest, gold: Gold, group: str | None, line: int) -> JudgedRequest:
    """Put the two sides of a row together.

    Args:
        request: How the answer is graded.
        gold: What people decided.
        group: The question as the row names it; else it is the question's id, its wording, or what it is marked by.
        line: Where the row stands in its file, from 1; it is called by it where the request has no id.

    Raises:
        InputError: What people decided does not belong to what the answer is marked by.
    """
    _refuse_other_points(gold, None if request.points is None else len(request.points))
    if gold.point_count is not None and request.sample_answers is not None:
        message = "People judged points, and a sample answer has none of its own. Give points or question_id."
        raise InputError(message)
    points = tuple(point.statement for point in request.points or ())
    references = points or request.sample_answers or ()
    judged = JudgedAnswer(
        name=request.id or f"line {line}",
        answer=request.answer,
        references=references,
        are_points=request.sample_answers is None,
        group=group or request.question_id or request.question or _checksum(references),
        gold=gold,
        question=request.question or request.question_id or "",
    )
    return JudgedRequest(line, request, judged)


def grade_judged(grader: Grader, row: JudgedRequest) -> OurGrade | MarkschemeError:
    """The grade of one answer, or why there is none. Raises UnservableIndexError: every other row would fail alike."""
    grade = attempted(partial(grader.grade, row.request), row.judged.name)
    return grade if isinstance(grade, MarkschemeError) else OurGrade.of(grade)


def attempted(work: Callable[[], T], name: str) -> T | MarkschemeError:
    """What comes of one answer, or why nothing does. Raises UnservableIndexError: every other would fail alike."""
    try:
        return work()
    except UnservableIndexError:
        raise
    except MarkschemeError as error:
        return error
    except Exception:  # noqa: BLE001 - a defect that one answer brings to light must not cost the thousands after it
        _LOG.exception("%s could not be graded", name)
        return MarkschemeError("The grader failed on this answer; the log says why.")


def with_references(row: JudgedAnswer, grade: OurGrade | None) -> JudgedAnswer:
    """The answer with the texts of its points, where only the grade tells them.

    Raises:
        InputError: People judged another number of points than the question has.
    """
    if row.references or grade is None:
        return row
    _refuse_other_points(row.gold, len(grade.points))
    return replace(row, references=tuple(point.text for point in grade.points))


def baselines(
    rows: Sequence[JudgedAnswer], embedder: Embedder, splitter: SentenceSplitter
) -> dict[str, list[Likeness]]:
    """What word overlap and sentence cosine say of each row, in order. Raises EmbedderError."""
    cosine = SentenceCosine(embedder, splitter)
    return {OVERLAP: [likeness(row, word_overlap) for row in rows], COSINE: [cosine.of(row) for row in rows]}


def _refuse_other_points(gold: Gold, points: int | None) -> None:
    if points is None or gold.point_count in {None, points}:
        return
    kind = "nli" if gold.points is None else "points"
    message = f"gold.{kind} is about {gold.point_count} points, but the answer is marked by {points}. Make them equal."
    raise InputError(message)


def _checksum(references: tuple[str, ...]) -> str:
    return hashlib.sha256(json.dumps(references).encode()).hexdigest()[:12]
