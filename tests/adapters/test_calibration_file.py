import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from markscheme.adapters.calibration_file.reading import read_calibration, write_calibration
from markscheme.grading.alignment import FEATURES
from markscheme.grading.coverage import Calibration, Relaxation
from markscheme.grading.cuts import Cuts
from markscheme.grading.errors import SettingsError
from markscheme.grading.logistic import Logistic
from markscheme.grading.reading import ALL_FEATURES, VERIFIER_FEATURES

PACKAGED = read_calibration()
# No short decimals, so that every bit has to survive.
UNEVEN = tuple(0.1 * place + 0.1 + 0.2 for place in range(len(ALL_FEATURES)))
VERIFIED = Calibration(
    name="naïve-7",
    coverage=Logistic(ALL_FEATURES, centre=UNEVEN, scale=UNEVEN[::-1], weights=UNEVEN, intercept=-0.3),
    contradiction=Logistic(("not_contradicted",), (0.0,), (1.0,), (-1.5,), -0.1 - 0.2),
    cuts=Cuts(0.5, 0.2, contradicted=0.6),
    relaxation=Relaxation(0.4, -0.3, 0.1),
)


@pytest.mark.parametrize("with_verifier", [False, True])
def test_a_packaged_calibration_keeps_its_promise(*, with_verifier: bool) -> None:
    packaged = read_calibration(with_verifier=with_verifier)
    coverage, cuts = packaged.coverage, packaged.cuts
    assert packaged.needs_verifier == with_verifier
    assert set(coverage.features) <= set(ALL_FEATURES if with_verifier else FEATURES)
    assert len(set(coverage.features)) == len(coverage.features)
    # No weight is negative, so nothing that is found can cost a point that has no misconception.
    assert all(weight >= 0 for weight in coverage.weights)
    unsure = dict.fromkeys(VERIFIER_FEATURES, -6.0)
    nothing = dict.fromkeys(FEATURES, 0.0) | {"numbers_missing": -1.0} | unsure
    everything = dict.fromkeys(FEATURES, 1.0) | {"numbers_missing": 0.0} | dict.fromkeys(unsure, 6.0)
    assert coverage.probability(nothing) < cuts.partial < cuts.covered < coverage.probability(everything)


@pytest.mark.parametrize("written", [replace(PACKAGED, name="naïve-7"), VERIFIED])
def test_what_is_written_is_read_again(tmp_path: Path, written: Calibration) -> None:
    path = tmp_path / "calibration.json"
    write_calibration(path, written, fitted_on="a few answers")
    assert read_calibration(path, with_verifier=True) == written
    assert json.loads(path.read_text(encoding="utf-8"))["fitted_on"] == "a few answers"


def test_what_a_file_leaves_out_is_as_if_it_were_not_there(tmp_path: Path, content: dict[str, Any]) -> None:
    del content["contradiction"], content["relaxation"], content["cuts"]["contradicted"]
    path = tmp_path / "short.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    found = read_calibration(path)
    assert (found.contradiction, found.relaxation, found.cuts.contradicted) == (None, Relaxation(), None)


COVERAGE_OF_VERIFIED = replace(VERIFIED, contradiction=None)
CONTRADICTION_ALONE = replace(PACKAGED, contradiction=VERIFIED.contradiction)


@pytest.mark.parametrize("written", [VERIFIED, COVERAGE_OF_VERIFIED, CONTRADICTION_ALONE])
def test_what_reads_a_verifier_needs_one(tmp_path: Path, written: Calibration) -> None:
    path = tmp_path / "calibration.json"
    write_calibration(path, written, fitted_on="a few answers")
    assert "MARKSCHEME_VERIFIER is off" in refused(path)


