"""The verifier that runs any CrossEncoder with torch."""

import math
from collections.abc import Sequence
from threading import Lock

import torch

from markscheme.adapters.cross_encoder_verifier.labels import read_labels
from markscheme.adapters.cross_encoder_verifier.loading import load
from markscheme.adapters.cross_encoder_verifier.model_files import fingerprint
from markscheme.adapters.cross_encoder_verifier.pairs import Pair, fit
from markscheme.grading.errors import VerifierError
from markscheme.grading.verification import Claim, Verification
from markscheme.pipeline.ports import Verifier


class CrossEncoderVerifier(Verifier):
    """Judges claims with a model of somebody's choice, on the CPU. Many threads may share one; they take turns.

    Claims run one by one. Torch may round a row differently beside other rows, even of the same length, and a pair of a
    hundred tokens or more keeps the cores busy by itself; so the same claim gives the same bits alone and in any batch.
    """

    def __init__(self, model: str, threads: int) -> None:
        """Load a model.

        Args:
            model: the id or the folder of a sentence-transformers CrossEncoder or a text-classification model.
            threads: threads of one run; torch knows only one number for the whole process.

        Raises:
            VerifierError: the model cannot be loaded, or does not name what its outputs mean.
        """
        self._model, folder = load(model)
        self._threads = threads
        names = self._model.config.id2label if self._model.config else None
        self._labels = read_labels(model, {int(place): str(name) for place, name in (names or {}).items()})
        self._fingerprint = fingerprint(model, folder)
        self._tokenizer = self._model.tokenizer
        special = self._tokenizer.num_special_tokens_to_add(pair=True)
        self._room = self._model.max_seq_length - special
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        """The model's name and 12 hexadecimal digits over its files."""
        return self._fingerprint

    def verify(self, claims: Sequence[Claim]) -> list[Verification]:
        """Judge each claim, in order; equal ones once.

        Raises:
            VerifierError: a statement is too long, a text is no well-formed Unicode, or the model gave no finite
                number.
        """
        # Tokenizer and threads are set for each run, so no two runs may meet.
        with self._lock:
            torch.set_num_threads(self._threads)
            done = {claim: self._judge(claim) for claim in dict.fromkeys(claims)}
        return [done[claim] for claim in claims]

    def _judge(self, claim: Claim) -> Verification:
        try:
            logits = self._logits(fit(claim, self._room, self._count_tokens))
        except VerifierError:
            raise
        except Exception as error:  # the tokenizer raises plain exceptions
            message = (
                f"The verifier {self._fingerprint} failed on the statement starting {claim.statement[:40]!r} ({error})."
            )
            raise VerifierError(message) from error
        if len(logits) != self._labels.outputs or not all(map(math.isfinite, logits)):
            message = f"The verifier {self._fingerprint} gave {logits}, which is no probability. Its files are damaged."
            raise VerifierError(message)
        return self._labels.verification(logits)

    def _logits(self, pair: Pair) -> list[float]:
        """What the model gives before any activation."""
        features = self._model.preprocess(
            [(pair.premise, pair.hypothesis)], processing_kwargs={"text": {"truncation": "only_first"}}
        )
        with torch.inference_mode():
            scores: torch.Tensor = self._model(features)["scores"]
        return [float(score) for score in scores.reshape(-1)]

    def _count_tokens(self, text: str) -> int:
        # Without `verbose=False` the library warns of texts that it is not going to be given.
        return len(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
