"""Reads and writes a calibration, checked by pydantic."""

import json
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from markscheme.grading.alignment import FEATURES
from markscheme.grading.coverage import Calibration, Relaxation
from markscheme.grading.errors import SettingsError
from markscheme.grading.score import Cuts

PACKAGED = "similarity.json"


class _Feature(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    name: str
    # A negative weight would let a sentence that is added take credit away.
    weight: float = Field(ge=0)
    centre: float
    scale: float = Field(gt=0)


class _Relaxation(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    slope: float = Field(default=1.0, gt=0)
    offset: float = 0.0
    chance: float = Field(default=1.0, ge=0)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    name: str
    fitted_on: str
    covered: float = Field(gt=0, lt=1)
    partial: float = Field(gt=0, lt=1)
    intercept: float
    features: list[_Feature]
    relaxation: _Relaxation = _Relaxation()


def read_calibration(path: Path | None = None) -> Calibration:
    """The calibration of a file, or the packaged one. Raises SettingsError that says what is wrong with it."""
    place = path or files(__package__).joinpath(PACKAGED)
    try:
        found = _File.model_validate_json(place.read_bytes())
    except (OSError, ValidationError) as error:
        message = f"MARKSCHEME_CALIBRATION: {place} cannot be read as a calibration: {error}"
        raise SettingsError(message) from error
    unknown = {feature.name for feature in found.features} - set(FEATURES)
    if unknown or found.partial >= found.covered:
        reason = f"unknown features {sorted(unknown)}" if unknown else "partial must be under covered"
        message = f"MARKSCHEME_CALIBRATION: {place}: {reason}. Fit it again with evaluation/fit_calibration.py."
        raise SettingsError(message)
    return Calibration(
        name=found.name,
        features=tuple(feature.name for feature in found.features),
        centre=tuple(feature.centre for feature in found.features),
        scale=tuple(feature.scale for feature in found.features),
        weights=tuple(feature.weight for feature in found.features),
        intercept=found.intercept,
        cuts=Cuts(covered=found.covered, partial=found.partial),
        relaxation=Relaxation(**found.relaxation.model_dump()),
    )


def write_calibration(path: Path, calibration: Calibration, fitted_on: str) -> None:
    """Write a calibration for `read_calibration` to read."""
    columns = zip(calibration.features, calibration.weights, calibration.centre, calibration.scale, strict=True)
    content = _File(
        name=calibration.name,
        fitted_on=fitted_on,
        covered=calibration.cuts.covered,
        partial=calibration.cuts.partial,
        intercept=calibration.intercept,
        relaxation=_Relaxation(**asdict(calibration.relaxation)),
        features=[
            _Feature(name=name, weight=weight, centre=centre, scale=scale) for name, weight, centre, scale in columns
        ],
    )
    path.write_text(json.dumps(content.model_dump(), indent=2) + "\n", encoding="utf-8")
