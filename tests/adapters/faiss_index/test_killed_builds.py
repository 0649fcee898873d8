import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from markscheme.adapters.faiss_index.reading import open_index
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.grading.rubric import Point, Rubric
from markscheme.pipeline.statements import index_rubric

# Two banks that take turns; each has another number of questions and other words.
PROGRAM = """
import sys, time
from pathlib import Path
from markscheme.adapters.faiss_index.writer import FaissIndexWriter
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.grading.rubric import Point, Rubric
from markscheme.pipeline.build import build

class Bank:
    def __init__(self, word, size):
        self.rubrics = [
            Rubric(f"bank/{n:02}", f"{word} {n}?", tuple(Point(f"p{i}", f"{word} {n} {i}") for i in range(4)))
            for n in range(size)
        ]
    def load(self):
        return self.rubrics

writer = FaissIndexWriter(Path(sys.argv[1]))
banks = Bank("heavy", 20), Bank("light", 30)
for turn in range(10**6):
    start = time.perf_counter()
    build(banks[turn % 2], writer, HashingEmbedder(), "splitter@1")
    print(time.perf_counter() - start, flush=True)
"""


@pytest.mark.slow
def test_a_build_killed_at_any_moment_leaves_the_old_index_or_the_new(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    (query,) = embedder.embed(["heavy 7 2"])
    moments = np.random.default_rng(7)
    # A process that is killed while it writes its coverage leaves a file that cannot be read.
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    for _ in range(10):
        builder = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, tmp_path], stdout=subprocess.PIPE, text=True, env=unmeasured
        )
        assert builder.stdout
        # The first line of a later builder also shows that the lock went with the one that was killed.
        duration = max(float(builder.stdout.readline()) for _ in range(3))
        time.sleep(moments.uniform(0, 2 * duration))
        builder.kill()
        builder.wait()
        builder.stdout.close()
        index = open_index(tmp_path, embedder, "splitter@1")
        word, size = ("heavy", 20) if len(index.question_ids()) == 20 else ("light", 30)
        assert index.question_ids() == [f"bank/{n:02}" for n in range(size)]
        for n in range(size):
            points = tuple(Point(f"p{i}", f"{word} {n} {i}") for i in range(4))
            wanted = index_rubric(Rubric(f"bank/{n:02}", f"{word} {n}?", points), embedder)
            found = index.indexed(f"bank/{n:02}")
            assert found.rubric == wanted.rubric
            for one, other in zip(found.embeddings, wanted.embeddings, strict=True):
                assert one.tokens.tobytes() == other.tokens.tobytes()
                assert one.vector.tobytes() == other.vector.tobytes()
        cosines = index.similarities("bank/07", query.vector[np.newaxis])[0]
        assert cosines[2] == pytest.approx(1) if word == "heavy" else cosines.max() < 1
    assert len(list((tmp_path / "builds").glob("0*"))) <= 3
