"""A secret carried once from the write that made it to the page that shows it.

The write answers with a redirect, so that reloading never makes a second secret, and nothing of ours may keep
this one. So the device carries it itself: in a signed cookie that no script and no other site reads, that is
sent to the one address that shows it, that the browser keeps for a minute, and that is gone as soon as it is
shown. The signature holds no time: processes whose clocks differ must read each other's.
"""

from typing import Any

from flask import Response, current_app, request
from itsdangerous import BadSignature, URLSafeSerializer

_COOKIE = "solo-ledger-secret"
LASTS_SECONDS = 60


def give(response: Response, secret: str, address: str) -> Response:
    """Let the device carry a secret to an address, and to no other."""
    response.set_cookie(_COOKIE, _signed().dumps([address, secret]), LASTS_SECONDS, **_at(address))
    return response


def taken(address: str) -> str | None:
    """Return the secret that the device has carried to an address; None where there is none."""
    try:
        meant_for, secret = _signed().loads(request.cookies.get(_COOKIE, ""))
    except (BadSignature, ValueError):
        return None
    return str(secret) if meant_for == address else None


def drop(response: Response, address: str) -> Response:
    """Let the device forget what it carried, where it carried anything."""
    if _COOKIE in request.cookies:
        response.delete_cookie(_COOKIE, **_at(address))
    return response


def _at(address: str) -> dict[str, Any]:
    """Say where the cookie goes, and who can't read it."""
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    return {"path": address, "secure": secure, "httponly": True, "samesite": "Strict"}


def _signed() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.secret_key or "", salt="a secret handed over")
