"""Feedback: the grade in plain sentences, for the one who wrote the answer."""

from collections.abc import Sequence

from markscheme.grading.grade import PointGrade

_MOST_NAMED = 4


def feedback(points: Sequence[PointGrade]) -> str:
    """A few sentences: what is there, what is only touched, what is missing, what is said wrongly."""
    groups = {
        status: [point for point in points if point.status == status]
        for status in ("covered", "partial", "missing", "contradicted")
    }
    sentences = [f"The answer makes {len(groups['covered'])} of {len(points)} points in full."]
    sentences += [
        f"It says the opposite of: {_clean(point.text)}. It reads: “{point.evidence[0].text}”."
        for point in groups["contradicted"][:_MOST_NAMED]
    ]
    if len(groups["contradicted"]) > _MOST_NAMED:
        sentences.append(f"It contradicts {len(groups['contradicted']) - _MOST_NAMED} more.")
    sentences += _named("Touched, but not made in full", groups["partial"])
    vital = [point for point in groups["missing"] if point.importance == "vital"]
    sentences += _named("Missing and vital", vital)
    sentences += _named("Also missing", [point for point in groups["missing"] if point not in vital])
    return " ".join(sentences)


def _named(label: str, points: Sequence[PointGrade]) -> list[str]:
    if not points:
        return []
    named = "; ".join(_clean(point.text) for point in points[:_MOST_NAMED])
    rest = len(points) - _MOST_NAMED
    return [f"{label}: {named}{f'; and {rest} more' if rest > 0 else ''}."]


def _clean(text: str) -> str:
    return text.strip().rstrip(".;:,")
