from typing import Any

import pytest

from markscheme.grading.flags import flags
from markscheme.grading.rubric import Point

POINTS = (Point("p1", "Locks wait for writers"), Point("p2", "Readers see old pages"))
QUESTION = "How do databases isolate concurrent transactions efficiently?"
HONEST = "Locks wait for writers, and readers see older pages."


def codes(bench: Any, sentences: list[str], question: str = QUESTION, nearest: float = 0.9) -> list[str]:
    answer = bench.answer(*sentences)
    scheme = bench.scheme(*POINTS, question=question)
    graded = bench.decider(answer, scheme).decide()
    return [flag.code for flag in flags(answer, scheme, graded, nearest)]


def test_an_honest_answer_has_no_flag(bench: Any) -> None:
    assert codes(bench, [HONEST]) == []


@pytest.mark.parametrize("sentences", [[], ["?!"]])
def test_no_word_is_an_empty_answer_and_nothing_else(bench: Any, sentences: list[str]) -> None:
    assert codes(bench, sentences, nearest=-1.0) == ["empty_answer"]


def test_few_words_are_too_short_for_several_points(bench: Any) -> None:
    assert codes(bench, ["Locks wait for writers."]) == ["too_short_to_judge"]
    scheme = bench.scheme(POINTS[0])
    answer = bench.answer("Locks wait for writers.")
    assert flags(answer, scheme, bench.decider(answer, scheme).decide(), 0.9) == ()


def test_the_question_said_again(bench: Any) -> None:
    restated = "Databases isolate concurrent transactions efficiently, as they do."
    assert codes(bench, [restated]) == ["question_restated"]
    assert codes(bench, [restated], question="") == []
    assert codes(bench, ["Databases isolate transactions by versions, snapshots, locks and timestamps."]) == []


def test_off_topic_needs_all_three(bench: Any) -> None:
    far = ["Museums open late on most Sundays in winter."]
    assert codes(bench, far, nearest=0.05) == ["off_topic"]
    assert codes(bench, far, nearest=0.9) == []
    assert codes(bench, [HONEST], nearest=0.05) == []


def test_hidden_and_foreign_letters_are_told(bench: Any) -> None:
    hidden = HONEST.replace("wait", "wa\u200bit\u200b")
    assert codes(bench, [hidden]) == ["invisible_characters"]
    foreign = HONEST.replace("wait", "wаit")  # noqa: RUF001 - a Cyrillic letter
    assert codes(bench, [foreign]) == ["look_alike_letters"]


def test_a_flag_says_how_much_it_saw(bench: Any) -> None:
    answer = bench.answer("Locks\u200b\u200b wаit.")  # noqa: RUF001 - a Cyrillic letter
    short, hidden, foreign = flags(answer, bench.scheme(*POINTS), bench.decide([], *POINTS), 0.9)
    assert short.message == "The answer has 2 words for 2 points."
    assert hidden.message.startswith("The answer holds 2 invisible characters")
    assert foreign.message.startswith("1 letters of another script")
