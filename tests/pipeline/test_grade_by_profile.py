"""A request may name the calibration that it is graded by."""

from dataclasses import replace

import pytest

from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.refused_index import RefusedIndex
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.grading.coverage import Calibration
from markscheme.grading.cuts import Cuts
from markscheme.grading.errors import IndexMissingError, UnknownProfileError
from markscheme.grading.rubric import Point
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest

PACKAGED = read_calibration()
LENIENT = replace(PACKAGED, name="lenient", coverage=PACKAGED.coverage.scaled(1.0, 3.0), cuts=Cuts(0.3, 0.1))
POINTS = (Point("p1", "Readers never wait for writers"), Point("p2", "Old versions are removed by a vacuum"))
BY_POINTS = GradeRequest("Writers wait. A version.", points=POINTS)
BY_SAMPLE = GradeRequest("Readers wait.", sample_answers=("Readers never wait for the writers of rows.",))


class Kept:
    """Profiles that count how often they are asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.calibrations = {"lenient": LENIENT}

    def load(self, name: str) -> Calibration:
        self.asked.append(name)
        if name not in self.calibrations:
            raise UnknownProfileError(name, pointer="/profile")
        return self.calibrations[name]


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def grader(kept: Kept) -> Grader:
    return Grader(
        embedder=HashingEmbedder(),
        splitter=SentencexSplitter(),
        stemmer=SnowballStemmer(),
        calibration=PACKAGED,
        index=RefusedIndex(IndexMissingError("nothing was built")),
        inline_index=InlineRubricIndex,
        profiles=kept.load,
    )


@pytest.mark.parametrize("request_", [BY_POINTS, BY_SAMPLE])
def test_the_profile_grades_and_is_named(grader: Grader, request_: GradeRequest) -> None:
    usual, lenient = grader.grade(request_), grader.grade(replace(request_, profile="lenient"))
    assert lenient.score > usual.score
    assert (usual.grader.calibration, lenient.grader.calibration) == (PACKAGED.name, "lenient")
    # As if it were the calibration that is set.
    assert lenient == replace(grader, calibration=LENIENT).grade(request_)
    assert grader.grade(request_) == usual


def test_what_is_measured_is_of_the_profile_too(grader: Grader) -> None:
    one, other = grader.measure(BY_POINTS), grader.measure(replace(BY_POINTS, profile="lenient"))
    assert [[reading and reading.features for reading in several] for several in one] == [
        [reading and reading.features for reading in several] for several in other
    ]
    with pytest.raises(UnknownProfileError):
        grader.measure(replace(BY_POINTS, profile="nobody"))


def test_a_profile_is_read_once_so_that_all_are_graded_alike(grader: Grader, kept: Kept) -> None:
    first = grader.grade(replace(BY_POINTS, profile="lenient"))
    kept.calibrations["lenient"] = replace(PACKAGED, name="lenient")
    assert grader.grade(replace(BY_POINTS, profile="lenient")) == first
    assert kept.asked == ["lenient"]


def test_a_profile_that_comes_later_is_found(grader: Grader, kept: Kept) -> None:
    with pytest.raises(UnknownProfileError):
        grader.grade(replace(BY_POINTS, profile="new"))
    kept.calibrations["new"] = replace(LENIENT, name="new")
    assert grader.grade(replace(BY_POINTS, profile="new")).grader.calibration == "new"


def test_without_profiles_every_name_is_unknown(grader: Grader) -> None:
    alone = Grader(
        embedder=grader.embedder,
        splitter=grader.splitter,
        stemmer=grader.stemmer,
        calibration=PACKAGED,
        index=grader.index,
        inline_index=InlineRubricIndex,
    )
    with pytest.raises(UnknownProfileError, match="'lenient'") as caught:
        alone.grade(replace(BY_POINTS, profile="lenient"))
    assert caught.value.pointer == "/profile"
