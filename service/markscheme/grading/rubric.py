"""A rubric: the points that an answer to one question is marked by."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Literal

Importance = Literal["vital", "okay"]
Difficulty = Literal["easy", "medium", "hard"]
Status = Literal["draft", "reviewed"]


@dataclass(frozen=True, slots=True)
class Point:
    """One gradable idea.

    `text` can be judged on its own once `heading` is read before it. `alternatives` are other wordings that
    count as the same idea; `misconceptions` are statements that contradict it. `span` is where the idea stands in
    the source text, in characters, end exclusive.
    """

    id: str
    text: str
    heading: str | None = None
    importance: Importance = "vital"
    weight: float = 1.0
    alternatives: tuple[str, ...] = ()
    misconceptions: tuple[str, ...] = ()
    span: tuple[int, int] | None = None

    @property
    def statement(self) -> str:
        """The point as a grader reads it: heading first."""
        return f"{self.heading}: {self.text}" if self.heading else self.text


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rubric comes from: a document and what of it was used, or the author or model that wrote it.

    `checksum` is of the sample answer that the points were drafted from; `drafted` is of the points as they were
    drafted, and tells whether a person edited them since.
    """

    document: str | None = None
    derived_from: Literal["sample_answer", "prompt", "author", "model"] = "author"
    checksum: str | None = None
    drafted: str | None = None


@dataclass(frozen=True, slots=True)
class Rubric:
    """The points of one question. `id` is `<topic slug>/<question slug>`; an inline rubric has the id `inline`."""

    id: str
    question: str
    points: tuple[Point, ...]
    topic: str = ""
    difficulty: Difficulty | None = None
    status: Status = "draft"
    source: Source = field(default_factory=Source)

    @property
    def version(self) -> str:
        """Twelve hexadecimal digits over everything that can change a grade."""
        points = [{key: value for key, value in asdict(point).items() if key != "span"} for point in self.points]
        text = json.dumps({"question": self.question, "points": points}, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]
