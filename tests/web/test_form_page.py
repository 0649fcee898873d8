from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from starlette.testclient import TestClient

from markscheme.grading.cuts import Cuts
from markscheme.grading.errors import ContentError, EmbedderError, Fault
from markscheme.grading.grade import Explanation, Flag, PointGrade
from markscheme.grading.logistic import Effect
from markscheme.grading.why import MEASURES
from markscheme.web.errors import BusyError

VOID = {"meta", "link", "br"}


class Page(HTMLParser):
    """The page as a tree of tags would need it: tags must nest, and text and attributes are kept."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(markup)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self._open):
            self.texts[tag][-1] += data

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def explanation(text: str) -> Explanation:
    effects = (Effect("match_passage", 0.5, -0.25), Effect("supported", 2.5, 1.25), Effect("cosine_passage", 1.0, 0.75))
    return Explanation(text, text, 0.93, 0.02, -1.0, effects, Cuts(covered=0.3, partial=0.1))


def send(client: TestClient, **fields: str) -> Any:
    return client.post("/", data=fields)


def test_the_empty_form_has_a_label_for_every_field_and_the_questions_by_topic(client: TestClient) -> None:
    reply = client.get("/")
    assert reply.status_code == 200
    assert reply.headers["cache-control"] == "no-store"
    page = Page(reply.text)
    fields = {entry["id"] for tag in ("select", "textarea") for entry in page.attributes(tag)}
    assert fields == {entry["for"] for entry in page.attributes("label")}
    assert [entry["label"] for entry in page.attributes("optgroup")] == ["Hashing", "Trees"]
    assert page.attributes("html") == [{"lang": "en"}]
    assert len(page.attributes("h1")) == 1
    assert "open" not in page.attributes("details")[0]
    described = [
        i
        for tag in ("select", "textarea")
        for e in page.attributes(tag)
        for i in (e.get("aria-describedby") or "").split()
    ]
    assert set(described) <= {entry.get("id") for _, entry in page.tags}


def test_no_page_needs_scripts_or_styles_of_its_own(client: TestClient) -> None:
    for reply in (client.get("/"), send(client, question_id="hashing/lookup", answer="x"), client.get("/problems")):
        page = Page(reply.text)
        assert page.attributes("script") == []
        assert page.attributes("style") == []
        assert not any(name == "style" or name.startswith("on") for _, entry in page.tags for name in entry)
        style = page.attributes("link")[0]["href"]
        assert style is not None
        assert client.get(style).headers["content-type"].startswith("text/css")


def test_a_question_can_be_chosen_by_the_address(client: TestClient) -> None:
    chosen = [
        entry
        for entry in Page(client.get("/?question_id=trees/balance").text).attributes("option")
        if "selected" in entry
    ]
    assert [entry["value"] for entry in chosen] == ["trees/balance"]


def test_head_is_answered(client: TestClient) -> None:
    assert client.head("/").status_code == 200


def test_a_grade_shows_the_score_first_and_the_points_by_status(
    client: TestClient, scripted: Any, point_grade: Callable[..., PointGrade]
) -> None:
    answer = "Hash says where.\nCollisions help."
    scripted.points = (
        point_grade(answer, (0, 16), text="First point."),
        point_grade(text="Second point.", status="missing", importance="okay", weight=0.5, coverage=0.04),
        point_grade(answer, (17, 33), text="Third point.", status="contradicted", contradicts="They help."),
        point_grade(answer, (0, 4), text="Fourth point.", status="partial"),
    )
    scripted.flags = (Flag("keyword_list", "Mostly keywords."),)
    scripted.reasons = ("Point 4 is near the cut.",)
    scripted.feedback = "Look at collisions again."
    reply = send(client, question_id="hashing/lookup", answer=answer.replace("\n", "\r\n"))
    assert reply.status_code == 200
    assert scripted.seen[0].answer == answer
    page = Page(reply.text)
    assert " ".join(page.texts["h1"][0].split()) == "62.5 of 100 Partial"
    assert page.texts["title"] == ["Partial, 62.5 of 100 · Markscheme"]
    assert [text.split() for text in page.texts["h3"]] == [
        ["Covered", "1"],
        ["Partial", "1"],
        ["Missing", "1"],
        ["Contradicted", "1"],
    ]
    assert page.texts["mark"] == ["Hash", " says where.", "Collisions help."]
    assert page.texts["sup"] == ["point 4", "point 1", "point 3"]
    assert page.texts["blockquote"] == ["Hash says where.", "Hash", "Collisions help."]
    for said in (
        "Mostly keywords.",
        "near the cut",
        "Look at collisions again.",
        "They help.",
        "okay · weight 0.5 · coverage 4% · sure",
        "Confidence: fairly sure.",
        "Why is a hash table quick to search?",
    ):
        assert said in reply.text
    assert page.texts["textarea"][-1].strip("\n") == answer


def test_each_point_says_why_without_a_script(
    client: TestClient, scripted: Any, point_grade: Callable[..., PointGrade]
) -> None:
    scripted.points = (
        point_grade(text="First.", coverage=0.9, explanation=explanation("Looked for this.")),
        point_grade(text="Second.", status="missing"),
    )
    reply = send(client, question_id="hashing/lookup", answer="x")
    assert scripted.seen[0].explain is True
    page = Page(reply.text)
    assert page.texts["summary"] == ["Why point 1 is covered", "My own question"]
    assert page.texts["dd"][:2] == ["Looked for this."] * 2
    assert "0.93" in page.texts["dd"][2]
    cells = page.texts["td"]
    assert [cells[place : place + 3] for place in range(0, len(cells), 3)] == [
        ["+1.25", "2.50", MEASURES["supported"]],
        ["+0.75", "1.00", MEASURES["cosine_passage"]],
        ["-0.25", "0.50", MEASURES["match_passage"]],
    ]
    assert "Coverage 0.9000 reaches 0.3" in page.texts["details"][0]


def test_the_verifier_is_named_where_there_is_one(client: TestClient, scripted: Any) -> None:
    fields = {"question_id": "hashing/lookup", "answer": "x"}
    assert "verifier" not in send(client, **fields).text
    scripted.verifier = "minilm-verifier@0123"
    assert "verifier minilm-verifier@0123;" in send(client, **fields).text


def test_an_own_question_is_graded_by_its_sample_answer(client: TestClient, scripted: Any) -> None:
    reply = send(client, question_id="", question="Why?", sample_answer="Because.\r\nSo.", answer="x")
    assert reply.status_code == 200
    request = scripted.seen[0]
    assert (request.question_id, request.question, request.sample_answers) == (None, "Why?", ("Because.\nSo.",))
    assert "open" in Page(reply.text).attributes("details")[0]


def test_an_empty_answer_is_graded(client: TestClient) -> None:
    assert send(client, question_id="hashing/lookup", answer="").status_code == 200


@pytest.mark.parametrize(
    ("fields", "status", "field", "said"),
    [
        ({"answer": "x"}, 422, "question_id", "Choose one of these questions"),
        ({"answer": "x", "question_id": "trees/balance", "sample_answer": "s"}, 422, "question_id", "one of the two"),
        ({"answer": "x", "question": "Why?"}, 422, "sample_answer", "Write a sample answer"),
        ({"answer": "x", "question_id": "no/such"}, 404, "question_id", "No question has the id"),
        ({"answer": "x" * 201, "question_id": "trees/balance"}, 413, "answer", "the limit is 200"),
        ({"answer": "a\0b", "question_id": "trees/balance"}, 422, "answer", "This holds a NUL"),
        ({"answer": "x", "sample_answer": "a\0b"}, 422, "sample_answer", "This holds a NUL"),
        ({"answer": "x", "sample_answer": "s", "question": "a\0b"}, 422, "question", "This holds a NUL"),
    ],
)
def test_a_fault_stands_beside_its_field_and_nothing_typed_is_lost(
    client: TestClient, fields: dict[str, str], status: int, field: str, said: str
) -> None:
    reply = send(client, **fields)
    assert reply.status_code == status
    page = Page(reply.text)
    invalid = [
        entry["id"] for tag in ("select", "textarea") for entry in page.attributes(tag) if "aria-invalid" in entry
    ]
    assert invalid == [field]
    fault = next(entry for entry in page.attributes("p") if entry.get("id") == f"{field}-fault")
    assert fault["class"] == "fault"
    assert said in reply.text
    kept = [text.strip("\n") for text in page.texts["textarea"]]
    assert kept == [fields.get("question", ""), fields.get("sample_answer", ""), fields["answer"]]


HOSTILE = "<script>alert(1)</script>\"><img src=x onerror=alert(2)>&amp;'</textarea></mark>{{ 7 * 7 }}"


def test_hostile_text_is_text_everywhere(
    client: TestClient, scripted: Any, point_grade: Callable[..., PointGrade]
) -> None:
    cut = len(HOSTILE) // 2
    scripted.points = (
        point_grade(HOSTILE, (0, cut + 9), (3, 7), text=HOSTILE, contradicts=HOSTILE, explanation=explanation(HOSTILE)),
        point_grade(HOSTILE, (cut, len(HOSTILE)), text="Second.", status="contradicted"),
    )
    scripted.flags = (Flag(HOSTILE, HOSTILE),)
    scripted.reasons = (HOSTILE,)
    scripted.feedback = HOSTILE
    reply = send(client, question=HOSTILE, sample_answer=HOSTILE, answer=HOSTILE)
    assert reply.status_code == 200
    page = Page(reply.text)
    assert page.attributes("script") == []
    assert page.attributes("img") == []
    assert page.texts["textarea"] == [f"\n{HOSTILE}"] * 3
    assert HOSTILE in page.texts["blockquote"][0] + HOSTILE[cut + 9 :]
    faulty = send(client, question_id=HOSTILE, answer=HOSTILE)
    assert Page(faulty.text).attributes("img") == []


def test_what_the_service_cannot_do_is_said_above_the_form(client: TestClient, scripted: Any) -> None:
    def fail() -> None:
        raise EmbedderError("The <model> is gone.")  # noqa: EM101, TRY003 - it is this text that the page shows

    scripted.before = fail
    reply = send(client, question_id="hashing/lookup", answer="my words")
    assert reply.status_code == 503
    assert int(reply.headers["retry-after"]) > 0
    assert "The &lt;model&gt; is gone." in reply.text
    assert "my words" in reply.text


def test_a_slip_in_the_code_is_not_told_on_the_page(client: TestClient, scripted: Any) -> None:
    def fail() -> None:
        raise ContentError([Fault("/secret/file.yaml", 1, "broken")])

    scripted.before = fail
    for reply in (
        client.post("/", data={"question_id": "hashing/lookup", "answer": "x"}, headers={"accept": "text/html"}),
        client.post("/v1/grade", json={"question_id": "hashing/lookup", "answer": "x"}),
    ):
        assert reply.status_code == 500
        assert "secret" not in reply.text


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "http://testserver"},
        {"origin": "https://elsewhere.example"},
        {"origin": "https://testserver.elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://["},
    ],
)
def test_a_form_on_another_site_is_refused(client: TestClient, scripted: Any, headers: dict[str, str]) -> None:
    reply = client.post("/", data={"question_id": "hashing/lookup", "answer": "x"}, headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (403, "cross_site")
    assert scripted.seen == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin", "origin": "http://testserver"},
        {"sec-fetch-site": "none"},
        {"origin": "http://testserver"},
        {"origin": "https://testserver"},
    ],
)
def test_a_form_on_our_own_page_is_taken(client: TestClient, headers: dict[str, str]) -> None:
    reply = client.post("/", data={"question_id": "hashing/lookup", "answer": "x"}, headers=headers)
    assert reply.status_code == 200


def test_a_form_of_parts_is_read_and_a_file_is_not(client: TestClient) -> None:
    parts = {"question_id": (None, "hashing/lookup"), "answer": (None, "x")}
    assert client.post("/", files=parts).status_code == 200
    for files in ({"answer": ("a.txt", b"x")}, {"other": ("a.txt", b"x")}):
        assert client.post("/", files=files).json()["code"] == "malformed_form"


def test_a_form_of_many_fields_or_of_another_type_is_refused(client: TestClient) -> None:
    many = client.post("/", data={f"f{n}": "x" for n in range(30)})
    assert (many.status_code, many.json()["code"]) == (400, "malformed_form")
    assert client.post("/", json={"answer": "x"}).json()["code"] == "wrong_content_type"


def test_a_person_gets_a_page_and_a_program_gets_json(client: TestClient) -> None:
    person = client.get("/nothing", headers={"accept": "text/html,*/*;q=0.8"})
    assert person.status_code == 404
    assert person.headers["content-type"].startswith("text/html")
    assert "not_found" in person.text
    assert client.get("/nothing").headers["content-type"] == "application/problem+json"
    big = client.post("/", data={"answer": "x" * 5_000}, headers={"accept": "text/html"})
    assert big.status_code == 413
    assert "body_too_large" in big.text


def test_a_busy_service_keeps_what_was_typed(client: TestClient, scripted: Any) -> None:
    def fail() -> None:
        raise BusyError("Come back later.")  # noqa: EM101, TRY003 - it is this text that the page shows

    scripted.before = fail
    reply = send(client, question_id="hashing/lookup", answer="my words")
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "2")
    assert "Come back later." in reply.text
