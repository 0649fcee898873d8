"""The answer cut into pieces, so that passages which overlap can be marked without being nested."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from markscheme.grading.grade import PointStatus

# What a reader should see first, where passages of several points share a piece.
_LOUDEST_FIRST: tuple[PointStatus, ...] = ("contradicted", "covered", "partial", "missing", "not_assessed")


@dataclass(frozen=True, slots=True)
class Passage:
    """Evidence for the point with this number: characters `start` to `end`, end exclusive."""

    start: int
    end: int
    number: int
    status: PointStatus


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the answer. `status` is None where nothing is evidence; `ending` numbers are shown after it."""

    text: str
    status: PointStatus | None = None
    ending: tuple[int, ...] = ()


def pieces(answer: str, passages: Iterable[Passage]) -> list[Piece]:
    """Cut the answer wherever a passage starts or ends; the pieces joined are the answer.

    Passages may overlap and come in any order; what lies outside the answer is left out.
    """
    kept = sorted(
        {passage for passage in passages if 0 <= passage.start < passage.end <= len(answer)},
        key=lambda passage: (passage.start, passage.end, passage.number),
    )
    cuts = sorted({0, len(answer), *(cut for passage in kept for cut in (passage.start, passage.end))})
    found: list[Piece] = []
    open_passages: list[Passage] = []
    upcoming = iter(kept)
    following = next(upcoming, None)
    for start, end in pairwise(cuts):
        open_passages = [passage for passage in open_passages if passage.end > start]
        while following is not None and following.start == start:
            open_passages.append(following)
            following = next(upcoming, None)
        status = min((passage.status for passage in open_passages), key=_LOUDEST_FIRST.index, default=None)
        ending = tuple(sorted({passage.number for passage in open_passages if passage.end == end}))
        found.append(Piece(answer[start:end], status, ending))
    return found
