"""Turns a true statement into one that contradicts it: the near misses that word counting cannot see.

Every trick is plain text work in linear time. None is right for every sentence, so that each gives nothing where its
pattern is absent, and a caller takes what it gets.
"""

import re
from collections.abc import Callable, Iterator

import numpy as np

AUXILIARIES = frozenset(
    ["is", "are", "was", "were", "can", "could", "will", "would", "should", "must", "may", "might", "does", "do", "did"]
)
NEGATIONS = frozenset(["not", "never", "no", "cannot", "without", "n't"])
OPPOSITES = tuple(
    pair.split("/")
    for pair in (  # noqa: SIM905 - one list, read as prose
        "more/less higher/lower increases/decreases increase/decrease increasing/decreasing larger/smaller large/small "
        "faster/slower fast/slow better/worse before/after first/last above/below open/closed positive/negative "
        "always/never all/none every/no with/without same/different connected/disconnected hot/cold warm/cool "
        "strong/weak stronger/weaker heavy/light heavier/lighter long/short longer/shorter high/low many/few "
        "inside/outside up/down rises/falls rise/fall gains/loses gain/lose wins/loses won/lost parallel/series "
        "cheap/expensive cheaper/costlier sparse/dense shallow/deep static/dynamic local/global lossy/lossless "
        "supervised/unsupervised linear/nonlinear convex/concave stateless/stateful synchronous/asynchronous "
        "reliable/unreliable secure/insecure mutable/immutable public/private upper/lower maximum/minimum "
        "maximises/minimises maximizes/minimizes precision/recall bias/variance overfit/underfit "
        "overfitting/underfitting training/test numerator/denominator sender/receiver client/server "
        "encoder/decoder input/output row/column horizontal/vertical early/late earlier/later old/new male/female "
        "north/south east/west left/right good/bad safe/dangerous legal/illegal allows/prevents allow/prevent "
        "helps/harms improves/worsens reduces/raises reduce/raise accepts/rejects supports/opposes easy/hard "
        "easier/harder simple/complex possible/impossible necessary/unnecessary true/false"
    ).split()
)
_SWAPS = {word: other for pair in OPPOSITES for word, other in (pair, pair[::-1])}
CAUSES = (" because ", " leads to ", " causes ", " results in ", " due to ", " depends on ", " before ", " instead of ")
_COMPARISON = re.compile(
    r"^(?P<left>[^,.;]{2,80}?) (?P<verb>is|are|has|have|gives|give|needs|need|uses|use) "
    r"(?P<how>[^,.;]{0,40}\b(?:more|less|fewer|\w{2,12}er)\b[^,.;]{0,30}) than (?P<right>[^,.;]{2,60})"
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")


def denied(text: str) -> str | None:
    """A negation put in, or taken out, at the first auxiliary verb."""
    words = text.split(" ")
    for at, word in enumerate(words[:-1]):
        lower = word.lower()
        follows = words[at + 1].lower()
        if lower in AUXILIARIES and follows in {"not", "never"}:
            return " ".join(words[: at + 1] + words[at + 2 :])
        if lower in AUXILIARIES and at > 0:
            return " ".join([*words[: at + 1], "not", *words[at + 1 :]])
        if lower in {"has", "have"} and at > 0 and not follows.endswith(("ed", "en", "been")):
            return " ".join([*words[:at], "does" if lower == "has" else "do", "not have", *words[at + 1 :]])
    return None


def opposed(text: str, rng: np.random.Generator) -> str | None:
    """One word replaced by its opposite."""
    words = text.split(" ")
    places = [at for at, word in enumerate(words) if word.strip(",.;").lower() in _SWAPS]
    if not places:
        return None
    at = int(rng.choice(places))
    bare = words[at].strip(",.;")
    words[at] = words[at].replace(bare, _SWAPS[bare.lower()])
    return " ".join(words)


def swapped(text: str) -> str | None:
    """The two sides of a comparison exchanged, or cause and effect."""
    found = _COMPARISON.match(text)
    if found:
        left, right = found["left"], found["right"]
        return f"{right} {found['verb']} {found['how']} than {left}{text[found.end() :]}"
    for link in CAUSES:
        before, middle, after = text.partition(link)
        if middle and len(before.split()) > 1 and len(after.split()) > 1:
            return f"{after.rstrip('.')}{middle}{before}"
    return None


def recounted(text: str, rng: np.random.Generator) -> str | None:
    """One number replaced by another."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return None
    found = numbers[int(rng.integers(len(numbers)))]
    value = float(found.group())
    changed = value * float(rng.choice([0.1, 0.5, 2.0, 3.0, 10.0])) + float(rng.integers(0, 3))
    if changed == value:
        changed += 1
    return f"{text[: found.start()]}{changed:g}{text[found.end() :]}"


def contradictions(text: str, rng: np.random.Generator) -> Iterator[str]:
    """Every trick that applies, in an order of chance."""
    tricks: list[Callable[[], str | None]] = [
        lambda: denied(text),
        lambda: opposed(text, rng),
        lambda: swapped(text),
        lambda: recounted(text, rng),
    ]
    for at in rng.permutation(len(tricks)):
        changed = tricks[int(at)]()
        if changed is not None and changed != text:
            yield changed


def bag(text: str, rng: np.random.Generator) -> str:
    """The words of a statement without their order: nothing is said any more."""
    words = [word.strip(",.;:()") for word in text.split() if len(word) > 3] or text.split()  # noqa: PLR2004 - drops "the", "is", "of"
    chosen = [words[int(at)] for at in rng.permutation(len(words))]
    return (", " if rng.random() < 0.5 else " ").join(chosen)  # noqa: PLR2004 - as a list, or run together
