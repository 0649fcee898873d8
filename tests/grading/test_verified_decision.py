from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.reading import Verify
from markscheme.grading.rubric import Point
from markscheme.grading.verification import Claim, Verification

SHARP = Point(
    "p1",
    "Large batches converge to sharp minima",
    alternatives=("Big steps end in narrow valleys",),
    misconceptions=("Large batches converge to flat minima",),
)
PLAIN = Point("p1", SHARP.text)
RIGHT, WRONG = "Large batches converge to sharp minima.", "Large batches converge to flat minima."
OTHER = "Museums open late on Sundays."
SHARE = st.floats(0, 1)


def says(supported: float = 0.0, contradicted: float = 0.0) -> Verify:
    def verify(claims: Sequence[Claim]) -> list[Verification]:
        return [Verification(supported, contradicted) for _ in claims]

    return verify


def by_statement(**said: tuple[float, float]) -> Verify:
    """What to say of a claim by a word of its statement."""

    def verify(claims: Sequence[Claim]) -> list[Verification]:
        return [
            next(
                (Verification(*shares) for word, shares in said.items() if word in claim.statement), Verification(0, 0)
            )
            for claim in claims
        ]

    return verify


class Asked:
    """Supports everything, and keeps what it was asked."""

    def __init__(self) -> None:
        self.calls: list[list[Claim]] = []

    def __call__(self, claims: Sequence[Claim]) -> list[Verification]:
        self.calls.append(list(claims))
        return [Verification(1.0, 0.0) for _ in claims]


def test_a_verifier_makes_a_point_that_shares_no_word(bench: Any) -> None:
    said = "They end up in narrow places."
    assert bench.decide([said], PLAIN, verify=says(0.0))[0].status == "missing"
    (found,) = bench.decide([said], PLAIN, verify=says(0.98))
    assert (found.status, found.decided_by) == ("covered", "verifier")
    assert [one.text for one in found.evidence] == [said]


def test_a_verifier_takes_back_what_shares_all_words(bench: Any) -> None:
    said = "Sharp minima converge to large batches."
    assert bench.decide([said], PLAIN, verify=says(0.9))[0].status == "covered"
    assert bench.decide([said], PLAIN, verify=says(0.01))[0].status != "covered"


def test_a_verifier_is_asked_once_of_the_best_wording_of_every_point(bench: Any) -> None:
    asked = Asked()
    other = Point("p2", "Museums open late")
    bench.decide([OTHER, "Big steps end in narrow valleys."], SHARP, other, question="What of batches?", verify=asked)
    passage = f"{OTHER} Big steps end in narrow valleys."
    assert asked.calls == [
        [
            Claim("What of batches?", SHARP.alternatives[0], passage),
            Claim("What of batches?", "Museums open late", passage),
        ]
    ]


@pytest.mark.parametrize(("said", "near"), [(WRONG, True), (RIGHT, True), ("Flat roofs.", False), (OTHER, False)])
def test_a_misconception_is_worth_asking_about_where_a_passage_is_near(bench: Any, said: str, *, near: bool) -> None:
    asked = Asked()
    bench.decide([said], SHARP, verify=asked)
    (claims,) = asked.calls
    assert [claim.statement for claim in claims[1:]] == (list(SHARP.misconceptions) if near else [])


def test_an_answer_without_a_word_is_not_put_to_a_verifier(bench: Any) -> None:
    asked = Asked()
    (found,) = bench.decide([], SHARP, verify=asked)
    assert (found.status, found.coverage, found.decided_by) == ("missing", 0.0, "similarity")
    assert (found.confidence, found.explanation) == (1.0, None)
    assert [claim for claims in asked.calls for claim in claims] == []


def test_a_verifier_that_leaves_claims_out_is_an_error(bench: Any) -> None:
    with pytest.raises(ValueError, match="zip"):
        bench.decide([RIGHT], SHARP, verify=lambda _claims: [])


def test_what_the_verifier_denies_is_contradicted(bench: Any) -> None:
    said = "Large batches never find anything sharp."
    (found,) = bench.decide([OTHER, said], PLAIN, verify=says(0.1, 0.9))
    assert (found.status, found.contradicts, found.credit, found.decided_by) == ("contradicted", None, 0.0, "verifier")
    assert [one.text for one in found.evidence] == [said]
    assert found.confidence == pytest.approx(0.9)
    assert found.coverage <= 0.1 + 1e-9


@given(SHARE, SHARE)
def test_the_verifiers_contradiction_needs_coverage_under_the_cut(bench: Any, supported: float, share: float) -> None:
    contradicted = share * (1 - supported)
    without_cut = bench.decide([RIGHT], PLAIN, verify=says(supported, 0.0))[0]
    (found,) = bench.decide([RIGHT], PLAIN, verify=says(supported, contradicted))
    if found.status == "contradicted":
        assert contradicted >= bench.verified.cuts.contradicted - 1e-4
        assert found.coverage < bench.verified.cuts.covered
    else:
        assert found.coverage <= without_cut.coverage + 1e-9
    # Beside full support no denial counts, however sure.
    (both,) = bench.decide([RIGHT], PLAIN, verify=says(1.0, contradicted))
    assert both.status == "covered"


