"""The API's page: the whole document, without a script, and nothing from elsewhere."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask

from ledger.api.page import kind, prose
from tests.ledger.api.caller import BASE

DOCUMENT = f"{BASE}/openapi.json"


class Page(HTMLParser):
    """The content of a page: its elements by name, its texts, and the targets of its links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(html)
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        said = dict(attrs)
        self.elements.append(tag)
        self.ids += [said["id"] or ""] if "id" in said else []
        self.links += [each for name in ("href", "src") if (each := said.get(name))]

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text += data


@pytest.fixture
def page(app: Flask) -> Page:
    """The page."""
    answer = app.test_client().get("/api/v1/docs")
    assert answer.status_code == 200
    return Page(answer.text)


@pytest.fixture
def document(app: Flask) -> Any:
    """The document that programs read."""
    return app.test_client().get(DOCUMENT).json


def test_every_operation_is_there_with_what_it_takes_and_answers(page: Page, document: Any) -> None:
    """As many as the document has; each shape and failure is described, and each link works."""
    places = document["paths"].items()
    operations = [
        (path, method, told)
        for path, place in places
        for method, told in place.items()
        if method != "parameters"
    ]
    assert len(operations) >= 60
    assert {told["operationId"] for *_, told in operations} <= set(page.ids)
    for path, method, _ in operations:
        assert f"{method.upper()} {path}" in page.text
    assert {f"shape-{name}" for name in document["components"]["schemas"]} <= set(page.ids)
    inside = {link[1:] for link in page.links if link.startswith("#")}
    assert inside <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


def test_it_needs_no_script_and_no_other_host(app: Flask, page: Page) -> None:
    """All it loads is served here, under the policy of the other pages."""
    client = app.test_client()
    assert not {"script", "style"} & set(page.elements)
    assert page.elements.count("h1") == 1
    assert DOCUMENT in page.links
    for link in {link for link in page.links if not link.startswith("#")}:
        assert re.match("/(?!/)", link), link
        assert client.get(link).status_code == 200, link
    answer = client.get("/api/v1/docs")
    assert not re.search(r"<[^>]*\s(?:on\w+|style)=", answer.text)
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "said",
    [
        "Found a club and get its first token. The only write that needs no token.",
        "Anybody: no token is needed.",
        "An owner's token, with the club's passcode.",
        "A scorer's or an owner's token; for a dry run any token of the club.",
        "Any token of the club.",
        '"called": "AH"',
        "412 Somebody else got there first",
        "Idempotency-Key header, required",
    ],
)
def test_it_says_who_may_what_is_sent_and_how_it_may_fail(page: Page, said: str) -> None:
    """In words, and by an example."""
    assert said in page.text


def test_what_the_document_says_is_never_markup() -> None:
    """Except for its code, its lists, and bold words."""
    assert str(prose("A `<b>` & **more**\n- one\n- two")) == (
        "<p>A <code>&lt;b&gt;</code> &amp; <strong>more</strong></p>\n"
        "<ul><li>one</li>\n<li>two</li></ul>"
    )


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "minimum": 1}, "whole number, 1 or more"),
        ({"type": "integer", "minimum": 1, "maximum": 200}, "whole number, 1 to 200"),
        ({"type": ["string", "null"], "format": "date-time"}, "date-time or null"),
        ({"type": "array", "items": {"type": "string"}}, "list of text"),
        ({"type": "array", "items": {}}, "list of anything"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of whole number"),
        ({"type": "string", "default": ""}, "text; otherwise &#34;&#34;"),
        ({"enum": ["a", "b"]}, "<code>a</code>, <code>b</code>"),
        ({"$ref": "#/components/schemas/Hand"}, '<a href="#shape-Hand">Hand</a>'),
    ],
)
def test_what_a_field_takes_is_said_in_words(schema: dict[str, Any], said: str) -> None:
    """Of a shape by a link to it."""
    assert str(kind(schema)) == said
