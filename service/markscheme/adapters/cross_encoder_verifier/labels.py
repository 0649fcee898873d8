"""Which of a model's outputs means that the passage makes the statement, and which that it contradicts it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markscheme.grading.errors import VerifierError
from markscheme.grading.verification import Verification

SUPPORTED = frozenset(
    {"entail", "entails", "entailed", "entailment", "support", "supports", "supported", "is_entailment"}
)
CONTRADICTED = frozenset(
    {"contradict", "contradicts", "contradicted", "contradiction", "contradictory", "refute", "refutes", "refuted"}
)
NEITHER = frozenset(
    {
        "neutral",
        "not_entailment",
        "not_entailed",
        "non_entailment",
        "not_supported",
        "unsupported",
        "not_enough_info",
        "not_enough_information",
    }
)


@dataclass(frozen=True, slots=True)
class Labels:
    """Places in a model's output.

    supported:    where it says that the passage makes the statement.
    contradicted: where it says that the passage contradicts it, or None where the model cannot say that.
    outputs:      length of the output; 1 is one score, whose sigmoid is the probability.
    """

    supported: int
    contradicted: int | None
    outputs: int

    def verification(self, logits: Sequence[float]) -> Verification:
        """Probabilities from one output of the model, `outputs` finite numbers."""
        if self.outputs == 1:
            return Verification(_sigmoid(logits[0]), 0.0)
        highest = max(logits)
        weights = [math.exp(logit - highest) for logit in logits]
        supported = weights[self.supported] / sum(weights)
        contradicted = 0.0 if self.contradicted is None else weights[self.contradicted] / sum(weights)
        # Two shares of a sum may exceed 1 by a rounding.
        return Verification(supported, min(contradicted, 1 - supported))


def read_labels(model: str, names: Mapping[int, str]) -> Labels:
    """Read the names that a model gives its outputs; case, spaces and hyphens do not matter.

    A model with one output needs no names: it is a score of how well the passage makes the statement.

    Args:
        model: the model's name, for the message.
        names: `id2label` of its config.json.

    Raises:
        VerifierError: a name is unknown, or it is not exactly one that means support. A wrong guess would turn every
            verdict round.
    """
    outputs = len(names)
    if outputs == 1:
        return Labels(supported=0, contradicted=None, outputs=1)
    read = {
        place: "_".join(name.casefold().replace("-", " ").replace("_", " ").split()) for place, name in names.items()
    }
    supported = [place for place, name in read.items() if name in SUPPORTED]
    contradicted = [place for place, name in read.items() if name in CONTRADICTED]
    known = len(supported) + len(contradicted) + sum(name in NEITHER for name in read.values())
    if len(supported) != 1 or len(contradicted) > 1 or known < outputs or sorted(read) != list(range(outputs)):
        message = (
            f"The verifier {model} calls its {outputs} outputs {', '.join(names.values())}, which does not tell which "
            "of them says that a passage makes a statement. Name them under id2label in the config.json of a copy in a "
            'folder, as {"0": "contradiction", "1": "entailment", "2": "neutral"} but in the model\'s own order, which '
            "its card gives: one of them entailment, at most one contradiction, the others neutral or not_entailment."
        )
        raise VerifierError(message)
    return Labels(supported[0], contradicted[0] if contradicted else None, outputs)


def _sigmoid(logit: float) -> float:
    """Written for both signs, so that no exponent overflows."""
    small = math.exp(-abs(logit))
    return 1 / (1 + small) if logit >= 0 else small / (1 + small)
