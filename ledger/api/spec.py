"""The OpenAPI document: what every operation shares, and examples of what can go wrong."""

from collections import deque
from collections.abc import Mapping
from http import HTTPStatus
from threading import Lock
from typing import Any

from flask import Flask, Response
from flask_smorest import Api  # type: ignore[import-untyped]
from werkzeug.exceptions import (
    BadRequest,
    HTTPException,
    MethodNotAllowed,
    RequestEntityTooLarge,
    TooManyRequests,
    UnsupportedMediaType,
)
from werkzeug.routing import IntegerConverter

from ledger import __version__
from ledger.api import conditions
from ledger.api.access import DRY_RUN, KEY_HEADER, PASSCODE_HEADER
from ledger.api.blueprint import Blueprint
from ledger.api.schemas.problem import PageSchema, ProblemSchema
from ledger.http.failures import RATE, document
from ledger.services.common.idempotency import LONGEST_KEY, SHORTEST_KEY
from ledger.words.problems import (
    Busy,
    Invalid,
    NoSuchSession,
    NotSignedIn,
    Problem,
    ReadOnly,
    RevisionMissing,
    SessionClosed,
    Stale,
)

LARGEST_ID = 2**63 - 1
"""What a database can hold in a key."""

_ABOUT = """\
Score evenings of Crazy Solo, Six-Bid and the other games: players, sessions, hands, and the chips that
change hands.

- **Tokens.** Everything but `POST /clubs`, `GET /games` and `POST /score` needs a token of a club, in
  the header `Authorization: Bearer …`. A scorer's token reads and writes, a viewer's only reads.
- **Owners.** Who may do what is for an owner's token: passcode, devices, links, tokens and the log. Each such
  write also sends the club's passcode in `Club-Passcode`, and takes no key; after five wrong ones it waits
  (429).
- **Writing once.** A write carries an `Idempotency-Key` that the client makes before it sends. The same
  key with the same payload gets the first answer again; with another payload it is refused (409). A refusal
  is not kept: nothing was written, so what was sent may be mended and sent with the same key.
- **Nothing unseen is overwritten.** Every read has an `ETag`, but those that show a secret. That of
  anything in a session begins with the session's revision: sent back in `If-Match`, a write to the session is
  refused (412) if somebody else wrote meanwhile. Whatever changes or ends something already recorded (a
  correction, voiding, undo, closing) must send it (428), or `*` for any revision; a hand may be recorded
  without. Several tags may be sent, with commas between; weak ones match nothing.
- **No change, no write.** A change that would leave all as it is (the same rules, rate, order of seats,
  title, name or hand, pausing what is paused) writes nothing and is refused (409, `unchanged`).
- **Reading again.** With that `ETag` in `If-None-Match`, the same answer is a 304 without a body. All answers
  come as brotli or gzip where `Accept-Encoding` allows it.
- **Dry runs.** Where it is documented, `?dry_run=true` only asks what a write would do: the same checks,
  the same answer, nothing saved. It needs no key, no scorer's token and no `reason`, and is answered 200. A
  parameter that an address does not know is refused, so that no slip of the pen writes.
- **Failures** are problem documents (RFC 9457): a sentence for people, a stable `code`, a `type` that leads
  to the page on which each code is explained, and under `errors` one entry per field. The fields of a hand
  are named as in its record, such as `contract.trump`.
  What is looked at first: the token, then whether what the address names is there, then what was sent. A 500
  is our mistake and has the same form.
- **How often.** What may be called only so often says so in `X-RateLimit-Limit`, `X-RateLimit-Remaining` and
  `X-RateLimit-Reset`; a 429 says in `Retry-After` how many seconds to wait, and so does a 503.
- **Numbers.** Points and chips are whole numbers. Times are UTC.
- **Chips and scores.** Nobody pays for a hand of German Solo: it brings a score, which is added to no chips.
  What is counted stands in `unit`; `scored` is a score beside chips. Where a session is played for nothing
  but scores, they stand where chips stand elsewhere.
"""

