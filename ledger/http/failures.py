"""The one place that turns a failure into a response.

Under ``/api/`` it is a problem document (RFC 9457); elsewhere a page. Both say the same sentence.
Nothing that somebody sends may become a 500: what does is our mistake, is logged, and says so.
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
from ledger.http.proxy import host_of
from ledger.http.request_log import refused
from ledger.runtime.clock import now
from ledger.runtime.logs import say_once
from ledger.words import problem_codes
from ledger.words.problems import (
    Fault,
    Held,
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
"""The largest body that is read; a hand record takes a few thousand bytes."""

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
"""How often something may be done, how often still, and when (in seconds since 1970) as often again."""

_OF_FAILURES = {"allow", "retry-after", *map(str.lower, RATE)}

MOST_FORM_BYTES = 100_000
"""The largest form that is read; to take the fields of more apart would take long."""


def init_app(app: Flask) -> None:
    """Make ``app`` answer every failure here."""
    app.before_request(_at_the_door)
    app.register_error_handler(Problem, respond)
    app.register_error_handler(HTTPException, _respond_to_http)
    app.register_error_handler(Exception, _respond_to_mistake)


def _at_the_door() -> ResponseReturnValue | None:
    """Refuse who asks for another host, and let no large form be taken apart; runs before all else."""
    hosts = current_app.config.get("HOSTS")
    if hosts and host_of(request.host) not in hosts:  # there is no address to make a page with
        return "This server does not answer by that name.\n", 400, {"Content-Type": "text/plain"}
    if not _to_a_program():
        request.max_content_length = MOST_FORM_BYTES
    return None


def public(address: str) -> str:
    """Return an address of ours as others type it: under the public URL, else as this request was asked."""
    return (current_app.config["PUBLIC_URL"] or request.host_url.rstrip("/")) + address


def respond(problem: Problem) -> Response:
    """Return the response to a named failure."""
    at = _standing()
    if isinstance(problem, Unreachable | Held):
        say_once(log, "the database failed: %s", problem.why)
    if isinstance(problem, NoSuchSession):
        at.pop("session_id", None)
    said = document(problem)
    if not _to_a_program():
        said["detail"] = translate(problem.at_the_table)
    return _answer(problem.status, said, tuple(waiting(problem).items()), at)


def is_open() -> bool:
    """Whether anybody may found a club here: whoever runs the service may have closed sign-up."""
    return not current_app.extensions["ledger.settings"].sign_up_closed


def must_be_open() -> None:
    """Raise ``SignUpClosed`` where whoever runs the service has closed sign-up."""
    if not is_open():
        raise SignUpClosed


def waiting(problem: Problem) -> dict[str, str]:
    """Return the headers that say after how many seconds it may be tried again, if it may."""
    headers = {} if problem.seconds is None else {"Retry-After": str(problem.seconds)}
    if isinstance(problem, TooManyTries):
        headers |= rate(problem.limit, 0, now().timestamp() + problem.seconds)
    return headers


def rate(limit: int, remaining: int, reset: float) -> dict[str, str]:
    """Return the headers with how often something may be done, how often still, and when as often again."""
    numbers = limit, remaining, ceil(reset)
    return dict(zip(RATE, map(str, numbers), strict=True))


def document(problem: Problem | HTTPException) -> dict[str, Any]:
    """Return the problem document: title, status, code, detail, and the errors field by field."""
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
    """Turn a schema's messages, nested by place and field, into one ``Invalid``."""
    faults = [Fault(path, "ill-formed", text) for path, text in _flat(messages)]
    if not faults:
        return Invalid(say("What was sent can't be read."))
    first = faults[0]
    return Invalid(say("{field}: {what}", field=first.field, what=first.message), faults)


def _flat(messages: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            # webargs nests by where it looked first; a person only knows the field
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
    return _answer(error.code or 500, document(error), headers)


def _page_above() -> str | None:
    """Return the nearest page above an address that can only be written to; whoever reloads it gets there."""
    adapter = current_app.create_url_adapter(request)
    if request.method not in {"GET", "HEAD"} or _to_a_program() or adapter is None:
        return None
    path = request.path
    while "/" in path[1:]:
        path = path.rpartition("/")[0]
        if adapter.test(path, "GET"):
            return path
    return None


def _in_our_words(error: HTTPException) -> tuple[str, str, str]:
    """Return title, code and sentence for what the framework refused."""
    if isinstance(error, RequestEntityTooLarge):
        most = request.max_content_length if request else MOST_BYTES
        limit = say("That is too much at once; the limit is {most:,} bytes.", most=most)
        return say("Too much at once"), "too-large", limit
    if isinstance(error, CSRFError):
        old = say("This page is out of date; reload it, then save.")
        return say("This page is out of date"), "csrf", old
    if isinstance(error, MethodNotAllowed):
        takes = sorted({*(error.valid_methods or ())} - {"HEAD", "OPTIONS"})
        only = say("This address takes only {methods:and}.", methods=takes)
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
    said = say(detail, number=g.request_id)
    return _answer(500, _document(500, say("Our mistake"), "our-mistake", said))


def _standing() -> dict[str, int]:
    """Return the club and session whose address was asked for, even where there is nothing at it."""
    found = re.match(
        r"/clubs/(?P<club_id>[0-9]{1,9})(?![0-9])(/sessions/(?P<session_id>[0-9]{1,9})(?![0-9]))?",
        request.path,
    )
    return {key: int(text) for key, text in found.groupdict().items() if text} if found else {}


def _to_a_program() -> bool:
    return request.path.startswith("/api/")


def _answer(
    status: int,
    body: Mapping[str, Any],
    headers: Sequence[tuple[str, str]] = (),
    at: Mapping[str, int] | None = None,
) -> Response:
    refused(body["code"])
    if _to_a_program():
        response = make_response(json.dumps(body), status)
        response.mimetype = "application/problem+json"
    else:
        response = make_response(
            render_template("problem.html", problem=body, at=_standing() if at is None else at),
            status,
        )
    for name, value in headers:
        if name.lower() in _OF_FAILURES:
            response.headers[name] = value
    if status == NotSignedIn.status and response.mimetype == "application/problem+json":
        response.headers["WWW-Authenticate"] = 'Bearer realm="solo-ledger"'
    return response
