import numpy as np
import pytest

from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.grading.errors import UnknownQuestionError
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.statements import index_rubric


@pytest.fixture
def inline(rubrics: list[Rubric], embedder: HashingEmbedder) -> InlineRubricIndex:
    return InlineRubricIndex(index_rubric(rubrics[0], embedder), embedder.fingerprint)


def test_it_holds_the_one_rubric(inline: InlineRubricIndex, rubrics: list[Rubric], embedder: HashingEmbedder) -> None:
    assert inline.question_ids() == ["batches/large"]
    assert inline.rubric("batches/large") is rubrics[0]
    assert inline.embedder_fingerprint == embedder.fingerprint
    query = embedder.embed(["less noise"])[0].vector
    cosines = inline.similarities("batches/large", query[np.newaxis])
    assert cosines.shape == (1, 5)
    assert cosines.argmax() == 2
    assert cosines[0, 2] == pytest.approx(1)


def test_it_knows_no_other_question(inline: InlineRubricIndex) -> None:
    nothing = np.zeros((1, 64), np.float32)
    for ask in (inline.rubric, inline.indexed, inline.question_vector, lambda name: inline.similarities(name, nothing)):
        with pytest.raises(UnknownQuestionError, match="'batches/large', not 'batches/small'"):
            ask("batches/small")


def test_it_is_never_matched(inline: InlineRubricIndex) -> None:
    assert inline.match(np.ones(64, np.float32), 3) == []
    assert not inline.question_vector("batches/large").any()
