"""The OpenAPI document: what every operation shares, and examples of what can go wrong."""

from collections import deque
from http import HTTPStatus
from threading import Lock
from typing import Any

from flask import Flask, Response
from flask_smorest import Api  # type: ignore[import-untyped]
from werkzeug.routing import IntegerConverter

from ledger import __version__
from ledger.api.access import DRY_RUN, KEY_HEADER
from ledger.api.blueprint import Blueprint
from ledger.api.schemas.problem import PageSchema, ProblemSchema
from ledger.problems import (
    Busy,
    Invalid,
    NotFound,
    NotSignedIn,
    Problem,
    ReadOnly,
    RevisionMissing,
    SessionClosed,
    Stale,
)
from ledger.services.common.idempotency import LONGEST_KEY, SHORTEST_KEY

LARGEST_ID = 2**63 - 1
"""What a database can hold in a key."""

_ABOUT = """\
Score evenings of Crazy Solo and Six-Bid: players, sessions, hands, and the chips that change hands.

- **Tokens.** Everything but `POST /clubs`, `GET /games` and `POST /score` needs a token of a club, in
  the header `Authorization: Bearer …`. A scorer's token reads and writes, a viewer's only reads.
- **Writing once.** A write carries an `Idempotency-Key` that the client makes before it sends. The same key
with the same payload gets the first answer again; with another payload it is refused (409).
- **Writing on top of what was seen.** A session's `ETag` is its revision. Sent back in `If-Match`, a
  write is refused (412) when somebody else wrote meanwhile. What changes or ends what is written already (a
  correction, voiding, undo, closing) has to send it (428), or `*` for any revision; a hand may be
  recorded without.
- **Looking first.** Where it is documented, `?dry_run=true` asks a write what it would do: the same checks,
  the same answer, nothing written. It needs neither a key nor a scorer's token, and is answered 200.
- **Failures** are problem documents (RFC 9457): a sentence for people, a stable `code`, and under
  `errors` one entry a field. The fields of a hand are named as in its record, such as `contract.trump`.
- **Numbers.** Points and chips are whole numbers. Times are UTC.
"""

_REFUSALS: dict[int, tuple[str, type[Problem] | None, str, str]] = {
    400: (
        "The body is not JSON",
        None,
        "bad-request",
        "The body is not JSON: line 1, column 12: Expecting value.",
    ),
    401: (
        "No token, or one that does not open a club",
        NotSignedIn,
        "not-signed-in",
        "This token does not open a club; it may have been revoked.",
    ),
    403: (
        "A viewer tried to write",
        ReadOnly,
        "read-only",
        ReadOnly().message,
    ),
    404: (
        "This club has no such thing",
        NotFound,
        "not-found",
        "There is no such session in this club.",
    ),
    409: (
        "The ledger does not allow it now",
        SessionClosed,
        "session-closed",
        SessionClosed(title="Friday").message,
    ),
    412: (
        "Somebody else got there first",
        Stale,
        "stale",
        "Somebody else changed “Friday” meanwhile: the correction of hand 7 (Sue, 21:40), hand 8 "
        "(Sue, 21:43). Nothing of yours was saved; look at what is new, then save again.",
    ),
    428: (
        "The revision it is based on is missing",
        RevisionMissing,
        "revision-missing",
        RevisionMissing().message,
    ),
    413: (
        "The body is too large",
        None,
        "too-large",
        "That is too much at once; the limit is 1,000,000 bytes.",
    ),
    415: (
        "The body is not declared to be JSON",
        None,
        "unsupported-media-type",
        "Send JSON, with the header Content-Type: application/json (none was sent).",
    ),
    422: (
        "Something sent is not valid",
        Invalid,
        "invalid",
        "Hearts cannot be trumps in Solo: spades or diamonds or clubs.",
    ),
    429: (
        "Too many tries",
        None,
        "too-many",
        "Too many attempts in a short time; wait a minute, then try again.",
    ),
    503: ("The ledger is busy", Busy, "busy", Busy().message),
}
"""By status: what it means, which failure it is (none: the web server's own), and an example."""


