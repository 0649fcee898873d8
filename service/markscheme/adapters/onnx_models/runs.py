"""What goes through a model together."""

from collections.abc import Iterator, Sequence

# The weights stream through the cache once a run: a few hundred tokens pay for that, more only push each other out.
TOKENS_PER_RUN = 512


def runs_of_equal_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts of one length, in tokens, as many as make a run; every place once.

    So there is no padding, and nothing that one text in a run could do to another.
    """
    by_length: dict[int, list[int]] = {}
    for at, length in enumerate(lengths):
        by_length.setdefault(length, []).append(at)
    for length, places in by_length.items():
        rows = max(1, TOKENS_PER_RUN // length)
        for start in range(0, len(places), rows):
            yield places[start : start + rows]
