"""The Flask application class with our JSON and cookies, and functions for response headers."""

import json
from collections.abc import Sequence
from typing import Any

from flask import Flask, Request, Response, request
from flask.json.provider import JSONProvider
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.datastructures import Headers

from ledger.database import json as json_text

SECURE_COOKIE = "__Host-solo-ledger"
"""The cookie's name over HTTPS at home; browsers let no page over plain HTTP set a name that begins so."""


class JsonAnswer(Response):
    """A JSON response, complete when it is built."""

    def get_wsgi_headers(self, environ: dict[str, Any]) -> Headers:
        """Return the headers unchanged for 200 and 201, with their length set; else Flask completes them."""
        return self.headers if self.status_code in {200, 201} else super().get_wsgi_headers(environ)


class OrjsonProvider(JSONProvider):
    """JSON by the ledger's own library, with keys in insertion order: seats are in table order."""

    mimetype = "application/json"

    def dumps(self, obj: Any, **_options: Any) -> str:
        """Return a value as JSON in one line; the options are ignored."""
        return self._encoded(obj).decode()

    def loads(self, s: str | bytes, **_options: Any) -> Any:
        """Parse JSON. Raises ``ValueError``."""
        return json_text.read(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """Return a response with a value."""
        body = self._encoded(self._prepare_response_obj(args, kwargs))
        return JsonAnswer(body, mimetype=self.mimetype)

    def _encoded(self, value: object) -> bytes:
        try:
            return json_text.write(value)
        except TypeError:  # a hand that is only scored may contain numbers that the journal refuses
            return json.dumps(value, separators=(",", ":")).encode()


class DeviceCookies(SecureCookieSessionInterface):
    """A device's key in a signed cookie. A request without cookies has no device."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the cookie's session, or an empty one without a cookie or with a wrong signature.

        The signature's time doesn't matter: the device's row decides about access. Flask would also reject a
        signature from the future: a good one after the clock went back, or from a process with a clock ahead.
        """
        cookie = "HTTP_COOKIE" in request.environ and request.cookies.get(self.get_cookie_name(app))
        serializer = self.get_signing_serializer(app) if cookie else None
        if not cookie or serializer is None:
            return self.session_class()
        try:
            return self.session_class(serializer.loads(cookie))
        except BadSignature:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Add ``Vary: Cookie`` if the session was read, and the cookie if it was changed; else do nothing."""
        if session.accessed or session.modified:
            super().save_session(app, session, response)


class HomeCookies(DeviceCookies):
    """One cookie for plain HTTP and another for HTTPS, for a server that speaks both.

    Browsers don't separate cookies by port. With one name for both, a device that has used HTTPS could no
    longer enter a club over HTTP, as browsers let plain HTTP neither read nor replace a secure cookie.
    """

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the cookie for the request's scheme."""
        return SECURE_COOKIE if request.is_secure else super().get_cookie_name(app)

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002
        """Return whether the cookie may be sent over HTTPS only."""
        return request.is_secure


class Application(Flask):
    """Flask with orjson for JSON, and a session cookie that a request may lack."""

    json_provider_class = OrjsonProvider
    session_interface: DeviceCookies = DeviceCookies()


def add_missing(response: Response, headers: Sequence[tuple[str, str]]) -> None:
    """Add the headers that a response does not have."""
    present = {name.lower() for name, _ in response.headers}
    response.headers.extend([field for field in headers if field[0].lower() not in present])


def vary(response: Response, header: str) -> None:
    """Add a request header to the response's ``Vary``, unless it is there."""
    names = response.headers.get("Vary")
    if names is None:
        response.headers.add("Vary", header)
    elif header not in names:
        response.headers["Vary"] = f"{names}, {header}"
