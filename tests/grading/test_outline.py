import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.grading.chunking import draft_points
from markscheme.grading.outline import OutlineItem, outline
from markscheme.grading.prompt_points import prompt_points


def bodies(text: str) -> list[tuple[str, str]]:
    """(headings, body) of every text item, to read at a glance."""
    return [(" > ".join(one.headings), text[one.start : one.end]) for one in outline(text) if one.kind == "text"]


def headings(text: str) -> list[str]:
    return [text[one.start : one.end] for one in outline(text) if one.kind == "heading"]


@pytest.mark.parametrize(
    "text",
    [
        "Two caches - one near, one far - hold the same keys.",
        "The large-B regime and per-channel scales show trade-offs in pre- and post-training.",
        "Use 32–256 rows, a step of -0.5, and a margin of ±1% (see 1. and 2. there).",  # noqa: RUF001
        "The loss is a * x - b, or p_i ∝ exp(z_i / T) where T - 1 > 0.",
        "It grew from version 1.2 to 1.3, e.g. in 2024. The rest stayed.",
        "prepare -> tune -> convert, and fold → fuse.",
        "lr' = lr * (B'/B) — works when nothing else moves",
        "She wrote “run - stop” twice at 10:30 on http://example.org/a:b.",
        "Memory - 5 GB - is enough, and f(x)- g(y) is small.",
        "a::b is a path, 3:1 a ratio, (1,2,4,8) a list",
    ],
)
def test_running_text_stays_whole(text: str) -> None:
    assert bodies(text) == [("", text)]


def test_lines_bullets_and_numbers() -> None:
    text = "- One.\n* Two.\n• Three.\n1. Four.\n2) Five.\n-Six here.\ni) Seven.\n(3) Eight.\n4.Nine.\nb) Ten."
    numbers = ["One.", "Two.", "Three.", "Four.", "Five.", "Six here.", "Seven.", "Eight.", "Nine.", "Ten."]
    assert [body for _, body in bodies(text)] == numbers


@pytest.mark.parametrize(
    "line", ["-5 degrees below zero", "*stressed* words", "3.5 litres", "1.2.3 is a version", "-x"]
)
def test_what_only_looks_like_a_marker(line: str) -> None:
    assert bodies(line) == [("", line)]


def test_parentheses_too_far_apart_hold_nothing() -> None:
    text = f"Limits:- Load ( {'word ' * 70}goes up.- Cost ) goes down."
    assert [body[:4] for _, body in bodies(text)] == ["Load", "Cost"]


def test_two_markers_at_once() -> None:
    assert [body for _, body in bodies("4.i)fewer copies\nii)less load")] == ["fewer copies", "less load"]


def test_markdown_headings_nest() -> None:
    text = "# Cache\n\n## Eviction\n\nLeast recent goes first.\n\n# Queue\n\nFirst in, first out."
    assert bodies(text) == [("Cache > Eviction", "Least recent goes first."), ("Queue", "First in, first out.")]
    assert headings(text) == ["Cache", "Eviction", "Queue"]


def test_bold_headings_and_labels() -> None:
    text = "**Reads**\n\nGo to a replica.\n\n**Writes:** go to the leader."
    assert bodies(text) == [("Reads", "Go to a replica."), ("Writes", "go to the leader.")]


def test_lost_line_breaks_behind_a_title() -> None:
    text = "Cache policies- LRU: drops the oldest.- LFU: drops the rarest."
    assert bodies(text) == [
        ("Cache policies > LRU", "drops the oldest."),
        ("Cache policies > LFU", "drops the rarest."),
    ]


def test_lost_line_breaks_two_levels_deep() -> None:
    text = "Layers- Storage: Two engines: - B-tree: reads fast. - LSM tree: writes fast.- Network: stays idle."
    assert bodies(text) == [
        ("Layers > Storage > Two engines > B-tree", "reads fast."),
        ("Layers > Storage > Two engines > LSM tree", "writes fast."),
        ("Layers > Network", "stays idle."),
    ]