@given(SHARE, SHARE, SHARE)
def test_more_support_never_lowers_a_point_and_more_denial_never_raises_it(
    bench: Any, one: float, other: float, rest: float
) -> None:
    less, more = sorted((one, other))
    supported = [bench.decide([RIGHT], PLAIN, verify=says(share, rest / 9))[0].credit for share in (less, more)]
    denied = [bench.decide([RIGHT], PLAIN, verify=says(rest, share))[0].credit for share in (less, more)]
    assert supported[0] <= supported[1]
    assert denied[0] >= denied[1]


@pytest.mark.parametrize("place", [0, 1])
def test_a_listed_misconception_contradicts_with_a_verifier_too(bench: Any, place: int) -> None:
    sentences = [OTHER]
    sentences.insert(place, WRONG)
    (found,) = bench.decide(sentences, SHARP, verify=by_statement(sharp=(0.0, 0.3), flat=(0.95, 0.0)))
    assert (found.status, found.contradicts) == ("contradicted", SHARP.misconceptions[0])
    assert [one.text for one in found.evidence] == [WRONG]
    assert found.coverage <= 1 - found.confidence + 1e-9


def test_a_listed_misconception_names_what_the_verifier_denies_anyway(bench: Any) -> None:
    (found,) = bench.decide([WRONG], SHARP, verify=by_statement(sharp=(0.0, 0.99), flat=(0.95, 0.0)))
    assert (found.status, found.contradicts) == ("contradicted", SHARP.misconceptions[0])


def test_a_misconception_that_the_verifier_does_not_find_is_not_held(bench: Any) -> None:
    (found,) = bench.decide([WRONG], SHARP, verify=says(0.0, 0.0))
    assert found.status != "contradicted"


def test_who_says_both_is_not_marked_for_the_slip_alone(bench: Any) -> None:
    for sentences in ([RIGHT, WRONG], [WRONG, OTHER, RIGHT]):
        (found,) = bench.decide(sentences, SHARP, verify=says(0.9, 0.0))
        assert (found.status, found.contradicts) == ("covered", None)


def test_an_alternative_is_no_misconception_however_near_the_two_are(bench: Any) -> None:
    point = Point("p1", "Small batches generalise better", alternatives=(RIGHT,), misconceptions=(WRONG,))
    (right,) = bench.decide([RIGHT], point, verify=by_statement(sharp=(0.9, 0.0), flat=(0.1, 0.8)))
    (wrong,) = bench.decide([WRONG], point, verify=by_statement(sharp=(0.0, 0.4), flat=(0.9, 0.0)))
    assert [right.status, wrong.status] == ["covered", "contradicted"]


def test_other_numbers_than_the_points_earn_at_most_half_whatever_a_verifier_says(bench: Any) -> None:
    point = Point("p1", "The default port of the service is 443")
    (wrong,) = bench.decide(["The default port of the service is 8080."], point, verify=says(1.0, 0.0))
    assert wrong.credit <= 0.5


def test_measuring_gives_the_claim_and_what_was_said_of_it(bench: Any) -> None:
    scheme = bench.scheme(SHARP, Point("p2", "…"), question="What of batches?")
    without, wordless = bench.decider(bench.answer(OTHER, RIGHT), scheme).measure()
    assert without.claim == Claim("What of batches?", SHARP.text, f"{OTHER} {RIGHT}")
    assert (without.verification, wordless) == (None, None)
    asked, _ = bench.decider(bench.answer(OTHER, RIGHT), scheme, says(0.7, 0.2)).measure()
    assert (asked.claim, asked.verification) == (without.claim, Verification(0.7, 0.2))


@given(st.permutations(range(3)))
def test_the_order_of_the_points_does_not_matter(bench: Any, order: list[int]) -> None:
    points = [
        SHARP,
        Point("p2", "Museums open"),
        Point("p3", "Batches are flat", misconceptions=("Batches are sharp",)),
    ]
    verify = by_statement(sharp=(0.6, 0.3), flat=(0.2, 0.7), Museums=(0.9, 0.0))
    in_order = bench.decide([OTHER, WRONG], *points, verify=verify)
    assert bench.decide([OTHER, WRONG], *(points[at] for at in order), verify=verify) == [in_order[at] for at in order]


def test_the_verifier_decides_only_where_its_word_weighs(bench: Any) -> None:
    """A contradiction that reads it decides denials alone, and a feature of no weight nothing."""
    denying = replace(bench.calibration, contradiction=bench.verified.contradiction, cuts=bench.verified.cuts)
    (covered,) = bench.decide([RIGHT], PLAIN, verify=says(0.9, 0.0), calibration=denying)
    assert (covered.status, covered.decided_by) == ("covered", "similarity")
    (denied,) = bench.decide([OTHER], PLAIN, verify=says(0.0, 0.99), calibration=denying)
    assert (denied.status, denied.contradicts, denied.decided_by) == ("contradicted", None, "verifier")
    coverage = replace(bench.verified.coverage, weights=(1.0, 0.5, 0.0, 0.0))
    weightless = replace(bench.verified, coverage=coverage, contradiction=None)
    (found,) = bench.decide([RIGHT], PLAIN, verify=says(0.9, 0.0), calibration=weightless)
    assert found.decided_by == "similarity"