_REFUSALS: Mapping[str, Problem | HTTPException] = {
    "The body is not JSON": BadRequest("The body is not JSON: line 1, column 12: Expecting value."),
    "The address takes other methods": MethodNotAllowed(["GET"]),
    "No token, or one that does not open a club": NotSignedIn(
        "This token does not open a club; it may have been revoked."
    ),
    "A viewer tried to write": ReadOnly(),
    "This club has no such thing": NoSuchSession(),
    "The ledger does not allow it now": SessionClosed(title="Friday"),
    "Somebody else got there first": Stale(
        "Somebody else changed “Friday” meanwhile: the correction of hand 7 (Sue, 21:40), hand 8 "
        "(Sue, 21:43). Nothing of yours was saved; look at what is new, then save again."
    ),
    "The revision it is based on is missing": RevisionMissing(),
    "The body is too large": RequestEntityTooLarge(),
    "The body is not declared to be JSON": UnsupportedMediaType(
        "Send JSON, with the header Content-Type: application/json (none was sent)."
    ),
    "Something sent is not valid": Invalid.at(
        "contract.trump",
        "trump-not-allowed",
        "Solo: only spades, diamonds or clubs can be trumps, not hearts.",
        ("S", "D", "C"),
    ),
    "Too many tries": TooManyRequests(),
    "The ledger is busy, or can't be reached": Busy(),
}
"""What each failure means, and an example of it."""

_SEEN = "An `ETag` of the session as last seen"
_MADE = "Made by the client, a new one for each write: a random UUID."
_MATCH = {
    "name": conditions.HEADER,
    "schema": {"type": "string", "pattern": conditions.PATTERN},
    "example": '"7"',
}
_KEY = {
    "name": KEY_HEADER,
    "schema": {
        "type": "string",
        "minLength": SHORTEST_KEY,
        "maxLength": LONGEST_KEY,
        "pattern": "^[!-~]([ -~]*[!-~])?$",
    },
    "example": "5f0c5a0e-7a39-4c56-9d0f-0c6a4e1f7a11",
}
_PARAMETERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "IF_NONE_MATCH": (
        "header",
        {
            "name": "If-None-Match",
            "description": "The `ETag` of the answer that the client has.",
            "schema": {"type": "string"},
            "example": '"7-3f2a"',
        },
    ),
    "IF_MATCH": ("header", {**_MATCH, "description": f"{_SEEN}."}),
    "IF_MATCH_READ": (
        "header",
        {**_MATCH, "description": "The `ETag` of what is changed, as it was last read."},
    ),
    "IF_MATCH_NEEDED": (
        "header",
        {
            **_MATCH,
            "description": f"{_SEEN}; `*` accepts any revision. Without it the answer is 428, "
            "except to a dry run.",
        },
    ),
    "IDEMPOTENCY_KEY": ("header", {**_KEY, "description": _MADE, "required": True}),
    "KEY_UNLESS_DRY": (
        "header",
        {**_KEY, "description": f"{_MADE} A dry run needs none, and uses none up."},
    ),
    "CLUB_PASSCODE": (
        "header",
        {
            "name": PASSCODE_HEADER,
            "schema": {"type": "string", "minLength": 1, "pattern": "^[!-~]+$"},
            "example": "four%20aces",
            "description": "The club's passcode once more, percent-encoded as in an address.",
            "required": True,
        },
    ),
    "DRY_RUN": (
        "query",
        {
            "name": DRY_RUN,
            "description": "`true` only asks what would happen; nothing is saved. A `reason` that the "
            "write requires can then be left out.",
            "schema": {"type": "boolean", "default": False},
        },
    ),
}
"""What any request may be sent besides its body, and where."""


_HEADERS: Mapping[str, dict[str, Any]] = {
    "REVISION": {
        "description": "Begins with the session's revision, for a later `If-Match`; after a dash it names "
        "what was answered, for `If-None-Match`.",
        "schema": {"type": "string", "pattern": '^"[0-9]+(-[0-9a-f]+)?"$'},
        "required": True,
    },
    "STATE": {
        "description": "For a later `If-Match` or `If-None-Match`.",
        "schema": {"type": "string", "pattern": '^"[0-9a-f]+(-[0-9a-f]+)?"$'},
        "required": True,
    },
    "CONTENT": {
        "description": "Names what was answered, for `If-None-Match`.",
        "schema": {"type": "string", "pattern": '^W/"[0-9a-f]+"$'},
        "required": True,
    },
    "RATE": {
        "description": "How often this may be called, how often still, and when (in seconds since 1970) as "
        "often again.",
        "schema": {"type": "integer"},
        "required": True,
    },
}
"""What an answer may have besides its body."""


