"""Cuts a text into the spans that are embedded."""

from markscheme.grading.outline import outline
from markscheme.grading.segments import segments
from markscheme.grading.text import Span
from markscheme.pipeline.ports import Embedder, SentenceSplitter


def segment_spans(text: str, splitter: SentenceSplitter, embedder: Embedder) -> list[Span]:
    """The segments of a normalised text, each as long as the model takes, in order."""
    passages = [(item.start, item.end) for item in outline(text)]
    return fitting_spans(text, segments(text, passages, splitter.sentences), embedder)


def fitting_spans(text: str, spans: list[Span], embedder: Embedder) -> list[Span]:
    """Spans that the model takes whole; one that is too long for it is halved until it is not."""
    fitting: list[Span] = []
    while spans:
        counts = embedder.count_tokens([text[start:end] for start, end in spans])
        cut: list[Span] = []
        for (start, end), count in zip(spans, counts, strict=True):
            if count <= embedder.max_tokens:
                fitting.append((start, end))
            else:
                middle = (start + end) // 2
                cut += [(start, middle), (middle, end)]
        spans = cut
    return sorted(fitting)
