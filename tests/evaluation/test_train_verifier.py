import json
from pathlib import Path
from typing import Any

import pytest
import torch
import train_verifier
import verifier_model
import verifier_pairs
from graded_sets import fold_of
from train_verifier import entailment, graded, own, train
from verifier_pairs import CONTRADICTED, NEITHER, SUPPORTED, Pair, own_pairs

from markscheme.adapters.onnx_models.minilm import minilm_files

BANK = "**What is a lock?**\nA lock lets one thread in at a time, so that no other sees what is half done. Yes.\n"


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two small entailment sets, of which one brings evidence."""
    monkeypatch.setattr(verifier_pairs, "SHARES", {"scifact": 40, "esnli": 40})
    for name in verifier_pairs.SHARES:
        rows = [{"a": f"{name} {number} is so", "b": f"It is {number}", "y": "entail"} for number in range(40)]
        write(tmp_path / f"{name}.jsonl", *rows)
    return tmp_path


def test_the_first_stage_adds_what_is_made_of_evidence_and_of_a_bank(sets: Path, tmp_path: Path) -> None:
    bank = tmp_path / "bank.md"
    bank.write_text(BANK, encoding="utf-8")
    found = entailment(sets, bank)
    sources = {pair.source.rpartition("-")[0] if pair.source.startswith("made") else pair.source for pair in found}
    assert sources == {"scifact", "esnli", "made-evidence", "made-bank"}
    (of_the_bank,) = [pair for pair in found if pair.source.startswith("made-bank")]
    assert of_the_bank.question == "What is a lock?"
    assert found == entailment(sets, bank)


def test_the_second_stage_is_our_own_examples_and_some_of_the_first_again(sets: Path) -> None:
    examples = list(own_pairs(train_verifier.OWN_PAIRS))
    found = own(sets)
    assert found[: len(examples)] == examples
    again = [pair.source for pair in found if pair.source in verifier_pairs.SHARES]
    assert again.count("scifact") == 40
    assert 0 < again.count("esnli") < 20


def decision(group: str, **more: Any) -> dict[str, Any]:
    gold = {"made": 1.0, "label": "correct"}
    row = {"set": "beetle_unseen_answers", "group": group, "question": "", "statement": f"It is {group}"}
    return row | {"passage": f"{group} is so", "points": 1, "gold": gold, "nearest": True} | more


@pytest.mark.parametrize("fold", [0, 1, 2])
def test_a_fold_that_is_left_out_is_nowhere_in_the_third_stage(tmp_path: Path, fold: int) -> None:
    groups = [f"beetle:G{number}" for number in range(60)]
    file = write(tmp_path / "points.jsonl", *(decision(group) for group in groups))
    held = {group for group in groups if fold_of(group, 3) == fold}
    assert 0 < len(held) < len(groups)
    found = graded(file, (fold, 3))
    people = [pair for pair in found if not pair.source.startswith("made")]
    assert {pair.group for pair in people} == {*groups} - held
    # Nor in what is made of the others.
    said = {word.strip(".,") for pair in found for word in f"{pair.point} {pair.passage}".split()}
    assert not said & held
    assert len(found) > len(people)
    whole = graded(file, None)
    assert {pair.group for pair in whole if pair.group} == {*groups}


def test_only_whole_decisions_are_turned_round(tmp_path: Path) -> None:
    rows = [decision("negation:1", set="negation_mnli"), decision("beetle:2", points=2)]
    assert not [pair for pair in graded(write(tmp_path / "a.jsonl", *rows), None) if pair.source.startswith("made")]
    rows.append(decision("beetle:3"))
    (made,) = [pair for pair in graded(write(tmp_path / "b.jsonl", *rows), None) if pair.source.startswith("made")]
    assert "beetle:3" in f"{made.point} {made.passage}".replace(",", "")


PAIRS = [
    pair
    for thing in ("Caches", "Locks", "Threads", "Heaps")
    for pair in (
        Pair(f"{thing} are fast", f"{thing} are quick", SUPPORTED),
        Pair(f"{thing} are fast", f"{thing} are not quick at all", CONTRADICTED),
        Pair(f"{thing} are fast", "Rain falls on the roof", NEITHER),
    )
]


@pytest.mark.slow
def test_a_training_that_is_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(train_verifier, "SAVE_EVERY", 1)
    monkeypatch.setattr(verifier_model, "BATCH_TOKENS", 48)
    out, learn = tmp_path / "out.pt", train_verifier._learn
    steps: list[int] = []

    def stop_at_the_second(*given: Any) -> float:
        if steps == [1]:
            raise KeyboardInterrupt
        steps.append(1)
        return learn(*given)

    monkeypatch.setattr(train_verifier, "_learn", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        train(PAIRS, out, None, 1, 1e-4, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["out.state"]
    monkeypatch.setattr(train_verifier, "_learn", learn)
    train(PAIRS, out, None, 1, 1e-4, 0)
    assert "goes on after batch 1 of" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["out.pt"]


@pytest.mark.slow
def test_training_changes_layers_and_head_and_starts_from_what_it_is_given(tmp_path: Path) -> None:
    out, again = tmp_path / "out.pt", tmp_path / "again.pt"
    train(PAIRS, out, None, 1, 1e-4, 0)
    weights = minilm_files().weights
    assert weights is not None
    start = verifier_model.VerifierModel().state_dict()
    found = torch.load(out, weights_only=True)
    changed = {name for name in start if not torch.equal(start[name], found[name])}
    assert {name for name in changed if not name.startswith("head.")} == {name for name in start if ".layer." in name}
    assert "head.weight" in changed
    train(PAIRS, again, out, 1, 0.0, 0)
    kept = torch.load(again, weights_only=True)
    assert all(torch.equal(found[name], kept[name]) for name in found)
