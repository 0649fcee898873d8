"""Write the ONNX graph of the default embedding model, without its weights.

    python evaluation/export_minilm_graph.py [--out FILE]

The graph points into the model's safetensors file by offset, so the weights are installed once and nothing is
converted at start. Run it again when the package with the weights changes; a test holds the committed graph to it.
"""

import argparse
import hashlib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from onnx import (
    ModelProto,
    NodeProto,
    StringStringEntryProto,
    TensorProto,
    ValueInfoProto,
    helper,
    numpy_helper,
)

from markscheme.adapters.onnx_models.minilm import minilm_files

OPSET = 20
IR_VERSION = 9
BYTES_OF_HEADER_LENGTH = 8
DTYPES = {"F32": TensorProto.FLOAT}


class WeightlessGraph:
    """An ONNX graph in the making, whose large tensors stay in a safetensors file.

    A subclass may answer `weight` with something else than the tensor itself, a corrected one say.
    """

    def __init__(self, weights: Path) -> None:
        self.weights = weights
        with weights.open("rb") as file:
            length = int.from_bytes(file.read(BYTES_OF_HEADER_LENGTH), "little")
            self.header = json.loads(file.read(length))
        self.start = BYTES_OF_HEADER_LENGTH + length
        self.nodes: list[NodeProto] = []
        self.tensors: dict[str, TensorProto] = {}

    def weight(self, name: str) -> str:
        """Point to a tensor of the weights file."""
        entry = self.header[name]
        begin, end = entry["data_offsets"]
        tensor = TensorProto(
            name=name,
            dims=entry["shape"],
            data_type=DTYPES[entry["dtype"]],
            data_location=TensorProto.EXTERNAL,
            external_data=[
                StringStringEntryProto(key="location", value=self.weights.name),
                StringStringEntryProto(key="offset", value=str(self.start + begin)),
                StringStringEntryProto(key="length", value=str(end - begin)),
            ],
        )
        self.tensors[name] = tensor
        return name

    def constant(self, name: str, value: ArrayLike) -> str:
        """Hold a small tensor in the graph itself."""
        self.tensors[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def add(self, operator: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:  # noqa: ANN401 - whatever ONNX knows
        """Append one node and name its output."""
        output = output or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output


def build_graph(weights: Path, config: dict[str, int | float | str]) -> ModelProto:
    """The encoder as a graph: `ids` (b, t) int64 in, `hidden` (b, t, d) float32 out.

    There is no mask, because texts of one length run together. Between the attentions the tokens of all texts stand
    in one matrix (b * t, d), so that each linear step is one Gemm over the weights as they lie in the file.
    """
    graph = WeightlessGraph(weights)
    states, shape = encode(graph, config)
    graph.add("Reshape", states, graph.add("Concat", shape, "per_token", axis=0), output="hidden")
    hidden = helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["texts", "tokens", int(config["hidden_size"])])
    return finish(graph, "minilm", [token_input("ids", "texts")], hidden)


def encode(graph: WeightlessGraph, config: dict[str, int | float | str], kinds: str | None = None) -> tuple[str, str]:
    """Every layer: the name of the states (b * t, d) and of the shape (b, t).

    `kinds` names an input (b, t) that says which part of two each token is of; without it every token is of the first.
    """
    width, heads = int(config["hidden_size"]), int(config["num_attention_heads"])
    shape = graph.add("Shape", "ids")
    graph.constant("per_head", np.array([heads, width // heads], np.int64))
    graph.constant("per_token", np.array([width], np.int64))
    graph.constant("rows", np.array([-1, width], np.int64))
    graph.constant("scale", np.float32(1 / math.sqrt(width / heads)))
    split = graph.add("Concat", shape, "per_head", axis=0)
    states = embed_tokens(graph, shape, config, kinds)
    for layer in range(int(config["num_hidden_layers"])):
        prefix = f"encoder.layer.{layer}."
        mixed = attend(graph, states, prefix + "attention.self.", split)
        mixed = linear(graph, mixed, prefix + "attention.output.dense")
        states = add_and_normalise(graph, states, mixed, prefix + "attention.output.LayerNorm", config)
        inner = graph.add("Gelu", linear(graph, states, prefix + "intermediate.dense"))
        inner = linear(graph, inner, prefix + "output.dense")
        states = add_and_normalise(graph, states, inner, prefix + "output.LayerNorm", config)
    return states, shape


def embed_tokens(
    graph: WeightlessGraph, shape: str, config: dict[str, int | float | str], kinds: str | None = None
) -> str:
    """Word, position and kind, added and normalised."""
    graph.constant("zero", np.int64(0))
    graph.constant("one", np.int64(1))
    length = graph.add("Gather", shape, "one")
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "ids")
    segment = graph.add("Gather", graph.weight("embeddings.token_type_embeddings.weight"), kinds or "zero")
    order = graph.add("Range", "zero", length, "one")
    positions = graph.add("Gather", graph.weight("embeddings.position_embeddings.weight"), order)
    total = graph.add("Add", graph.add("Add", words, segment), positions)
    return graph.add("Reshape", normalise(graph, total, "embeddings.LayerNorm", config), "rows")


def attend(graph: WeightlessGraph, states: str, prefix: str, split: str) -> str:
    """Attention of every head within each text, heads joined again."""
    query, key, value = (
        graph.add("Transpose", graph.add("Reshape", linear(graph, states, prefix + part), split), perm=order)
        for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
    )
    scores = graph.add("Mul", graph.add("MatMul", query, key), "scale")
    mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
    return graph.add("Reshape", graph.add("Transpose", mixed, perm=[0, 2, 1, 3]), "rows")


def linear(graph: WeightlessGraph, states: str, name: str) -> str:
    """One linear step. The file keeps matrices as (out, in); Gemm takes them so, without a copy."""
    return graph.add("Gemm", states, graph.weight(f"{name}.weight"), graph.weight(f"{name}.bias"), transB=1)


def add_and_normalise(
    graph: WeightlessGraph, states: str, change: str, name: str, config: dict[str, int | float | str]
) -> str:
    """The residual step."""
    return normalise(graph, graph.add("Add", change, states), name, config)


def normalise(graph: WeightlessGraph, states: str, name: str, config: dict[str, int | float | str]) -> str:
    """Layer normalisation."""
    scale, shift = graph.weight(f"{name}.weight"), graph.weight(f"{name}.bias")
    return graph.add("LayerNormalization", states, scale, shift, epsilon=float(config["layer_norm_eps"]))


def token_input(name: str, rows: str) -> ValueInfoProto:
    """An input of the graph with one number a token: (rows, tokens) int64."""
    return helper.make_tensor_value_info(name, TensorProto.INT64, [rows, "tokens"])


def finish(graph: WeightlessGraph, name: str, inputs: Sequence[ValueInfoProto], output: ValueInfoProto) -> ModelProto:
    """Close the graph; its metadata name the one weights file that its offsets fit."""
    body = helper.make_graph(graph.nodes, name, inputs, [output], list(graph.tensors.values()))
    model = helper.make_model(
        body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="markscheme"
    )
    with graph.weights.open("rb") as file:
        helper.set_model_props(model, {"weights_sha256": hashlib.file_digest(file, "sha256").hexdigest()})
    return model


def base_model() -> tuple[Path, dict[str, int | float | str]]:
    """The weights file of the default model, and its configuration."""
    weights = minilm_files().weights
    if weights is None:
        message = "The default model names no weights file, so there is nothing to point into."
        raise SystemExit(message)
    return weights, json.loads(weights.with_name("config.json").read_text("utf-8"))


def main() -> None:
    """Write the graph."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--out", type=Path, default=minilm_files().graph, help="file to write (default: the packaged one)"
    )
    out: Path = parser.parse_args().out
    model = build_graph(*base_model())
    out.write_bytes(model.SerializeToString(deterministic=True))
    print(f"{out}: {out.stat().st_size} bytes, {len(model.graph.node)} nodes")


if __name__ == "__main__":
    main()
