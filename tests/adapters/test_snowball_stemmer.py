from concurrent.futures import ThreadPoolExecutor

import pytest

from markscheme.adapters.snowball_stemmer import SnowballStemmer


@pytest.mark.parametrize(
    "words",
    [
        ("optimize", "optimizing", "optimized", "optimization"),
        ("gradient", "gradients"),
        ("generalise", "generalises", "generalising"),
    ],
)
def test_forms_of_a_word_come_together(words: tuple[str, ...]) -> None:
    stemmer = SnowballStemmer()
    assert len({stemmer.stem(word) for word in words}) == 1


@pytest.mark.parametrize("word", ["", "7", "学習", "x"])
def test_what_has_no_ending_stays(word: str) -> None:
    assert SnowballStemmer().stem(word) == word


def test_many_threads_get_what_one_gets() -> None:
    words = [f"{stem}{ending}" for stem in map(str, range(400)) for ending in ("izing", "ization", "fully", "s")]
    alone = SnowballStemmer()
    wanted = [alone.stem(word) for word in words]
    shared = SnowballStemmer()
    with ThreadPoolExecutor(32) as threads:
        assert list(threads.map(shared.stem, words)) == wanted


def test_a_very_long_word_takes_no_long_time() -> None:
    assert len(SnowballStemmer().stem("yes" * 50_000)) > 100_000
