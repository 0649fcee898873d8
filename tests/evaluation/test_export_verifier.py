"""How a graph corrects a weights file. That it computes what was trained: tests/adapters/onnx_models."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from export_verifier import CorrectedGraph
from onnx import TensorProto, helper
from safetensors.numpy import save_file

from markscheme.adapters.onnx_models.session import session_options

KEPT, BASE = np.array([1.0, 2.0], np.float32), np.array([0.5, -4.0], np.float32)


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    save_file({"kept": KEPT, "layer": BASE}, path)
    return path


def served(graph: CorrectedGraph, *outputs: str) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    found = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in outputs]
    body = helper.make_graph(graph.nodes, "corrected", [], found, list(graph.tensors.values()))
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    options = session_options(graph.weights, 1)
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return [np.asarray(one) for one in session.run(list(outputs), {})]


def test_what_was_learned_is_added_to_the_file_in_half_precision(weights: Path) -> None:
    learned = BASE + np.array([0.001, 0.3], np.float32)
    graph = CorrectedGraph(weights, {"layer": learned})
    (found,) = served(graph, graph.weight("layer"))
    assert np.abs(found - learned).max() < 2e-4
    assert not np.array_equal(found, BASE)
    difference = graph.tensors["layer.learned"]
    assert difference.data_type == TensorProto.FLOAT16
    assert graph.tensors["layer"].data_location == TensorProto.EXTERNAL


def test_what_stayed_as_it_was_points_into_the_file_alone(weights: Path) -> None:
    graph = CorrectedGraph(weights, {"layer": BASE})
    assert graph.weight("kept") == "kept"
    assert graph.nodes == []
    assert [one.data_location for one in graph.tensors.values()] == [onnx.TensorProto.EXTERNAL]
    copied = graph.add("Identity", "kept")
    assert served(graph, copied)[0].tolist() == KEPT.tolist()
