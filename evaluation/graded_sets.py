"""Graded sets: requests as `markscheme batch` takes them, each with a `gold` object that says what people decided."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from markscheme.adapters.wire import parse_line
from markscheme.pipeline.request import GradeRequest

FEWEST_WORDS = 15
MOST_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class GradedRow:
    """One answer. `made` has one entry a point, or a single one that holds for each of them: 1, 0, or a share.

    None where people were divided. Rows of one `group` must stay on one side of any split. `label` is the word that
    people chose, where they chose one.
    """

    request: GradeRequest
    made: tuple[float | None, ...]
    group: str
    label: str | None = None


def read_graded(path: Path) -> Iterator[GradedRow]:
    """Every row of one set. The shares of people who found a point are kept as they are."""
    for line in path.read_bytes().splitlines():
        gold = json.loads(line)["gold"]
        request = parse_line(line)
        label = gold.get("label") or gold.get("nli")
        if "points" in gold:
            made = tuple(gold["points"])
        elif "score" in gold:
            made = (float(gold["score"]),)
        else:
            made = (float(label in {"correct", "entailment"}),)
        yield GradedRow(request, made, _group(gold, request), label)


def _group(gold: dict[str, str], request: GradeRequest) -> str:
    """The question where the set names it; for summaries the document, the second part of the id.

    Three rows running of the negation sets are one pair of sentences, with "not" in one, the other or both.
    """
    if "group" in gold:
        return gold["group"]
    if "nli" in gold:
        return str(int(str(request.id).split("/")[-1]) // 3)
    return request.question or str(request.id).split("/")[1]


def read_bank(path: Path) -> Iterator[GradedRow]:
    """Questions and answers of a Markdown bank whose questions are bold lines; the answer stands for itself."""
    question, body = "", []
    for line in [*path.read_text(encoding="utf-8").splitlines(), "**end**"]:
        bold = line.strip().startswith("**") and line.strip().endswith("**")
        if not bold:
            body.append("" if line.startswith(("#", "<")) else line)
            continue
        answer = "\n".join(body).strip()
        if question and len(answer.split()) >= FEWEST_WORDS and "Answer here" not in answer:
            request = GradeRequest(answer, sample_answers=(answer,), question=question, id=question)
            yield GradedRow(request, (1.0,), question)
        question, body = line.strip().strip("*"), []


def strangers(rows: list[GradedRow], each: int, seed: int = 0) -> Iterator[GradedRow]:
    """Long answers to other questions of the same set, `each` a group: they make no point of the group's rubric.

    Two to seven answers are joined, so that a long answer is not credited for what it says by chance.
    """
    rng = np.random.default_rng(seed)
    by_group: dict[str, list[GradedRow]] = {}
    for row in rows:
        by_group.setdefault(row.group, []).append(row)
    for group, own in sorted(by_group.items()):
        others = [row.request.answer for name, found in by_group.items() if name != group for row in found]
        for _ in range(each):
            chosen = rng.choice(len(others), int(rng.integers(2, 8)), replace=False)
            answer = "\n".join(others[at] for at in chosen)[:MOST_CHARS]
            yield GradedRow(replace(own[0].request, answer=answer), (0.0,), group)


def family_group(name: str, row: GradedRow) -> str:
    """The group with the family of its set before it: answers to one question may stand in two files of a set."""
    return f"{name.partition('_')[0]}:{row.group}"


def fold_of(group: str, folds: int) -> int:
    """The fold that holds a group: by a checksum of its name, so that every program deals alike."""
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:4], "big") % folds
