"""A phone without a screen: opens pages, reads their forms as a browser does, fills in and sends them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from flask import Flask
from werkzeug.test import TestResponse

Fields = dict[str, str | list[str]]


@dataclass
class Form:
    """A form as the page shows it: its target, and the values it sends if nothing is touched."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    method: str = "get"


_BLOCKS = {
    "p",
    "div",
    "li",
    "td",
    "th",
    "tr",
    "ol",
    "ul",
    "h1",
    "h2",
    "h3",
    "a",
    "button",
    "legend",
}


class Reader(HTMLParser):
    """Finds a page's forms, its text and its alerts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.text = ""
        self.alerts: dict[str, str] = {}
        self.links: list[str] = []
        self._alert: str | None = None
        self._inside = False
        self._unseen: list[str] = []
        self._is_typed = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, an input, a link, an alert; no hidden part."""
        given = {name: value or "" for name, value in attrs}
        if (self._unseen or "hidden" in given or tag in ("script", "template")) and tag != "input":
            if not self._unseen or tag == self._unseen[0]:
                self._unseen.append(tag)
            return
        self.text += " " * (tag in _BLOCKS)
        if tag == "form":
            self.forms.append(Form(given["action"], method=given.get("method") or "get"))
            self._inside = True
        elif tag == "input" and self._inside:
            self._input(self.forms[-1], given)
        elif tag == "textarea" and self._inside and given.get("name") and "disabled" not in given:
            self.forms[-1].fields.append((given["name"], ""))
            self._is_typed = True
        elif tag == "button" and self._inside:
            self.forms[-1].buttons.append((given.get("name", ""), given.get("value", "")))
        elif tag == "a":
            self.links.append(given.get("href", ""))
        if given.get("role") == "alert":
            self._alert = given.get("id", f"alert-{len(self.alerts)}")
            self.alerts[self._alert] = ""

    def _input(self, form: Form, given: dict[str, str]) -> None:
        name, kind = given.get("name", ""), given.get("type", "text")
        if "disabled" in given or self._unseen:
            return
        if kind in {"radio", "checkbox"}:
            form.choices.setdefault(name, []).append(given["value"])
            if "checked" not in given:
                return
        form.fields.append((name, given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        """Leave a form, an alert, a hidden part."""
        if self._unseen:
            if tag == self._unseen[0]:
                self._unseen.pop()
            return
        if tag == "form":
            self._inside = False
        self._is_typed = False
        if tag in {"p", "div"}:
            self._alert = None

    def handle_data(self, data: str) -> None:
        """Read on."""
        if self._unseen:
            return
        self.text += data
        if self._is_typed:
            name, typed = self.forms[-1].fields[-1]
            self.forms[-1].fields[-1] = (name, typed + data)
        if self._alert is not None:
            self.alerts[self._alert] += data


class Page:
    """An answer, and its content."""

    def __init__(self, response: TestResponse) -> None:
        self.response = response
        self.status = response.status_code
        is_page = response.mimetype == "text/html"
        self.reader = Reader(response.get_data(as_text=True) if is_page else "")

    @property
    def text(self) -> str:
        """Everything there is to read, with single spaces."""
        return " ".join(self.reader.text.split())

    @property
    def location(self) -> str:
        """Where the answer sends the browser."""
        return self.response.headers["Location"]

    def form(self, ending: str) -> Form:
        """The form whose address ends with this text."""
        return next(form for form in self.reader.forms if form.action.endswith(ending))

    def wrong(self, name: str) -> str:
        """The error at an input."""
        return self.reader.alerts.get(f"wrong-{name}", "")


class Phone:
    """A device with its own cookies."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def open(self, address: str) -> Page:
        """Open a page."""
        return Page(self.client.get(address))

    def send(self, form: Form, **filled: str | list[str] | None) -> Page:
        """Send a form as its page showed it, with some of its inputs filled in (``None``: left out)."""
        sent: Fields = {}
        for name, value in form.fields:
            if name not in filled:
                before = sent.get(name)
                sent[name] = (
                    value
                    if before is None
                    else [*([before] if isinstance(before, str) else before), value]
                )
        sent |= {name: value for name, value in filled.items() if value is not None}
        return Page(self.client.post(form.action, data=sent))

    def must_refuse(
        self, form: Form, field: str, sentence: str, **filled: str | list[str] | None
    ) -> Page:
        """Send a form and return its page, which must be a 422 with this sentence at the field."""
        page = self.send(form, **filled)
        assert page.status == 422, filled
        assert sentence in page.wrong(field), (filled, page.reader.alerts)
        return page

    def enter(self, name: str, passcode: str, author: str = "") -> Page:
        """Enter a club by its passcode."""
        form = self.open("/enter").form("/enter")
        return self.send(form, name=name, passcode=passcode, author=author)
