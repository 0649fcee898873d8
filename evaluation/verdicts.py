"""Ask a verifier about every graded point, once, so that fitting and grading can look its answers up.

    python evaluation/verdicts.py POINTS.jsonl OUT.jsonl [--graph VERIFIER.onnx] [--only FOLD FOLDS]

POINTS is what graded_pairs.py wrote. One line a claim: question, statement, passage, supported, contradicted.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from graded_pairs import read_points
from graded_sets import fold_of

from markscheme.adapters.onnx_models.verifier import GRAPH, OnnxVerifier
from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.ports import Verifier

TOGETHER = 2048


def write_verdicts(claims: Sequence[Claim], verifier: Verifier, out: Path) -> None:
    """Judge claims and write what was said."""
    with out.open("w", encoding="utf-8") as file:
        for start in range(0, len(claims), TOGETHER):
            print(f"{start} of {len(claims)} claims", file=sys.stderr, flush=True)
            several = claims[start : start + TOGETHER]
            for claim, said in zip(several, verifier.verify(several), strict=True):
                line = [claim.question, claim.statement, claim.passage, said.supported, said.contradicted]
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_verdicts(files: Sequence[Path]) -> dict[Claim, Verification]:
    """What was said of each claim."""
    lines = (json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return {Claim(*line[:3]): Verification(*line[3:]) for line in lines}


def main() -> None:
    """Read the arguments, ask, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--graph", type=Path, default=GRAPH)
    parser.add_argument("--only", type=int, nargs=2, metavar=("FOLD", "FOLDS"))
    options = parser.parse_args()
    points = read_points(options.points)
    if options.only:
        fold, folds = options.only
        points = [point for point in points if fold_of(point.group, folds) == fold]
    claims = dict.fromkeys(point.claim for point in points)
    # By length, so that what runs together is of equal length.
    ordered = sorted(claims, key=lambda one: len(one.question) + len(one.statement) + len(one.passage))
    write_verdicts(ordered, OnnxVerifier(graph=options.graph), options.out)


if __name__ == "__main__":
    main()
