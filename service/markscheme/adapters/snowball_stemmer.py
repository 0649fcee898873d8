"""Word stems by the Snowball rules for English."""

from functools import lru_cache
from threading import Lock

import snowballstemmer

from markscheme.pipeline.ports import Stemmer

# A grade meets a few thousand different words; a long run of answers must not keep every misspelling.
_CACHED_WORDS = 20_000


class SnowballStemmer(Stemmer):
    """English stems. Many threads may share one."""

    def __init__(self) -> None:
        rules = snowballstemmer.stemmer("english")
        # The library keeps the word that it works on in the stemmer itself.
        lock = Lock()

        @lru_cache(maxsize=_CACHED_WORDS)
        def stem(word: str) -> str:
            with lock:
                return str(rules.stemWord(word))

        self._stem = stem

    def stem(self, word: str) -> str:
        """The stem of one lower-case word."""
        return self._stem(word)
