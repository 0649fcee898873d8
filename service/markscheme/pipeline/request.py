"""What a caller asks to be graded, once it is known to be well formed."""

from dataclasses import dataclass

from markscheme.grading.rubric import Point


@dataclass(frozen=True, slots=True)
class GradeRequest:
    """One answer, and exactly one way to mark it.

    `question_id` names an indexed rubric; `points` bring their own; `sample_answers` are complete accepted answers,
    each drafted into a rubric of its own: the best grade counts. `question` is the wording of the question where the
    caller has it. `profile` names a calibration that was fitted to somebody's own marking; None is the one that is set.
    `explain` asks for the explanation of every point.
    """

    answer: str
    question_id: str | None = None
    points: tuple[Point, ...] | None = None
    sample_answers: tuple[str, ...] | None = None
    question: str | None = None
    id: str | None = None
    profile: str | None = None
    explain: bool = False
