"""A flask-smorest blueprint with strict bodies, the service's own failures and a complete OpenAPI document.

The library is untyped; the decorators used by the views are typed here.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial, wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast

from flask import Response, jsonify, request, url_for
from flask_smorest import Blueprint as SmorestBlueprint  # type: ignore[import-untyped]
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from engine.words.sentences import later, say
from ledger.api import body
from ledger.api.access import DRY_RUN, REPLAYED_HEADER, View, etag, owner, reader_of_books, scorer
from ledger.api.schemas.base import Shape
from ledger.api.schemas.lists import ListQuery
from ledger.api.smorest_internals import documentation, documented
from ledger.http.failures import RATE, from_messages
from ledger.services.common.writing import DryRun
from ledger.services.session.load import load
from ledger.words.problems import Invalid

T = TypeVar("T")
Decorator = Callable[[View], View]
Json = dict[str, Any]

SESSION = "/sessions/<id:session_id>"
HAND = f"{SESSION}/hands/<id:number>"

REVISION = "REVISION"
"""The ETag that names a session's revision."""

ALWAYS = (
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
"""Statuses of every operation: wrong method, unknown parameter, unavailable database."""

KEYED = frozenset({"IDEMPOTENCY_KEY", "KEY_UNLESS_DRY"})
"""The parameters of operations that answer a repeated write with the first response."""

PAGES = frozenset({"page", "page_size"})
LONGEST_NAME = 100

MOST_ROWS = 1_000_000_000
"""The largest offset: larger ones return an empty page, too, but could overflow the database's integer."""


class StrictParser(FlaskParser):
    """A parser that reads JSON bodies with ``ledger.api.body`` and raises schema errors as ``Invalid``."""

    def parse(self, argmap: Any, *args: Any, location: str | None = None, **more: Any) -> Any:
        """Return the request's data, loaded by a schema.

        For a body raises ``Invalid`` and the errors of ``body.read``, for another location an
        ``HTTPException`` (422).
        """
        if location != "json":
            return super().parse(argmap, *args, location=location, **more)
        content = body.read(request.mimetype, request.get_data())
        try:
            return argmap.load(content)
        except ValidationError as error:
            raise from_messages(cast("dict[str, Any]", error.messages)) from error


class Blueprint(SmorestBlueprint):  # type: ignore[misc]
    """The routes of one subject, documented by their docstrings, schemas and requirements."""

    ARGUMENTS_PARSER = StrictParser()
    DEFAULT_PAGINATION_PARAMETERS = {"page": 1, "page_size": 50, "max_page_size": 200}  # noqa: RUF012

    def __init__(self, name: str, module: str, description: str) -> None:
        super().__init__(f"api-{name}", module, description=description, url_prefix="/api/v1")
        self.tag = name.capitalize()
        self._prepare_doc_cbks.append(_add_shared_parameters)

    def serves(
        self,
        method: str,
        rule: str,
        schema: Schema | type[Schema] | dict[str, Any],
        status: int = 200,
        *,
        let_in: Decorator | None = None,
        extra: Sequence[str] = (),
        tag: str | None = None,
        refuses: Sequence[int] = (),
        content_type: str | None = None,
        limited: bool = False,
        already_json: bool = False,
    ) -> Decorator:
        """Register a view as an operation. Its name is the operation's id, its docstring the description.

        The view is returned unchanged. A request with an undocumented query parameter is refused (422).

        Args:
            method: The HTTP method.
            rule: The URL rule.
            schema: The schema that serializes the view's result.
            status: The status of the response; a dry run is answered 200.
            let_in: The decorator that authenticates; without it the operation is public.
            extra: The names of further parameters in the document.
            tag: The kind of ``ETag``; for ``REVISION`` it is added here, otherwise by the view.
            refuses: Statuses of failures other than those in ``ALWAYS``.
            content_type: The response's media type if it is not JSON.
            limited: Document the headers of a rate limit.
            already_json: The view returns JSON values of the schema's shape; skip serialization.
        """
        headers = {"ETag": tag} if tag else {}
        headers |= dict.fromkeys(RATE, "RATE") if limited else {}
        headers |= {REPLAYED_HEADER: "REPLAYED"} if KEYED & {*extra} else {}
        refused = {*refuses, *ALWAYS}
        refused |= {HTTPStatus.NOT_FOUND} if "<id:" in rule else set()
        refused |= {HTTPStatus.TOO_MANY_REQUESTS} if limited else set()
        document: dict[str, Any] = {}
        if let_in is not None:
            refused |= {HTTPStatus.UNAUTHORIZED}
            document["security"] = [{"token": []}]

        def decorate(view: View) -> View:
            parameters = {
                *getattr(view, "parameters", ()),
                *([DRY_RUN] if "DRY_RUN" in extra else []),
            }
            links = {"Link": "LINK"} if parameters >= PAGES else {}
            written = self.response(
                status, schema, headers=headers | links or None, content_type=content_type
            )

            @wraps(view)
            def answering(*args: Any, **place: Any) -> Any:
                _must_be_known(parameters)
                answer = view(*args, **place)
                if tag != REVISION or method != "GET":
                    dry_run = bool(args) and isinstance(args[0], DryRun)
                    answer = _response(answer, status, dry_run=dry_run, revision=tag == REVISION)
                    return _json_response(*answer) if already_json else answer
                rows, _, headers = answer if parameters >= PAGES else (answer, None, {})
                return rows, 200, {**headers, **etag(load(args[0].session, place["session_id"]))}

            operation = documented(answering, written) if already_json else written(answering)
            if "DRY_RUN" in extra and status != HTTPStatus.OK:
                description = "The result of a dry run; nothing is written"
                also = self.alt_response(
                    200, schema=schema, headers=headers, description=description
                )
                operation = documented(operation, also)
            document["operationId"] = _camel(view.__name__)
            named = documented(
                let_in(operation) if let_in else operation,
                self.doc(**document, responses=_failures(*refused)),
            )
            documentation(named).update(extra=list(extra), already_json=already_json)
            self.route(rule, methods=[method], tags=[self.tag])(named)
            return view

        return decorate

    def reads(
        self,
        rule: str,
        schema: Schema | type[Schema] | dict[str, Any],
        *,
        let_in: Decorator | None = reader_of_books,
        tag: str | None = "CONTENT",
        extra: Sequence[str] = (),
        refuses: Sequence[int] = (),
        content_type: str | None = None,
    ) -> Decorator:
        """Register a GET operation, by default for any token of the club; see ``serves``.

        A view that reads more than the journal needs ``let_in=reader``. With ``tag=None`` the response has no
        ``ETag``; in a session the tag is always its revision.
        """
        tag = REVISION if SESSION in rule else tag
        has_tag = tag is not None and content_type is None
        return self.serves(
            "GET",
            rule,
            schema,
            let_in=let_in,
            tag=tag,
            extra=[*extra, *(["IF_NONE_MATCH"] if has_tag else [])],
            refuses=[*refuses, *([HTTPStatus.NOT_MODIFIED] if has_tag else [])],
            content_type=content_type,
        )

    def owns(
        self, method: str, rule: str, schema: Any, status: int = 200, refuses: Sequence[int] = ()
    ) -> Decorator:
        """Register an operation for owners; see ``owner`` and ``serves``."""
        extra, refused = ["CLUB_PASSCODE"], [*refuses, 403, 429]
        return self.serves(method, rule, schema, status, let_in=owner, extra=extra, refuses=refused)

    def writes(
        self,
        rule: str,
        schema: type[Schema],
        status: int = 200,
        *,
        method: str = "POST",
        tag: str | None = None,
        matches: bool = False,
        must_match: bool = False,
        dry_run: bool = False,
        refuses: Sequence[int] = (),
        already_json: bool = False,
    ) -> Decorator:
        """Register a write for scorers; see ``scorer`` and ``serves``.

        In a session ``If-Match`` holds its revision; elsewhere, with ``matches``, the tag of the last read.
        """
        extra = ["KEY_UNLESS_DRY" if dry_run else "IDEMPOTENCY_KEY"]
        refused = [*refuses, 403, 409]
        of_session = SESSION in rule
        if of_session or matches:
            place = "IF_MATCH" if of_session else "IF_MATCH_READ"
            extra.append("IF_MATCH_NEEDED" if must_match else place)
            refused += [412, *([428] if must_match else [])]
        return self.serves(
            method,
            rule,
            schema,
            status,
            let_in=scorer(matches=of_session or matches, must_match=must_match, dry_run=dry_run),
            extra=[*extra, "DRY_RUN"] if dry_run else extra,
            tag=REVISION if of_session else tag,
            refuses=refused,
            already_json=already_json,
        )

    def accepts(
        self,
        schema: type[Schema],
        location: str = "json",
        *,
        examples: Mapping[str, Any] | None = None,
    ) -> Decorator:
        """Pass the view the request's data after its access, or refuse it as ``StrictParser.parse`` does."""
        named = {name: {"value": value} for name, value in (examples or {}).items()} or None
        shape = schema()
        taking = self.arguments(shape, location=location, examples=named)
        failures = self.doc(responses=_failures(400, 413, 415) if location == "json" else {})

        def decorate(view: View) -> View:
            @wraps(view)
            def reading(*args: Any, **place: Any) -> Any:
                return view(*args, self.ARGUMENTS_PARSER.parse(shape, location=location), **place)

            decorated = documented(documented(reading, taking), failures)
            if location == "query":
                decorated.parameters = {  # type: ignore[attr-defined]
                    field.data_key or name for name, field in shape.fields.items()
                }
            return decorated

        return decorate

    def receives(self, media_type: str) -> Decorator:
        """Document that the body is a file of this type; the view calls ``body.must_be_of``."""
        content = {media_type: {"schema": {"type": "string", "format": "binary"}}}
        file = {"required": True, "content": content}
        taking = self.doc(requestBody=file, responses=_failures(400, 413, 415))
        return lambda view: documented(view, taking)

    def pages(
        self, query: type[Shape] = ListQuery, *, size: int = 50, largest: int = 200
    ) -> Decorator:
        """Pass the view a ``page``, and add the headers ``X-Pagination`` and ``Link``.

        Args:
            query: The list's filters, which the page has as its ``query``.
            size: The number of rows of a page if the request names none.
            largest: The largest number of rows of a page.
        """

        def decorate(view: View) -> View:
            @wraps(view)
            def filling(*args: Any, pagination_parameters: Any, **place: Any) -> Any:
                *inside, values = args
                page = Page(pagination_parameters, values)
                rows = view(*inside, page=page, **place)
                return rows, 200, {"Link": page.link()}

            reading = self.accepts(query, "query")(filling)
            paged: View = self.paginate(page_size=size, max_page_size=largest)(reading)
            paged.parameters = PAGES | reading.parameters  # type: ignore[attr-defined]
            return paged

        return decorate


class Page:
    """The requested page of a list, and the list's filters.

    Attributes:
        query: The filters, and ``after`` if requested.
        span: The offset and limit of the rows to read: one more than the page has, to know whether it is the
            last.
    """

    def __init__(self, parameters: Any, query: Json) -> None:
        self._parameters = parameters
        self._last: int | None = None
        self._size: int = parameters.page_size
        self.query = {**query}
        self.span = {"offset": min(parameters.first_item, MOST_ROWS), "limit": self._size + 1}
        if "after" in query:
            if "page" in request.args:
                raise Invalid.at("after", "ill-formed", say("Send `after` or `page`, not both."))
            parameters.page = MOST_ROWS  # in X-Pagination it has no number

    def of(self, rows: Sequence[T], total: int, number: Callable[[T], int]) -> list[T]:
        """Return the rows of the page.

        Args:
            rows: The rows in the ``span``.
            total: The number of rows on all pages.
            number: Returns a row's number, for ``after``.
        """
        self._parameters.item_count = total
        if len(rows) > self._size:
            self._last = number(rows[self._size - 1])
        return [*rows[: self._size]]

    def link(self) -> str:
        """Return the header ``Link``, with the first page and, if there is one, the next."""
        filters: Json = {
            name: request.args[name] for name in request.args if name not in {"page", "after"}
        }
        address = partial(url_for, request.endpoint or "", **(request.view_args or {}), **filters)
        links = {"first": address()}
        if self._last is not None:
            links["next"] = address(after=self._last)
        return ", ".join(f'<{link}>; rel="{name}"' for name, link in links.items())


def _json_response(answer: Any, status: int, headers: Mapping[str, str]) -> Response:
    """Return the response for a result that consists of JSON values."""
    response: Response = jsonify(answer)
    response.status_code = status
    response.headers.extend(headers)
    return response


def _response(answer: Any, status: int, *, dry_run: bool, revision: bool) -> Any:
    """Return a result with its status and headers, added to those the view returned.

    A dry run is converted to a mapping, with status 200. ``revision`` adds the header ``ETag``.
    """
    if not revision and not dry_run:
        return answer
    answer, headers = answer if isinstance(answer, tuple) else (answer, {})
    if dry_run:
        answer, status = answer.to_mapping(), HTTPStatus.OK
    if revision and "ETag" not in headers:
        headers = {**etag(answer), **headers}
    return answer, status, headers


def _add_shared_parameters(
    doc: dict[str, Any], settings: Mapping[str, Any], **_: Any
) -> dict[str, Any]:
    """Add an operation's shared parameters to its document."""
    if settings.get("extra"):
        doc["parameters"] = [*doc.get("parameters", []), *settings["extra"]]
    return doc


def _must_be_known(names: Collection[str]) -> None:
    """Raise ``Invalid`` for unknown query parameters: ``?dryrun=true`` must not write."""
    unknown = next((name for name in request.args if name not in names), None)
    if unknown is not None:
        some = later("There is no such parameter; the parameters here are {names:and}.")
        none = later("There is no such parameter; there are none here.")
        message = say(some if names else none, names=sorted(names))
        raise Invalid.at(unknown[:LONGEST_NAME], "unknown-parameter", message)


def _failures(*statuses: int) -> dict[str, str]:
    """Map statuses to the names of their documented responses."""
    return {str(int(status)): HTTPStatus(status).name for status in sorted(statuses)}


def _camel(name: str) -> str:
    """Return a name in camel case, for generated clients: ``record_hand`` is ``recordHand``."""
    first, *more = name.split("_")
    return first + "".join(word.capitalize() for word in more)
