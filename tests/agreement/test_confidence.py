import pytest

from markscheme.agreement.confidence import confidence_of


def test_a_grade_that_says_how_sure_it_is_is_believed() -> None:
    assert confidence_of("covered", 0.31, 0.9) == 0.9


@pytest.mark.parametrize(
    ("status", "coverage", "confidence"),
    [
        ("covered", 0.3, 0.5),
        ("covered", 1.0, 1.0),
        ("partial", 0.3, 0.5),
        ("missing", 0.0, 1.0),
        ("contradicted", 0.9, 0.5),
    ],
)
def test_an_older_grade_is_as_sure_as_it_is_far_from_the_cut(status: str, coverage: float, confidence: float) -> None:
    assert confidence_of(status, coverage, None) == pytest.approx(confidence)  # type: ignore[arg-type]  # a status


def test_what_was_not_assessed_is_not_sure() -> None:
    assert confidence_of("not_assessed", 1.0, 1.0) == 0.0
