"""flask-smorest as this API uses it: strict bodies, our own failures, and a complete document.

The library is untyped; the decorators that the views use are given their types here.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any, cast

from flask import Response, jsonify, request
from flask_smorest import Blueprint as SmorestBlueprint  # type: ignore[import-untyped]
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from engine.words.sentences import later, say
from ledger.api import body
from ledger.api.access import DRY_RUN, View, etag, owner, reader_of_books, scorer
from ledger.api.smorest_internals import documentation, documented
from ledger.http.failures import RATE, from_messages
from ledger.services.common.writing import DryRun
from ledger.services.session.load import load
from ledger.words.problems import Invalid

Decorator = Callable[[View], View]

SESSION = "/sessions/<id:session_id>"
HAND = f"{SESSION}/hands/<id:number>"

REVISION = "REVISION"
"""The ETag that names a session's revision."""

ALWAYS = (
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
"""How any address may fail: by another method, a parameter that it does not know, a database that is away."""

PAGES = frozenset({"page", "page_size"})
LONGEST_NAME = 100

MOST_ROWS = 1_000_000_000
"""No list is longer; a page beyond it is as empty as this one, and no database minds the number."""


class StrictParser(FlaskParser):
    """Reads JSON bodies by ``ledger.api.body``; the messages of schemas go to ``ledger.http.failures``."""

    def parse(self, argmap: Any, *given: Any, location: str | None = None, **more: Any) -> Any:
        """Return what was sent, read by a schema. Raises what ``body.read`` raises, and ``Invalid``."""
        if location != "json":
            return super().parse(argmap, *given, location=location, **more)
        sent = body.read(request.mimetype, request.get_data())
        try:
            return argmap.load(sent)
        except ValidationError as error:
            raise from_messages(cast("dict[str, Any]", error.messages)) from error


class Blueprint(SmorestBlueprint):  # type: ignore[misc]
    """Routes of one subject, each documented by its docstring, its schemas and its demands."""

    ARGUMENTS_PARSER = StrictParser()
    DEFAULT_PAGINATION_PARAMETERS = {"page": 1, "page_size": 50, "max_page_size": 200}  # noqa: RUF012

    def __init__(self, name: str, module: str, description: str) -> None:
        super().__init__(f"api-{name}", module, description=description, url_prefix="/api/v1")
        self.tag = name.capitalize()
        self._prepare_doc_cbks.append(_also_asking)

    def serves(
        self,
        method: str,
        rule: str,
        schema: Schema | type[Schema] | dict[str, Any],
        status: int = 200,
        *,
        let_in: Decorator | None = None,
        asks: Sequence[str] = (),
        tag: str | None = None,
        refuses: Sequence[int] = (),
        content_type: str | None = None,
        limited: bool = False,
        already_json: bool = False,
    ) -> Decorator:
        """Answer requests of ``method`` at ``rule`` with what the view returns, written by ``schema``.

        The view's name names the operation; ``let_in`` says who may call it, anybody if it is not given.
        ``asks`` and ``refuses`` tell what else may be sent and how this view fails, besides how any does.
        ``tag`` names the ETag of its answers: of ``REVISION`` it is made here, else by the view. Of what is
        ``limited`` its answers tell how often it may be called.
        What is answered ``already_json`` holds just what ``schema`` tells of, in values of JSON.
        What a dry run has shown is answered 200, whatever the ``status`` of the write itself.
        """
        headers = {"ETag": tag} if tag else {}
        headers |= dict.fromkeys(RATE, "RATE") if limited else {}
        written = self.response(status, schema, headers=headers or None, content_type=content_type)
        refused = {*refuses, *ALWAYS}
        refused |= {HTTPStatus.NOT_FOUND} if "<id:" in rule else set()
        refused |= {HTTPStatus.TOO_MANY_REQUESTS} if limited else set()
        told: dict[str, Any] = {}
        if let_in is not None:
            refused |= {HTTPStatus.UNAUTHORIZED}
            told["security"] = [{"token": []}]

        def decorate(view: View) -> View:
            asked = {*getattr(view, "asked", ()), *([DRY_RUN] if "DRY_RUN" in asks else [])}

            @wraps(view)
            def answering(*given: Any, **place: Any) -> Any:
                _must_be_known(asked)
                answer = view(*given, **place)
                if tag != REVISION or method != "GET":
                    asked_only = bool(given) and isinstance(given[0], DryRun)
                    answer = _answered(answer, status, shown=asked_only, revision=tag == REVISION)
                    return _written(*answer) if already_json else answer
                found, _, more = answer if asked == PAGES else (answer, None, {})
                return found, 200, {**more, **etag(load(given[0].session, place["session_id"]))}

            made = documented(answering, written) if already_json else written(answering)
            if "DRY_RUN" in asks and status != HTTPStatus.OK:
                shown = "What it would do; nothing is written"
                also = self.alt_response(200, schema=schema, headers=headers, description=shown)
                made = documented(made, also)
            told["operationId"] = _camel(view.__name__)
            named = documented(
                let_in(made) if let_in else made,
                self.doc(**told, responses=_failures(*refused)),
            )
            documentation(named).update(asks=list(asks), already_json=already_json)
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
        refuses: Sequence[int] = (),
        content_type: str | None = None,
    ) -> Decorator:
        """Show whoever is ``let_in`` what is at ``rule``: who has a token of the club; see ``serves``.

        What shows more than the books is let in by ``reader``.

        What is answered has a ``tag``, so that who has it already is told so: of a session its revision, of
        other things one that the view makes, or of the answer itself. None: nobody keeps it.
        """
        tag = REVISION if SESSION in rule else tag
        kept = tag is not None and content_type is None
        return self.serves(
            "GET",
            rule,
            schema,
            let_in=let_in,
            tag=tag,
            asks=["IF_NONE_MATCH"] if kept else [],
            refuses=[*refuses, *([HTTPStatus.NOT_MODIFIED] if kept else [])],
            content_type=content_type,
        )

    def owns(
        self, method: str, rule: str, schema: Any, status: int = 200, refuses: Sequence[int] = ()
    ) -> Decorator:
        """Let owners do what is theirs at ``rule``; see ``owner`` and ``serves``."""
        asks, refused = ["CLUB_PASSCODE"], [*refuses, 403, 429]
        return self.serves(method, rule, schema, status, let_in=owner, asks=asks, refuses=refused)

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
        """Let scorers write at ``rule``, on top of what they have seen; see ``scorer`` and ``serves``.

        A session's writes are on top of its revision; others, with ``matches``, of what was read of theirs.
        """
        asks = ["KEY_UNLESS_DRY" if dry_run else "IDEMPOTENCY_KEY"]
        refused = [*refuses, 403, 409]
        of_session = SESSION in rule
        if of_session or matches:
            place = "IF_MATCH" if of_session else "IF_MATCH_READ"
            asks.append("IF_MATCH_NEEDED" if must_match else place)
            refused += [412, *([428] if must_match else [])]
        return self.serves(
            method,
            rule,
            schema,
            status,
            let_in=scorer(matches=of_session or matches, must_match=must_match, dry_run=dry_run),
            asks=[*asks, "DRY_RUN"] if dry_run else asks,
            tag=REVISION if of_session else tag,
            refuses=refused,
            already_json=already_json,
        )

    def takes(
        self,
        schema: type[Schema],
        location: str = "json",
        *,
        examples: Mapping[str, Any] | None = None,
    ) -> Decorator:
        """Hand the view what was sent, read by ``schema``, after its access."""
        named = {name: {"value": value} for name, value in (examples or {}).items()} or None
        shape = schema()
        taking = self.arguments(shape, location=location, examples=named)
        told = self.doc(responses=_failures(400, 413, 415) if location == "json" else {})

        def decorate(view: View) -> View:
            @wraps(view)
            def reading(*given: Any, **place: Any) -> Any:
                return view(*given, self.ARGUMENTS_PARSER.parse(shape, location=location), **place)

            made = documented(documented(reading, taking), told)
            if location == "query":
                made.asked = {*shape.fields}  # type: ignore[attr-defined]
            return made

        return decorate

    def pages(self) -> Decorator:
        """Hand the view a ``page`` to fill, and say in X-Pagination where it is in the list."""

        def decorate(view: View) -> View:
            @wraps(view)
            def filling(*given: Any, pagination_parameters: Any, **place: Any) -> Any:
                return view(*given, page=Page(pagination_parameters), **place)

            paged: View = self.paginate()(filling)
            paged.asked = PAGES  # type: ignore[attr-defined]
            return paged

        return decorate


