"""From what people wrote down to what they decided; every message names the field and what is allowed."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, get_args

from markscheme.agreement.gold import Gold, Kind, Label, Relation, Shares
from markscheme.grading.errors import InputError

# Also the names that shared sets of graded answers use.
_LABELS: Mapping[str, Label] = {
    "correct": "correct",
    "partial": "partial",
    "partially_correct": "partial",
    "partially_correct_incomplete": "partial",
    "incorrect": "incorrect",
    "irrelevant": "incorrect",
    "non_domain": "incorrect",
    "contradictory": "contradictory",
}
_RELATIONS: Mapping[str, Relation] = {name: name for name in get_args(Relation)}
_SHOWN_CHARS = 40
_TWO = 2

V = TypeVar("V")


def gold_of(told: Mapping[str, object], raters: Mapping[Kind, Sequence[object]], prefix: str = "gold.") -> Gold:
    """Check what people decided.

    Args:
        told: What stands under `points`, `label`, `score` and `nli`; null counts as absent.
        raters: By kind, what each of two or more people decided.
        prefix: What stands before a field's name in messages.

    Raises:
        InputError: A value has another form, or there is none at all.
    """
    points, label, score, nli = (told.get(name) for name in ("points", "label", "score", "nli"))
    if points is label is score is nli is None:
        message = f"There is nothing that people decided. Give {prefix}points, label, score or nli."
        raise InputError(message)
    shares = None if points is None else _shares(points, f"{prefix}points")
    if shares is not None and not any(share is not None for share in shares):
        message = f"{prefix}points judges no point: every entry is null. Judge one, or leave the row out."
        raise InputError(message)
    by_raters = tuple(_shares(one, f"{prefix}raters/{place}") for place, one in enumerate(raters.get("points", ())))
    if shares is not None and any(len(one) != len(shares) for one in by_raters):
        message = f"{prefix}raters judge another number of points than {prefix}points has. Give null for no judgement."
        raise InputError(message)
    return Gold(
        points=shares,
        label=None if label is None else _label(label, f"{prefix}label"),
        score=None if score is None else _share(score, f"{prefix}score"),
        nli=None if nli is None else _one_of(nli, _RELATIONS, f"{prefix}nli"),
        points_raters=by_raters,
        label_raters=tuple(_label(one, f"{prefix}raters") for one in raters.get("label", ())),
        score_raters=tuple(_share(one, f"{prefix}raters") for one in raters.get("score", ())),
    )


def raters_of(told: Mapping[str, object]) -> dict[Kind, Sequence[object]]:
    """The list under `raters` with the kind that it is of. Raises InputError."""
    raters = told.get("raters")
    if raters is None:
        return {}
    kinds: tuple[Kind, ...] = ("points", "label", "score")
    given = [kind for kind in kinds if told.get(kind) is not None]
    if len(given) != 1:
        message = "gold.raters goes with exactly one of gold.points, gold.label and gold.score."
        raise InputError(message)
    if not isinstance(raters, list) or len(raters) < _TWO:
        message = f"gold.raters must be a list of what two or more people decided; it is {_shown(raters)}."
        raise InputError(message)
    return {given[0]: raters}


def _shares(value: object, name: str) -> Shares:
    if not isinstance(value, list) or not value:
        message = f"{name} must be a list with a number from 0 to 1, or null, for each point; it is {_shown(value)}."
        raise InputError(message)
    return tuple(None if one is None else _share(one, f"{name}/{place}") for place, one in enumerate(value))


def _share(value: object, name: str) -> float:
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    message = f"{name} must be a number from 0 to 1 (divide marks by the most there are); it is {_shown(value)}."
    raise InputError(message)


def _label(value: object, name: str) -> Label:
    return _one_of(value, _LABELS, name)


def _one_of(value: object, allowed: Mapping[str, V], name: str) -> V:
    found = allowed.get(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        message = f"{name} must be one of {', '.join(allowed)}; it is {_shown(value)}."
        raise InputError(message)
    return found


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."
