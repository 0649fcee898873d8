"""What is sent back: grades and errors, as plain dictionaries in a fixed order."""

from dataclasses import asdict

from markscheme.grading.errors import InputError, MarkschemeError
from markscheme.grading.grade import Explanation, Grade, PointGrade

Json = dict[str, object]


def grade_json(grade: Grade, *, explain: bool = False) -> Json:
    """One grade as JSON has it. Numbers are passed on as they are: the same grade gives the same bytes.

    Args:
        grade: The grade.
        explain: Give every point its `explanation`; null where there was no word to read.
    """
    return {
        "id": grade.id,
        "question_id": grade.question_id,
        "rubric_version": grade.rubric_version,
        "score": grade.score,
        "verdict": grade.verdict,
        "vital_coverage": grade.vital_coverage,
        "points": [_point_json(point, explain=explain) for point in grade.points],
        "missing": list(grade.missing),
        "contradicted": list(grade.contradicted),
        "flags": [asdict(flag) for flag in grade.flags],
        "confidence": grade.confidence,
        "needs_review": grade.needs_review,
        "review_reasons": list(grade.review_reasons),
        "feedback": grade.feedback,
        "grader": asdict(grade.grader),
    }


def _point_json(point: PointGrade, *, explain: bool) -> Json:
    shown: Json = {
        "id": point.id,
        "text": point.text,
        "importance": point.importance,
        "weight": point.weight,
        "status": point.status,
        "coverage": point.coverage,
        "credit": point.credit,
        "confidence": point.confidence,
        "decided_by": point.decided_by,
        "evidence": [asdict(passage) for passage in point.evidence],
    }
    if point.contradicts is not None:
        shown["contradicts"] = point.contradicts
    if explain:
        shown["explanation"] = None if point.explanation is None else _explanation_json(point.explanation)
    return shown


def _explanation_json(explanation: Explanation) -> Json:
    return {
        "statement": explanation.statement,
        "passage": explanation.passage,
        "supported": explanation.supported,
        "contradicted": explanation.contradicted,
        "average": explanation.average,
        "effects": [asdict(effect) for effect in explanation.effects],
        "cuts": asdict(explanation.cuts),
    }


def error_json(error: MarkschemeError, answer_id: str | None = None) -> Json:
    """What stands in a batch's output for a line that cannot be graded.

    Args:
        error: What was wrong.
        answer_id: The line's own id; without it, the one that the error carries.
    """
    told: Json = {"code": error.code, "message": str(error)}
    if isinstance(error, InputError):
        answer_id = answer_id if answer_id is not None else error.answer_id
        if error.pointer:
            told["pointer"] = error.pointer
    return {"id": answer_id, "error": told}
