"""Reads and writes a calibration, checked by pydantic."""

import json
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from markscheme.grading.coverage import Calibration, Relaxation
from markscheme.grading.cuts import Cuts
from markscheme.grading.errors import SettingsError
from markscheme.grading.logistic import Logistic
from markscheme.grading.reading import ALL_FEATURES, VERIFIER_FEATURES

SIMILARITY = "similarity.json"
VERIFIED = "verified.json"


class _Feature(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    name: str
    weight: float
    centre: float
    scale: float = Field(gt=0)


class _Logistic(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    intercept: float
    features: list[_Feature]


class _Relaxation(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    slope: float = Field(default=1.0, gt=0)
    offset: float = 0.0
    chance: float = Field(default=1.0, ge=0)


class _Cuts(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    covered: float = Field(gt=0, lt=1)
    partial: float = Field(gt=0, lt=1)
    contradicted: float | None = Field(default=None, gt=0, lt=1)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    name: str
    fitted_on: str
    verifier: str | None = None
    cuts: _Cuts
    coverage: _Logistic
    contradiction: _Logistic | None = None
    relaxation: _Relaxation = _Relaxation()


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why a file is no calibration that can be used.

    `reason` tells nothing of the machine but its verifier. `details`, where there are any, end it for whoever may look
    at the file.
    """

    reason: str
    details: str = ""


def read_calibration(
    path: Path | None = None,
    *,
    with_verifier: bool = False,
    verifier: str | None = None,
    asked_by: str = "MARKSCHEME_CALIBRATION",
) -> Calibration:
    """The calibration of a file, or a packaged one: of similarity alone, or of similarity and the verifier.

    Args:
        path: The file; None for a packaged one.
        with_verifier: Whether there is a verifier.
        verifier: The fingerprint of the verifier, where it matters that it is the one that the file was fitted with.
        asked_by: What the message of an error begins with.

    Raises:
        SettingsError: it cannot be read, needs a verifier where there is none, or was fitted with another one; the
            message says what is wrong.
    """
    place = path or files(__package__).joinpath(VERIFIED if with_verifier else SIMILARITY)
    found = find_calibration(place, with_verifier=with_verifier, verifier=verifier)
    if isinstance(found, Unusable):
        message = f"{asked_by}: {place}: {found.reason}{found.details or '.'}"
        raise SettingsError(message)
    return found


def find_calibration(place: Traversable, *, with_verifier: bool, verifier: str | None) -> Calibration | Unusable:
    """The calibration of a file, or why it cannot be used; the arguments are those of `read_calibration`."""
    try:
        found = _File.model_validate_json(place.read_bytes())
    except (OSError, ValidationError) as error:
        return Unusable("it cannot be read as a calibration", f": {error}")
    reason = _fault(found, with_verifier=with_verifier) or _other_verifier(found.verifier, verifier)
    if reason:
        return Unusable(reason)
    return Calibration(
        name=found.name,
        coverage=_logistic(found.coverage),
        contradiction=_logistic(found.contradiction) if found.contradiction else None,
        cuts=Cuts(**found.cuts.model_dump()),
        relaxation=Relaxation(**found.relaxation.model_dump()),
    )


def write_calibration(path: Path, calibration: Calibration, fitted_on: str, verifier: str | None = None) -> None:
    """Write a calibration for `read_calibration` to read; `verifier` is the name of the one that it was fitted with."""
    cuts, one = calibration.cuts, calibration.relaxation
    content = _File(
        name=calibration.name,
        fitted_on=fitted_on,
        verifier=verifier if calibration.needs_verifier else None,
        cuts=_Cuts(covered=cuts.covered, partial=cuts.partial, contradicted=cuts.contradicted),
        coverage=_written(calibration.coverage),
        contradiction=_written(calibration.contradiction) if calibration.contradiction else None,
        relaxation=_Relaxation(slope=one.slope, offset=one.offset, chance=one.chance),
    )
    path.write_text(json.dumps(content.model_dump(), indent=2) + "\n", encoding="utf-8")


def verifier_name(fingerprint: str) -> str:
    """The name in a fingerprint, which keeps where only the version of the files changes."""
    return fingerprint.rpartition("@")[0] or fingerprint


def _other_verifier(fitted: str | None, used: str | None) -> str | None:
    if fitted is None or used is None or verifier_name(used) == fitted:
        return None
    return (
        f"it was fitted with the verifier {fitted}, and {verifier_name(used)} is in use. Set MARKSCHEME_VERIFIER to "
        "that one, or fit it again with `markscheme calibrate --weights`"
    )


def _fault(found: _File, *, with_verifier: bool) -> str | None:
    columns = [*found.coverage.features, *(found.contradiction.features if found.contradiction else [])]
    names = {feature.name for feature in columns}
    if unknown := sorted(names - set(ALL_FEATURES)):
        return f"unknown features {unknown}. Fit it again with evaluation/fit_calibration.py"
    if found.cuts.partial >= found.cuts.covered:
        return "partial must be under covered"
    # A negative weight would let a sentence that is added take credit away.
    if negative := sorted(feature.name for feature in found.coverage.features if feature.weight < 0):
        return f"coverage may not fall as {negative} rises: their weights are negative"
    if not with_verifier and names & set(VERIFIER_FEATURES):
        return "it was fitted with a verifier, and MARKSCHEME_VERIFIER is off. Set one, or take another calibration"
    return None


def _logistic(found: _Logistic) -> Logistic:
    return Logistic(
        features=tuple(feature.name for feature in found.features),
        centre=tuple(feature.centre for feature in found.features),
        scale=tuple(feature.scale for feature in found.features),
        weights=tuple(feature.weight for feature in found.features),
        intercept=found.intercept,
    )


def _written(logistic: Logistic) -> _Logistic:
    columns = zip(logistic.features, logistic.weights, logistic.centre, logistic.scale, strict=True)
    features = [
        _Feature(name=name, weight=weight, centre=centre, scale=scale) for name, weight, centre, scale in columns
    ]
    return _Logistic(intercept=logistic.intercept, features=features)
