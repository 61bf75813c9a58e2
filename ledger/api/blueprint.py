"""flask-smorest as this API uses it: strict bodies, our own failures, and a complete document.

The library is untyped; the decorators that the views use are given their types here.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any

from flask import Request
from flask_smorest import Blueprint as SmorestBlueprint  # type: ignore[import-untyped]
from marshmallow import Schema
from webargs.flaskparser import FlaskParser

from ledger.api import body
from ledger.api.access import Demands, View, etag, reader, scorer
from ledger.services.common.writing import Shown

Decorator = Callable[[View], View]

SESSION = "/sessions/<id:session_id>"
HAND = f"{SESSION}/hands/<id:number>"

MOST_ROWS = 1_000_000_000
"""No list is longer; a page beyond it is as empty as this one, and no database minds the number."""


class StrictParser(FlaskParser):
    """Reads JSON bodies by ``ledger.api.body``; the messages of schemas go to ``ledger.http``."""

    def load_json(self, req: Request, schema: Schema) -> Any:  # noqa: ARG002
        """Return the body as a JSON object. Raises what ``body.read`` raises."""
        return body.read(req.mimetype, req.get_data())


def _anybody(view: View) -> View:
    return view


class Blueprint(SmorestBlueprint):  # type: ignore[misc]
    """Routes of one subject, each documented by its docstring, its schemas and its demands."""

    ARGUMENTS_PARSER = StrictParser()
    DEFAULT_PAGINATION_PARAMETERS = {"page": 1, "page_size": 50, "max_page_size": 200}  # noqa: RUF012

    def __init__(self, name: str, module: str, description: str) -> None:
        super().__init__(f"api-{name}", module, description=description, url_prefix="/api/v1")
        self.tag = name.capitalize()
        self._prepare_doc_cbks.append(_document_demands)

    def serves(
        self,
        method: str,
        rule: str,
        schema: Schema | type[Schema] | dict[str, Any],
        status: int = 200,
        *,
        let_in: Decorator = _anybody,
        revision: bool = False,
        refuses: Sequence[int] = (),
        content_type: str | None = None,
    ) -> Decorator:
        """Answer requests of ``method`` at ``rule`` with what the view returns, written by ``schema``.

        The view's name names the operation; ``let_in`` says who may call it. With ``revision`` the ETag names
        the session's; ``refuses`` are the failures peculiar to this view, besides that there is no such row.
        What a dry run has shown is answered 200, whatever the ``status`` of the write itself.
        """
        headers = {"ETag": "REVISION"} if revision else None
        written = self.response(status, schema, headers=headers, content_type=content_type)
        missing = (HTTPStatus.NOT_FOUND,) if "<id:" in rule else ()

        def decorate(view: View) -> View:
            @wraps(view)
            def answering(*given: Any, **place: Any) -> Any:
                return _answered(view(*given, **place), status, revision=revision)

            made = written(answering)
            for code in (*refuses, *missing):
                made = self.alt_response(code, HTTPStatus(code).name)(made)
            named = self.doc(operationId=_camel(view.__name__))(let_in(made))
            self.route(rule, methods=[method], tags=[self.tag])(named)
            return view

        return decorate

    def reads(
        self, rule: str, schema: Schema | type[Schema] | dict[str, Any], **how: Any
    ) -> Decorator:
        """Show whoever has a token of the club what is at ``rule``; see ``reader`` and ``serves``."""
        return self.serves("GET", rule, schema, let_in=reader, **how)

    def writes(
        self,
        rule: str,
        schema: type[Schema],
        status: int = 200,
        *,
        method: str = "POST",
        must_match: bool = False,
        dry_run: bool = False,
        **how: Any,
    ) -> Decorator:
        """Let scorers write at ``rule``, on top of a session's revision; see ``scorer`` and ``serves``."""
        of_session = "<id:session_id>" in rule
        let_in = scorer(revision=of_session, must_match=must_match, dry_run=dry_run)
        how = {"revision": of_session, **how}
        return self.serves(method, rule, schema, status, let_in=let_in, **how)

    def takes(
        self,
        schema: type[Schema],
        location: str = "json",
        *,
        examples: Mapping[str, Any] | None = None,
    ) -> Decorator:
        """Hand the view what was sent, read by ``schema``, after its access."""
        named = {name: {"value": value} for name, value in (examples or {}).items()} or None
        decorator: Decorator = self.arguments(schema, location=location, examples=named)
        return decorator

    def pages(self) -> Decorator:
        """Hand the view a ``page`` to fill, and say in X-Pagination where it is in the list."""

        def decorate(view: View) -> View:
            @wraps(view)
            def filling(*given: Any, pagination_parameters: Any, **place: Any) -> Any:
                return view(*given, page=Page(pagination_parameters), **place)

            paged: View = self.paginate()(filling)
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


def _answered(answer: Any, status: int, *, revision: bool) -> Any:
    """Return an answer with its status and headers; it may come with headers of its own."""
    if not revision and not isinstance(answer, Shown):
        return answer
    answer, more = answer if isinstance(answer, tuple) else (answer, {})
    if isinstance(answer, Shown):
        answer, status = answer.to_mapping(), HTTPStatus.OK
    if revision and "ETag" not in more:
        more = {**etag(answer), **more}
    return answer, status, more


def _camel(name: str) -> str:
    """Name an operation for generated clients: ``record_hand`` is ``recordHand``."""
    first, *more = name.split("_")
    return first + "".join(word.capitalize() for word in more)


def _document_dry_run(responses: dict[Any, Any]) -> None:
    """Say that a dry run is answered in the shape of the write, and by 200."""
    written = responses.get("201") or responses.get(201)
    if written is not None:
        responses["200"] = {**written, "description": "What it would do; nothing is written"}


def _document_demands(doc: dict[str, Any], doc_info: Mapping[str, Any], **_: Any) -> dict[str, Any]:
    """Add what the access decorators ask for, and how it is refused, to an operation's document."""
    demands: Demands | None = doc_info.get("access")
    refused = {HTTPStatus.SERVICE_UNAVAILABLE}
    parameters = doc.setdefault("parameters", [])
    if demands is not None:
        doc["security"] = [{"token": []}]
        refused |= {HTTPStatus.UNAUTHORIZED}
        if demands.scorer:
            refused |= {HTTPStatus.FORBIDDEN}
        if demands.key:
            parameters.append("KEY_UNLESS_DRY" if demands.dry_run else "IDEMPOTENCY_KEY")
            refused |= {HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}
        if demands.revision:
            parameters.append("IF_MATCH_NEEDED" if demands.must_match else "IF_MATCH")
            refused |= {HTTPStatus.PRECONDITION_FAILED}
        if demands.must_match:
            refused |= {HTTPStatus.PRECONDITION_REQUIRED}
        if demands.dry_run:
            parameters.append("DRY_RUN")
            _document_dry_run(doc["responses"])
    if "requestBody" in doc:
        refused |= {
            HTTPStatus.BAD_REQUEST,
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        }
    if not parameters:
        del doc["parameters"]
    for status in sorted(refused):
        doc.setdefault("responses", {}).setdefault(status.value, status.name)
    return doc
