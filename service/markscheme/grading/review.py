"""Whether a person should look at a grade, and why."""

from collections.abc import Sequence

from markscheme.grading.answer import Answer
from markscheme.grading.cuts import Cuts
from markscheme.grading.grade import PointGrade

# A point whose coverage lies this near to the upper cut could have gone either way.
CLOSE = 0.12
CLOSE_SHARE = 0.30
# Of the words of English answers, 15% and more are "the", "is", "of" and the like, nearly always over 25%; lists of
# keywords and answers in other languages have next to none.
FUNCTION_WORDS = 0.10
ENOUGH_WORDS = 12
# No passage comes this near to any statement of the rubric: nothing like it was ever calibrated.
FAR = 0.35
DECIDED = frozenset({"covered", "partial", "missing"})


def review_reasons(points: Sequence[PointGrade], cuts: Cuts) -> tuple[str, ...]:
    """Reasons for a second look; none means that the grade can stand alone."""
    reasons = []
    total = sum(point.weight for point in points if point.status != "not_assessed")
    close = [point for point in points if point.status in DECIDED and abs(point.coverage - cuts.covered) < CLOSE]
    share = sum(point.weight for point in close) / total if total else 0.0
    if share >= CLOSE_SHARE:
        reasons.append(f"{len(close)} of {len(points)} points are close calls; they carry {share:.0%} of the score.")
    reasons += [f"Point {point.id} is contradicted." for point in points if point.status == "contradicted"]
    return tuple(reasons)


def answer_reasons(answer: Answer, nearest: float) -> tuple[str, ...]:
    """Reasons that lie in the answer as a whole. `nearest` is the highest cosine of any segment with any statement."""
    words = [word for segment in answer.words for word in segment]
    if len(words) < ENOUGH_WORDS:
        return ()
    reasons = []
    share = sum(word.is_function for word in words) / len(words)
    if share < FUNCTION_WORDS:
        reasons.append(f"Only {share:.0%} of the words join others in English: a list, or another language.")
    if nearest < FAR:
        reasons.append("No passage comes near the rubric, so the calibration knows little of answers like this one.")
    return tuple(reasons)


def confidence_of(points: Sequence[PointGrade]) -> float:
    """Mean confidence of the points, by weight, 0 to 1; 0 where none was assessed."""
    assessed = [point for point in points if point.status != "not_assessed"]
    total = sum(point.weight for point in assessed)
    return sum(point.weight * point.confidence for point in assessed) / total if total else 0.0
