"""One onnxruntime session, set so that the same text gives the same bits and memory stays flat."""

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as runtime_state

from markscheme.adapters.onnx_models.model_files import ModelFiles
from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import EmbedderError

RUNTIME_ERRORS: tuple[type[Exception], ...] = tuple(
    kind for kind in vars(runtime_state).values() if isinstance(kind, type) and issubclass(kind, Exception)
)
LOADING_ERRORS: tuple[type[Exception], ...] = (OSError, *RUNTIME_ERRORS)
# The library's own layer in Python complains of inputs that the graph does not have with a plain ValueError.
RUNNING_ERRORS: tuple[type[Exception], ...] = (ValueError, *RUNTIME_ERRORS)
_ONLY_ERRORS = 3


class HiddenStates:
    """The model from token ids to the last hidden states."""

    def __init__(self, files: ModelFiles, weights_checksum: str | None, threads: int) -> None:
        """Load the model.

        Args:
            files: the model.
            weights_checksum: SHA-256 of `files.weights`, or None where the graph holds its weights.
            threads: threads of one run.

        Raises:
            EmbedderError: a file is missing or broken, or the weights are others than the graph points into.
        """
        self._name = files.name
        try:
            graph = files.graph.read_bytes() if files.weights else str(files.graph)
            self._session = onnxruntime.InferenceSession(
                graph, session_options(files.weights, threads), providers=["CPUExecutionProvider"]
            )
        except LOADING_ERRORS as error:
            message = f"The embedding model {files.name} cannot be loaded from {files.graph} ({error})."
            raise EmbedderError(message) from error
        _require_the_graphs_weights(files, weights_checksum, self._session.get_modelmeta().custom_metadata_map)
        self.dimension = int(self._session.get_outputs()[0].shape[2])

    def run(self, ids: NDArray[np.int64]) -> Vectors:
        """Token ids (b, t) to hidden states (b, t, d).

        Raises:
            EmbedderError: onnxruntime failed.
        """
        try:
            hidden: Vectors = self._session.run(["hidden"], {"ids": ids})[0]
        except RUNNING_ERRORS as error:
            message = f"The embedding model {self._name} failed on a batch of shape {ids.shape} ({error})."
            raise EmbedderError(message) from error
        return hidden


def session_options(weights: Path | None, threads: int) -> onnxruntime.SessionOptions:
    """Options for a graph whose large tensors stand in `weights`, or which holds them all."""
    options = onnxruntime.SessionOptions()
    # Left to itself onnxruntime counts the machine's cores, not those that this process may use.
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Both keep memory for every shape that was ever seen, and answers come in all shapes.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = _ONLY_ERRORS
    if weights:
        folder = str(weights.parent)
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    return options


def _require_the_graphs_weights(files: ModelFiles, checksum: str | None, metadata: dict[str, str]) -> None:
    """A graph without weights points into one file by offset; in any other file it would read noise."""
    if files.weights and checksum != metadata.get("weights_sha256"):
        message = (
            f"{files.weights} is not the file that the graph {files.graph} was made for. "
            "Install the pinned version of the weights again, or set MARKSCHEME_EMBEDDER to their folder."
        )
        raise EmbedderError(message)