def test_similarity_alone_serves_beside_a_verifier(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    write_calibration(path, PACKAGED, fitted_on="a few answers")
    assert read_calibration(path, with_verifier=True) == PACKAGED


@pytest.mark.parametrize("feature", VERIFIER_FEATURES)
def test_a_contradiction_may_fall_as_a_feature_rises_and_coverage_may_not(tmp_path: Path, feature: str) -> None:
    falling = Logistic((feature,), (0.0,), (1.0,), (-1.0,), 0.0)
    path = tmp_path / "calibration.json"
    write_calibration(path, replace(VERIFIED, contradiction=falling), fitted_on="a few answers")
    assert read_calibration(path, with_verifier=True).contradiction == falling
    write_calibration(path, replace(VERIFIED, coverage=falling), fitted_on="a few answers")
    with pytest.raises(SettingsError, match=f"coverage may not fall as .*{feature}.* rises"):
        read_calibration(path, with_verifier=True)


@pytest.fixture
def content(tmp_path: Path) -> dict[str, Any]:
    write_calibration(tmp_path / "good.json", PACKAGED, fitted_on="a few answers")
    found: dict[str, Any] = json.loads((tmp_path / "good.json").read_text(encoding="utf-8"))
    return found


def refused(path: Path) -> str:
    with pytest.raises(SettingsError, match=r"^MARKSCHEME_CALIBRATION: ") as caught:
        read_calibration(path)
    message = str(caught.value)
    assert str(path) in message
    return message


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda file: file["cuts"].update(partial=0.5, covered=0.5), "partial must be under covered"),
        (lambda file: file["cuts"].update(partial=0.7, covered=0.5), "partial must be under covered"),
        (lambda file: file["cuts"].update(covered=1.0), "less than 1"),
        (lambda file: file["cuts"].update(partial=0.0), "greater than 0"),
        (lambda file: file["cuts"].update(contradicted=0.0), "greater than 0"),
        (lambda file: file["cuts"].update(contradicted=1.0), "less than 1"),
        (lambda file: file["cuts"].update(extra=0.5), "not permitted"),
        (lambda file: file["cuts"].pop("covered"), "covered"),
        (lambda file: file["coverage"].update(intercept=float("nan")), "finite"),
        (lambda file: file["coverage"].update(intercept=float("inf")), "finite"),
        (lambda file: file["coverage"].pop("intercept"), "intercept"),
        (lambda file: file["coverage"].update(features={}), "list"),
        (lambda file: file["coverage"].update(extra=7), "not permitted"),
        (lambda file: file.update(contradiction={"intercept": 0.0}), "features"),
        (lambda file: file["relaxation"].update(slope=0.0), "greater than 0"),
        (lambda file: file["relaxation"].update(chance=-0.1), "greater than or equal to 0"),
        (lambda file: file["relaxation"].update(extra=7), "not permitted"),
        (lambda file: file.update(name=7), "string"),
        (lambda file: file.update(extra=7), "not permitted"),
        (lambda file: file.pop("coverage"), "coverage"),
        (lambda file: file.pop("cuts"), "cuts"),
    ],
)
def test_a_value_that_cannot_be_is_refused(
    tmp_path: Path, content: dict[str, Any], change: Change, reason: str
) -> None:
    path = tmp_path / "changed.json"
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    assert reason in refused(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "luck"}, "unknown features ['luck']"),
        ({"scale": 0.0}, "greater than 0"),
        ({"weight": float("nan")}, "finite"),
        ({"weight": None}, "number"),
        ({"weight": -0.1}, f"coverage may not fall as ['{PACKAGED.coverage.features[0]}'] rises"),
        ({"extra": 7}, "not permitted"),
    ],
)
def test_a_feature_that_cannot_be_is_refused(
    tmp_path: Path, content: dict[str, Any], change: dict[str, Any], reason: str
) -> None:
    path = tmp_path / "changed.json"
    content["coverage"]["features"][0] |= change
    path.write_text(json.dumps(content), encoding="utf-8")
    assert reason in refused(path)


def test_an_unknown_feature_of_the_contradiction_is_refused(tmp_path: Path, content: dict[str, Any]) -> None:
    luck = {"name": "luck", "weight": -1.0, "centre": 0.0, "scale": 1.0}
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content | {"contradiction": {"intercept": 0.0, "features": [luck]}}), encoding="utf-8")
    assert "unknown features ['luck']" in refused(path)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff\xfe", b'{"name": "\xff"}'])
def test_what_is_no_calibration_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(raw)
    refused(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "nowhere.json")
    refused(tmp_path)


def test_a_file_of_the_format_before_is_refused(tmp_path: Path, content: dict[str, Any]) -> None:
    path = tmp_path / "old.json"
    flat = {**content["coverage"], **content["cuts"], "name": "old", "fitted_on": "a few answers"}
    path.write_text(json.dumps(flat), encoding="utf-8")
    assert "coverage" in refused(path)


def test_the_packaged_contradiction_rises_with_what_denies_and_falls_with_what_supports() -> None:
    against = read_calibration(with_verifier=True).contradiction
    assert against is not None
    signs = {name: weight for name, weight in zip(against.features, against.weights, strict=True) if weight}
    assert signs["not_contradicted"] < 0
    assert signs.get("supported", -1.0) < 0
