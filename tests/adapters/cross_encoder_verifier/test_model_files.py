import json
import shutil
from pathlib import Path

import pytest

from markscheme.adapters.cross_encoder_verifier.model_files import fingerprint, local_folder, require_head
from markscheme.grading.errors import VerifierError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "my-model"
    home.mkdir()
    (home / "config.json").write_text(json.dumps({"architectures": ["BertForSequenceClassification"]}))
    (home / "model.safetensors").write_bytes(bytes(1000))
    (home / "vocab.txt").write_text("a b")
    return home


def test_a_folder_is_taken_before_an_id(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    monkeypatch.chdir(folder.parent)
    for name in (str(folder), "my-model", "./my-model", "~/my-model"):
        assert local_folder(name) == Path(name).expanduser()
    assert local_folder("somebody/my-model") is None
    assert local_folder("other-model") is None


@pytest.mark.parametrize("name", ["./nowhere", "/nowhere/at/all", "a/b/c", "a\\b", "~no-such-user/x", "~/nowhere"])
def test_a_folder_that_is_not_there_is_no_id(name: str) -> None:
    with pytest.raises(VerifierError, match=r"is no folder\. Set MARKSCHEME_VERIFIER"):
        local_folder(name)


def test_a_file_is_no_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(VerifierError, match=r"model\.safetensors is no folder"):
        local_folder("model.safetensors")


def test_a_model_that_judges_pairs_passes(folder: Path) -> None:
    require_head("m", folder)


@pytest.mark.parametrize(
    ("config", "kind"),
    [('{"architectures": ["BertModel"]}', "BertModel"), ("{}", "none"), ('{"architectures": null}', "none")],
)
def test_a_model_without_a_head_is_refused(folder: Path, config: str, kind: str) -> None:
    (folder / "config.json").write_text(config)
    with pytest.raises(VerifierError, match=f"architecture as {kind}, and one that ends in ForSequenceClassification"):
        require_head("m", folder)


@pytest.mark.parametrize("config", ["[", "[]", '{"architectures": 3}', None])
def test_a_config_that_cannot_be_read_is_named(folder: Path, config: str | None) -> None:
    (folder / "config.json").unlink()
    if config is not None:
        (folder / "config.json").write_text(config)
    with pytest.raises(VerifierError, match=r"The verifier m has no config\.json that can be read in .*my-model"):
        require_head("m", folder)


def test_a_copy_has_the_same_fingerprint(folder: Path, tmp_path: Path) -> None:
    before = fingerprint("somebody/my-model", folder)
    name, _, digits = before.partition("@")
    assert (name, len(digits)) == ("my-model", 12)
    copy = shutil.copytree(folder, tmp_path / "elsewhere" / "my-model")
    assert fingerprint(str(copy), copy) == before


def test_the_fingerprint_covers_every_file_that_decides_and_no_other(folder: Path) -> None:
    seen = {fingerprint("m", folder)}
    for name in ("config.json", "vocab.txt", "model.safetensors"):
        content = bytearray((folder / name).read_bytes())
        content[-1] ^= 1
        (folder / name).write_bytes(content)
        seen.add(fingerprint("m", folder))
    (folder / "tokenizer.json").write_text("{}")
    seen.add(fingerprint("m", folder))
    (folder / "tokenizer.json").rename(folder / "other.json")
    seen.add(fingerprint("m", folder))
    assert len(seen) == 6
    (folder / "README.md").write_text("A model.")
    (folder / "onnx").mkdir()
    (folder / "onnx" / "weights.bin").write_bytes(b"1")
    assert fingerprint("m", folder) in seen


def test_a_folder_without_weights_is_refused(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(VerifierError, match=r"m has no weights \(\*\.safetensors or \*\.bin\) in .*my-model"):
        fingerprint("m", folder)


def test_a_file_that_cannot_be_read_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, _mode: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(VerifierError, match=r"config\.json cannot be read \(Permission denied\)"):
        fingerprint("m", folder)
