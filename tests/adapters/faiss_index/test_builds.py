import subprocess
import sys
from pathlib import Path

import pytest

from markscheme.adapters.faiss_index.builds import Builds
from markscheme.grading.errors import IndexBusyError, IndexDamagedError, IndexMissingError, UnservableIndexError

DIGEST = "0123456789abcdef" * 4


def add_build(builds: Builds, text: str, digest: str = DIGEST) -> Path:
    folder = builds.start()
    (folder / "file").write_text(text)
    return builds.switch(folder, digest)


@pytest.fixture
def builds(tmp_path: Path) -> Builds:
    return Builds(tmp_path / "index")


def test_before_the_first_build_there_is_none(builds: Builds) -> None:
    with pytest.raises(IndexMissingError, match="markscheme build"):
        builds.current()
    assert not builds.serves(DIGEST)


def test_the_last_build_is_served_and_the_one_before_stays(builds: Builds) -> None:
    folders = [add_build(builds, text) for text in ("a", "b", "c", "d")]
    assert builds.current() == folders[-1]
    assert (builds.current() / "file").read_text() == "d"
    assert sorted(path.name for path in folders[0].parent.iterdir()) == [path.name for path in folders[2:]]
    assert folders[-1].name == "000004-0123456789abcdef"
    assert builds.serves(DIGEST)
    assert not builds.serves("f" * 64)


def test_what_a_killed_build_left_is_removed(builds: Builds) -> None:
    add_build(builds, "a")
    (builds.start() / "half").write_text("x")
    folder = builds.start()
    assert list(folder.iterdir()) == []
    assert len(list(folder.parent.iterdir())) == 2
    builds.discard(folder)
    assert len(list(folder.parent.iterdir())) == 1


def test_a_build_killed_before_the_switch_is_never_served_and_never_stands_in_the_way(builds: Builds) -> None:
    served = add_build(builds, "a")
    orphan = served.with_name("000002-aaaaaaaaaaaaaaaa")
    orphan.mkdir()
    assert builds.current() == served
    assert add_build(builds, "c").name.startswith("000003-")


@pytest.mark.parametrize(
    "name",
    [
        b"",
        b"\n",
        b"000001-0123456789abcdef",
        b"000001-0123456789abcdef\n\n",
        b"000001-0123456789ABCDEF\n",
        b"000002-0123456789abcdef\n",
        b"../builds/000001-0123456789abcdef\n",
        b"\xff00001-0123456789abcdef\n",
        b"0" * 1000,
    ],
)
def test_a_damaged_name_is_refused(builds: Builds, name: bytes) -> None:
    add_build(builds, "a")
    (builds.root / "CURRENT").write_bytes(name)
    with pytest.raises(IndexDamagedError, match="CURRENT names no build"):
        builds.current()


def test_a_name_that_cannot_be_read_is_refused(builds: Builds) -> None:
    (builds.root / "CURRENT").mkdir(parents=True)
    with pytest.raises(IndexDamagedError, match="cannot be read"):
        builds.current()


def test_two_builds_at_once_are_one_too_many(builds: Builds) -> None:
    with builds.exclusive(), builds.exclusive():
        program = """
import sys
from pathlib import Path
from markscheme.adapters.faiss_index.builds import Builds
from markscheme.grading.errors import IndexBusyError
try:
    with Builds(Path(sys.argv[1])).exclusive():
        print("entered")
except IndexBusyError as error:
    print(error)
"""
        command = [sys.executable, "-c", program, str(builds.root)]
        other = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "Another build is writing the index" in other.stdout
        with pytest.raises(IndexBusyError), Builds(builds.root).exclusive():
            pass
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "entered\n"


def test_a_failed_build_gives_the_lock_back(builds: Builds) -> None:
    with pytest.raises(KeyError), builds.exclusive():
        raise KeyError
    with Builds(builds.root).exclusive():
        assert (builds.root / ".lock").is_file()


def test_a_place_where_no_folder_can_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(UnservableIndexError, match=r"cannot be written to .*file/index"),
        Builds(tmp_path / "file" / "index").exclusive(),
    ):
        pass
