"""The table of docs/quality.md: how the grades of every variant agree with people."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graded_sets import family_group, read_graded

DASH = "-"
SET_ASIDE = 0.2
COLUMNS = {"Markscheme": "verified", "no features": "verifier", "no verifier": "similarity"}
BASELINES = {"word overlap": "word_overlap", "cosine": "cosine"}


@dataclass(frozen=True, slots=True)
class Entry:
    """Some rows of the table: which sets are read together, and which figures are shown."""

    name: str
    sets: tuple[str, ...]
    kind: str
    figures: tuple[str, ...]


LABEL_FIGURES = ("macro_f1", "auc", "contradictory_passed", "contradictory_flagged", "false_flags")
NLI_FIGURES = ("entailed_covered", "others_covered", "contradiction_flagged")
SCORE_FIGURES = ("pearson", "spearman_within_question", "rmse", "qwk")
ENTRIES = (
    Entry("REALSumm", ("realsumm_dev",), "points", ("accuracy", "kappa", "auc", "ece")),
    Entry("ArgKP, training part", ("argkp_train",), "points", ("macro_f1", "auc")),
    Entry("SciEntsBank", ("scientsbank_train", "scientsbank_unseen_answers"), "label", LABEL_FIGURES),
    Entry("Beetle", ("beetle_train", "beetle_unseen_answers"), "label", LABEL_FIGURES),
    Entry("negated MNLI", ("negation_mnli",), "nli", NLI_FIGURES),
    Entry(
        "SAF", ("saf_training", "saf_unseen_answers"), "score", ("pearson", "spearman_within_question", "rmse", "qwk")
    ),
)


def table(data: Path, work: Path, samples: int) -> str:
    """The table in Markdown. DATA holds the sets, WORK/grades the grades by variant."""
    heads = ["data", "answers", "figure", *COLUMNS, "95% interval", *BASELINES]
    lines = [heads, ["---"] * len(heads)]
    for entry in ENTRIES:
        found = {column: _agreement(entry, data, work, variant, samples) for column, variant in COLUMNS.items()}
        lines += rows(entry, found)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def rows(entry: Entry, found: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """The rows of one entry, from what `markscheme evaluate --json` says of each variant."""
    main = found["Markscheme"]
    told = f"{main['answers']:,}"
    lines = [
        [
            entry.name,
            told,
            figure.replace("_", " "),
            *(_value(found[column], "markscheme", figure) for column in COLUMNS),
            _interval(main["figures"]["markscheme"].get(figure)),
            *(_value(main, judge, figure) for judge in BASELINES.values()),
        ]
        for figure in entry.figures
    ]
    if entry.kind == "points":
        sure = [_surest(found[column]) for column in COLUMNS]
        lines.append([entry.name, told, "accuracy without the least sure 20%", *sure, *[DASH] * (1 + len(BASELINES))])
    return lines


def _agreement(entry: Entry, data: Path, work: Path, variant: str, samples: int) -> dict[str, Any]:
    """What `markscheme evaluate` says of several sets read as one."""
    room = work / "together"
    room.mkdir(exist_ok=True)
    gold, grades = room / f"{entry.sets[0]}.jsonl", room / f"{entry.sets[0]}-{variant}.jsonl"
    gold.write_text("".join(line for name in entry.sets for line in _grouped(data, name)), "utf-8")
    parts = [(work / "grades" / variant / f"{name}.jsonl").read_text("utf-8") for name in entry.sets]
    grades.write_text("".join(parts), "utf-8")
    command = [sys.executable, "-m", "markscheme", "evaluate", str(gold), "--grades", str(grades), "--json"]
    told = subprocess.run([*command, "--samples", str(samples)], check=True, stdout=subprocess.PIPE).stdout
    kinds: dict[str, dict[str, Any]] = json.loads(told)["kinds"]
    return kinds[entry.kind]


def _grouped(data: Path, name: str) -> list[str]:
    """The lines of a set, each with the group that the folds went by."""
    path = data / f"{name}.jsonl"
    lines = []
    for line, row in zip(path.read_text("utf-8").splitlines(), read_graded(path), strict=True):
        content = json.loads(line)
        content["gold"]["group"] = family_group(name, row)
        lines.append(json.dumps(content, ensure_ascii=False) + "\n")
    return lines


def _value(found: Mapping[str, Any], judge: str, figure: str) -> str:
    one = found["figures"][judge].get(figure)
    return DASH if one is None or one["value"] is None else f"{one['value']:.3f}"


def _interval(one: Mapping[str, float | None] | None) -> str:
    return DASH if one is None or one["low"] is None else f"{one['low']:.3f} to {one['high']:.3f}"


def _surest(found: Mapping[str, Any]) -> str:
    (curve,) = (one for one in found["risk_coverage"] if one["sorted_by"] == "points")
    return f"{min(curve['steps'], key=lambda step: abs(step['set_aside'] - SET_ASIDE))['value']:.3f}"
