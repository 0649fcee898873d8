from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.rubric import Point

SHARP = Point(
    "p1",
    "Large batches converge to sharp minima",
    misconceptions=("Large batches converge to flat minima",),
)
RIGHT, WRONG = "Large batches converge to sharp minima.", "Large batches converge to flat minima."
OTHER = "Museums open late on Sundays."


def test_a_point_that_is_said_is_covered_with_its_sentence(bench: Any) -> None:
    (found,) = bench.decide([OTHER, RIGHT], SHARP)
    assert (found.status, found.decided_by, found.contradicts) == ("covered", "similarity", None)
    assert [one.text for one in found.evidence] == [RIGHT]
    assert found.evidence[0].start == len(OTHER) + 1
    assert found.confidence == found.coverage


def test_a_point_that_is_not_said_is_missing_without_evidence(bench: Any) -> None:
    (found,) = bench.decide([OTHER], SHARP)
    assert (found.status, found.evidence) == ("missing", ())
    assert found.coverage < bench.calibration.cuts.partial
    assert found.confidence == pytest.approx(1 - found.coverage)


def test_half_a_point_is_partial_with_what_there_is_of_it(bench: Any) -> None:
    (found,) = bench.decide(["Large batches converge.", OTHER], SHARP)
    assert found.status == "partial"
    assert [one.text for one in found.evidence] == ["Large batches converge."]


def test_an_empty_answer_misses_every_point(bench: Any) -> None:
    found = bench.decide([], SHARP, Point("p2", "Noise regularises"))
    assert [(one.status, one.coverage, one.evidence) for one in found] == [("missing", 0.0, ())] * 2


def test_a_point_without_a_word_is_missing(bench: Any) -> None:
    (found,) = bench.decide([RIGHT], Point("p1", "…"))
    assert (found.status, found.coverage) == ("missing", 0.0)


def test_a_grade_repeats_what_the_rubric_says_of_the_point(bench: Any) -> None:
    (found,) = bench.decide([OTHER], Point("p9", "it waits", heading="Locks", importance="okay", weight=2.5))
    assert (found.id, found.text, found.importance, found.weight) == ("p9", "Locks: it waits", "okay", 2.5)


def test_an_alternative_makes_the_point(bench: Any) -> None:
    point = Point("p1", "Small steps", alternatives=("Gradient noise regularises the network",))
    (found,) = bench.decide(["Gradient noise regularises the network.", OTHER], point)
    assert found.status == "covered"
    assert found.text == "Small steps"


def test_a_neighbour_that_adds_to_the_point_joins_the_evidence(bench: Any) -> None:
    point = Point("p1", "Momentum accumulates gradients and dampens oscillations")
    (found,) = bench.decide([OTHER, "Momentum accumulates gradients.", "It dampens oscillations.", OTHER], point)
    assert [one.text for one in found.evidence] == ["Momentum accumulates gradients.", "It dampens oscillations."]
    (after,) = bench.decide(["It dampens.", "Momentum accumulates gradients, never oscillations.", OTHER], point)
    assert after.evidence[0].text == "It dampens."


def test_evidence_of_windows_that_overlap_is_one_passage(bench: Any) -> None:
    text = "momentum accumulates old gradients and dampens oscillations"
    whole = bench.answer(text)
    windows = bench.windows(whole, (0, 38), (21, len(text)))
    scheme = bench.scheme(Point("p1", "Momentum accumulates and dampens oscillations"))
    found = bench.decider(windows, scheme).decide()[0]
    assert [(one.start, one.end, one.text) for one in found.evidence] == [(0, len(text), text)]


@pytest.mark.parametrize("wrong", [WRONG, "Well, large batches converge to flat minima, I think."])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_misconception_that_is_said_contradicts(bench: Any, wrong: str, place: int) -> None:
    sentences = [OTHER, "Rain fell on the roof."]
    sentences.insert(place, wrong)
    (found,) = bench.decide(sentences, SHARP)
    assert (found.status, found.contradicts) == ("contradicted", SHARP.misconceptions[0])
    assert [one.text for one in found.evidence] == [wrong]
    assert found.coverage <= 1 - bench.calibration.cuts.covered
    assert found.confidence >= bench.calibration.cuts.covered


def test_who_says_both_is_not_marked_for_the_slip_alone(bench: Any) -> None:
    for sentences in ([RIGHT, WRONG], [WRONG, OTHER, RIGHT]):
        (found,) = bench.decide(sentences, SHARP)
        assert (found.status, found.contradicts) == ("covered", None)


def test_a_misconception_said_twice_is_no_other_half_of_a_hedge(bench: Any) -> None:
    (found,) = bench.decide([WRONG, OTHER, f"So I say that {WRONG.lower()}"], SHARP)
    assert found.status == "contradicted"


def test_two_misconceptions_do_not_excuse_one_another(bench: Any) -> None:
    point = Point("p1", SHARP.text, misconceptions=(WRONG, "Large batches converge to wide minima"))
    (found,) = bench.decide([WRONG, "Large batches converge to wide minima."], point)
    assert found.status == "contradicted"


def test_windows_that_share_a_misconception_are_no_hedge(bench: Any) -> None:
    answer = bench.answer(f"Well so {WRONG[:-1]} as everyone there knows")
    windows = bench.windows(answer, (0, 46), (8, 46), (8, len(answer.normal.text)))
    scheme = bench.scheme(SHARP)
    assert bench.decider(windows, scheme).decide()[0].status == "contradicted"


