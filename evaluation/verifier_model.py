"""The verifier as it is trained: the bundled MiniLM reading point and passage together, and a small head.

Serving runs the same arithmetic through onnxruntime (markscheme.adapters.onnx_models.verifier); only this side needs
torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import AutoModel
from verifier_pairs import Pair

from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.pair_tokens import PairEncoder

CLASSES = 3
# Tokens of one batch, padding included: what two cores do best.
BATCH_TOKENS = 1536
# Batches are cut out of so many pairs sorted by length, so that little is padded and the order stays nearly random.
SORTED_TOGETHER = 4096


class VerifierModel(nn.Module):
    """MiniLM whose embeddings stay as they are, with a linear head over what it made of point and passage.

    The head reads the first token, the mean of the point's tokens, the mean of the passage's and how far the two means
    lie apart: (b, 4 d) to (b, 3) log-odds of supported, neither, contradicted.
    """

    def __init__(self) -> None:
        super().__init__()
        weights = minilm_files().weights
        if weights is None:
            message = "The default model names no weights file, so there is nothing to start from."
            raise SystemExit(message)
        # Attention written out as products and a softmax trains a third faster on two cores than the fused one, whose
        # gradient is slow for short texts.
        self.encoder = AutoModel.from_pretrained(weights.parent, attn_implementation="eager")
        for parameter in self.encoder.embeddings.parameters():
            parameter.requires_grad = False
        self.head = nn.Linear(4 * self.encoder.config.hidden_size, CLASSES)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        """Log-odds, (b, 3), of ids, token kinds (1 in the passage) and mask, each (b, t)."""
        hidden = self.encoder(input_ids=ids, token_type_ids=kinds, attention_mask=mask).last_hidden_state.float()
        passage = kinds[:, :, None].float()
        point = mask[:, :, None].float() - passage
        means = [(hidden * part).sum(1) / part.sum(1) for part in (point, passage)]
        found: Tensor = self.head(torch.cat([hidden[:, 0], *means, (means[0] - means[1]).abs()], dim=1))
        return found


@dataclass(frozen=True, slots=True)
class Encoded:
    """Pairs as token ids, where each passage begins, and the targets."""

    ids: list[list[int]]
    passages: list[int]
    classes: Tensor
    only_made: Tensor
    weights: Tensor

    @classmethod
    def of(cls, pairs: Sequence[Pair], encoder: PairEncoder) -> "Encoded":
        """Encode every pair."""
        found = encoder.encode([(pair.question, pair.point, pair.passage) for pair in pairs])
        return cls(
            ids=[one.ids for one in found],
            passages=[one.passage for one in found],
            classes=torch.tensor([pair.classes for pair in pairs]).reshape(-1, CLASSES),
            only_made=torch.tensor([pair.only_made for pair in pairs]),
            weights=torch.tensor([pair.weight for pair in pairs]),
        )

    def batch(self, chosen: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Ids, kinds and mask of some pairs, padded to the longest: (b, t) each."""
        longest = max(len(self.ids[at]) for at in chosen)
        ids, kinds, mask = (np.zeros((len(chosen), longest), np.int64) for _ in range(3))
        for row, at in enumerate(chosen):
            length = len(self.ids[at])
            ids[row, :length] = self.ids[at]
            kinds[row, self.passages[at] : length] = 1
            mask[row, :length] = 1
        return torch.from_numpy(ids), torch.from_numpy(kinds), torch.from_numpy(mask)

    def loss(self, chosen: Sequence[int], logits: Tensor) -> Tensor:
        """Weighted cross-entropy; where only "made or not" is known, of that alone."""
        logs = torch.log_softmax(logits, dim=1)
        classes, only, weights = self.classes[chosen], self.only_made[chosen], self.weights[chosen]
        three = -(classes * logs).sum(1)
        not_made = torch.logsumexp(logs[:, 1:], dim=1)
        two = -(classes[:, 0] * logs[:, 0] + (1 - classes[:, 0]) * not_made)
        return (torch.where(only, two, three) * weights).sum() / weights.sum()


def batches(lengths: NDArray[np.int64], rng: np.random.Generator | None) -> list[list[int]]:
    """Indices in batches of BATCH_TOKENS; in a random order, or by length where `rng` is None."""
    order = np.arange(len(lengths)) if rng is None else rng.permutation(len(lengths))
    step = max(1, len(order)) if rng is None else SORTED_TOGETHER
    found: list[list[int]] = []
    for start in range(0, len(order), step):
        together = order[start : start + step]
        current: list[int] = []
        for at in together[np.argsort(lengths[together], kind="stable")]:
            if current and (len(current) + 1) * int(lengths[at]) > BATCH_TOKENS:
                found.append(current)
                current = []
            current.append(int(at))
        found.append(current)
    return found if rng is None else [found[int(at)] for at in rng.permutation(len(found))]


def probabilities(model: VerifierModel, encoded: Encoded) -> NDArray[np.float32]:
    """Supported, neither and contradicted of every pair, (n, 3), in full precision."""
    model.eval()
    found = np.zeros((len(encoded.ids), CLASSES), np.float32)
    with torch.no_grad():
        for chosen in batches(np.array([len(ids) for ids in encoded.ids]), None):
            found[chosen] = torch.softmax(model(*encoded.batch(chosen)), dim=1).numpy()
    return found
