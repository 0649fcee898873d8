"""A verifier that judges no claim twice, for work that grades the same answers several times over."""

from collections.abc import Sequence

from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.ports import Verifier


class RememberingVerifier(Verifier):
    """Asks another verifier, once a claim. Claims and judgements are small, so all of them are kept."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._known: dict[Claim, Verification] = {}

    @property
    def fingerprint(self) -> str:
        """That of the verifier that is asked."""
        return self._verifier.fingerprint

    def verify(self, claims: Sequence[Claim]) -> list[Verification]:
        """Judge each claim, in order. Raises VerifierError."""
        new = [claim for claim in dict.fromkeys(claims) if claim not in self._known]
        if new:
            self._known.update(zip(new, self._verifier.verify(new), strict=True))
        return [self._known[claim] for claim in claims]
