"""Explanations in words."""

from dataclasses import replace

import pytest

from markscheme.grading.cuts import Cuts
from markscheme.grading.grade import Explanation, PointGrade
from markscheme.grading.logistic import Effect, sigmoid
from markscheme.grading.reading import ALL_FEATURES
from markscheme.grading.why import MEASURES, confidence_in_words, why

EFFECTS = (Effect("match_passage", 0.5, 0.25), Effect("numbers_missing", -1.0, -2.0), Effect("supported", 3.0, 1.0))
EXPLANATION = Explanation(
    statement="An index takes space.",
    passage="It needs room on disk.",
    supported=0.934,
    contradicted=0.021,
    average=0.0,
    effects=EFFECTS,
    cuts=Cuts(covered=0.4, partial=0.125, contradicted=0.6),
)
COVERAGE = round(sigmoid(0.25 - 2.0 + 1.0), 4)
POINT = PointGrade(
    id="p1",
    text="Space.",
    importance="vital",
    weight=1.0,
    status="partial",
    coverage=COVERAGE,
    credit=0.5,
    decided_by="verifier",
    confidence=0.73,
    explanation=EXPLANATION,
)


def test_every_name_that_a_calibration_can_read_has_its_words() -> None:
    assert set(MEASURES) == set(ALL_FEATURES)
    assert len(set(MEASURES.values())) == len(MEASURES)
    assert all(len(words) > 30 for words in MEASURES.values())


def test_the_wording_the_passage_and_the_verifier_are_told() -> None:
    told = why(POINT)
    assert told is not None
    assert (told.wording, told.passage) == ("An index takes space.", "It needs room on disk.")
    assert told.verifier == "The passage says it with a probability of 0.93, and denies it with 0.02."
    assert told.start == "An average point has a coverage of 0.50. What moved it, in log-odds:"


def test_the_largest_effect_comes_first_whichever_way_it_moves() -> None:
    told = why(POINT)
    assert told is not None
    assert [(one.words, one.value, one.effect) for one in told.measures] == [
        (MEASURES["numbers_missing"], -1.0, -2.0),
        (MEASURES["supported"], 3.0, 1.0),
        (MEASURES["match_passage"], 0.5, 0.25),
    ]


def test_a_name_that_has_no_words_yet_stands_for_itself() -> None:
    told = why(replace(POINT, explanation=replace(EXPLANATION, effects=(Effect("of_tomorrow", 1.0, -0.75),))))
    assert told is not None
    assert told.measures[0].words == "of_tomorrow"


def test_without_a_verifier_that_is_said() -> None:
    told = why(replace(POINT, explanation=replace(EXPLANATION, supported=None, contradicted=None)))
    assert told is not None
    assert told.verifier == "There is none: words and meaning alone decided."


def test_without_an_explanation_there_is_nothing_to_tell() -> None:
    assert why(replace(POINT, explanation=None)) is None


MEASURED = f"By these measures alone it would be {sigmoid(-0.75):.4f}, but the answer"
OTHER_NUMBERS = f"{MEASURED} has other numbers than the point."
AGAINST = f"{MEASURED} speaks against the point."


@pytest.mark.parametrize(
    ("changed", "outcome"),
    [
        ({}, "Coverage 0.3208 lies between 0.125, where partial begins, and 0.4, where covered is."),
        ({"status": "covered", "coverage": 0.4}, "Coverage 0.4000 reaches 0.4, from where on a point is covered."),
        ({"status": "missing"}, "Coverage 0.3208 is under 0.125, where partial begins."),
        (
            {"coverage": 0.2625},
            f"{OTHER_NUMBERS} Coverage 0.2625 lies between 0.125, where partial begins, and 0.4, where covered is.",
        ),
        (
            {"status": "contradicted", "coverage": 0.1, "confidence": 0.9},
            f"{AGAINST} The opposite is said with a probability of 0.90; from 0.6 on the point is contradicted.",
        ),
        (
            {"status": "contradicted", "contradicts": "It is free.", "confidence": 0.66},
            "A listed misconception is said instead, with a probability of 0.66.",
        ),
    ],
)
def test_the_outcome_is_held_against_the_cuts(changed: dict[str, object], outcome: str) -> None:
    told = why(replace(POINT, **changed))  # type: ignore[arg-type]  # fields by name, for brevity
    assert told is not None
    assert told.outcome == outcome


def test_a_contradiction_without_a_cut_of_its_own_names_none() -> None:
    cuts = Cuts(covered=0.4, partial=0.125)
    told = why(replace(POINT, status="contradicted", explanation=replace(EXPLANATION, cuts=cuts)))
    assert told is not None
    assert told.outcome == "The opposite is said with a probability of 0.73."


@pytest.mark.parametrize(
    ("confidence", "words"),
    [
        (1.0, "sure"),
        (0.9, "sure"),
        (0.8999, "fairly sure"),
        (0.7, "fairly sure"),
        (0.69, "a person should look"),
        (0.0, "a person should look"),
    ],
)
def test_confidence_in_words(confidence: float, words: str) -> None:
    assert confidence_in_words(confidence) == words