class IdConverter(IntegerConverter):
    """A row's number in an address: digits only, no more than a database can hold."""

    regex = r"[0-9]{1,19}"

    def __init__(self, url_map: Any) -> None:
        super().__init__(url_map, min=1, max=LARGEST_ID)


class Document(Api):  # type: ignore[misc]
    """The API's registry; it answers no failure itself, ``ledger.http`` does."""

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

    def _openapi_json(self) -> Response:
        with self._documenting:
            while self._undocumented:
                self._describe(self._undocumented.popleft())
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
        for status, (description, problem, code, detail) in _REFUSALS.items():
            response: dict[str, Any] = {
                "description": description,
                "content": {
                    "application/problem+json": {
                        "schema": ProblemSchema,
                        "example": _example(status, problem, code, detail),
                    }
                },
            }
            if status == HTTPStatus.UNAUTHORIZED:
                response["headers"] = {
                    "WWW-Authenticate": {"schema": {"type": "string"}, "required": True}
                }
            self.spec.components.response(HTTPStatus(status).name, response, lazy=True)

    def _register_pagination_header(self) -> None:
        where = {"schema": PageSchema}
        self.spec.components.header(
            "PAGINATION",
            {
                "description": "Where the page is in the whole list.",
                "content": {"application/json": where},
                "required": True,
            },
            lazy=True,
        )

    def _register_etag_headers(self) -> None:
        self.spec.components.header(
            "REVISION",
            {
                "description": "The session's revision, in quotes, for a later `If-Match`.",
                "schema": {"type": "string", "pattern": '^"[0-9]+"$'},
                "required": True,
            },
            lazy=True,
        )
        seen = "The `ETag` of the session as last seen"
        anything = "; `*` accepts any revision. Without it the answer is 428, except to a dry run."
        for name, more in (("IF_MATCH", "."), ("IF_MATCH_NEEDED", anything)):
            schema = {"type": "string"}
            self._parameter(name, "header", "If-Match", seen + more, schema, example='"7"')
        key = {
            "type": "string",
            "minLength": SHORTEST_KEY,
            "maxLength": LONGEST_KEY,
            "pattern": "^[!-~]+$",
        }
        made = "Made by the client, a new one for each write: a random UUID."
        for name, more in (("IDEMPOTENCY_KEY", ""), ("KEY_UNLESS_DRY", " A dry run needs none.")):
            random = "5f0c5a0e-7a39-4c56-9d0f-0c6a4e1f7a11"
            needed = not more
            self._parameter(
                name, "header", KEY_HEADER, made + more, key, example=random, required=needed
            )
        dry = "`true` only asks what would happen; nothing is saved."
        self._parameter("DRY_RUN", "query", DRY_RUN, dry, {"type": "boolean", "default": False})

    def _parameter(
        self,
        name: str,
        location: str,
        sent_as: str,
        description: str,
        schema: dict[str, Any],
        *,
        required: bool = False,
        **more: Any,
    ) -> None:
        told = {"name": sent_as, "description": description, "required": required, **more}
        self.spec.components.parameter(name, location, {**told, "schema": schema}, lazy=True)


def _example(status: int, problem: type[Problem] | None, code: str, detail: str) -> dict[str, Any]:
    errors = []
    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        where = {"field": "contract.trump"}
        errors = [
            {
                "field": "contract.trump",
                "code": "trump-not-allowed",
                "message": detail,
                "where": where,
                "legal": ["S", "D", "C"],
            }
        ]
    return {
        "type": "about:blank",
        "title": problem.title if problem else HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "errors": errors,
    }


def _document_id(_converter: IdConverter) -> dict[str, Any]:
    return {"type": "integer", "format": "int64", "minimum": 1, "maximum": LARGEST_ID}
