"""Write the packaged verifier: an ONNX graph that adds what was learned to the weights of the bundled MiniLM.

    python evaluation/export_verifier.py TRAINED.pt [--out FILE]

The graph points into MiniLM's own weights file and holds the differences in half precision, 21 MB; onnxruntime adds the
two once, while it loads. The embeddings stayed as they were, so nothing of them is stored.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from export_minilm_graph import WeightlessGraph, base_model, encode, finish, token_input
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper
from safetensors.numpy import load_file

from markscheme.adapters.onnx_models.verifier import GRAPH

Weights = dict[str, NDArray[np.float32]]


class CorrectedGraph(WeightlessGraph):
    """A graph over the weights file plus the differences to it."""

    def __init__(self, weights: Path, learned: Weights) -> None:
        super().__init__(weights)
        self._base = load_file(weights)
        self._learned = learned

    def weight(self, name: str) -> str:
        """The tensor of the file where it stayed as it was, else its sum with the difference."""
        trained = self._learned.get(name)
        if trained is None:
            return super().weight(name)
        difference = (trained - self._base[name]).astype(np.float16)
        self.constant(f"{name}.learned", difference)
        wide = self.add("Cast", f"{name}.learned", to=TensorProto.FLOAT)
        return self.add("Add", super().weight(name), wide)


def build_graph(weights: Path, config: dict[str, int | float | str], state: Weights) -> ModelProto:
    """The verifier as a graph: `ids` and `kinds` (b, t) int64 in, `probabilities` (b, 3) out.

    `kinds` is 1 in the passage. As in the embedder's graph there is no mask, because pairs of one length run together.
    """
    learned = {name.removeprefix("encoder."): value for name, value in state.items() if ".layer." in name}
    graph = CorrectedGraph(weights, learned)
    width = int(config["hidden_size"])
    states, shape = encode(graph, config, kinds="kinds")
    hidden = graph.add("Reshape", states, graph.add("Concat", shape, "per_token", axis=0))
    graph.constant("last", np.array([2], np.int64))
    graph.constant("tokens", np.array([1], np.int64))
    graph.constant("whole", np.float32(1))
    passage = graph.add("Unsqueeze", graph.add("Cast", "kinds", to=TensorProto.FLOAT), "tokens")
    point = graph.add("Sub", "whole", passage)
    by_feature = graph.add("Transpose", hidden, perm=[0, 2, 1])
    means = [_mean(graph, by_feature, part) for part in (point, passage)]
    apart = graph.add("Abs", graph.add("Sub", *means))
    first = graph.add("Gather", hidden, "zero", axis=1)
    graph.constant("head.weight", state["head.weight"].astype(np.float32))
    graph.constant("head.bias", state["head.bias"].astype(np.float32))
    joined = graph.add("Concat", first, *means, apart, axis=1)
    # Not Gemm, which sums one row in another order than several: a claim must give the same bits alone and in a batch.
    products = graph.add("Mul", graph.add("Unsqueeze", joined, "tokens"), "head.weight")
    logits = graph.add("Add", graph.add("ReduceSum", products, "last", keepdims=0), "head.bias")
    graph.add("Softmax", logits, axis=-1, output="probabilities")
    inputs = [token_input(name, "pairs") for name in ("ids", "kinds")]
    output = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["pairs", 3])
    return finish(graph, f"verifier_{width}", inputs, output)


def _mean(graph: WeightlessGraph, hidden: str, part: str) -> str:
    """Mean of the hidden states (b, d, t) over the tokens of one part (b, 1, t): (b, d).

    Over the last axis, because over another onnxruntime sums one row in another order than several.
    """
    total = graph.add("ReduceSum", graph.add("Mul", hidden, part), "last", keepdims=0)
    return graph.add("Div", total, graph.add("ReduceSum", part, "last", keepdims=0))


def main() -> None:
    """Write the graph."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path, help="what train_verifier.py wrote")
    parser.add_argument("--out", type=Path, default=GRAPH, help="file to write (default: the packaged one)")
    options = parser.parse_args()
    state = {name: value.numpy() for name, value in torch.load(options.trained, weights_only=True).items()}
    model = build_graph(*base_model(), state)
    options.out.write_bytes(model.SerializeToString(deterministic=True))
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB, {len(model.graph.node)} nodes")


if __name__ == "__main__":
    main()
