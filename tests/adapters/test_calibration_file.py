import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from markscheme.adapters.calibration_file.reading import read_calibration, write_calibration
from markscheme.grading.alignment import FEATURES
from markscheme.grading.errors import SettingsError

PACKAGED = read_calibration()


def test_the_packaged_calibration_keeps_its_promise() -> None:
    assert set(PACKAGED.features) <= set(FEATURES)
    assert len(set(PACKAGED.features)) == len(PACKAGED.features)
    # No weight is negative, so no sentence that is added can cost a point that has no misconception.
    assert all(weight >= 0 for weight in PACKAGED.weights)
    nothing = dict.fromkeys(FEATURES, 0.0) | {"numbers_missing": -1.0}
    everything = dict.fromkeys(FEATURES, 1.0) | {"numbers_missing": 0.0}
    assert PACKAGED.coverage(nothing) < PACKAGED.cuts.partial < PACKAGED.cuts.covered < PACKAGED.coverage(everything)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    written = replace(PACKAGED, name="naïve-7", intercept=-0.1 - 0.2)
    write_calibration(path, written, fitted_on="a few answers")
    assert read_calibration(path) == written
    assert json.loads(path.read_text(encoding="utf-8"))["fitted_on"] == "a few answers"


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


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"partial": 0.5, "covered": 0.5}, "partial must be under covered"),
        ({"partial": 0.7, "covered": 0.5}, "partial must be under covered"),
        ({"covered": 1.0}, "less than 1"),
        ({"partial": 0.0}, "greater than 0"),
        ({"intercept": float("nan")}, "finite"),
        ({"intercept": float("inf")}, "finite"),
        ({"name": 7}, "string"),
        ({"extra": 7}, "not permitted"),
        ({"features": {}}, "list"),
        ({"features": [{"name": FEATURES[0], "weight": -0.1, "centre": 0, "scale": 1}]}, "greater than or equal to 0"),
    ],
)
def test_a_value_that_cannot_be_is_refused(
    tmp_path: Path, content: dict[str, Any], change: dict[str, Any], reason: str
) -> None:
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content | change), encoding="utf-8")
    assert reason in refused(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "luck"}, "unknown features ['luck']"),
        ({"scale": 0.0}, "greater than 0"),
        ({"weight": float("nan")}, "finite"),
        ({"weight": None}, "number"),
        ({"extra": 7}, "not permitted"),
    ],
)
def test_a_feature_that_cannot_be_is_refused(
    tmp_path: Path, content: dict[str, Any], change: dict[str, Any], reason: str
) -> None:
    path = tmp_path / "changed.json"
    content["features"][0] |= change
    path.write_text(json.dumps(content), encoding="utf-8")
    assert reason in refused(path)


def test_what_lacks_a_field_is_refused(tmp_path: Path, content: dict[str, Any]) -> None:
    del content["intercept"]
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert "intercept" in refused(path)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff\xfe", b'{"name": "\xff"}'])
def test_what_is_no_calibration_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(raw)
    refused(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "nowhere.json")
    refused(tmp_path)