class Page:
    """The part of a list that was asked for, as a view sees it."""

    def __init__(self, asked: Any) -> None:
        self._asked = asked
        self.offset: int = min(asked.first_item, MOST_ROWS)
        self.limit: int = asked.page_size

    def of(self, total: int) -> None:
        """Say how long the whole list is."""
        self._asked.item_count = total


def _written(answer: Any, status: int, headers: Mapping[str, str]) -> Response:
    """Write what is in values of JSON already."""
    response: Response = jsonify(answer)
    response.status_code = status
    response.headers.extend(headers)
    return response


def _answered(answer: Any, status: int, *, shown: bool, revision: bool) -> Any:
    """Return an answer with its status and headers; it may come with headers of its own.

    ``shown`` says that it is of a dry run.
    """
    if not revision and not shown:
        return answer
    answer, more = answer if isinstance(answer, tuple) else (answer, {})
    if shown:
        answer, status = answer.to_mapping(), HTTPStatus.OK
    if revision and "ETag" not in more:
        more = {**etag(answer), **more}
    return answer, status, more


def _also_asking(doc: dict[str, Any], told: Mapping[str, Any], **_: Any) -> dict[str, Any]:
    """Document what any request may be sent beside the parameters of the operation's own."""
    if told.get("asks"):
        doc["parameters"] = [*doc.get("parameters", []), *told["asks"]]
    return doc


def _must_be_known(names: Collection[str]) -> None:
    """Refuse what nobody would heed: ``?dryrun=true`` must not write."""
    unknown = next((name for name in request.args if name not in names), None)
    if unknown is not None:
        some = later("There is no such parameter; the parameters here are {names:and}.")
        none = later("There is no such parameter; there are none here.")
        message = say(some if names else none, names=sorted(names))
        raise Invalid.at(unknown[:LONGEST_NAME], "unknown-parameter", message)


def _failures(*statuses: int) -> dict[str, str]:
    """Name the documents of failures, by their status."""
    return {str(int(status)): HTTPStatus(status).name for status in sorted(statuses)}


def _camel(name: str) -> str:
    """Name an operation for generated clients: ``record_hand`` is ``recordHand``."""
    first, *more = name.split("_")
    return first + "".join(word.capitalize() for word in more)
