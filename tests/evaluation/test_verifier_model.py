import numpy as np
import pytest
import torch
import verifier_model
from verifier_model import BATCH_TOKENS, Encoded, VerifierModel, batches, probabilities
from verifier_pairs import CONTRADICTED, SUPPORTED, Pair

from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.pair_tokens import PairEncoder

PAIRS = [
    Pair("Caches are fast", "They are", SUPPORTED, "What of caches?"),
    Pair("Caches are slow", "They are fast, as everybody knows who ever had one", CONTRADICTED, weight=3.0),
    Pair("Caches", "Rain", (0.25, 0.75, 0.0), only_made=True),
]


def encoded(pairs: list[Pair]) -> Encoded:
    return Encoded.of(pairs, PairEncoder(minilm_files().tokenizer))


def test_a_batch_is_padded_to_its_longest_and_says_so() -> None:
    found = encoded(PAIRS)
    ids, kinds, mask = found.batch([0, 2])
    lengths = [len(found.ids[0]), len(found.ids[2])]
    assert ids.shape == kinds.shape == mask.shape == (2, max(lengths))
    assert mask.sum(dim=1).tolist() == lengths
    assert ids[1, : lengths[1]].tolist() == found.ids[2]
    assert not ids[1, lengths[1] :].any()
    # What belongs to the passage is marked, padding is not.
    assert kinds.sum(dim=1).tolist() == [len(found.ids[at]) - found.passages[at] for at in (0, 2)]
    assert not kinds[1, lengths[1] :].any()


def test_no_pairs_are_no_error() -> None:
    found = encoded([])
    assert (found.ids, found.classes.shape) == ([], (0, 3))


def test_the_loss_by_hand() -> None:
    found = encoded(PAIRS)
    shares = torch.tensor([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]])
    logits = shares.log() + torch.tensor([[7.0], [-2.0], [0.0]])
    one, three = -np.log(0.5), -np.log(0.7)
    # Of the third only "made or not" is known: .6 of made, .4 of the other two together.
    made_or_not = -(0.25 * np.log(0.6) + 0.75 * np.log(0.4))
    expected = (one + 3.0 * three + made_or_not) / 5.0
    assert float(found.loss([0, 1, 2], logits)) == pytest.approx(expected, abs=1e-6)
    assert float(found.loss([1], logits[1:2])) == pytest.approx(three, abs=1e-6)
    assert float(found.loss([2], logits[2:])) == pytest.approx(made_or_not, abs=1e-6)


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_every_pair_stands_in_one_batch_that_fits(seed: int | None) -> None:
    lengths = np.random.default_rng(7).integers(3, 200, 500)
    found = batches(lengths, None if seed is None else np.random.default_rng(seed))
    assert sorted(at for chosen in found for at in chosen) == list(range(500))
    assert all(len(chosen) * max(lengths[chosen]) <= BATCH_TOKENS for chosen in found)


def test_a_plan_repeats_itself_by_seed_and_is_in_no_order_of_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier_model, "SORTED_TOGETHER", 64)
    lengths = np.random.default_rng(7).integers(3, 200, 500)
    first, again, other = (batches(lengths, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert first == again != other
    means = [float(lengths[chosen].mean()) for chosen in first]
    assert means != sorted(means)
    by_length = batches(lengths, None)
    assert [at for chosen in by_length for at in chosen] == np.argsort(lengths, kind="stable").tolist()


def test_a_pair_over_the_batch_runs_alone() -> None:
    assert batches(np.array([5, 2 * BATCH_TOKENS]), None) == [[0], [1]]


@pytest.fixture(scope="module")
def model() -> VerifierModel:
    torch.manual_seed(0)
    return VerifierModel()


@pytest.mark.slow
def test_padding_and_company_change_nothing(model: VerifierModel) -> None:
    together = probabilities(model, encoded(PAIRS))
    alone = np.concatenate([probabilities(model, encoded([pair])) for pair in PAIRS])
    assert np.abs(together - alone).max() < 1e-5
    assert together.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-6)


@pytest.mark.slow
def test_embeddings_stay_as_they_were_and_the_rest_learns(model: VerifierModel) -> None:
    frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
    assert frozen == {name for name, _ in model.named_parameters() if ".embeddings." in name}
    assert frozen
    assert model.head.weight.shape == (3, 4 * 384)
