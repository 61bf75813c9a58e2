"""Transfer of a new secret from the request that made it to the page that shows it, in a cookie.

A write redirects, so that reloading the page makes no second secret, and the server must not store the
secret. The browser therefore carries it: in a signed, HTTP-only, same-site cookie for one URL, which
expires after a minute and is deleted as soon as the page was shown. The signature has no timestamp, because
the clocks of several server processes may differ.
"""

from typing import Any

from flask import Response, current_app, request
from itsdangerous import BadSignature, URLSafeSerializer

_COOKIE = "solo-ledger-secret"
LASTS_SECONDS = 60


def carry(response: Response, secret: str, address: str) -> Response:
    """Add to a response the cookie that carries a secret to a URL for a minute; return the response."""
    response.set_cookie(
        _COOKIE, _signed().dumps([address, secret]), LASTS_SECONDS, **_attributes(address)
    )
    return response


def carried_secret(address: str) -> str | None:
    """Return the secret in the request's cookie for a URL; None if it is missing, forged or for another."""
    try:
        meant_for, secret = _signed().loads(request.cookies.get(_COOKIE, ""))
    except (BadSignature, ValueError):
        return None
    return str(secret) if meant_for == address else None


def delete(response: Response, address: str) -> Response:
    """Add to a response the deletion of a URL's cookie, if the request had one; return the response."""
    if _COOKIE in request.cookies:
        response.delete_cookie(_COOKIE, **_attributes(address))
    return response


def _attributes(address: str) -> dict[str, Any]:
    """Return the attributes of the cookie for a URL."""
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    return {"path": address, "secure": secure, "httponly": True, "samesite": "Strict"}


def _signed() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.secret_key or "", salt="a secret handed over")
