"""Train the verifier, in three stages, each of which can be stopped and goes on where it was.

    python evaluation/train_verifier.py entailment TRAIN_FOLDER BANK.md OUT.pt
    python evaluation/train_verifier.py own TRAIN_FOLDER OUT.pt --start ENTAILMENT.pt
    python evaluation/train_verifier.py graded PAIRS.jsonl OUT.pt --start OWN.pt [--without FOLD FOLDS]

The first learns what follows from what, from entailment sets; the second the kind of text, from our own examples; the
third what people credit, from graded answers (graded_pairs.py writes PAIRS.jsonl). `--without 0 3` leaves one fold of
questions, documents and topics out, so that they can be graded by a verifier that never saw them. On two cores the
first takes about half an hour.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from graded_sets import fold_of, read_bank
from verifier_model import BATCH_TOKENS, Encoded, VerifierModel, batches
from verifier_pairs import Pair, entailment_pairs, graded_pairs, made_pairs, own_pairs

from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.pair_tokens import PairEncoder
from markscheme.adapters.sentencex_splitter import SentencexSplitter

OWN_PAIRS = Path(__file__).with_name("own_pairs")
WARM_UP = 0.06
WEIGHT_DECAY = 0.01
LARGEST_GRADIENT = 1.0
SAVE_EVERY = 200
STATEMENT_WORDS = (6, 45)
MADE_OF_EVIDENCE = 5_000
MADE_OF_GRADED = 2_500
EVIDENCE = {"fever_dev", "scifact", "wice", "fool_me_twice", "factcheckgpt", "cad_nli"}
OTHERS_REPEATED = 0.1
# Of the first stage, so that the second does not forget it.
REPEATED = 8_000


def entailment(folder: Path, bank: Path) -> list[Pair]:
    """The first stage's pairs: the entailment sets, and contradictions and attacks made of statements in them."""
    pairs = list(entailment_pairs(folder))
    evidence = [
        (pair.point, pair.passage, "")
        for pair in pairs
        if pair.classes[0] == 1.0 and pair.source in {"fever_dev", "scifact", "wice", "snli_subsets", "cad_nli"}
    ][:: max(1, len(pairs) // (4 * MADE_OF_EVIDENCE))][:MADE_OF_EVIDENCE]
    return [*pairs, *made_pairs(evidence, source="made-evidence"), *made_pairs(_sentences(bank), source="made-bank")]


def own(folder: Path) -> list[Pair]:
    """The second stage's pairs: our own examples, what is made of them, and some of the first stage again."""
    pairs = list(own_pairs(OWN_PAIRS))
    made = [(pair.point, pair.passage, pair.question) for pair in pairs if pair.classes[0] == 1.0]
    rng = np.random.default_rng(0)
    again = [pair for pair in entailment_pairs(folder) if pair.source in EVIDENCE or rng.random() < OTHERS_REPEATED]
    repeated = [again[int(at)] for at in rng.permutation(len(again))[:REPEATED]]
    return [*pairs, *made_pairs(made, source="made-own"), *repeated]


def _sentences(bank: Path) -> Iterator[tuple[str, str, str]]:
    """Statements of a bank of answers, each making itself."""
    splitter = SentencexSplitter()
    for row in read_bank(bank):
        for line in row.request.answer.splitlines():
            for start, end in splitter.sentences(line):
                sentence = line[start:end].strip(" *-")
                if STATEMENT_WORDS[0] <= len(sentence.split()) <= STATEMENT_WORDS[1]:
                    yield sentence, sentence, row.request.question or ""


def graded(file: Path, without: tuple[int, int] | None) -> list[Pair]:
    """The second stage's pairs, and our own."""
    pairs = list(graded_pairs(file))
    if without is not None:
        fold, folds = without
        pairs = [pair for pair in pairs if fold_of(pair.group, folds) != fold]
    made = [(pair.point, pair.passage, pair.question) for pair in pairs if _turnable(pair)]
    return [*pairs, *made_pairs(made[:: max(1, len(made) // MADE_OF_GRADED)], source="made-graded")]


def _turnable(pair: Pair) -> bool:
    return pair.classes[0] == 1.0 and pair.weight == 1.0 and not pair.source.startswith("negation")


def train(  # noqa: PLR0913, PLR0917 - what the command line says of one run
    pairs: list[Pair], out: Path, start: Path | None, passes: int, rate: float, seed: int
) -> None:
    """Train on pairs; the state beside `out` lets a stopped run go on at the batch after the last that was saved."""
    torch.manual_seed(seed)
    encoded = Encoded.of(pairs, PairEncoder(minilm_files().tokenizer))
    lengths = np.array([len(ids) for ids in encoded.ids])
    rng = np.random.default_rng(seed)
    plan = [chosen for _ in range(passes) for chosen in batches(lengths, rng)]
    model = VerifierModel()
    if start is not None:
        model.load_state_dict(torch.load(start, weights_only=True))
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=rate, weight_decay=WEIGHT_DECAY, fused=True)
    state = out.with_suffix(".state")
    first = _resume(state, model, optimizer, len(plan))
    model.train()
    began, seen, losses = time.monotonic(), 0, 0.0
    print(f"{len(pairs)} pairs, {int(lengths.sum()) * passes} tokens, {len(plan)} batches of {BATCH_TOKENS}")
    for step in range(first, len(plan)):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / (WARM_UP * len(plan))) * (1 - step / len(plan))
        loss = _learn(model, encoded, plan[step], learned, optimizer)
        seen += int(lengths[plan[step]].sum())
        losses += loss
        if (step + 1) % SAVE_EVERY == 0:
            done = f"{step + 1}/{len(plan)}"
            print(f"{done} loss {losses / SAVE_EVERY:.3f} {seen / (time.monotonic() - began):.0f} tokens/s", flush=True)
            losses = 0.0
            _save(state, {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step + 1})
    _save(out, model.state_dict())
    state.unlink(missing_ok=True)


def _learn(
    model: VerifierModel,
    encoded: Encoded,
    chosen: list[int],
    learned: list[torch.nn.Parameter],
    optimizer: torch.optim.Optimizer,
) -> float:
    ids, kinds, mask = encoded.batch(chosen)
    # Half as many bytes to move; weights and their updates stay in full precision.
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(ids, kinds, mask)
    loss = encoded.loss(chosen, logits.float())
    loss.backward()  # type: ignore[no-untyped-call]  # torch ships this method without types
    torch.nn.utils.clip_grad_norm_(learned, LARGEST_GRADIENT)
    optimizer.step()
    optimizer.zero_grad()
    return float(loss.detach())


def _resume(state: Path, model: VerifierModel, optimizer: torch.optim.Optimizer, steps: int) -> int:
    if not state.exists():
        return 0
    found: dict[str, Any] = torch.load(state, weights_only=True)
    model.load_state_dict(found["model"])
    optimizer.load_state_dict(found["optimizer"])
    print(f"goes on after batch {found['step']} of {steps}")
    return int(found["step"])


def _save(path: Path, content: dict[str, Any]) -> None:
    unfinished = path.with_suffix(path.suffix + ".part")
    torch.save(content, unfinished)
    unfinished.replace(path)


def main() -> None:
    """Read the arguments, train, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = parser.add_subparsers(dest="stage", required=True)
    first = stages.add_parser("entailment")
    first.add_argument("folder", type=Path)
    first.add_argument("bank", type=Path)
    second = stages.add_parser("graded")
    second.add_argument("pairs", type=Path)
    second.add_argument("--without", type=int, nargs=2, metavar=("FOLD", "FOLDS"))
    third = stages.add_parser("own")
    third.add_argument("folder", type=Path)
    for stage in (first, second, third):
        stage.add_argument("out", type=Path)
        stage.add_argument("--start", type=Path, help="the weights to start from (default: the bundled MiniLM)")
        stage.add_argument("--passes", type=int, default=1)
        stage.add_argument("--rate", type=float, default=1e-4)
        stage.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(vars(options))
    if options.stage == "entailment":
        pairs = entailment(options.folder, options.bank)
    elif options.stage == "own":
        pairs = own(options.folder)
    else:
        pairs = graded(options.pairs, tuple(options.without) if options.without else None)
    train(pairs, options.out, options.start, options.passes, options.rate, options.seed)


if __name__ == "__main__":
    main()
