"""From a claim to the two texts that a model reads, within its length."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from markscheme.grading.errors import VerifierError
from markscheme.grading.verification import Claim

_LOG = logging.getLogger(__name__)
# The rest is left to the passage: a statement cannot be found in what is not read.
_LARGEST_SHARE_OF_THE_HYPOTHESIS = 0.75


@dataclass(frozen=True, slots=True)
class Pair:
    """What the passage says (premise), and what is to follow from it (hypothesis)."""

    premise: str
    hypothesis: str


def fit(claim: Claim, room: int, count_tokens: Callable[[str], int]) -> Pair:
    """The pair for a claim: (passage, question and statement), the order of natural language inference.

    Where it is too long, the end of the passage is going to be cut by the tokenizer, and nothing of the point is lost.
    A question that leaves the passage next to no room is left out before that, since the statement can be judged
    without it. The statement is never cut: part of a point is another point. What is left out is logged at debug.

    Args:
        claim: what is to be judged.
        room: tokens that both texts may have together, without the special ones.
        count_tokens: the tokens of a text, without the special ones.

    Raises:
        VerifierError: the statement alone is too long.
    """
    whole = Pair(claim.passage, f"{claim.question} {claim.statement}".strip())
    passage = count_tokens(claim.passage)
    if passage + count_tokens(whole.hypothesis) <= room:
        return whole
    most = int(room * _LARGEST_SHARE_OF_THE_HYPOTHESIS)
    pair = whole
    if count_tokens(whole.hypothesis) > most:
        pair = Pair(claim.passage, claim.statement)
        _LOG.debug("The question is left out of a pair, which is too long for the verifier's %d tokens.", room)
    length = count_tokens(pair.hypothesis)
    if length > most:
        message = (
            f"The statement starting {claim.statement[:40]!r} has {length} tokens; the verifier takes at most {most} "
            "beside a passage. Split it: a statement is never cut."
        )
        raise VerifierError(message)
    if passage + length > room:
        _LOG.debug("A passage of %d tokens is cut to the %d that the verifier has left.", passage, room - length)
    return pair
