import logging

import pytest

from markscheme.adapters.cross_encoder_verifier.pairs import Pair, fit
from markscheme.grading.errors import VerifierError
from markscheme.grading.verification import Claim


def words(text: str) -> int:
    return len(text.split())


def test_the_passage_comes_first_and_the_question_before_the_statement() -> None:
    assert fit(Claim("Why?", "It grows.", "A batch grows."), 10, words) == Pair("A batch grows.", "Why? It grows.")
    assert fit(Claim("", "It grows.", "A batch grows."), 10, words) == Pair("A batch grows.", "It grows.")


def test_what_fits_exactly_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    claim = Claim("q " * 6, "s s", "p p")
    with caplog.at_level(logging.DEBUG):
        assert words(fit(claim, 10, words).hypothesis) == 8
    assert caplog.text == ""


def test_a_long_passage_keeps_the_question_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    claim = Claim("q q", "s s", "p " * 100)
    with caplog.at_level(logging.DEBUG):
        assert fit(claim, 10, words) == Pair(claim.passage, "q q s s")
    assert [record.levelname for record in caplog.records] == ["DEBUG"]
    assert "A passage of 100 tokens is cut to the 6" in caplog.text


def test_a_question_that_leaves_no_room_is_left_out_and_said_so(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert fit(Claim("q " * 6, "s s", "p p p"), 10, words) == Pair("p p p", "s s")
    assert [record.levelname for record in caplog.records] == ["DEBUG"]
    assert "question is left out" in caplog.text


def test_without_the_question_the_passage_may_still_be_too_long(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert fit(Claim("q " * 6, "s s", "p " * 9), 10, words).hypothesis == "s s"
    assert len(caplog.records) == 2


def test_a_statement_is_never_cut() -> None:
    with pytest.raises(VerifierError, match=r"'s s s s s s s s ' has 8 tokens; the verifier takes at most 7"):
        fit(Claim("q", "s " * 8, "p p p"), 10, words)