def _header(*names: str, of: str = "string", required: bool = True) -> dict[str, Any]:
    return {name: {"schema": {"type": of}, "required": required} for name in names}


_TOLD_IN: Mapping[HTTPStatus, dict[str, Any]] = {
    HTTPStatus.UNAUTHORIZED: _header("WWW-Authenticate"),
    HTTPStatus.METHOD_NOT_ALLOWED: _header("Allow"),
    HTTPStatus.TOO_MANY_REQUESTS: {
        **_header("Retry-After", of="integer"),
        **_header(*RATE, of="integer"),
    },
    HTTPStatus.SERVICE_UNAVAILABLE: _header("Retry-After", of="integer"),
}
"""The headers that a failure has."""


class IdConverter(IntegerConverter):
    """A row's number in an address: digits only, no more than a database can hold."""

    regex = r"[0-9]{1,19}"

    def __init__(self, url_map: Any) -> None:
        super().__init__(url_map, min=1, max=LARGEST_ID)


class Document(Api):  # type: ignore[misc]
    """The API's registry; it answers no failure itself, ``ledger.http.failures`` does."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask) -> None:
        app.config["OPENAPI_URL_PREFIX"] = "/api/v1"
        self._undocumented: deque[Blueprint] = deque()
        self._documenting = Lock()
        super().__init__(
            app,
            spec_kwargs={
                "title": "Solo Ledger",
                "version": __version__,
                "openapi_version": "3.1.0",
                "info": {"description": _ABOUT},
                "servers": [{"url": "/"}],
            },
        )
        self.register_converter(IdConverter, _document_id)
        self.spec.components.security_scheme(
            "token", {"type": "http", "scheme": "bearer", "description": "A club's token, solo_…"}
        )

    def register_blueprint(self, blueprint: Blueprint) -> None:
        """Serve the routes of one subject; they are documented when the document is first asked for.

        Few ever ask, and putting it together takes longer than all else that a start does.
        """
        self._app.register_blueprint(blueprint)
        self._undocumented.append(blueprint)

    def told(self) -> dict[str, Any]:
        """Return the whole document."""
        with self._documenting:
            while self._undocumented:
                self._describe(self._undocumented.popleft())
        document: dict[str, Any] = self.spec.to_dict()
        return document

    def _openapi_json(self) -> Response:
        self.told()
        answer: Response = super()._openapi_json()
        return answer

    def _describe(self, blueprint: Blueprint) -> None:
        """Document the routes of one subject, under a tag of its name."""
        blueprint.register_views_in_doc(
            self, self._app, self.spec, name=blueprint.name, parameters=None
        )
        self.spec.tag({"name": blueprint.tag, "description": blueprint.description})

    def _register_error_handlers(self) -> None:
        """Register none: one place makes every failure's answer."""

    def _register_responses(self) -> None:
        for description, problem in _REFUSALS.items():
            example = document(problem)
            answered = {"schema": ProblemSchema, "example": example}
            response: dict[str, Any] = {
                "description": description,
                "content": {"application/problem+json": answered},
            }
            status = HTTPStatus(example["status"])
            if status in _TOLD_IN:
                response["headers"] = _TOLD_IN[status]
            self.spec.components.response(status.name, response, lazy=True)
        same = {"description": "What the client has is still so", "headers": _header("ETag")}
        self.spec.components.response(HTTPStatus.NOT_MODIFIED.name, same, lazy=True)

    def _register_pagination_header(self) -> None:
        header = {
            "description": "Where the page is in the whole list.",
            "content": {"application/json": {"schema": PageSchema}},
            "required": True,
        }
        self.spec.components.header("PAGINATION", header, lazy=True)

    def _register_etag_headers(self) -> None:
        for name, header in _HEADERS.items():
            self.spec.components.header(name, header, lazy=True)
        for name, (place, told) in _PARAMETERS.items():
            self.spec.components.parameter(name, place, told, lazy=True)


def _document_id(_converter: IdConverter) -> dict[str, Any]:
    return {"type": "integer", "format": "int64", "minimum": 1, "maximum": LARGEST_ID}
