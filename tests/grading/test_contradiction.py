from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.contradiction import Against, denied
from markscheme.grading.coverage import Calibration
from markscheme.grading.cuts import Cuts
from markscheme.grading.reading import Reading
from markscheme.grading.verification import Verification

SENTENCES = ("Museums open late.", "Large batches converge to wide minima.")


def reading(bench: Any, contradicted: float) -> Reading:
    answer = bench.answer(*SENTENCES)
    read = Reading(bench.align("Large batches converge to sharp minima", answer), answer)
    return replace(read, verification=Verification(0.0, contradicted))


def with_cut(bench: Any, cut: float | None) -> Calibration:
    calibration: Calibration = bench.verified
    return replace(calibration, cuts=Cuts(calibration.cuts.covered, calibration.cuts.partial, cut))


def test_what_the_verifier_denies_is_held_against_the_best_segment(bench: Any) -> None:
    assert denied(reading(bench, 0.9), 0.2, bench.verified) == Against(0.9, segment=1)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_point_is_denied_only_while_it_is_not_covered(bench: Any, contradicted: float, coverage: float) -> None:
    calibration = bench.verified
    found = denied(reading(bench, contradicted), coverage, calibration)
    if coverage >= calibration.cuts.covered:
        assert found is None
    elif abs(contradicted - calibration.cuts.contradicted) > 1e-4:
        assert (found is not None) == (contradicted > calibration.cuts.contradicted)


@pytest.mark.parametrize(("cut", "holds"), [(0.5, True), (0.9, True), (0.9001, False), (None, False)])
def test_the_cut_belongs_to_the_contradiction(bench: Any, cut: float | None, *, holds: bool) -> None:
    assert (denied(reading(bench, 0.9), 0.2, with_cut(bench, cut)) is not None) == holds


def test_without_a_fitted_contradiction_nothing_is_denied(bench: Any) -> None:
    cut_alone = replace(bench.calibration, cuts=Cuts(0.6, 0.3, contradicted=0.1))
    assert denied(reading(bench, 1.0), 0.0, cut_alone) is None
