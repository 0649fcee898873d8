"""Finding an exported model, and exporting one in a process of its own."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from markscheme.grading.errors import EmbedderError

_WORKER = "markscheme.adapters.sentence_transformers_export.worker"
_CARD = "model.json"
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9.-]")
_KEY_DIGITS = 12


def exported_folder(model: str, cache: Path) -> Path:
    """Where the export of a model lies, or will lie.

    A local model that is trained again gets another place: names, sizes and times of its files are part of it.
    """
    key = hashlib.sha256(model.encode())
    source = Path(model)
    if source.is_dir():
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            facts = file.stat()
            key.update(f"\n{file.relative_to(source)} {facts.st_size} {facts.st_mtime_ns}".encode())
    name = _NOT_IN_A_NAME.sub("-", source.name)
    return cache / f"{name}-{key.hexdigest()[:_KEY_DIGITS]}"


def export_model(model: str, cache: Path) -> Path:
    """Export a sentence-transformers model, unless that was done before, and give the folder of the export.

    Torch runs in a process of its own, so the caller's stays small; the first export of a model that is not on this
    machine loads it over the network.

    Args:
        model: the id or the folder of a model.
        cache: the folder that holds the exports.

    Raises:
        EmbedderError: the model cannot be loaded, or does what no export can hold.
    """
    folder = exported_folder(model, cache)
    if (folder / _CARD).is_file():
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=cache))
    except OSError as error:
        message = f"The embedding model {model} cannot be exported to {cache} ({error.strerror}). Set MARKSCHEME_HOME."
        raise EmbedderError(message) from error
    try:
        _run_worker(model, unfinished)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def _run_worker(model: str, folder: Path) -> None:
    command = [sys.executable, "-m", _WORKER, model, str(folder)]
    environment = os.environ | {"TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603 - ours
    if done.returncode:
        reason = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no reason given")
        message = (
            f"The embedding model {model} cannot be exported: {reason} Set MARKSCHEME_EMBEDDER to the id or the folder "
            "of a sentence-transformers model, or unset it for the default one."
        )
        raise EmbedderError(message)
