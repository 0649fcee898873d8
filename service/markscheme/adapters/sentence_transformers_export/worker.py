"""Run as a process: export one model into one folder. Nothing else of Markscheme imports torch.

    python -m markscheme.adapters.sentence_transformers_export.worker MODEL FOLDER

The last line on standard error says why, where it fails.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from sentence_transformers import SentenceTransformer

OPSET = 17
POOLINGS = ("mean", "cls")
# More than rounding, far less than anything that a wrong export gives.
TOLERANCE = 1e-4
CHECKED_SHAPES = ((1, 3), (1, 9), (3, 5))


class LastHiddenStates(torch.nn.Module):
    """The encoder as it is served: ids in, hidden states out, no padding."""

    def __init__(self, encoder: torch.nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Token ids (b, t) to hidden states (b, t, d)."""
        states: torch.Tensor = self.encoder(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state
        return states


def export(name: str, folder: Path) -> None:
    """Export the model. Exits with a reason for a model that an export cannot reproduce."""
    # Attention is written out, because the fused kinds cannot be traced; code that comes with a model is never run.
    model = SentenceTransformer(
        name, device="cpu", trust_remote_code=False, model_kwargs={"attn_implementation": "eager"}
    )
    refuse_unless_plain(model)
    encoder: torch.nn.Module = model[0].auto_model  # type: ignore[assignment]  # torch types every attribute as both
    states = LastHiddenStates(encoder).eval()
    graph = folder / "model.onnx"
    with torch.no_grad():
        torch.onnx.export(
            states,
            (torch.ones(2, 7, dtype=torch.long),),
            str(graph),
            input_names=["ids"],
            output_names=["hidden"],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in ("ids", "hidden")},
            opset_version=OPSET,
            # The newer exporter needs a further library and gains nothing here.
            dynamo=False,
        )
    refuse_unless_equal(states, graph, len(model.tokenizer))
    model.tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))
    card = {"name": Path(name).name, "pooling": model[1].pooling_mode, "max_length": model.max_seq_length}
    (folder / "model.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")


def refuse_unless_plain(model: SentenceTransformer) -> None:
    """An encoder, a pooling that is known, and nothing more than a normalisation after it."""
    modules = [type(module).__name__ for module in model]
    if modules not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        sys.exit(f"It is made of {', '.join(modules)}; Transformer, Pooling and Normalize can be exported.")
    if model[1].pooling_mode not in POOLINGS:
        sys.exit(f"Its pooling is {model[1].pooling_mode}; {' and '.join(POOLINGS)} can be exported.")
    if model.default_prompt_name:
        sys.exit(f"It puts the prompt {model.default_prompt_name!r} before every text, which no export can hold.")
    if not model.max_seq_length:
        sys.exit("It names no longest text (max_seq_length).")
    if not hasattr(model.tokenizer, "backend_tokenizer"):
        sys.exit("Its tokenizer is not of the library `tokenizers`.")


def refuse_unless_equal(states: torch.nn.Module, graph: Path, vocabulary: int) -> None:
    """Tracing can freeze what should vary; so the export is compared with the model on shapes that it has not seen."""
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    random = np.random.default_rng(0)
    for shape in CHECKED_SHAPES:
        ids = random.integers(0, vocabulary, shape)
        with torch.no_grad():
            wanted = states(torch.from_numpy(ids)).numpy()
        difference = float(np.abs(session.run(["hidden"], {"ids": ids})[0] - wanted).max())
        if not difference <= TOLERANCE:
            sys.exit(f"Its export gives other vectors than the model itself: they differ by {difference:.1e}.")


if __name__ == "__main__":
    export(sys.argv[1], Path(sys.argv[2]))
