"""Read every graded point as the grader does: its features, and the pair of statement and passage for the verifier.

    python evaluation/graded_pairs.py DATA OUT.jsonl

One line a decided point. `group` is what must stay on one side of any split, `set` and `row` say where it comes from,
and `made` is the share of people who found the point, or what they said of the whole short answer.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graded_sets import GradedRow, family_group, read_bank, read_graded, strangers

from markscheme import bootstrap
from markscheme.grading.reading import Reading
from markscheme.grading.verification import Claim
from markscheme.pipeline.grade import Grader
from markscheme.settings import Settings

SETS = (
    "realsumm_dev",
    "argkp_train",
    "argkp_dev",
    "scientsbank_train",
    "scientsbank_unseen_answers",
    "beetle_train",
    "beetle_unseen_answers",
    "saf_training",
    "saf_unseen_answers",
    "negation_mnli",
    "negation_rte",
)
BANK = "interview_bank"
# Answers to other questions of the same set, so many a question: nothing in them makes a point.
STRANGERS = {"realsumm_dev": 3, "saf_training": 25, BANK: 3}
PROGRESS = 500


@dataclass(frozen=True, slots=True)
class GradedPoint:
    """One decided point of one row.

    `points` is how many points the row's rubric has. Each accepted answer of a row is a rubric of its own; `nearest` is
    the one that is matched best, which is what people spoke of.
    """

    set: str
    row: int
    place: int
    points: int
    group: str
    question: str
    statement: str
    passage: str
    features: dict[str, float]
    gold: dict[str, Any]
    nearest: bool = True

    @property
    def claim(self) -> Claim:
        """What a verifier is asked of it."""
        return Claim(self.question, self.statement, self.passage)


def read_sets(data: Path, grader: Grader) -> Iterator[GradedPoint]:
    """Every decided point of every set, and of answers to other questions."""
    for name in (*SETS, BANK):
        rows = list(read_bank(data / f"{name}.md") if name == BANK else read_graded(data / f"{name}.jsonl"))
        named = [] if name == BANK else [(name, row) for row in rows]
        named += [(f"{name}+strangers", row) for row in strangers(rows, STRANGERS.get(name, 0))]
        for number, (label, row) in enumerate(named):
            if number % PROGRESS == 0:
                print(f"{name}: {number} of {len(named)}", file=sys.stderr, flush=True)
            yield from _points(label, number, row, grader)


def read_points(file: Path) -> list[GradedPoint]:
    """What `main` wrote."""
    with file.open(encoding="utf-8") as lines:
        return [GradedPoint(**json.loads(line)) for line in lines]


def _points(label: str, number: int, row: GradedRow, grader: Grader) -> Iterator[GradedPoint]:
    rubrics = grader.measure(row.request)
    nearest = max(range(len(rubrics)), key=lambda at: _mean_match(rubrics[at]))
    for at, readings in enumerate(rubrics):
        for place, found in enumerate(readings):
            made = row.made[place] if len(row.made) == len(readings) else row.made[0]
            if found is not None and made is not None:
                yield GradedPoint(
                    set=label,
                    row=number,
                    place=place,
                    points=len(readings),
                    group=family_group(label, row),
                    question=found.claim.question,
                    statement=found.claim.statement,
                    passage=found.claim.passage,
                    features={name: round(value, 5) for name, value in found.features.items()},
                    gold={"made": made, **({"label": row.label} if row.label else {})},
                    nearest=at == nearest,
                )


def _mean_match(points: list[Reading | None]) -> float:
    return sum(found.alignment.match_passage for found in points if found) / len(points)


def main() -> None:
    """Read the arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    grader = bootstrap.grader(Settings(verifier="off"))
    with options.out.open("w", encoding="utf-8") as out:
        for point in read_sets(options.data, grader):
            out.write(json.dumps(asdict(point), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
