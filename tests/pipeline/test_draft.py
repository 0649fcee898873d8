from dataclasses import replace
from pathlib import Path

import pytest

from markscheme.adapters.rubric_files import RubricFiles
from markscheme.adapters.seed_files import SeedFiles
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.grading.errors import ContentError
from markscheme.pipeline.draft import DraftReport, checksum, draft

ANSWER = "Time ends a lease at the latest.\n\n- The owner may give it back early.\n- A new epoch ends all old leases.\n"
SEED = f"# Locks\n\n## What ends a lease?\n\n- difficulty: easy\n\n### Sample answer\n\n{ANSWER}"
LEASE = "locks/what-ends-a-lease"


class Home:
    """A folder with seeds and rubrics, as a user has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = RubricFiles(folder / "rubrics")
        (folder / "seeds").mkdir()

    def write(self, text: str, name: str = "locks.md") -> Path:
        path = self.folder / "seeds" / name
        path.write_text(text, encoding="utf-8")
        return path

    def draft(self) -> DraftReport:
        paths = sorted((self.folder / "seeds").iterdir())
        return draft(paths, SeedFiles(self.folder), self.store, SentencexSplitter())

    def files(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in (self.folder / "rubrics").rglob("*") if path.is_file()}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.write(SEED)
    return made


def only(report: DraftReport) -> str:
    [outcome] = report.outcomes
    return outcome.action


def test_a_new_question_is_drafted(home: Home) -> None:
    [outcome] = home.draft().outcomes
    assert (outcome.id, outcome.action, outcome.points, outcome.document) == (LEASE, "drafted", 3, "seeds/locks.md")
    rubric = home.store.find(LEASE)
    assert rubric is not None
    assert (rubric.topic, rubric.difficulty, rubric.status) == ("Locks", "easy", "draft")
    assert rubric.source.derived_from == "sample_answer"
    assert rubric.source.checksum == checksum(ANSWER.strip())
    assert rubric.points[0].text == "Time ends a lease at the latest."
    for point in rubric.points:
        assert point.span is not None
        assert ANSWER[slice(*point.span)] == point.text


def test_drafting_again_changes_no_byte(home: Home) -> None:
    home.draft()
    before = home.files()
    report = home.draft()
    assert (only(report), report.count("unchanged"), report.count("drafted")) == ("unchanged", 1, 0)
    assert home.files() == before


def test_an_untouched_draft_follows_its_source(home: Home) -> None:
    home.draft()
    home.write(SEED.replace("The owner may give it back early.", "A crash ends nothing by itself."))
    [outcome] = home.draft().outcomes
    assert outcome.action == "redrafted"
    assert outcome.source_changed is not None
    assert outcome.source_changed.added == ("A crash ends nothing by itself.",)
    assert outcome.source_changed.removed == ("The owner may give it back early.",)
    rubric = home.store.find(LEASE)
    assert rubric is not None
    assert "A crash ends nothing by itself." in [point.text for point in rubric.points]
    assert only(home.draft()) == "unchanged"


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("Time ends a lease", "A clock ends a lease"),
        lambda text: text.replace("weight: 1", "weight: 2", 1),
        lambda text: text.replace("What ends a lease?", "What ends the lease?"),
        lambda text: text.replace("difficulty: easy\n", ""),
        lambda text: "\n".join(line for line in text.splitlines() if "drafted:" not in line) + "\n",
    ],
    ids=["wording", "weight", "question", "difficulty", "mark"],
)
def test_what_a_person_edited_is_kept_byte_for_byte(home: Home, edit: object) -> None:
    home.draft()
    path = home.folder / "rubrics" / f"{LEASE}.yaml"
    assert callable(edit)
    text = edit(path.read_text(encoding="utf-8"))
    assert text != path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    before = home.files()
    home.write(SEED + "\nSo much for leases, which are locks with an end.\n")
    [outcome] = home.draft().outcomes
    assert outcome.action == "kept_edited"
    assert home.files() == before
    assert outcome.source_changed is not None
    assert "So much for leases, which are locks with an end." in outcome.source_changed.added


def test_a_reviewed_rubric_is_kept_even_as_drafted(home: Home) -> None:
    home.draft()
    rubric = home.store.find(LEASE)
    assert rubric is not None
    home.store.save(replace(rubric, status="reviewed"))
    before = home.files()
    [outcome] = home.draft().outcomes
    assert (outcome.action, outcome.source_changed) == ("kept_reviewed", None)
    home.write(SEED.replace("- A new epoch ends all old leases.\n", ""))
    [outcome] = home.draft().outcomes
    assert outcome.source_changed is not None
    assert outcome.source_changed.removed == ("A new epoch ends all old leases.",)
    assert home.files() == before


def test_a_rubric_without_a_source_says_nothing_of_changes(home: Home) -> None:
    home.draft()
    rubric = home.store.find(LEASE)
    assert rubric is not None
    home.store.save(replace(rubric, status="reviewed", source=replace(rubric.source, checksum=None)))
    home.write(SEED + "\nMore.\n")
    assert home.draft().outcomes[0].source_changed is None


def test_a_question_without_a_sample_answer_is_drafted_from_its_prompt(home: Home) -> None:
    home.write("# Locks\n\n## Choose a lock and list the factors (cost, speed, fairness).\n")
    home.draft()
    [rubric] = home.store.load()
    assert rubric.source.derived_from == "prompt"
    assert rubric.source.checksum is None
    assert [point.text for point in rubric.points][:2] == [
        "Considers cost as a factor in the choice",
        "Considers speed as a factor in the choice",
    ]


def test_a_sample_answer_of_mere_signs_is_no_answer(home: Home) -> None:
    home.write(SEED.replace(ANSWER, "---\n"))
    home.draft()
    assert home.store.load()[0].source.derived_from == "prompt"


def test_every_fault_of_seeds_and_rubrics_and_nothing_written(home: Home) -> None:
    home.write("# Empty\n", "a.md")
    home.write("", "b.md")
    broken = home.folder / "rubrics" / "locks" / "half.yaml"
    broken.parent.mkdir(parents=True)
    broken.write_text("id: [\n", encoding="utf-8")
    before = home.files()
    with pytest.raises(ContentError) as caught:
        home.draft()
    assert [Path(fault.file).name for fault in caught.value.faults] == ["a.md", "b.md", "half.yaml"]
    assert home.files() == before


def test_a_question_that_asks_nothing_is_a_fault(home: Home) -> None:
    home.write("# Locks\n\n## ???\n")
    with pytest.raises(ContentError, match=r"locks\.md:3: .*no letter"):
        home.draft()
    assert home.files() == {}


def test_two_questions_of_one_wording_keep_their_rubrics(home: Home) -> None:
    home.write(SEED + "\n## What ends a lease?\n\n### Sample answer\n\nNothing but time does.\n")
    assert [(one.id, one.action) for one in home.draft().outcomes] == [(LEASE, "drafted"), (f"{LEASE}-2", "drafted")]
    before = home.files()
    assert [one.action for one in home.draft().outcomes] == ["unchanged", "unchanged"]
    assert home.files() == before


def test_a_proposal_that_would_not_load_is_a_fault_of_its_seed_and_nothing_is_written(home: Home) -> None:
    home.draft()
    before = home.files()
    text = SEED.replace("early", "soon") + "\n## What is new?\n\n## Why " + "so " * 2000 + "long?\n"
    path = home.write(text)
    with pytest.raises(ContentError) as caught:
        home.draft()
    line = path.read_text(encoding="utf-8").splitlines().index("## Why " + "so " * 2000 + "long?") + 1
    assert {(fault.file, fault.line) for fault in caught.value.faults} == {("seeds/locks.md", line)}
    assert "question: " in str(caught.value)
    assert home.files() == before


def test_what_is_kept_is_not_checked(home: Home) -> None:
    home.draft()
    rubric = home.store.find(LEASE)
    assert rubric is not None
    home.store.save(replace(rubric, status="reviewed"))
    home.write(SEED.replace("# Locks", "# " + "Locks " * 60, 1))
    assert only(home.draft()) == "kept_reviewed"
