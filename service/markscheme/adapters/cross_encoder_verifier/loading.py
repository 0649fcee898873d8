"""Loading a model with sentence-transformers, from a folder, from its cache or, the first time, from its hub."""

import contextlib
import io
import logging
import os
from pathlib import Path

import torch
from sentence_transformers import CrossEncoder
from sentence_transformers.util import load_file_path

from markscheme.adapters.cross_encoder_verifier.model_files import CONFIG, local_folder, require_head
from markscheme.grading.errors import VerifierError

_LOG = logging.getLogger(__name__)
# What a name without an owner means to the library.
_DEFAULT_OWNER = "cross-encoder"
# In place of the numbers, larger than what the tokenizer counts with, that say that a model takes any length.
_NO_LIMIT = 2**31 - 1


def load(model: str) -> tuple[CrossEncoder, Path]:
    """Load a model, ready to judge, and give the folder that holds its files.

    A folder is read and nothing else; an id may be fetched over the network. Code that comes with a model is never run.

    Raises:
        VerifierError: there is no such model here, or it is of another kind.
    """
    local = local_folder(model)
    name = str(local) if local else model if "/" in model else f"{_DEFAULT_OWNER}/{model}"
    folder = local or _fetched_folder(model, name)
    require_head(model, folder)
    _LOG.info("Loading the verifier %s; one that is not on this machine is fetched first.", model)
    try:
        # The library draws a progress bar at every load, for which it has no switch of its own.
        with contextlib.redirect_stderr(io.StringIO()):
            encoder = CrossEncoder(
                name,
                device="cpu",
                trust_remote_code=False,
                local_files_only=local is not None,
                model_kwargs={"dtype": torch.float32},
            )
    except Exception as error:  # a model is read by several libraries, each with errors of its own
        message = f"The verifier {model} cannot be loaded from {folder} ({error}). {_WHAT_TO_DO}"
        raise VerifierError(message) from error
    _require_plain(model, encoder)
    encoder.max_seq_length = _longest(encoder)
    return encoder.eval(), folder


def _fetched_folder(model: str, name: str) -> Path:
    """Where the library keeps what it fetched of a model.

    Raises:
        VerifierError: the model is neither there nor on a hub that can be reached.
    """
    reason = "neither in the cache of sentence-transformers nor on a hub that can be reached"
    try:
        config = load_file_path(name, CONFIG, cache_folder=os.environ.get("SENTENCE_TRANSFORMERS_HOME"))
    except Exception as error:  # whatever the network, the hub or the name may give
        message = f"The verifier {name} was not found: {reason} ({error}). {_WHAT_TO_DO}"
        raise VerifierError(message) from error
    if config is None:
        message = f"The verifier {model} was not found: there is no such folder, and {name} is {reason}. {_WHAT_TO_DO}"
        raise VerifierError(message)
    return Path(config).parent


def _longest(encoder: CrossEncoder) -> int:
    """Tokens that the model takes, special ones included.

    Where the tokenizer's settings name no length, the library counts rows of the table of positions. RoBERTa and its
    kin begin to use them after the padding, so fewer tokens have a place than there are rows.
    """
    tables = (part for name, part in encoder.named_modules() if name.endswith("position_embeddings"))
    usable = [
        table.num_embeddings - table.padding_idx - 1
        for table in tables
        if isinstance(table, torch.nn.Embedding) and table.padding_idx is not None
    ]
    return min(encoder.max_seq_length or _NO_LIMIT, _NO_LIMIT, *usable)


def _require_plain(model: str, encoder: CrossEncoder) -> None:
    """Nothing before the texts and nothing after the head: what is read must be what the claim says."""
    modules = [type(module).__name__ for module in encoder]
    if modules != ["Transformer"] or encoder.default_prompt_name:
        message = (
            f"The verifier {model} is made of {', '.join(modules)} with the prompt {encoder.default_prompt_name!r}; "
            "one Transformer without a prompt is taken."
        )
        raise VerifierError(message)


_WHAT_TO_DO = (
    "Set MARKSCHEME_VERIFIER to the id or the folder of a CrossEncoder or a model for natural language inference, or "
    "unset it for the packaged verifier."
)
