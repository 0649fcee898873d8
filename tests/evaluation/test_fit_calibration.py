import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from fit_calibration import VARIANTS, Decisions, fit_variant, read_decisions
from graded_pairs import GradedPoint
from graded_sets import fold_of
from verdicts import read_verdicts, write_verdicts

from markscheme.adapters.scripted_verifier import ScriptedVerifier
from markscheme.grading.alignment import FEATURES
from markscheme.grading.coverage import NOT_BY_CHANCE
from markscheme.grading.verification import Claim, Verification


def points(count: int = 200) -> list[GradedPoint]:
    """Made where the words are found, contradicted where the label says so."""
    rng = np.random.default_rng(0)
    found = []
    for number in range(count):
        matched = float(rng.random())
        made = float(rng.random() < matched)
        label = {} if number % 2 else {"label": "correct" if made else "contradictory"}
        found.append(
            GradedPoint(
                set="scientsbank_train" if label else "realsumm_dev",
                row=number,
                place=0,
                points=1,
                group=f"group {number % 20}",
                question="Why?",
                statement=f"statement {number}",
                passage=f"passage {number}",
                features={name: float(rng.random()) for name in FEATURES}
                | {"match_passage": matched, NOT_BY_CHANCE: 1},
                gold={"made": made, **label},
            )
        )
    return found


@pytest.fixture
def decided(tmp_path: Path) -> Decisions:
    file, said = tmp_path / "points.jsonl", tmp_path / "verdicts.jsonl"
    graded = points()
    file.write_text("".join(json.dumps(asdict(point)) + "\n" for point in graded), "utf-8")

    def script(claim: Claim) -> Verification:
        made = graded[int(claim.statement.split()[1])].gold["made"]
        return Verification(0.7, 0.1) if made else Verification(0.2, 0.6)

    claims = [Claim(point.question, point.statement, point.passage) for point in graded]
    write_verdicts(claims, ScriptedVerifier(script), said)
    return read_decisions(file, read_verdicts([said]))


def test_what_a_verifier_said_is_read_again(tmp_path: Path) -> None:
    claims = [Claim("", "Caches “are” fast", "line\nbreak"), Claim("Q?", "b", "c")]
    told: Mapping[Claim, Verification] = {claims[0]: Verification(0.25, 0.5), claims[1]: Verification(1.0, 0.0)}
    write_verdicts(claims, ScriptedVerifier(told), tmp_path / "said.jsonl")
    assert read_verdicts([tmp_path / "said.jsonl"]) == told


def test_coverage_rises_with_what_is_found_and_never_falls(decided: Decisions) -> None:
    found = fit_variant(decided, decided.outside(0, 2), VARIANTS["verified"], "test")
    assert min(found.coverage.weights) >= 0
    low, high = ({name: float(values[at]) for name, values in decided.features.items()} for at in _extremes(decided))
    assert found.coverage.probability(low) < 0.3
    assert found.coverage.probability(high) > 0.7
    assert dict(zip(found.coverage.features, found.coverage.weights, strict=True))[NOT_BY_CHANCE] == (
        VARIANTS["verified"].not_by_chance
    )


def test_contradictions_are_learnt_from_what_the_verifier_says(decided: Decisions) -> None:
    against = fit_variant(decided, decided.outside(1, 2), VARIANTS["verified"], "test").contradiction
    assert against is not None
    low, high = ({name: float(values[at]) for name, values in decided.features.items()} for at in _extremes(decided))
    assert against.probability(low) > 0.6
    assert against.probability(high) < 0.4


def test_similarity_alone_hears_no_verifier(decided: Decisions) -> None:
    found = fit_variant(decided, decided.outside(0, 2), VARIANTS["similarity"], "test")
    assert found.contradiction is None
    assert "supported" not in found.coverage.features


def test_a_fold_is_left_out_whole(decided: Decisions) -> None:
    kept = decided.outside(0, 2)
    assert 0 < kept.sum() < len(kept)
    assert {fold_of(group, 2) for group, keep in zip(decided.groups, kept, strict=True) if keep} == {1}
    assert not decided.weights({"realsumm_dev": 1.0}, kept)[~kept].any()


def _extremes(decided: Decisions) -> tuple[int, int]:
    score = decided.made + decided.features["match_passage"]
    return int(score.argmin()), int(score.argmax())
