import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import faiss
import numpy as np
import psutil
import pytest

from markscheme.adapters.faiss_index.rows import Rows
from markscheme.grading.embedding import Vectors

DIMENSION = 384


def unit_vectors(number: int, seed: int) -> Vectors:
    vectors = np.random.default_rng(seed).standard_normal((number, DIMENSION)).astype(np.float32)
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


@pytest.fixture(scope="module")
def vectors() -> Vectors:
    return unit_vectors(1000, 0)


@pytest.fixture(scope="module")
def rows(vectors: Vectors) -> Rows:
    return Rows.of(vectors)


@pytest.mark.parametrize(("start", "stop"), [(0, 1), (17, 25), (400, 750), (0, 1000), (999, 1000)])
@pytest.mark.parametrize("queries", [1, 15, 16, 17, 400])
def test_every_cosine_stands_where_it_belongs(
    rows: Rows, vectors: Vectors, start: int, stop: int, queries: int
) -> None:
    asked = unit_vectors(queries, 1)
    found = rows.cosines(start, stop, asked)
    assert found.shape == (queries, stop - start)
    assert np.abs(found - asked @ vectors[start:stop].T).max() < 1e-6


def test_a_cosine_does_not_hang_on_what_else_was_asked_or_where_the_rows_stand(rows: Rows, vectors: Vectors) -> None:
    asked = unit_vectors(700, 2)
    together = rows.cosines(100, 130, asked)
    elsewhere = Rows.of(vectors[100:130]).cosines(0, 30, asked)
    assert together.tobytes() == elsewhere.tobytes()
    for place in range(0, 700, 23):
        assert rows.cosines(100, 130, asked[place : place + 1]).tobytes() == together[place].tobytes()


def test_equal_rows_all_get_their_cosine() -> None:
    same = np.repeat(unit_vectors(1, 3), 150, axis=0)
    assert Rows.of(same).cosines(0, 150, same[:1]) == pytest.approx(np.ones((1, 150)))


def test_no_queries_and_no_rows_give_empty_tables(rows: Rows) -> None:
    assert rows.cosines(3, 9, np.zeros((0, DIMENSION), np.float32)).shape == (0, 6)
    assert Rows.of(np.zeros((0, DIMENSION), np.float32)).nearest(unit_vectors(1, 0)[0], 5) == []


def test_the_nearest_come_first(rows: Rows, vectors: Vectors) -> None:
    query = unit_vectors(1, 4)[0]
    found = rows.nearest(query, 10)
    wanted = np.argsort(-(vectors @ query))[:10]
    assert [row for row, _ in found] == wanted.tolist()
    assert [cosine for _, cosine in found] == pytest.approx((vectors @ query)[wanted], abs=1e-6)
    assert len(rows.nearest(query, 5000)) == 1000
    assert rows.nearest(query, 0) == []


def test_vectors_come_back_as_they_were_and_cannot_be_changed(rows: Rows, vectors: Vectors) -> None:
    back = rows.vectors(10, 14)
    assert back.tobytes() == vectors[10:14].tobytes()
    assert not back.flags.writeable
    assert rows.shape == (1000, DIMENSION)


def test_many_threads_get_what_one_gets_and_start_no_threads_of_their_own(rows: Rows) -> None:
    asked = unit_vectors(64, 5)
    wanted = rows.cosines(0, 500, asked)

    def ask(place: int) -> tuple[bool, int]:
        found = rows.cosines(0, 500, asked[place : place + 9])
        return found.tobytes() == wanted[place : place + 9].tobytes(), faiss.omp_get_max_threads()

    with ThreadPoolExecutor(32) as threads:
        assert set(threads.map(ask, range(55))) == {(True, 1)}


def test_a_fork_is_refused_and_does_not_hang() -> None:
    program = """
import os
import numpy as np
from markscheme.adapters.faiss_index.rows import Rows
from markscheme.grading.errors import UnservableIndexError
rows = Rows.of(np.eye(64, dtype=np.float32))
rows.cosines(0, 64, np.eye(64, dtype=np.float32))
child = os.fork()
if child == 0:
    refused = 0
    for ask in (lambda: rows.cosines(0, 4, np.eye(64, dtype=np.float32)), lambda: rows.nearest(np.ones(64), 3)):
        try:
            ask()
        except UnservableIndexError as error:
            refused += "fork" in str(error)
    os._exit(refused)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "2"


def test_searches_leak_nothing(rows: Rows) -> None:
    asked = unit_vectors(4, 6)
    for _ in range(1000):
        rows.cosines(10, 20, asked)
    before = psutil.Process().memory_info().rss
    for _ in range(30_000):
        rows.cosines(10, 20, asked)
    assert psutil.Process().memory_info().rss - before < 2**20
