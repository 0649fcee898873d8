"""The files of one model in a folder: what must be true of them, and the fingerprint over them."""

import hashlib
import json
from pathlib import Path

from markscheme.grading.errors import VerifierError

CONFIG = "config.json"
_WEIGHTS = (".safetensors", ".bin")
# Settings, vocabularies and tokenizers.
_OTHERS = (".json", ".txt", ".model")
_HEAD = "ForSequenceClassification"
_FINGERPRINT_DIGITS = 12


def local_folder(model: str) -> Path | None:
    """The folder that `model` names, or None where it can only be the id of a model on a hub.

    Raises:
        VerifierError: it is written like a path, and there is no such folder.
    """
    try:
        folder = Path(model).expanduser()
    except RuntimeError:
        # A tilde with the name of nobody.
        folder = Path(model)
    if folder.is_dir():
        return folder
    if model.startswith((".", "/", "~")) or "\\" in model or model.count("/") > 1 or folder.exists():
        message = (
            f"The verifier {model} is no folder. Set MARKSCHEME_VERIFIER to a folder that holds {CONFIG}, weights and "
            "tokenizer, to the id of a model, or unset it for the packaged verifier."
        )
        raise VerifierError(message)
    return None


def require_head(model: str, folder: Path) -> None:
    """Refuse a model that does not judge pairs: the library would give it a new head, filled by chance.

    Raises:
        VerifierError: its config.json cannot be read, or names another kind of model.
    """
    config = folder / CONFIG
    try:
        kinds = json.loads(config.read_text("utf-8")).get("architectures") or ["none"]
        known = all(str(kind).endswith(_HEAD) for kind in kinds)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        message = f"The verifier {model} has no {CONFIG} that can be read in {folder} ({error!r})."
        raise VerifierError(message) from error
    if not known:
        message = (
            f"The verifier {model} is not made to judge pairs: {config} gives its architecture as "
            f"{', '.join(map(str, kinds))}, and one that ends in {_HEAD} is needed. Set MARKSCHEME_VERIFIER to a "
            "CrossEncoder or a model for natural language inference."
        )
        raise VerifierError(message)


def fingerprint(model: str, folder: Path) -> str:
    """The model's name and 12 hexadecimal digits over the content of its config, tokenizer and weights.

    Every byte is read, about 1 s a gigabyte: what a model says follows from nothing less.

    Raises:
        VerifierError: there are no weights, or a file cannot be read.
    """
    # Of subfolders only other programs' exports are known, which differ between copies of one model.
    files = sorted(file for file in folder.iterdir() if file.suffix in _WEIGHTS + _OTHERS and file.is_file())
    if not any(file.suffix in _WEIGHTS for file in files):
        message = f"The verifier {model} has no weights ({' or '.join(f'*{kind}' for kind in _WEIGHTS)}) in {folder}."
        raise VerifierError(message)
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.name} {_sha256(file)}\n".encode())
    return f"{Path(model).name}@{whole.hexdigest()[:_FINGERPRINT_DIGITS]}"


def _sha256(path: Path) -> str:
    """The checksum of one file.

    Raises:
        VerifierError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        message = f"The verifier's file {path} cannot be read ({error.strerror})."
        raise VerifierError(message) from error