def test_the_outer_list_may_begin_behind_the_inner_one() -> None:
    text = "Two engines: - A tree reads fast. - A log writes fast.- The network stays idle."
    assert [one.level for one in outline(text) if one.kind == "text"] == [1, 1, 1]


def test_lost_line_breaks_between_numbers() -> None:
    text = "Fixes:1. Restart it: kill the job.2. Grow it: add a node.3. Wait."
    assert bodies(text) == [
        ("Fixes > Restart it", "kill the job."),
        ("Fixes > Grow it", "add a node."),
        ("Fixes", "Wait."),
    ]


def test_numbered_title_over_glued_bullets() -> None:
    text = "1) Sharding (by key)- What: split the rows.- Cost: joins get slow.\n\n2) Copies- What: keep two."
    assert bodies(text) == [
        ("Sharding (by key) > What", "split the rows."),
        ("Sharding (by key) > Cost", "joins get slow."),
        ("Copies > What", "keep two."),
    ]


def test_label_glued_to_a_sentence() -> None:
    text = "Limits:- The disk fills up and writes begin to fail.Practical: watch the free space (df -h)."
    assert bodies(text) == [
        ("Limits", "The disk fills up and writes begin to fail."),
        ("Limits > Practical", "watch the free space (df -h)."),
    ]


def test_label_glued_to_its_text() -> None:
    assert bodies("Total cost of one run:Cost = hours * price") == [("Total cost of one run", "Cost = hours * price")]


def test_numbers_inside_a_prompt() -> None:
    text = "Choose a store for two jobs: 1) a shopping cart that never sleeps, and 2) a nightly report."
    lead = "Choose a store for two jobs"
    assert bodies(text) == [(lead, "a shopping cart that never sleeps, and"), (lead, "a nightly report.")]


@pytest.mark.parametrize("label", ["If the lock is lost", "Not all stores are safe", "A lock uses a lease"])
def test_a_claim_is_no_label(label: str) -> None:
    text = f"{label}: stop at once."
    assert bodies(text) == [("", text)]


def test_a_label_holds_its_own_line_only() -> None:
    text = "Gain :it is quick\nLoss :it is dear\n\n- apart from both"
    assert bodies(text) == [("Gain", "it is quick"), ("Loss", "it is dear"), ("", "apart from both")]


def test_a_lead_in_holds_until_its_list_ends() -> None:
    text = "Fields that only one of them has :\n-Sequence number\n-Window size\nBoth have a checksum field."
    assert bodies(text) == [
        ("Fields that only one of them has", "Sequence number"),
        ("Fields that only one of them has", "Window size"),
        ("", "Both have a checksum field."),
    ]


def test_a_lead_in_holds_its_paragraph() -> None:
    text = "Slow start:\n\nThe window doubles.\nIt ends at a loss.\n\nAnother matter."
    assert bodies(text) == [
        ("Slow start", "The window doubles."),
        ("Slow start", "It ends at a loss."),
        ("", "Another matter."),
    ]


def test_the_last_sentence_alone_leads_in() -> None:
    text = "The queue overflows. Two remedies help:\n- drop the oldest\n- slow the sender"
    assert bodies(text)[0] == ("", "The queue overflows.")
    assert bodies(text)[1:] == [
        ("Two remedies help", "drop the oldest"),
        ("Two remedies help", "slow the sender"),
    ]


def test_indented_items_nest_and_come_back() -> None:
    text = "- Reads\n  - go to a replica\n  - may be stale\n- Writes go to the leader"
    items = [one for one in outline(text) if one.kind == "text"]
    assert [(one.level, text[one.start : one.end]) for one in items] == [
        (1, "go to a replica"),
        (1, "may be stale"),
        (0, "Writes go to the leader"),
    ]
    assert items[0].headings == ("Reads",)
    assert items[2].headings == ()


def test_wrapped_lines_are_one_passage() -> None:
    text = (
        "A log that is written ahead of the data lets a store\n"
        "that crashed come back to the last whole transaction,\n"
        "since every change stands in it before it is applied.\n\n"
        "- an item whose text does not fit goes on\n  in the next line\n"
        "- another item that is long enough to be wrapped at a margin\nand that goes on without one"
    )
    assert [body.count("\n") for _, body in bodies(text)] == [2, 1, 1]


