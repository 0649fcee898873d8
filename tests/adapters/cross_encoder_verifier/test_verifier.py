import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder

from markscheme.adapters.cross_encoder_verifier.verifier import CrossEncoderVerifier
from markscheme.grading.errors import VerifierError
from markscheme.grading.verification import Claim

NLI = ("contradiction", "entailment", "neutral")
CLAIMS = [
    Claim("why does it", "the batch grows", "noise shrinks, the gradient grows"),
    Claim("", "the batch grows", "noise shrinks, the gradient grows"),
    Claim("", "the noise shrinks", "memory of a batch"),
    Claim("does it", "memory grows", ""),
    Claim("", "Gradient noise!", "A zebra of the batch, why not? " * 3),
    Claim("", "the noise grows", "memory of a batch"),
]


@pytest.fixture(scope="module")
def verifier(make_model: Callable[..., Path]) -> CrossEncoderVerifier:
    return CrossEncoderVerifier(str(make_model(NLI)), 1)


def by_the_library(folder: Path, claims: Sequence[Claim]) -> NDArray[np.float32]:
    """What sentence-transformers gives for passage and statement, before any activation."""
    pairs = [(claim.passage, f"{claim.question} {claim.statement}".strip()) for claim in claims]
    encoder = CrossEncoder(str(folder), device="cpu")
    return np.atleast_2d(encoder.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False).T).T


@pytest.mark.parametrize(
    ("names", "supported", "contradicted"),
    [
        (NLI, 1, 0),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), 0, 2),
        (("refutes", "neutral", "supported"), 2, 0),
        (("entailment", "not_entailment"), 0, None),
        (("contradiction", "entailment"), 1, 0),
    ],
)
def test_it_says_what_the_library_says_under_the_names_of_the_model(
    make_model: Callable[..., Path], names: tuple[str, ...], supported: int, contradicted: int | None
) -> None:
    folder = make_model(names)
    odds = np.exp(by_the_library(folder, CLAIMS).astype(np.float64))
    shares = odds / odds.sum(axis=1, keepdims=True)
    assert np.ptp(shares[:, supported]) > 0.05, "a model that says the same of all would prove nothing"
    found = CrossEncoderVerifier(str(folder), 1).verify(CLAIMS)
    assert [claim.supported for claim in found] == pytest.approx(shares[:, supported].tolist(), abs=1e-5)
    expected = [0.0] * len(CLAIMS) if contradicted is None else shares[:, contradicted].tolist()
    assert [claim.contradicted for claim in found] == pytest.approx(expected, abs=1e-5)


def test_a_model_with_one_output_never_contradicts(make_model: Callable[..., Path]) -> None:
    folder = make_model(outputs=1)
    scores = by_the_library(folder, CLAIMS)[:, 0].astype(np.float64)
    found = CrossEncoderVerifier(str(folder), 1).verify(CLAIMS)
    assert [claim.supported for claim in found] == pytest.approx((1 / (1 + np.exp(-scores))).tolist(), abs=1e-5)
    assert {claim.contradicted for claim in found} == {0.0}


def test_nameless_outputs_are_refused(make_model: Callable[..., Path]) -> None:
    with pytest.raises(VerifierError, match=r"LABEL_0, LABEL_1, LABEL_2, .* under id2label in the config\.json"):
        CrossEncoderVerifier(str(make_model(outputs=3)), 1)


def test_it_is_named_after_its_folder(verifier: CrossEncoderVerifier) -> None:
    name, _, digits = verifier.fingerprint.partition("@")
    assert name == "tiny"
    assert len(digits) == 12


def test_nothing_gives_nothing(verifier: CrossEncoderVerifier) -> None:
    assert verifier.verify([]) == []


def test_a_claim_has_the_same_bits_alone_in_any_batch_and_in_any_thread(verifier: CrossEncoderVerifier) -> None:
    alone = [verifier.verify([claim])[0] for claim in CLAIMS]
    assert verifier.verify(CLAIMS) == alone
    assert verifier.verify(CLAIMS[::-1]) == alone[::-1]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: verifier.verify(CLAIMS), range(12)):
            assert found == alone


def test_equal_claims_are_judged_once(verifier: CrossEncoderVerifier, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Claim] = []
    judge = verifier._judge

    def counted(claim: Claim) -> object:
        judged.append(claim)
        return judge(claim)

    monkeypatch.setattr(verifier, "_judge", counted)
    first, other, second = verifier.verify([CLAIMS[0], CLAIMS[1], CLAIMS[0]])
    assert first is second
    assert first != other
    assert judged == CLAIMS[:2]


def test_it_runs_in_as_many_threads_as_it_was_given(make_model: Callable[..., Path]) -> None:
    torch.set_num_threads(1)
    CrossEncoderVerifier(str(make_model(NLI)), 2).verify(CLAIMS[:1])
    assert torch.get_num_threads() == 2


def test_only_the_end_of_a_long_passage_is_cut(
    verifier: CrossEncoderVerifier, caplog: pytest.LogCaptureFixture
) -> None:
    # 48 positions, three special tokens, three of the statement.
    fits, long, longer = (Claim("", "the batch grows", "noise " * length) for length in (42, 43, 500))
    with caplog.at_level(logging.DEBUG, "markscheme"):
        whole = verifier.verify([fits])
        assert caplog.text == ""
        assert verifier.verify([long]) == verifier.verify([longer]) == whole
    assert "cut to the 42" in caplog.text
    shorter, other = (Claim("", statement, "noise " * 500) for statement in ("the batch", "the batch shrinks"))
    assert len({verifier.verify([claim])[0] for claim in (longer, shorter, other)}) == 3


def test_a_question_too_long_for_the_model_is_left_out(verifier: CrossEncoderVerifier) -> None:
    with_it, without = (Claim(question, "the batch grows", "noise grows") for question in ("why " * 60, ""))
    assert verifier.verify([with_it]) == verifier.verify([without])


def test_a_statement_too_long_for_the_model_is_refused(
    verifier: CrossEncoderVerifier, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(VerifierError, match="has 300 tokens; the verifier takes at most 33"):
        verifier.verify([Claim("", "noise " * 300, "noise")])
    assert caplog.text == ""


def test_half_a_surrogate_pair_is_refused(verifier: CrossEncoderVerifier) -> None:
    with pytest.raises(VerifierError, match=r"tiny@[0-9a-f]{12} failed on the statement starting 'the batch'"):
        verifier.verify([Claim("", "the batch", "a \ud83d b")])


def test_an_output_that_is_not_finite_is_refused(make_model: Callable[..., Path]) -> None:
    verifier = CrossEncoderVerifier(str(make_model(NLI, scale=float("nan"))), 1)
    with pytest.raises(VerifierError, match=r"gave \[nan, nan, nan\], which is no probability"):
        verifier.verify(CLAIMS[:1])
