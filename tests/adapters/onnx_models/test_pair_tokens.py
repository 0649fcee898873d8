import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.pair_tokens import MOST_TOKENS, QUESTION_TOKENS, EncodedPair, PairEncoder
from markscheme.grading.errors import EmbedderError

TOKENIZER = Tokenizer.from_file(str(minilm_files().tokenizer))
ENCODER = PairEncoder(minilm_files().tokenizer)
TEXT = st.text(st.sampled_from("batch of 7 [SEP] é学🙂,."), max_size=60)


def encoded(question: str, point: str, passage: str) -> EncodedPair:
    (found,) = ENCODER.encode([(question, point, passage)])
    return found


def pieces(ids: list[int]) -> list[str]:
    return [str(TOKENIZER.id_to_token(one)) for one in ids]


def test_question_point_and_passage_stand_in_one_row() -> None:
    found = encoded("Why noise?", "Small batches", "They are noisy.")
    assert pieces(found.ids) == [
        *["[CLS]", "why", "noise", "?", "[SEP]", "small", "batch", "##es", "[SEP]"],
        *["they", "are", "noisy", ".", "[SEP]"],
    ]
    assert pieces(found.ids)[found.passage] == "they"


def test_without_a_question_the_point_comes_first() -> None:
    found = encoded("", "Small batches", "Noisy.")
    assert pieces(found.ids) == ["[CLS]", "small", "batch", "##es", "[SEP]", "noisy", ".", "[SEP]"]
    assert found.passage == 5


def test_an_empty_passage_is_only_its_end() -> None:
    found = encoded("Why?", "Small", "")
    assert pieces(found.ids[found.passage :]) == ["[SEP]"]


def test_of_a_long_question_the_end_is_read() -> None:
    words = [*["scene"] * 100, *["asked"] * QUESTION_TOKENS]
    found = encoded(" ".join(words), "point", "passage")
    assert pieces(found.ids) == ["[CLS]", *["asked"] * QUESTION_TOKENS, "[SEP]", "point", "[SEP]", "passage", "[SEP]"]


def test_a_long_passage_loses_its_end() -> None:
    found = encoded("Why?", "point", "first " + "word " * 600)
    assert len(found.ids) == MOST_TOKENS
    assert pieces(found.ids[found.passage :]) == ["first", *["word"] * (MOST_TOKENS - found.passage - 2), "[SEP]"]


def test_an_endless_point_keeps_its_end_mark_and_leaves_some_room_to_the_passage() -> None:
    found = encoded("Why?", "point " * 600, "word " * 600)
    assert len(found.ids) == MOST_TOKENS
    assert MOST_TOKENS // 2 < found.passage < MOST_TOKENS - 1
    assert found.ids[found.passage - 1] == found.ids[-1]


@given(TEXT, TEXT, TEXT)
def test_no_text_can_say_that_it_has_ended(question: str, point: str, passage: str) -> None:
    found = encoded(question, point, passage)
    names = pieces(found.ids)
    assert names.count("[CLS]") == 1
    assert names.count("[SEP]") == 2 + bool(question.strip())
    assert names[0] == "[CLS]"
    assert names[-1] == names[found.passage - 1] == "[SEP]"


def test_pairs_keep_their_order_and_do_not_touch_each_other() -> None:
    rows = [("Why?", "point one", "passage"), ("", "two", "a much longer passage " * 9), ("", "", "")]
    assert ENCODER.encode(rows) == [encoded(*row) for row in rows]
    assert ENCODER.encode([]) == []


@pytest.mark.parametrize("content", [None, "", "{}", "[]"])
def test_a_file_that_is_no_tokenizer_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(EmbedderError, match=f"tokenizer file {path} cannot be read"):
        PairEncoder(path)


@pytest.mark.parametrize("lacking", ["[CLS]", "[SEP]"])
def test_a_tokenizer_of_another_kind_is_refused(tmp_path: Path, lacking: str) -> None:
    vocabulary = {name: place for place, name in enumerate(["[UNK]", "[CLS]", "[SEP]"]) if name != lacking}
    model = {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model}), encoding="utf-8")
    with pytest.raises(EmbedderError, match=r"knows no \[CLS\] or no \[SEP\]"):
        PairEncoder(path)
