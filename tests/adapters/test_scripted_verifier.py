import pytest

from markscheme.adapters.scripted_verifier import ScriptedVerifier
from markscheme.grading.verification import Claim, Verification

CLAIM = Claim("", "Large batches reduce gradient noise.", "With LARGE batches there is less noise: gradient, too")


def test_it_says_what_a_mapping_has_and_counts_words_for_the_rest() -> None:
    told = Verification(0.1, 0.6)
    other = Claim("q", CLAIM.statement, CLAIM.passage)
    verifier = ScriptedVerifier({CLAIM: told})
    assert verifier.verify([other, CLAIM, other]) == [Verification(0.8, 0), told, Verification(0.8, 0)]
    assert verifier.verify([]) == []


def test_it_says_what_a_function_gives_and_counts_words_where_it_gives_none() -> None:
    verifier = ScriptedVerifier(lambda claim: Verification(0, 1) if claim.question else None)
    asked = Claim("q", CLAIM.statement, CLAIM.passage)
    assert verifier.verify([asked, CLAIM]) == [Verification(0, 1), Verification(0.8, 0)]


@pytest.mark.parametrize(
    ("statement", "passage", "supported", "contradicted"),
    [
        ("Batches reduce noise.", "noise", 1 / 3, 0),
        ("Batches reduce noise.", "Batches do not reduce noise.", 0, 1),
        ("Batches never reduce noise.", "Batches don't reduce noise.", 1, 0),
        ("Batches never reduce noise.", "Batches reduce noise.", 0, 1),
        ("It is so.", "It is so.", 0, 0),
        ("Batches", "", 0, 0),
        ("", "", 0, 0),
    ],
)
def test_words_decide_and_what_negates_turns_them(
    statement: str, passage: str, supported: float, contradicted: float
) -> None:
    (found,) = ScriptedVerifier().verify([Claim("", statement, passage)])
    assert (found.supported, found.contradicted) == pytest.approx((supported, contradicted))


def test_it_has_a_name() -> None:
    assert ScriptedVerifier().fingerprint == ScriptedVerifier({}).fingerprint == "scripted@1"
