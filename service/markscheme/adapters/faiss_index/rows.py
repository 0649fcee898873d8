"""Unit vectors in FAISS, a question's rows contiguous."""

import os

import faiss
import numpy as np

from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import UnservableIndexError

# FAISS multiplies large batches of queries in another order, which changes bits. Below this it never does, so a
# segment's cosine does not hang on how many segments came with it.
_QUERIES_PER_SEARCH = 16


class Rows:
    """Exact inner products over a flat index. Read only, and safe for many threads."""

    def __init__(self, index: faiss.Index) -> None:
        """Take over an index that holds (n, d) unit vectors."""
        self._index = index
        self._process = os.getpid()

    @classmethod
    def of(cls, vectors: Vectors) -> "Rows":
        """Rows from (n, d) unit vectors."""
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(np.ascontiguousarray(vectors, np.float32))
        return cls(index)

    @property
    def shape(self) -> tuple[int, int]:
        """How many vectors, and their length."""
        return self._index.ntotal, self._index.d

    def vectors(self, start: int, stop: int) -> Vectors:
        """The vectors of some rows, (stop - start, d), read only."""
        vectors: Vectors = self._index.reconstruct_n(start, stop - start)
        vectors.flags.writeable = False
        return vectors

    def cosines(self, start: int, stop: int, queries: Vectors) -> Vectors:
        """Cosine of each query (n, d) with each row from `start` to `stop`: (n, stop - start).

        FAISS narrows a range of ids to its rows before it computes, so the cost is that of these rows alone.

        Raises:
            UnservableIndexError: this process is a fork of the one that loaded the index.
        """
        self._require_own_process()
        found = np.empty((len(queries), stop - start), np.float32)
        own_rows = faiss.IDSelectorRange(start, stop)
        wanted = faiss.SearchParameters()
        wanted.sel = own_rows
        for first in range(0, len(queries), _QUERIES_PER_SEARCH):
            batch = np.ascontiguousarray(queries[first : first + _QUERIES_PER_SEARCH], np.float32)
            similarities, rows = self._index.search(batch, stop - start, params=wanted)
            np.put_along_axis(found[first : first + len(batch)], rows - start, similarities, axis=1)
        return found

    def nearest(self, query: Vectors, limit: int) -> list[tuple[int, float]]:
        """The rows nearest to one vector (d,), as (row, cosine), best first.

        Raises:
            UnservableIndexError: this process is a fork of the one that loaded the index.
        """
        self._require_own_process()
        limit = min(limit, self._index.ntotal)
        if limit < 1:
            return []
        similarities, rows = self._index.search(np.ascontiguousarray(query[np.newaxis], np.float32), limit)
        return [(int(row), float(similarity)) for row, similarity in zip(rows[0], similarities[0], strict=True)]

    def _require_own_process(self) -> None:
        if os.getpid() != self._process:
            message = (
                f"The index was loaded by process {self._process} and is used by its fork {os.getpid()}, where FAISS "
                "can hang. Load the index after the worker has started, and start workers by spawning."
            )
            raise UnservableIndexError(message)
        # OpenMP keeps this number for each thread apart, and callers bring threads of their own.
        faiss.omp_set_num_threads(1)
