"""A line for each request: which one, who asked, what, what came of it, how long it took.

It never says a secret: of an address only its rule and the numbers in it, so no link's key, no query and
no body. Who asked is the club's number, the role, and the name that their changes are kept under.
"""

import logging
import re
import secrets
from functools import lru_cache
from time import perf_counter
from typing import Any, Final

from flask import Flask, Response, current_app, g, request

from ledger.database.access import Access
from ledger.runtime.logs import REQUESTS
from ledger.runtime.metrics import NOBODY_READS, Metrics

ARRIVED: Final = "ledger.arrived"
"""Where the server says when a request had come in whole (by ``perf_counter``); it may wait for a thread."""

METRICS: Final = "ledger.metrics"
"""Where the application has what counts its requests."""

NO_ROUTE = "none"
"""What stands for the rule of an address that there is not."""

_PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PART = re.compile(r"<(?:[^<>:]*:)?(\w+)>")

log = logging.getLogger(REQUESTS)


def init_app(app: Flask) -> None:
    """Make ``app`` number and log its requests; before all else, so that whatever is answered is logged."""
    app.before_request(_begin)
    app.after_request(_end)


def let_in(access: Access) -> Access:
    """Note who asks, for the line of this request."""
    g.let_in = access
    return access


def refused(code: str) -> None:
    """Note the code of the problem that this request is answered with."""
    g.refused = code


def told(method: str, address: str, status: int) -> None:
    """Log what was answered before any route was looked for: it did not come in, or too many wait."""
    fields = {"status": status, "method": method, "route": NO_ROUTE, "address": address}
    log.info("%s %d", method, status, extra={"fields": fields})


def route() -> str:
    """Return the rule of the address that was asked for, as in ``/clubs/{club_id}``."""
    return _written(request.url_rule.rule) if request.url_rule else NO_ROUTE


def _begin() -> None:
    g.began = request.environ.get(ARRIVED) or perf_counter()
    # Only from a proxy that is trusted: `Proxied` takes everybody else's away.
    sent = request.environ.get("HTTP_X_REQUEST_ID", "")
    g.request_id = sent if _PLAIN_ID.fullmatch(sent) else secrets.token_hex(8)


def _end(response: Response) -> Response:
    response.headers.add("X-Request-ID", g.request_id)
    metrics: Metrics = current_app.extensions[METRICS]
    noted = log.isEnabledFor(logging.INFO)
    if metrics is NOBODY_READS and not noted:
        return response
    seconds = perf_counter() - g.began
    rule = route()
    metrics.request(request.method, rule, response.status_code, seconds)
    if "refused" in g:
        metrics.refused(g.refused)
    if noted:
        fields = _fields(response, rule, seconds)
        path, status = fields["path"], fields["status"]
        log.info("%s %s %d", request.method, path, status, extra={"fields": fields})
    return response


def _fields(response: Response, rule: str, seconds: float) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "status": response.status_code,
        "ms": round(seconds * 1000, 1),
        "bytes": response.content_length or 0,
        "request_id": g.request_id,
        "method": request.method,
        "route": rule,
        "path": _numbered(rule, request.view_args or {}),
        "address": request.remote_addr,
    }
    access: Access | None = g.get("let_in")
    if access is not None:
        fields |= {"club": access.club_id, "role": access.role.value, "author": access.author}
    if "refused" in g:
        fields["code"] = g.refused
    return fields


@lru_cache(maxsize=512)
def _written(rule: str) -> str:
    return _PART.sub(r"{\1}", rule)


def _numbered(rule: str, said: dict[str, Any]) -> str:
    """Fill in the numbers of an address; a word in it could be a link's key."""
    for name, value in said.items():
        if isinstance(value, int):
            rule = rule.replace(f"{{{name}}}", str(value))
    return rule