def test_lines_that_were_meant_stay_apart() -> None:
    text = "The first header takes only eight bytes and has a fixed length\nThe second one varies\nBoth have ports"
    assert len(bodies(text)) == 3


def test_markers_without_text_are_kept_with_their_neighbours() -> None:
    text = "Fixes:1. 2. Grow it.- "
    [item] = [one for one in outline(text) if one.kind == "text"]
    assert (text[slice(*item.marker)], text[item.start : item.end]) == ("1. 2.", "Grow it.-")


def test_code_stays_as_it_is() -> None:
    text = "Before.\n\n```python\n# no heading\n\n- no item\n```\n\nAfter.\n~~~\n~~~"
    code = [one for one in outline(text) if one.kind == "code"]
    assert [text[one.start : one.end] for one in code] == ["# no heading\n\n- no item"]
    assert [body for _, body in bodies(text)] == ["Before.", "After."]


def test_rules_and_bare_markers_are_nothing() -> None:
    assert outline("---\n***\n- - -\n\n•\n   \n====") == []


def test_a_colon_at_the_very_end_is_text() -> None:
    assert bodies("One thing is missing:") == [("", "One thing is missing:")]


def uncovered(text: str, items: list[OutlineItem]) -> str:
    """Everything that is in no item and no marker."""
    kept = bytearray(len(text))
    for one in items:
        for start, end in (one.marker, (one.start, one.end)):
            for place in range(start, end):
                kept[place] = 1
    return "".join(character for place, character in enumerate(text) if not kept[place])


PIECES = (
    r"- |-|1. |2. |2) |1)|:|: |. |.| |  |# |**|• |* |(|)|Word|word|A|e.g.|large-B|Practical: |Cost|→|é|😀|3.5|ii) |; "
)
LIKE_LISTS = st.lists(st.sampled_from([*PIECES.split("|"), "\n", "\n\n", "```\n"]), max_size=60).map("".join)


@given(LIKE_LISTS | st.text(max_size=200))
def test_no_letter_is_lost_and_none_is_twice(text: str) -> None:
    items = outline(text)
    place = 0
    for one in items:
        assert place <= one.start < one.end <= len(text)
        assert one.marker == (0, 0) or place <= one.marker[0] <= one.marker[1] <= one.start
        assert text[one.start : one.end] == text[one.start : one.end].strip()
        place = one.end
    if "```" not in text and "~~~" not in text:
        assert not any(one.isalnum() for one in uncovered(text, items))


HOSTILE = [
    "- ",
    "1. ",
    "a: ",
    "-",
    ": ",
    "• ",
    "(",
    "x.- ",
    "A: - b. ",
    " \n",
    "1) 2) ",
    "a; ",
    "Ab.Cd: ",
    "“a” ",
    ", b",
    "# a\n",
]


def quickest(run: Callable[[str], object], text: str) -> float:
    times = []
    for _ in range(3):
        begin = time.process_time()
        run(text)
        times.append(time.process_time() - begin)
    return min(times)


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("run", [outline, prompt_points], ids=["outline", "prompt"])
def test_time_grows_with_length_and_no_faster(run: Callable[[str], object], piece: str) -> None:
    short, long = piece * (5_000 // len(piece)), piece * (20_000 // len(piece))
    assert quickest(run, long) < 12 * quickest(run, short) + 0.05


@pytest.mark.parametrize("piece", [*HOSTILE, "a b c d e; ", "Ab cd ef gh. ", "a b c d, "])
def test_drafting_time_grows_with_length_and_no_faster(piece: str) -> None:
    splitter = SentencexSplitter()

    def run(text: str) -> object:
        return draft_points(text, splitter.sentences, "Which?")

    short, long = piece * (4_000 // len(piece)), piece * (16_000 // len(piece))
    assert quickest(run, long) < 12 * quickest(run, short) + 0.05
