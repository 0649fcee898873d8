"""A grade that was given before, beside the row it is taken for: is it of this row, and is it whole?"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from markscheme import __version__
from markscheme.agreement.judged import OurGrade
from markscheme.grading import segments as segmenting
from markscheme.grading.chunking import draft_points
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.cache import BoundedCache
from markscheme.pipeline.ports import SentenceSplitter
from markscheme.pipeline.read_beside import INLINE
from markscheme.pipeline.request import GradeRequest

_KEPT_DRAFTS = 4096
_SHOWN_CHARS = 60
# One class of characters and nothing else, so the scan is linear.
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Quote:
    """Evidence in characters of the answer, end exclusive; `text` is None where only its place is told."""

    start: int
    end: int
    text: str | None = None


@dataclass(frozen=True, slots=True)
class GivenGrade:
    """A grade with all that it tells of the request that it was given for; None where it is silent.

    `place` is its file and line, as in "grades.jsonl:3"; `point_ids` has an entry for each point. `markscheme` and
    `splitter` are the versions that decided.
    """

    place: str
    grade: OurGrade
    point_ids: tuple[str | None, ...]
    quotes: tuple[Quote, ...] = ()
    question_id: str | None = None
    rubric_version: str | None = None
    markscheme: str | None = None
    splitter: str | None = None


class Drafts:
    """The versions of the rubrics that sample answers give; each sample answer is drafted once."""

    def __init__(self, splitter: SentenceSplitter) -> None:
        self.splitter = f"{segmenting.VERSION}+{splitter.version}"
        self._sentences = splitter.sentences
        self._versions: BoundedCache[tuple[str, str], str] = BoundedCache(_KEPT_DRAFTS)

    def version(self, sample: str, question: str) -> str:
        """The version of the rubric that is drafted from a sample answer; `question` is '' where it is not known."""
        return self._versions.get_or_make((sample, question), partial(self._drafted, sample, question))

    def _drafted(self, sample: str, question: str) -> str:
        return Rubric(INLINE, question, draft_points(sample, self._sentences, question or None)).version


def misfit(request: GradeRequest, given: GivenGrade, drafts: Drafts) -> str | None:
    """What tells that a grade is not of this request, as the end of a sentence; None where it fits as far as it tells.

    A grade without evidence says nothing of the answer. The rubric of a question by its id may have changed since.
    """
    return (
        _other_way(request, given)
        or _other_points(request, given)
        or _other_samples(request, given, drafts)
        or _other_answer(request.answer, given.quotes)
    )


def lacking(request: GradeRequest, given: GivenGrade) -> int:
    """How many points the request brings that the grade does not have."""
    return max(0, len(request.points or ()) - len(given.grade.points))


def _other_way(request: GradeRequest, given: GivenGrade) -> str | None:
    if given.question_id is None or given.question_id == (request.question_id or INLINE):
        return None
    theirs = f"the question {_shown(given.question_id)}"
    if given.question_id == INLINE:
        theirs = "points or a sample answer of its own"
    own = "points of its own" if request.points else "a sample answer of its own"
    if request.question_id is not None:
        own = f"the question {_shown(request.question_id)}"
    return f"it was marked by {theirs}, the row by {own}"


def _other_points(request: GradeRequest, given: GivenGrade) -> str | None:
    if request.points is None:
        return None
    points = given.grade.points
    # It may have fewer.
    for number, (asked, ours, name) in enumerate(zip(request.points, points, given.point_ids, strict=False), start=1):
        if ours.text and ours.text not in {asked.statement, asked.text}:
            return f"its point {number} is {_shown(ours.text)}, the row's {_shown(asked.statement)}"
        if name is not None and name != asked.id:
            return f"its point {number} is called {_shown(name)}, the row's {_shown(asked.id)}"
    if len(points) > len(request.points):
        return f"it has {len(points)} points, the row {len(request.points)}"
    version = Rubric(INLINE, request.question or "", request.points).version
    if given.rubric_version in {None, version} or given.markscheme not in {None, __version__}:
        return None
    return (
        f"its rubric is {_shown(given.rubric_version)}, the row's {_shown(version)}: the question, or a heading, "
        "weight, importance, alternative or misconception of a point differs"
    )


def _other_samples(request: GradeRequest, given: GivenGrade, drafts: Drafts) -> str | None:
    samples = request.sample_answers
    if samples is None:
        return None
    version = given.rubric_version
    if version is not None and any(drafts.version(one, request.question or "") == version for one in samples):
        return None
    texts = [point.text for point in given.grade.points]
    foreign = [text for text in (_first_foreign(sample, texts) for sample in samples) if text]
    if len(foreign) == len(samples):
        return f"its point {_shown(foreign[0])} does not come from a sample answer of the row"
    # Another release may draft otherwise.
    if version is None or (given.markscheme, given.splitter) != (__version__, drafts.splitter):
        return None
    return f"its rubric is {_shown(version)}, which no sample answer of the row gives"


def _first_foreign(sample: str, texts: Iterable[str]) -> str | None:
    """The first text that has a word which the sample answer lacks."""
    words = _words(sample)
    return next((text for text in texts if not _words(text) <= words), None)


def _other_answer(answer: str, quotes: Iterable[Quote]) -> str | None:
    for quote in quotes:
        found = answer[quote.start : quote.end] if 0 <= quote.start <= quote.end <= len(answer) else None
        if found is None or quote.text not in {None, found}:
            told = "" if quote.text is None else f" {_shown(quote.text)}"
            return f"its evidence{told} does not stand at characters {quote.start} to {quote.end} of the row's answer"
    return None


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}...")
