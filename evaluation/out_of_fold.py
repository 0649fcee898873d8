"""Grade every graded set by verifiers and calibrations that never saw the question, document or topic they grade.

    python evaluation/out_of_fold.py DATA WORK [--folds 2]

WORK holds points.jsonl (graded_pairs.py) and verdicts-0.jsonl, verdicts-1.jsonl ... (verdicts.py): what the verifier
that was trained without a fold says of that fold. For each fold a calibration is fitted on the others, and the grader
of the package grades the fold's rows with it. WORK/grades/VARIANT/SET.jsonl then holds grades as `markscheme batch`
writes them, for `markscheme evaluate SET --grades`. The variants leave a part out, so that each can be seen to earn its
place.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from fit_calibration import VARIANTS, Decisions, Variant, fit_variant, read_decisions
from graded_pairs import SETS
from graded_sets import GradedRow, family_group, fold_of, read_graded
from verdicts import read_verdicts

from markscheme import bootstrap
from markscheme.adapters.scripted_verifier import ScriptedVerifier
from markscheme.adapters.wire import grade_json
from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.grade import Grader
from markscheme.settings import Settings


def main() -> None:
    """Read the arguments; fit and grade every variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--folds", type=int, default=2)
    parser.add_argument("--variants", nargs="+", choices=sorted(VARIANTS), default=sorted(VARIANTS))
    options = parser.parse_args()
    verdicts = read_verdicts([options.work / f"verdicts-{fold}.jsonl" for fold in range(options.folds)])
    decisions = read_decisions(options.work / "points.jsonl", verdicts)
    rows = {name: list(read_graded(options.data / f"{name}.jsonl")) for name in SETS}
    base = bootstrap.grader(Settings(verifier="off"))
    for name in options.variants:
        folder = options.work / "grades" / name
        folder.mkdir(parents=True, exist_ok=True)
        graders = [
            _grader(base, decisions, VARIANTS[name], fold, options.folds, verdicts) for fold in range(options.folds)
        ]
        for set_name, graded in rows.items():
            print(f"{name}: {set_name}", file=sys.stderr, flush=True)
            lines = _graded(set_name, graded, graders)
            (folder / f"{set_name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _grader(  # noqa: PLR0913, PLR0917 - what makes one grader of one fold
    base: Grader,
    decisions: Decisions,
    variant: Variant,
    fold: int,
    folds: int,
    verdicts: Mapping[Claim, Verification],
) -> Grader:
    calibration = fit_variant(decisions, decisions.outside(fold, folds), variant, name=f"without-{fold}-of-{folds}")
    return replace(base, calibration=calibration, verifier=ScriptedVerifier(verdicts) if variant.verifier else None)


def _graded(name: str, rows: Iterable[GradedRow], graders: list[Grader]) -> list[str]:
    return [
        json.dumps(grade_json(graders[fold_of(family_group(name, row), len(graders))].grade(row.request)))
        for row in rows
    ]


if __name__ == "__main__":
    main()
