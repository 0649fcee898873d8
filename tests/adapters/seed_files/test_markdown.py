from pathlib import Path

import pytest

from markscheme.adapters.seed_files import SeedFiles
from markscheme.grading.errors import ContentError
from markscheme.pipeline.ports import SeedQuestion

SEED = """# Locks and Leases

What the topic is about.

## What ends a lease?

- id: locks/lease
- difficulty: hard

### Sample answer

#### Time

- Clock: it runs out.

```sh
## no question
# no topic
```

## Compare two locks.

A longer question goes on here.

- as a list
- id: of no use

### Sample Answer

Both wait.
"""


def read(tmp_path: Path, text: str, name: str = "locks.md") -> list[SeedQuestion]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return SeedFiles(tmp_path).read(path)


def test_our_own_form(tmp_path: Path) -> None:
    first, second = read(tmp_path, SEED)
    assert first == SeedQuestion(
        "Locks and Leases",
        "What ends a lease?",
        "hard",
        "#### Time\n\n- Clock: it runs out.\n\n```sh\n## no question\n# no topic\n```",
        "locks.md",
        id="locks/lease",
        line=5,
    )
    assert second.question == "Compare two locks.\n\nA longer question goes on here.\n\n- as a list\n- id: of no use"
    assert (second.id, second.difficulty, second.sample_answer) == (None, None, "Both wait.")


def test_a_heading_first_is_markdown_whatever_its_name(tmp_path: Path) -> None:
    assert read(tmp_path, "\n# Locks\n\n## What?\n", "notes.txt")[0].sample_answer is None


def test_every_fault_at_once(tmp_path: Path) -> None:
    text = """## What?
- id: a/b
- id: a/c
- colour: red
- difficulty: brutal
### Remarks
##
## One?
- id: A b
### Sample answer

## Two?
- id: a/b
# T
# T
"""
    with pytest.raises(ContentError) as caught:
        read(tmp_path, text.replace("##\n", "## \n"))
    assert [(fault.line, fault.message.split(":")[0]) for fault in caught.value.faults] == [
        (3, "'id' is given twice"),
        (4, "'colour' is no field of a seed"),
        (5, "'brutal' is no difficulty"),
        (6, "'### Remarks' is no section of a seed"),
        (7, "is a question without text"),
        (8, "is a question whose sample answer is empty"),
        (9, "'A b' is no id"),
        (12, "has the id 'a/b' of the question in line 1"),
        (15, "is a second topic"),
    ]


def test_nothing_in_it(tmp_path: Path) -> None:
    with pytest.raises(ContentError) as caught:
        read(tmp_path, "Only words.\n")
    assert [fault.message.split(":")[0] for fault in caught.value.faults] == ["has no topic", "holds no question"]
