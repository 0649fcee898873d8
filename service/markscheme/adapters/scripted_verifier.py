"""A verifier without a model, for tests, demonstrations and machines where no model can be installed."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.ports import Verifier

Script = Mapping[Claim, Verification] | Callable[[Claim], Verification | None]

_NEGATIONS = frozenset({"not", "no", "never", "nor", "without", "cannot", "t"})
# Words of up to three letters say nothing, but for what negates.
_COMMON_LENGTH = 3


class ScriptedVerifier(Verifier):
    """Says what it was told to say; of any other claim, how many of the statement's words stand in the passage.

    Where only one of the two negates, those words count as a contradiction. Fast and deterministic on every machine;
    it understands nothing, and its grades are for trying things out.
    """

    def __init__(self, script: Script | None = None) -> None:
        """Take a script.

        Args:
            script: what to say, by claim: a mapping, or a function that gives None for a claim that it does not know.
        """
        self._script: Callable[[Claim], Verification | None]
        if script is None:
            self._script = _silent
        else:
            self._script = script.get if isinstance(script, Mapping) else script

    @property
    def fingerprint(self) -> str:
        """The same for ever, until this module judges words otherwise; a script is not part of it."""
        return "scripted@1"

    def verify(self, claims: Sequence[Claim]) -> list[Verification]:
        """Judge each claim, in order."""
        return [self._script(claim) or _by_words(claim) for claim in claims]


def _silent(_claim: Claim) -> None:
    return None


def _by_words(claim: Claim) -> Verification:
    statement, passage = set(_words(claim.statement)), set(_words(claim.passage))
    wanted = {word for word in statement if len(word) > _COMMON_LENGTH} - _NEGATIONS
    share = len(wanted & passage) / len(wanted) if wanted else 0.0
    agree = bool(statement & _NEGATIONS) == bool(passage & _NEGATIONS)
    return Verification(share, 0.0) if agree else Verification(0.0, share)


def _words(text: str) -> Iterator[str]:
    """Runs of letters and digits, in lower case."""
    return iter("".join(character if character.isalnum() else " " for character in text.casefold()).split())
