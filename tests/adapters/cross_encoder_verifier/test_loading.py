import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path

import huggingface_hub.constants
import pytest
import torch
from sentence_transformers import CrossEncoder
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import RobertaProcessing
from transformers import (
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
    XLNetConfig,
    XLNetForSequenceClassification,
)

from markscheme.adapters.cross_encoder_verifier.loading import load
from markscheme.adapters.cross_encoder_verifier.verifier import CrossEncoderVerifier
from markscheme.grading.errors import VerifierError
from markscheme.grading.verification import Claim

NLI = ("contradiction", "entailment", "neutral")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No network, and an empty cache of the library, which is given."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_folder_is_loaded_in_silence_and_in_full_precision(
    make_model: Callable[..., Path], capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    folder = make_model(NLI)
    halves = CrossEncoder(str(folder), device="cpu", model_kwargs={"dtype": torch.float16})
    halves.save_pretrained(str(folder))
    capfd.readouterr()
    with caplog.at_level(logging.WARNING):
        encoder, found = load(str(folder))
    assert found == folder
    assert not encoder.training
    assert {parameter.dtype for parameter in encoder.parameters()} == {torch.float32}
    assert capfd.readouterr() == ("", "")
    assert caplog.text == ""


@pytest.mark.parametrize(("name", "owner"), [("somebody/tiny", "somebody"), ("tiny", "cross-encoder")])
def test_an_id_is_loaded_from_the_cache_without_a_network(
    make_model: Callable[..., Path], offline: Path, name: str, owner: str
) -> None:
    folder = make_model(NLI)
    repository = offline / f"models--{owner}--tiny"
    commit = "0123456789" * 4
    shutil.copytree(folder, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    cached, local = CrossEncoderVerifier(name, 1), CrossEncoderVerifier(str(folder), 1)
    claim = Claim("why", "the batch grows", "it grows")
    assert cached.fingerprint == local.fingerprint
    assert cached.verify([claim]) == local.verify([claim])


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("name", ["no-such-model", "somebody/no-such-model"])
def test_an_id_that_is_nowhere_is_refused(name: str) -> None:
    with pytest.raises(VerifierError, match=f"{name} was not found: .*reached.*Set MARKSCHEME_VERIFIER"):
        load(name)


def test_a_hub_that_fails_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        message = "the line is dead"
        raise ConnectionError(message)

    monkeypatch.setattr("markscheme.adapters.cross_encoder_verifier.loading.load_file_path", fail)
    with pytest.raises(VerifierError, match=r"somebody/tiny was not found: .*\(the line is dead\)"):
        load("somebody/tiny")


def test_weights_that_are_cut_off_are_refused(make_model: Callable[..., Path]) -> None:
    folder = make_model(NLI)
    with (folder / "model.safetensors").open("r+b") as file:
        file.truncate(5000)
    with pytest.raises(VerifierError, match=r"cannot be loaded from .*tiny .*Set MARKSCHEME_VERIFIER"):
        load(str(folder))


def test_a_model_with_a_prompt_is_refused(make_model: Callable[..., Path]) -> None:
    folder = make_model(NLI)
    encoder = CrossEncoder(str(folder), device="cpu", prompts={"query": "query: "}, default_prompt_name="query")
    encoder.save_pretrained(str(folder))
    with pytest.raises(VerifierError, match="is made of Transformer with the prompt 'query'; one Transformer without"):
        load(str(folder))


def test_code_that_comes_with_a_model_is_not_run(make_model: Callable[..., Path], tmp_path: Path) -> None:
    folder = make_model(NLI)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Own"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(VerifierError, match="cannot be loaded"):
        load(str(folder))
    assert not (tmp_path / "ran").exists()


def test_positions_that_a_model_keeps_for_padding_are_not_counted(tmp_path: Path) -> None:
    words = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "the", "batch", "grows"]
    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(words)}, unk_token=words[3]))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = {"bos": "<s>", "cls": "<s>", "eos": "</s>", "sep": "</s>", "pad": "<pad>", "unk": "<unk>", "mask": "<mask>"}
    special = {f"{name}_token": token for name, token in names.items()}
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)  # type: ignore[no-untyped-call]  # untyped there
    fast.save_pretrained(tmp_path)
    config = RobertaConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=34,
        type_vocab_size=1,
        id2label={0: "score"},
    )
    RobertaForSequenceClassification(config).save_pretrained(tmp_path)
    verifier = CrossEncoderVerifier(str(tmp_path), 1)
    # 34 rows, of which two come before the first position; four special tokens; two of the statement.
    longest, longer = (Claim("", "batch grows", "the " * length) for length in (26, 300))
    assert verifier.verify([longest]) == verifier.verify([longer])


def test_a_model_that_takes_any_length_is_given_the_whole_passage(
    make_model: Callable[..., Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for file in make_model().glob("tokenizer*"):
        shutil.copy(file, tmp_path)
    config = XLNetConfig(vocab_size=150, d_model=32, n_layer=1, n_head=4, d_inner=64, id2label={0: "score"})
    XLNetForSequenceClassification(config).save_pretrained(tmp_path)
    verifier = CrossEncoderVerifier(str(tmp_path), 1)
    ends = [Claim("", "the batch grows", f"{'noise ' * 600}{end}") for end in ("grows", "shrinks")]
    with caplog.at_level(logging.DEBUG, "markscheme"):
        first, second = verifier.verify(ends)
    assert first != second
    assert caplog.text == ""
