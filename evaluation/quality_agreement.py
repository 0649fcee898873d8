"""How grades that stand in files agree with people, over sets that are read as one."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from graded_sets import family_group, read_graded

from markscheme import bootstrap
from markscheme.agreement.baseline import Likeness
from markscheme.agreement.evaluate import evaluate
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.results import COSINE, OVERLAP, KindAgreement
from markscheme.cli.evaluate_grades import given_grades
from markscheme.cli.evaluate_rows import read_judged
from markscheme.pipeline.evaluate import JudgedRequest, baselines
from markscheme.settings import Settings

Likenesses = Mapping[str, Sequence[Likeness]]
SETTINGS = Settings(verifier="off")


def judged_rows(data: Path, name: str) -> list[JudgedRequest]:
    """The rows of a set, each with the group that the folds went by. Raises ValueError where a row cannot be used."""
    file = data / f"{name}.jsonl"
    rows, faults = read_judged(str(file), SETTINGS)
    if faults:
        message = f"{len(faults)} rows of {file} cannot be used, the first: {faults[0]}"
        raise ValueError(message)
    return [
        replace(row, judged=replace(row.judged, group=family_group(name, graded)))
        for row, graded in zip(rows, read_graded(file), strict=True)
    ]


def likenesses(data: Path, name: str, rows: Sequence[JudgedAnswer], kept: Path) -> dict[str, list[Likeness]]:
    """What the baselines say of a set; computed once, as long as the set stays the same, and kept in a folder."""
    file = kept / f"{name}.json"
    digest = hashlib.sha256((data / f"{name}.jsonl").read_bytes()).hexdigest()
    if file.exists():
        found = json.loads(file.read_text("utf-8"))
        if found["sha256"] == digest:
            return {
                judge: [Likeness(tuple(one["references"]), one["whole"]) for one in found[judge]]
                for judge in (OVERLAP, COSINE)
            }
    computed = baselines(rows, bootstrap.embedder(SETTINGS), bootstrap.splitter())
    kept.mkdir(parents=True, exist_ok=True)
    told = {judge: [asdict(one) for one in values] for judge, values in computed.items()}
    part = file.with_name(f"{file.name}.part")
    part.write_text(json.dumps({"sha256": digest, **told}), "utf-8")
    part.replace(file)
    return computed


def grades_of(rows: Mapping[str, Sequence[JudgedRequest]], folder: Path) -> list[OurGrade | None] | None:
    """The grades of several sets in a row, or None where a file is not there (yet).

    Raises:
        ValueError: A row has no grade, as while a file is being written, or one that is not of this row.
    """
    found: list[OurGrade | None] = []
    for name, some in rows.items():
        file = folder / f"{name}.jsonl"
        if not file.exists():
            return None
        given = given_grades([*some], name, str(file), SETTINGS)
        if bad := [*given.faults, *given.misfits]:
            first = f"line {bad[0].line}: {bad[0].message}"
            message = (
                f"{file} lacks {len(bad)} of {len(some)} grades. Delete it, so that it is made anew. First, {first}"
            )
            raise ValueError(message)
        found += given.grades
    return found


def agreement(
    rows: Sequence[JudgedAnswer], grades: Sequence[OurGrade | None], beside: Likenesses, samples: int
) -> KindAgreement:
    """The figures of sets of one kind."""
    (found,) = evaluate(rows, grades, beside, samples).kinds
    return found
