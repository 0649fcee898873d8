"""The packaged verifier: the bundled MiniLM, corrected by what it learned, reading point and passage together."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from markscheme.adapters.onnx_models.embedder import usable_cores
from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.model_files import ModelFiles, checksum
from markscheme.adapters.onnx_models.pair_tokens import EncodedPair, PairEncoder
from markscheme.adapters.onnx_models.runs import runs_of_equal_length
from markscheme.adapters.onnx_models.session import LOADING_ERRORS, RUNNING_ERRORS, session_options
from markscheme.grading.errors import VerifierError
from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.ports import Verifier

GRAPH = Path(__file__).with_name("verifier.onnx")
NAME = "minilm-verifier"
SUPPORTED, CONTRADICTED = 0, 2


class OnnxVerifier(Verifier):
    """Verifies with onnxruntime. Many threads may share one.

    Only pairs of equal length run together, so there is no padding, and the same claim gives the same bits alone, in
    any batch and with any number of threads.
    """

    def __init__(self, threads: int | None = None, files: ModelFiles | None = None, graph: Path = GRAPH) -> None:
        """Load the verifier.

        Args:
            threads: threads of one run; by default one for each core that this process may use.
            files: the model whose weights the graph corrects (default: the bundled MiniLM).
            graph: the graph that evaluation/export_verifier.py wrote.

        Raises:
            EmbedderError: the bundled model is not installed or its tokenizer cannot be read.
            VerifierError: the graph cannot be loaded, or was made for other weights.
        """
        base = files or minilm_files()
        if base.weights is None:
            message = f"The verifier corrects a weights file, and {base.name} names none."
            raise VerifierError(message)
        self._pairs = PairEncoder(base.tokenizer)
        try:
            content = graph.read_bytes()
            options = session_options(base.weights, threads or usable_cores())
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except LOADING_ERRORS as error:
            message = (
                f"The verifier {graph} cannot be loaded ({error}). Install markscheme again, or set "
                "MARKSCHEME_VERIFIER to off."
            )
            raise VerifierError(message) from error
        if self._session.get_modelmeta().custom_metadata_map.get("weights_sha256") != checksum(base.weights):
            message = f"{base.weights} is not the file that {graph} corrects. Install the pinned version of it again."
            raise VerifierError(message)
        digest = hashlib.sha256(content + checksum(base.tokenizer).encode()).hexdigest()
        self._fingerprint = f"{NAME}@{digest[:12]}"

    @property
    def fingerprint(self) -> str:
        """The verifier's name and 12 hexadecimal digits over its files."""
        return self._fingerprint

    def verify(self, claims: Sequence[Claim]) -> list[Verification]:
        """Judge each claim; equal claims are judged once.

        Raises:
            VerifierError: onnxruntime failed, or gave no probability.
        """
        distinct = list(dict.fromkeys(claims))
        encoded = self._pairs.encode((one.question, one.statement, one.passage) for one in distinct)
        found: dict[Claim, Verification] = {}
        for group in runs_of_equal_length([len(one.ids) for one in encoded]):
            for at, row in zip(group, self._run([encoded[at] for at in group]), strict=True):
                found[distinct[at]] = Verification(float(row[SUPPORTED]), float(row[CONTRADICTED]))
        return [found[claim] for claim in claims]

    def tokens_of(self, claims: Iterable[Claim]) -> int:
        """Tokens that judging these costs, special ones included."""
        encoded = self._pairs.encode((one.question, one.statement, one.passage) for one in dict.fromkeys(claims))
        return sum(len(one.ids) for one in encoded)

    def _run(self, pairs: Sequence[EncodedPair]) -> NDArray[np.float32]:
        ids = np.array([one.ids for one in pairs], np.int64)
        kinds = (np.arange(ids.shape[1]) >= np.array([[one.passage] for one in pairs])).astype(np.int64)
        try:
            found: NDArray[np.float32] = self._session.run(["probabilities"], {"ids": ids, "kinds": kinds})[0]
        except RUNNING_ERRORS as error:
            message = f"The verifier failed on a batch of shape {ids.shape} ({error})."
            raise VerifierError(message) from error
        if not np.isfinite(found).all():
            message = f"The verifier {self._fingerprint} gave something that is no probability. Its files are damaged."
            raise VerifierError(message)
        return found
