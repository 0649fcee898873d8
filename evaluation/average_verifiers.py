"""Average the weights of verifiers that were trained from the same one.

    python evaluation/average_verifiers.py A.pt B.pt ... OUT.pt

The mean of fine-tuned models that started from one point is about as good as the best of them, and often better
(Wortsman et al. 2022, "Model soups"). The packaged verifier is the mean of two, each trained without half of the data.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch


def average(states: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean of each tensor, in the precision that it had. Raises ValueError where the models are not alike."""
    first = states[0]
    if any(state.keys() != first.keys() for state in states):
        message = "These verifiers have different tensors; average only those that were trained from the same one."
        raise ValueError(message)
    return {
        name: torch.stack([state[name].double() for state in states]).mean(dim=0).to(tensor.dtype)
        for name, tensor in first.items()
    }


def main() -> None:
    """Read, average, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    torch.save(average([torch.load(path, weights_only=True) for path in options.trained]), options.out)


if __name__ == "__main__":
    main()
