from collections.abc import Sequence

from markscheme.adapters.scripted_verifier import ScriptedVerifier
from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.remembering import RememberingVerifier

CLAIMS = [Claim("", f"Statement number {name}", "A passage with a statement") for name in ("one", "two", "three")]


class Counting(ScriptedVerifier):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[Claim]] = []

    def verify(self, claims: Sequence[Claim]) -> list[Verification]:
        self.asked.append(list(claims))
        return super().verify(claims)


def test_no_claim_is_judged_twice_and_the_order_is_kept() -> None:
    counting = Counting()
    remembering = RememberingVerifier(counting)
    one, two, three = CLAIMS
    assert remembering.verify([one, two, one]) == ScriptedVerifier().verify([one, two, one])
    assert remembering.verify([three, two]) == ScriptedVerifier().verify([three, two])
    assert remembering.verify([one]) == ScriptedVerifier().verify([one])
    assert remembering.verify([]) == []
    assert counting.asked == [[one, two], [three]]


def test_it_goes_by_the_name_of_the_one_that_is_asked() -> None:
    assert RememberingVerifier(ScriptedVerifier()).fingerprint == ScriptedVerifier().fingerprint
