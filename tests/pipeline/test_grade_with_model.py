import pytest

from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.onnx_models.embedder import OnnxEmbedder
from markscheme.adapters.onnx_models.minilm import minilm_files
from markscheme.adapters.refused_index import RefusedIndex
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.grading.errors import IndexMissingError
from markscheme.grading.rubric import Point
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest


@pytest.fixture(scope="module")
def grader() -> Grader:
    return Grader(
        embedder=OnnxEmbedder(minilm_files(), 1),
        splitter=SentencexSplitter(),
        stemmer=SnowballStemmer(),
        calibration=read_calibration(),
        index=RefusedIndex(IndexMissingError("nothing was built")),
        inline_index=InlineRubricIndex,
    )


def decided(grader: Grader, answer: str, point: Point) -> str:
    return grader.grade(GradeRequest(answer, points=(point,))).points[0].status


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Batch normalisation depends on the batch size", "Batch normalisation does not depend on the batch size"),
        ("Dropout is never used at inference", "Dropout is used at inference"),
        ("Large batches converge to sharp minima", "Large batches converge to flat minima"),
        ("Quantization saves memory bandwidth", "Quantization makes the model larger"),
    ],
)
def test_point_and_misconception_are_told_apart(grader: Grader, right: str, wrong: str) -> None:
    point = Point("p1", right, misconceptions=(wrong,))
    said = {
        right: "covered",
        wrong: "contradicted",
        f"{wrong}. I say it again: {wrong.lower()}": "contradicted",
        f"{wrong}. No, I was mistaken about this. {right}": "covered",
    }
    assert {answer: decided(grader, f"{answer}.", point) for answer in said} == said


def test_an_alternative_near_a_misconception_is_no_misconception(grader: Grader) -> None:
    point = Point(
        "p1",
        "Small batches generalise better",
        alternatives=("Large batches converge to sharp minima",),
        misconceptions=("Large batches converge to flat minima",),
    )
    assert decided(grader, "Large batches converge to sharp minima.", point) == "covered"


def test_an_answer_is_graded_alike_whatever_was_graded_before(grader: Grader) -> None:
    points = (Point("p1", "Warmup keeps the first updates small"), Point("p2", "Momentum carries 90% of the last step"))
    request = GradeRequest(
        "We start with a tiny learning rate.\nMomentum keeps most of the step before.", points=points
    )
    first = grader.grade(request)
    grader.grade(GradeRequest("A museum opens on Sundays. " * 40, points=points))
    assert grader.grade(request) == first
    assert all(one.evidence for one in first.points if one.status != "missing")
