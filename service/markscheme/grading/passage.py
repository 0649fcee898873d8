"""The passage of an answer that bears on one statement: what the verifier is given to read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.alignment import Alignment
from markscheme.grading.answer import Answer
from markscheme.grading.text import Span

# Tokens of an answer that are read beside one statement: three to five sentences. A short answer is read whole.
PASSAGE_TOKENS = 80


def bearing_segments(alignment: Alignment, answer: Answer) -> list[int]:
    """The segments that say most of a statement, as many as fit in PASSAGE_TOKENS, in order; at least one.

    Each next one is chosen for what it adds: words of the statement that no chosen segment has, then nearness.
    """
    counts = answer.token_counts
    room = PASSAGE_TOKENS
    chosen: list[int] = []
    heard = np.zeros(len(alignment.statement.words))
    left = np.ones(len(counts), np.bool_)
    while True:
        fitting = left & (counts <= room) if chosen else left
        if not fitting.any():
            return sorted(chosen)
        best = int(np.where(fitting, _worth(alignment, heard), -np.inf).argmax())
        chosen.append(best)
        heard = np.maximum(heard, alignment.found[:, best])
        room -= int(counts[best])
        left[best] = False


def _worth(alignment: Alignment, heard: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each segment adds, (s,): newly found words first, its cosine beside them."""
    added = alignment.statement.weights @ np.maximum(alignment.found - heard[:, np.newaxis], 0.0)
    return np.asarray(added + 0.5 * alignment.cosines)


def passage_text(answer: Answer, segments: Sequence[int]) -> str:
    """The normalised text of some segments, overlapping ones joined, others set side by side."""
    spans: list[Span] = []
    for segment in segments:
        start, end = answer.segments[segment]
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return " ".join(answer.normal.text[start:end] for start, end in spans)