def test_a_window_that_breaks_off_before_the_wrong_word_is_no_hedge(bench: Any) -> None:
    shared = "Checkpointing recomputes discarded activations during every backward pass"
    answer = bench.answer(f"{shared} gratis")
    windows = bench.windows(answer, (0, len(shared)), (0, len(answer.normal.text)))
    scheme = bench.scheme(Point("p1", f"{shared} slowly", misconceptions=(f"{shared} gratis",)))
    assert bench.decider(windows, scheme).decide()[0].status == "contradicted"


def test_an_alternative_is_no_misconception_however_near_the_two_are(bench: Any) -> None:
    point = Point("p1", "Small batches generalise better", alternatives=(RIGHT,), misconceptions=(WRONG,))
    assert [bench.decide([said], point)[0].status for said in (RIGHT, WRONG)] == ["covered", "contradicted"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The statistics depend on the batch", "The statistics do not depend on the batch"),
        ("Dropout is never used at inference", "Dropout is used at inference"),
        ("Momentum dampens oscillations", "Momentum amplifies oscillations"),
        ("Training takes 3 epochs", "Training takes 30 epochs"),
    ],
)
def test_point_and_misconception_are_told_apart_by_few_words(bench: Any, right: str, wrong: str) -> None:
    point = Point("p1", right, misconceptions=(wrong,))
    assert [bench.decide([f"{said}."], point)[0].status for said in (right, wrong)] == ["covered", "contradicted"]


def test_a_misconception_that_is_only_touched_contradicts_nothing(bench: Any) -> None:
    (found,) = bench.decide(["Minima are flat."], SHARP)
    assert found.status == "missing"


INVISIBLE = st.text(st.sampled_from("\u200b\u00ad\u202e\ufeff \n"), max_size=3)


@given(st.lists(st.tuples(INVISIBLE, st.sampled_from([RIGHT, WRONG, OTHER, "Café ﬁnds ½."]), INVISIBLE), max_size=5))
def test_evidence_quotes_what_was_sent(bench: Any, sentences: list[tuple[str, str, str]]) -> None:
    raw = ["".join(parts) for parts in sentences]
    for found in bench.decide(raw, SHARP, Point("p2", "Café finds ½")):
        assert all(one.text == "\n".join(raw)[one.start : one.end] for one in found.evidence)
        ends = [place for one in found.evidence for place in (one.start, one.end)]
        assert ends == sorted(ends)
        assert bool(found.evidence) == (found.status != "missing")


WORDS = st.lists(st.sampled_from([*SHARP.text.lower().split(), "flat", "never", "7"]), min_size=1, max_size=7)
SENTENCES = st.lists(WORDS.map(lambda words: " ".join(words) + "."), min_size=1, max_size=4)
RANK = ["missing", "partial", "covered"]


@given(SENTENCES, SENTENCES)
def test_another_sentence_lowers_no_point(bench: Any, sentences: list[str], more: list[str]) -> None:
    points = Point("p1", SHARP.text, alternatives=("7 batches never converge",)), Point("p2", "Flat minima")
    for before, after in zip(bench.decide(sentences, *points), bench.decide([*sentences, *more], *points), strict=True):
        assert after.coverage >= before.coverage - 1e-4
        assert RANK.index(after.status) >= RANK.index(before.status)


@given(SENTENCES, st.permutations(range(5)))
def test_the_order_of_the_points_does_not_matter(bench: Any, sentences: list[str], order: list[int]) -> None:
    points = [
        SHARP,
        Point("p2", "Flat minima", alternatives=("7 batches",)),
        Point("p3", "never converge", misconceptions=("converge to minima",)),
        Point("p4", "large minima 7"),
        Point("p5", "sharp batches"),
    ]
    in_order = bench.decide(sentences, *points)
    permuted = bench.decide(sentences, *(points[place] for place in order))
    assert permuted == [in_order[place] for place in order]


@given(SENTENCES)
def test_measuring_reads_the_wording_that_makes_the_point_best(bench: Any, sentences: list[str]) -> None:
    point = Point("p1", "Sharp minima", alternatives=("large batches converge",))
    scheme = bench.scheme(point)
    decider = bench.decider(bench.answer(*sentences), scheme)
    (found,) = decider.measure()
    assert found.verification is None
    assert found.claim.statement in {point.text, *point.alternatives}
    made = bench.calibration.coverage.probability(found.features)
    assert made == pytest.approx(decider.decide()[0].coverage, abs=1e-4)


def test_nothing_can_be_measured_of_an_empty_answer(bench: Any) -> None:
    scheme = bench.scheme(SHARP)
    assert bench.decider(bench.answer(), scheme).measure() == [None]


def test_who_denies_a_misconception_does_not_hold_it(bench: Any) -> None:
    point = Point("p1", "UDP gives no guarantee of delivery", misconceptions=("UDP guarantees delivery",))
    (denied,) = bench.decide(["UDP does not guarantee delivery."], point)
    (held,) = bench.decide(["UDP guarantees delivery."], point)
    assert (denied.status != "contradicted", held.status) == (True, "contradicted")


def test_a_passage_with_the_words_of_both_sides_is_not_held_against_a_point(bench: Any) -> None:
    point = Point(
        "p1", "Small batches find flat minima and large ones sharp minima", misconceptions=("Large batches find flat",)
    )
    (found,) = bench.decide(["Large batches find flat minima, sharp ones are what small ones find."], point)
    assert found.status != "contradicted"


def test_other_numbers_than_the_points_earn_at_most_half(bench: Any) -> None:
    point = Point("p1", "The default port of the service is 443")
    (right,) = bench.decide(["The default port of the service is 443."], point)
    (wrong,) = bench.decide(["The default port of the service is 8080."], point)
    (unsaid,) = bench.decide(["The default port of the service is fixed."], point)
    assert (right.status, right.credit) == ("covered", 1.0)
    assert wrong.credit <= 0.5
    assert unsaid.credit > wrong.credit
