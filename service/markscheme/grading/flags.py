"""What a reader should know of an answer beside its score. A flag alone never earns or costs credit."""

from collections.abc import Sequence

from markscheme.grading.answer import Answer
from markscheme.grading.grade import Flag, PointGrade
from markscheme.grading.marking import MarkingScheme

FEW_WORDS = 5
RESTATED_SHARE = 0.8
OFF_TOPIC_COSINE = 0.25


def flags(answer: Answer, scheme: MarkingScheme, points: Sequence[PointGrade], nearest: float) -> tuple[Flag, ...]:
    """Every flag of one answer. `nearest` is the highest cosine of any segment with any statement."""
    normal = answer.normal
    found: list[Flag] = []
    words = [word for segment in answer.words for word in segment]
    if not words:
        found.append(Flag("empty_answer", "The answer has no words, so every point is missing."))
    elif len(words) < FEW_WORDS and len(points) > 1:
        found.append(Flag("too_short_to_judge", f"The answer has {len(words)} words for {len(points)} points."))
    content = [word.stem for word in words if not word.is_function]
    if len(content) >= FEW_WORDS and scheme.given:
        share = sum(stem in scheme.given for stem in content) / len(content)
        if share >= RESTATED_SHARE:
            found.append(Flag("question_restated", f"{share:.0%} of the answer's words stand in the question."))
    if words and nearest < OFF_TOPIC_COSINE and all(point.status == "missing" for point in points):
        found.append(Flag("off_topic", "No passage of the answer comes near any point of the rubric."))
    if normal.invisible:
        message = f"The answer holds {normal.invisible} invisible characters; they were left out before grading."
        found.append(Flag("invisible_characters", message))
    if normal.look_alikes:
        message = f"{normal.look_alikes} letters of another script were read as the Latin ones they look like."
        found.append(Flag("look_alike_letters", message))
    return tuple(found)
