import re
from collections.abc import Iterator

from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from markscheme.grading.errors import (
    CalibrationRefusedError,
    ContentError,
    EmbedderError,
    InputError,
    MarkschemeError,
    UnservableIndexError,
    VerifierError,
)
from markscheme.web import errors
from markscheme.web.errors import KINDS, code_of


def kinds_of(error: type[MarkschemeError]) -> Iterator[type[MarkschemeError]]:
    yield error
    for kind in error.__subclasses__():
        yield from kinds_of(kind)


def test_the_documented_table_is_the_table_of_the_code() -> None:
    assert errors.__doc__ is not None
    documented = re.findall(r"^    (\w+) +(\d{3})$", errors.__doc__, re.MULTILINE)
    assert documented == [(code, str(kind.status)) for code, kind in KINDS.items()]


def test_every_error_that_a_request_can_meet_has_a_status_of_its_own() -> None:
    roots = (InputError, UnservableIndexError, EmbedderError, VerifierError, CalibrationRefusedError)
    met = {kind for root in roots for kind in kinds_of(root)}
    met |= {kind for kind in kinds_of(MarkschemeError) if kind.__module__ == errors.__name__}
    assert len(met) >= 14
    assert {kind.code for kind in met} <= KINDS.keys()
    assert {kind.code: KINDS[kind.code].status for kind in met if KINDS[kind.code].status == 500} == {}


def test_no_code_of_the_table_is_out_of_use() -> None:
    raised = {kind.code for kind in kinds_of(MarkschemeError)}
    raised |= {code_of(HTTPException(status)) for status in (400, 404, 405, 418)}
    assert raised >= KINDS.keys()


def test_what_nobody_foresaw_is_an_internal_error() -> None:
    assert code_of(RuntimeError("boom")) == "internal_error"
    assert code_of(ContentError([])) == "internal_error"


def test_the_service_shows_the_table_to_people(client: TestClient) -> None:
    page = client.get("/problems")
    assert page.status_code == 200
    for code, kind in KINDS.items():
        assert f'<tr id="{code}"' in page.text
        assert kind.title in page.text
