"""Where a text is inside parentheses, so that nothing is split there."""

from bisect import bisect_right

LONGEST = 300
"""A pair further apart than this, in characters, is taken for two strays: a list marker such as `2)` closes nothing."""


class Parentheses:
    """The matched pairs of one text, found in one pass."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        opened: list[int] = []
        pairs: list[tuple[int, int]] = []
        for position, character in enumerate(text):
            if character == "(":
                opened.append(position)
            elif character == ")" and opened:
                start = opened.pop()
                if position - start <= LONGEST:
                    pairs.append((start, position))
        for start, end in sorted(pairs):
            if not self._ends or start > self._ends[-1]:
                self._starts.append(start)
                self._ends.append(end)

    def hold(self, position: int) -> bool:
        """Whether the character at `position` stands between a pair (the pair itself not counted)."""
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and self._starts[index] < position < self._ends[index]
