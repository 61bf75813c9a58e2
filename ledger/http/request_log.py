"""One log line per request: its number, client, address, status and duration.

It contains no secret: of an address only the route and its numbers, so no link's key, no query and no body.
The client is the club's number, the role, and the name stored with changes.
"""

import logging
import re
import secrets
from time import perf_counter
from typing import Any, Final

from flask import Flask, Response, current_app, g, request

from ledger.database.access import Access
from ledger.runtime.logs import REQUESTS
from ledger.runtime.metrics import NOBODY_READS, Metrics

ARRIVED: Final = "ledger.arrived"
"""The environment's key for the time (``perf_counter``) when the request was complete; it may be queued."""

METRICS: Final = "ledger.metrics"
"""The application's extension that counts its requests."""

NO_ROUTE = "none"
"""The route of an unknown address."""

_PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PARAMETER = re.compile(r"<(?:[^<>:]*:)?(\w+)>")

log = logging.getLogger(REQUESTS)


def init_app(app: Flask) -> None:
    """Number and log the app's requests; call it first, so that every response is logged."""
    app.before_request(_begin)
    app.after_request(_end)


def let_in(access: Access) -> Access:
    """Note the access for this request's log line, and return it."""
    g.let_in = access
    return access


def refused(code: str) -> None:
    """Store the code of this request's problem, for its log line and the metric of refusals."""
    g.refused = code


def log_rejection(method: str, address: str, status: int) -> None:
    """Log a request that the server rejected before the application saw it."""
    fields = {"status": status, "method": method, "route": NO_ROUTE, "address": address}
    log.info("%s %d", method, status, extra={"fields": fields})


def route() -> str:
    """Return the route of the request, for example ``/clubs/{club_id}``, or ``NO_ROUTE``."""
    return _PARAMETER.sub(r"{\1}", request.url_rule.rule) if request.url_rule else NO_ROUTE


def _begin() -> None:
    g.began = request.environ.get(ARRIVED) or perf_counter()
    # Only from a trusted proxy: `Proxied` removes everybody else's.
    proxy_id = request.environ.get("HTTP_X_REQUEST_ID", "")
    g.request_id = proxy_id if _PLAIN_ID.fullmatch(proxy_id) else secrets.token_hex(8)


def _end(response: Response) -> Response:
    response.headers.add("X-Request-ID", g.request_id)
    metrics: Metrics = current_app.extensions[METRICS]
    is_logged = log.isEnabledFor(logging.INFO)
    if metrics is NOBODY_READS and not is_logged:
        return response
    seconds = perf_counter() - g.began
    rule = route()
    metrics.request(request.method, rule, response.status_code, seconds)
    if "refused" in g:
        metrics.refused(g.refused)
    if is_logged:
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
        "path": _with_numbers(rule, request.view_args or {}),
        "address": request.remote_addr,
    }
    access: Access | None = g.get("let_in")
    if access is not None:
        fields |= {"club": access.club_id, "role": access.role.value, "author": access.author}
    if "refused" in g:
        fields["code"] = g.refused
    return fields


def _with_numbers(rule: str, parameters: dict[str, Any]) -> str:
    """Fill in the numbers of a route; texts stay placeholders, as one could be a link's key."""
    for name, value in parameters.items():
        if isinstance(value, int):
            rule = rule.replace(f"{{{name}}}", str(value))
    return rule
