import numpy as np
import pytest

from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.onnx_models.tokens import TokenReader


@pytest.fixture(scope="module")
def reader() -> TokenReader:
    return TokenReader(minilm_files().tokenizer)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("naïve café", ["naïve", "café"]),
        ("cafe\u0301 ok", ["cafe", "ok"]),
        ("👍🏽 ok 日本", ["👍🏽", "ok", "日", "本"]),
        ("don't—stop", ["don", "'", "t", "—", "stop"]),
        ("  a\n\tb  ", ["a", "b"]),
        ("\U0001d4b3 is a set", ["\U0001d4b3", "is", "a", "set"]),
    ],
)
def test_offsets_are_characters_of_the_text(reader: TokenReader, text: str, pieces: list[str]) -> None:
    assert [text[start:end] for start, end in reader.read(text).offsets] == pieces


def test_a_special_token_in_a_text_is_only_text(reader: TokenReader) -> None:
    tokens = reader.read("done [SEP] more")
    assert tokens.own.tolist() == [False, True, True, True, True, True, False]
    assert tokens.ids[0] != tokens.ids[-1]
    assert tokens.ids[-1] not in tokens.ids[1:-1]


def test_nothing_is_cut_or_padded(minilm: OnnxEmbedder, reader: TokenReader) -> None:
    assert minilm.count_tokens(["word " * 1000, "", "two words"]) == [1000, 0, 2]
    assert len(reader.read("word " * 200).ids) == 202
    assert reader.special_tokens == 2


def test_rarity_follows_the_rank_of_a_word(reader: TokenReader) -> None:
    # "the" is the first word of the vocabulary, so its rank is 1 of 28,527.
    the, model, gradient, dot, seven = reader.read("the model gradient . 7").rarity
    assert the == pytest.approx(np.log(2) / np.log(28_528), abs=1e-6)
    assert 0 < the < model < gradient < 1
    assert dot == seven == 0


def test_all_pieces_of_a_word_are_as_rare_as_its_rarest(reader: TokenReader) -> None:
    tokens = reader.read("backpropagation (of)")
    word = tokens.rarity[:-3]
    assert len(word) > 1
    assert len(set(word.tolist())) == 1
    alone = [reader.read(piece).rarity.max() for piece in ("back", "the")]
    assert word[0] > max(alone)
    assert tokens.rarity[-3] == tokens.rarity[-1] == 0
    assert 0 < tokens.rarity[-2] < 0.2


def test_rarity_stays_between_nothing_and_one(reader: TokenReader) -> None:
    rarity = reader.read("zyzzyva ##\uff5e 🙂 é ß quantisation \uff5e Ωmega 12345 x1").rarity
    assert rarity.min() >= 0
    assert rarity.max() <= 1
