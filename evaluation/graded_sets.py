"""Graded sets: requests as `markscheme batch` takes them, each with a `gold` object that says what people decided."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from markscheme.adapters.wire.request import parse_line
from markscheme.pipeline.request import GradeRequest

# Sets with a decision on each point, or one on the whole of a short answer: what coverage is fitted on.
MAJORITY = 0.5
FITTED = ("realsumm_dev", "argkp_train", "argkp_dev", "scientsbank_train", "beetle_train")


@dataclass(frozen=True, slots=True)
class GradedRow:
    """One answer; `made` has one decision a point (None where people were divided), and `group` must not be split."""

    request: GradeRequest
    made: tuple[bool | None, ...]
    group: str


def read_graded(path: Path) -> Iterator[GradedRow]:
    """Rows of a set whose gold is `points`, or a `label` of a short answer with short accepted answers."""
    for line in path.read_bytes().splitlines():
        gold = json.loads(line)["gold"]
        request = parse_line(line)
        if "points" in gold:
            made = tuple(None if share is None else share > MAJORITY for share in gold["points"])
        else:
            made = (gold["label"] == "correct",)
        yield GradedRow(request, made, _group(gold, request))


def _group(gold: dict[str, str], request: GradeRequest) -> str:
    """The question where the set names it; for summaries the document, the second part of the id."""
    if "group" in gold:
        return gold["group"]
    return request.question or str(request.id).split("/")[1]


def fold_of(group: str, groups: list[str], folds: int, seed: int = 0) -> int:
    """The fold that holds a group out: groups shuffled by seed, dealt round."""
    order = list(np.random.default_rng(seed).permutation(sorted(set(groups))))
    return order.index(group) % folds
