"""The one place that turns a failure into a response.

Under ``/api/`` it is a problem document (RFC 9457), elsewhere a page with the same sentence. No input may
cause a 500: one that does is our mistake; it is logged, and the response admits it.
"""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from math import ceil
from typing import Any

from flask import (
    Flask,
    Response,
    current_app,
    g,
    json,
    make_response,
    redirect,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from engine.words.sentences import later, say
from ledger.http.proxy import at_port, host_of
from ledger.http.request_log import refused
from ledger.runtime.clock import now
from ledger.runtime.logs import say_once
from ledger.words import problem_codes
from ledger.words.problems import (
    Fault,
    FileLocked,
    Invalid,
    NoSuchSession,
    NotFound,
    NotSignedIn,
    Problem,
    SignUpClosed,
    TooManyTries,
    Unreachable,
)
from ledger.words.translation import translate

log = logging.getLogger("ledger")

MOST_BYTES = 1_000_000
"""The largest accepted body; a hand record takes a few thousand bytes."""

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
"""The headers of a rate limit: its size, the rest of it, and its reset (in seconds since 1970)."""

_FAILURE_HEADERS = {"allow", "retry-after", *map(str.lower, RATE)}

MOST_FORM_BYTES = 100_000
"""The largest accepted form; parsing the fields of a larger one would take long."""


UPLOAD = "/archives"
"""The end of the addresses of forms with a file, which may be as large as a body of the API."""

FILE_FORM = "/import"
"""The same of forms that send the text of a file again, in a field."""


def init_app(app: Flask) -> None:
    """Handle every failure of the app here, and let templates make addresses ``public``."""
    app.jinja_env.globals.update(public=public)
    app.before_request(_check_request)
    app.register_error_handler(Problem, respond)
    app.register_error_handler(HTTPException, _respond_to_http)
    app.register_error_handler(Exception, _respond_to_mistake)


def _check_request() -> ResponseReturnValue | None:
    """Return a 400 response to a request for another host, else None; runs before everything else.

    Outside the API it also limits the size of the body. Without a public URL every host is accepted.
    """
    hosts = current_app.config.get("HOSTS")
    if hosts and host_of(request.host) not in hosts:  # no page can be built without an address
        return "This server does not answer by that name.\n", 400, {"Content-Type": "text/plain"}
    if request.path.endswith(FILE_FORM):
        request.max_form_memory_size = MOST_BYTES
    if not _is_api_request() and not request.path.endswith((UPLOAD, FILE_FORM)):
        request.max_content_length = MOST_FORM_BYTES
    return None


def public(address: str) -> str:
    """Return the full form of an address, under the public URL or else the request's host.

    At home it is one over plain HTTP, because the phone that opens it may not trust the certificate.
    """
    here, http_port = request.host_url.rstrip("/"), current_app.config["HTTP_PORT"]
    if request.is_secure and http_port:
        here = f"http://{at_port(request.host, http_port)}"
    return (current_app.config["PUBLIC_URL"] or here) + address


def respond(problem: Problem) -> Response:
    """Return the response to a problem: a problem document for the API, a page for others.

    A failure of the database is logged, once a minute.
    """
    place = _place()
    if isinstance(problem, Unreachable | FileLocked):
        say_once(log, "the database failed: %s", problem.why)
    if isinstance(problem, NoSuchSession):
        place.pop("session_id", None)
    body = document(problem)
    if not _is_api_request():
        body |= {"detail": translate(problem.at_the_table), "address": problem.address}
    return _response(problem.status, body, tuple(waiting(problem).items()), place)


def is_open() -> bool:
    """Return whether anybody may found a club: the operator can close sign-up."""
    return not current_app.extensions["ledger.settings"].sign_up_closed


def must_be_open() -> None:
    """Raise ``SignUpClosed`` if the operator has closed sign-up."""
    if not is_open():
        raise SignUpClosed


def waiting(problem: Problem) -> dict[str, str]:
    """Return ``Retry-After`` for a temporary problem, else nothing; ``TooManyTries`` adds a rate limit."""
    headers = {} if problem.seconds is None else {"Retry-After": str(problem.seconds)}
    if isinstance(problem, TooManyTries):
        headers |= rate(problem.limit, 0, now().timestamp() + problem.seconds)
    return headers


def rate(limit: int, remaining: int, reset: float) -> dict[str, str]:
    """Return the headers of a rate limit; ``reset`` is a Unix time."""
    return dict(zip(RATE, map(str, (limit, remaining, ceil(reset))), strict=True))


def document(problem: Problem | HTTPException) -> dict[str, Any]:
    """Return the problem document: title, status, code, detail and the errors by field, all translated.

    An error of the framework has no errors by field.
    """
    if isinstance(problem, HTTPException):
        return _document(problem.code or 500, *_in_our_words(problem))
    errors = [{**asdict(fault), "message": translate(fault.message)} for fault in problem.faults]
    return _document(problem.status, problem.title, problem.code, problem.message, errors)


def _document(
    status: int, title: str, code: str, detail: str, errors: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    return {
        "type": problem_codes.type_of(code),
        "title": translate(title),
        "status": status,
        "code": code,
        "detail": translate(detail),
        "errors": list(errors),
    }


def from_messages(messages: Mapping[str, Any]) -> Invalid:
    """Return an ``Invalid`` with a fault for each of a schema's messages, nested by place and field.

    Its message is the first fault, or a general one if there are none.
    """
    faults = [Fault(path, "ill-formed", text) for path, text in _flat(messages)]
    if not faults:
        return Invalid(say("What was sent can't be read."))
    first = faults[0]
    return Invalid(say("{field}: {what}", field=first.field, what=first.message), faults)


def _flat(messages: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            # webargs nests by location first; people only know the field
            outer = not path and key in {"json", "query", "headers", "path"}
            step = "" if outer or key == "_schema" else str(key)
            yield from _flat(inner, ".".join(part for part in (path, step) if part))
    elif isinstance(messages, Sequence) and not isinstance(messages, str):
        for inner in messages:
            yield from _flat(inner, path)
    else:
        yield path, messages if isinstance(messages, str) else str(messages)


def _respond_to_http(error: HTTPException) -> ResponseReturnValue:
    if error.response is not None:
        return error.response
    messages = getattr(error, "data", {}).get("messages")
    if messages:
        return respond(from_messages(messages))
    if error.code is not None and error.code < 400:
        return error.get_response()
    if error.code == 405 and (home := _page_above()):
        return redirect(home, 303)
    headers = error.get_headers() if error.code == 405 else ()
    return _response(error.code or 500, document(error), headers)


def _page_above() -> str | None:
    """Return the nearest page above a write-only address, for a browser that reloads it; None for the API."""
    adapter = current_app.create_url_adapter(request)
    if request.method not in {"GET", "HEAD"} or _is_api_request() or adapter is None:
        return None
    path = request.path
    while "/" in path[1:]:
        path = path.rpartition("/")[0]
        if adapter.test(path, "GET"):
            return path
    return None


def _in_our_words(error: HTTPException) -> tuple[str, str, str]:
    """Return our title, code and sentence for an error of the framework, or else its own."""
    if isinstance(error, RequestEntityTooLarge):
        most = request.max_content_length if request else MOST_BYTES
        limit = say("That is too much at once; the limit is {most:,} bytes.", most=most)
        return say("Too much at once"), "too-large", limit
    if isinstance(error, CSRFError):
        old = say("This page is out of date; reload it, then save.")
        return say("This page is out of date"), "csrf", old
    if isinstance(error, MethodNotAllowed):
        methods = sorted({*(error.valid_methods or ())} - {"HEAD", "OPTIONS"})
        only = say("This address takes only {methods:and}.", methods=methods)
        return say("Method not allowed"), "method-not-allowed", only
    if error.code == 404:
        return NotFound.title, NotFound.code, say("There is nothing at this address.")
    return error.name, error.name.lower().replace(" ", "-"), error.description or error.name


def _respond_to_mistake(error: Exception) -> Response:
    log.exception("a request failed through our own fault", exc_info=error)
    detail = later(
        "Something went wrong on our side. Nothing was changed; try again. In the log it stands "
        "under {number}."
    )
    if request.method not in {"GET", "HEAD", "OPTIONS"}:
        detail = later(
            "Something went wrong on our side. Whether it was saved is not known; look before you "
            "enter it again. In the log it stands under {number}."
        )
    sentence = say(detail, number=g.request_id)
    return _response(500, _document(500, say("Our mistake"), "our-mistake", sentence))


def _place() -> dict[str, int]:
    """Return the ids of club and session in the request's address, if any, even if there is nothing at it."""
    match = re.match(
        r"/clubs/(?P<club_id>[0-9]{1,9})(?![0-9])(/sessions/(?P<session_id>[0-9]{1,9})(?![0-9]))?",
        request.path,
    )
    return {key: int(text) for key, text in match.groupdict().items() if text} if match else {}


def _is_api_request() -> bool:
    return request.path.startswith("/api/")


def _response(
    status: int,
    body: Mapping[str, Any],
    headers: Sequence[tuple[str, str]] = (),
    place: Mapping[str, int] | None = None,
) -> Response:
    refused(body["code"])
    if _is_api_request():
        response = make_response(json.dumps(body), status)
        response.mimetype = "application/problem+json"
    else:
        response = make_response(
            render_template("problem.html", problem=body, at=_place() if place is None else place),
            status,
        )
    for name, value in headers:
        if name.lower() in _FAILURE_HEADERS:
            response.headers[name] = value
    if status == NotSignedIn.status and response.mimetype == "application/problem+json":
        response.headers["WWW-Authenticate"] = 'Bearer realm="solo-ledger"'
    return response
