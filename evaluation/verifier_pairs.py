"""What the verifier learns from: a point, a passage, and what a careful reader would say of the two."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from turned_round import bag, contradictions

Classes = tuple[float, float, float]

SUPPORTED: Classes = (1.0, 0.0, 0.0)
NEITHER: Classes = (0.0, 1.0, 0.0)
CONTRADICTED: Classes = (0.0, 0.0, 1.0)
CLASSES = {"entail": SUPPORTED, "neutral": NEITHER, "contradict": CONTRADICTED}

# How many pairs of each entailment set take part. The large ones are captions or templates, which teach the words of
# negation and little else; those with evidence from real texts are used whole.
SHARES = {
    "snli_subsets": 20_000,
    "esnli": 9_000,
    "cad_nli": 9_000,
    "breaking_nli": 2_500,
    "conjnli": 9_000,
    "help": 3_000,
    "dnc": 3_000,
    "fever_dev": 13_006,
    "fever_symmetric": 705,
    "fool_me_twice": 1_169,
    "scifact": 562,
    "wice": 1_703,
    "factcheckgpt": 3_091,
    "evouna": 10_000,
    "creak": 5_000,
    "folio": 1_003,
    "begin": 1_213,
}
MOST_WORDS = 110
BRACKETS = (("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"))


@dataclass(frozen=True, slots=True)
class Pair:
    """One example. `classes` are shares of supported, neither and contradicted.

    Where only "supported or not" is known, `only_made` is set and the last two are not told apart. `group` is the
    question, document or topic that must stay on one side of any split; empty for what is in no graded set.
    """

    point: str
    passage: str
    classes: Classes
    question: str = ""
    only_made: bool = False
    weight: float = 1.0
    source: str = ""
    group: str = ""


def entailment_pairs(folder: Path, seed: int = 0) -> Iterator[Pair]:
    """Pairs of the entailment sets in `folder`, each set capped; longer passages than a grader reads are left out."""
    rng = np.random.default_rng(seed)
    for name, share in SHARES.items():
        rows = [json.loads(line) for line in (folder / f"{name}.jsonl").read_bytes().splitlines()]
        usable = [row for row in rows if len(row["a"].split()) <= MOST_WORDS]
        for at in rng.permutation(len(usable))[:share]:
            yield _entailment(usable[int(at)], name)


def _entailment(row: dict[str, Any], source: str) -> Pair:
    passage, point, question = _readable(row["a"]), _readable(row["b"]), ""
    if source == "evouna":
        question, point = row["q"].rstrip("?") + "?", _readable(row["gold"])
    only_made = row["y"] == "not_entail"
    classes = NEITHER if only_made else CLASSES[row["y"]]
    return Pair(point, passage, classes, question=question, only_made=only_made, source=source)


def _readable(text: str) -> str:
    for code, sign in BRACKETS:
        text = text.replace(code, sign)
    return " ".join(text.split())


def made_pairs(statements: Iterable[tuple[str, str, str]], seed: int = 0, source: str = "made") -> Iterator[Pair]:
    """Contradictions, near misses and attacks out of statements: (statement, a passage that makes it, question).

    A statement turned round contradicts the passage, and the other way round; the passage still makes the statement
    among other sentences; its words without order, the question alone or another statement make nothing.
    """
    rng = np.random.default_rng(seed)
    known = list(statements)
    for statement, passage, question in known:
        turned = next(contradictions(statement, rng), None)
        other, its_passage, _ = known[int(rng.integers(len(known)))]
        chance = rng.random()
        if turned is not None and chance < 0.30:  # noqa: PLR2004 - shares of the kinds, here and below
            yield Pair(turned, passage, CONTRADICTED, question, source=f"{source}-turned")
        elif turned is not None and chance < 0.50:  # noqa: PLR2004
            yield Pair(statement, turned, CONTRADICTED, question, source=f"{source}-turned")
        elif turned is not None and chance < 0.56:  # noqa: PLR2004
            # Otherwise a negation alone would mean "contradicted".
            yield Pair(turned, turned, SUPPORTED, question, source=f"{source}-same")
        elif chance < 0.66:  # noqa: PLR2004
            yield Pair(statement, bag(passage, rng), NEITHER, question, source=f"{source}-bag")
        elif chance < 0.76 and other != statement:  # noqa: PLR2004
            yield Pair(statement, its_passage, NEITHER, question, source=f"{source}-other")
        elif chance < 0.80 and question:  # noqa: PLR2004
            yield Pair(statement, question, NEITHER, question, source=f"{source}-question")
        elif chance < 0.90 and other != statement:  # noqa: PLR2004
            filler = f"{its_passage} {passage}" if rng.random() < 0.5 else f"{passage} {its_passage}"  # noqa: PLR2004
            yield Pair(statement, filler, SUPPORTED, question, source=f"{source}-filler")
        else:
            yield Pair(statement, passage, SUPPORTED, question, source=f"{source}-same")


def own_pairs(folder: Path) -> Iterator[Pair]:
    """Our own examples (own_pairs/*.jsonl): each passage of a question with each of its points."""
    marks: dict[str, Classes] = {"E": SUPPORTED, "P": (0.5, 0.5, 0.0), "N": NEITHER, "C": CONTRADICTED}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for passage in row["passages"]:
                for point, mark in zip(row["points"], passage["marks"], strict=True):
                    yield Pair(point, passage["text"], marks[mark], row["question"], source=f"own-{path.stem}")


LABELS = {
    "correct": SUPPORTED,
    "incorrect": NEITHER,
    "contradictory": CONTRADICTED,
    "entailment": SUPPORTED,
    "neutral": NEITHER,
    "contradiction": CONTRADICTED,
}
# A score of a long answer says little of each point, and an answer to another question is no near miss.
SCORED_WEIGHT = 0.4
STRANGER_WEIGHT = 0.5
STRANGERS_KEPT = 0.15
# Of the key points that an argument does not make; they are five times as many as those that it makes.
OTHER_KEY_POINTS_KEPT = 0.4
SCORED_KEPT = 0.4
# Read twice in one pass: what is judged point by point, or told apart three ways.
REPEATS = {"realsumm_dev": 2, "scientsbank_train": 2, "beetle_train": 2}


def graded_pairs(file: Path, seed: int = 0) -> Iterator[Pair]:
    """Pairs of graded answers, as graded_pairs.py wrote them."""
    rng = np.random.default_rng(seed)
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = _graded(row)
        if found is not None and rng.random() < _kept(row):
            classes, only_made, weight = found
            pair = Pair(
                row["statement"], row["passage"], classes, row["question"], only_made, weight, row["set"], row["group"]
            )
            yield from [pair] * REPEATS.get(row["set"], 1)


def _kept(row: dict[str, Any]) -> float:
    if row["set"].endswith("+strangers"):
        return STRANGERS_KEPT
    if row["set"].startswith("saf"):
        return SCORED_KEPT
    return OTHER_KEY_POINTS_KEPT if row["set"].startswith("argkp") and not row["gold"]["made"] else 1.0


def _graded(row: dict[str, Any]) -> tuple[Classes, bool, float] | None:
    """What a decision says of one point; None where the whole answer was judged by several and was not right."""
    made, label = float(row["gold"]["made"]), row["gold"].get("label")
    if not row["nearest"]:
        return None
    if row["set"].endswith("+strangers"):
        return NEITHER, False, STRANGER_WEIGHT
    if label in LABELS:
        if row["points"] == 1:
            return LABELS[label], False, 1.0
        return (SUPPORTED, False, SCORED_WEIGHT) if label == "correct" else None
    soft = (made, 1.0 - made, 0.0)
    return soft, True, SCORED_WEIGHT if row["set"].startswith("saf") else 1.0
