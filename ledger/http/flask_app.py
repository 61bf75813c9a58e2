"""Flask as this service needs it: what is the same for every request is worked out once."""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from flask import Flask, Request, Response
from flask.json.provider import JSONProvider
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.datastructures import Headers

from ledger.database import json as json_text


class JsonAnswer(Response):
    """An answer to a program; nothing of it is left to be worked out as it goes."""

    def get_wsgi_headers(self, environ: dict[str, Any]) -> Headers:
        """Return the headers as they are, where there is a body: its length is said, and places in ASCII."""
        return self.headers if self.status_code in {200, 201} else super().get_wsgi_headers(environ)


class OrjsonProvider(JSONProvider):
    """JSON as the ledger writes and reads it, keys in the order they come in: seats stand clockwise."""

    mimetype = "application/json"

    def dumps(self, obj: Any, **_asked: Any) -> str:
        """Write a value in one line, whatever layout is asked for."""
        return self._written(obj).decode()

    def loads(self, s: str | bytes, **_asked: Any) -> Any:
        """Read a value."""
        return json_text.read(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """Answer with a value."""
        body = self._written(self._prepare_response_obj(args, kwargs))
        return JsonAnswer(body, mimetype=self.mimetype)

    def _written(self, value: object) -> bytes:
        try:
            return json_text.write(value)
        except TypeError:  # a hand that is only scored may hold numbers that the books would refuse
            return json.dumps(value, separators=(",", ":")).encode()


class DeviceCookies(SecureCookieSessionInterface):
    """What a device is known by, in a signed cookie. A request without cookies has no device."""

    @lru_cache(maxsize=64)  # noqa: B019 - as many as there are applications in a process
    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs and checks, made once: the key lasts as long as the application."""
        return super().get_signing_serializer(app)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the session in the cookie, however old its signature is.

        A device's row says whether it is in. Flask would also reject a signature from the future, which is
        what a clock that went back, or a second process whose clock is behind, makes of a good one.
        """
        cookie = "HTTP_COOKIE" in request.environ and request.cookies.get(self.get_cookie_name(app))
        signing = self.get_signing_serializer(app) if cookie else None
        if not cookie or signing is None:
            return self.session_class()
        try:
            return self.session_class(signing.loads(cookie))
        except BadSignature:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Write the cookie, if anything was looked at or changed in it."""
        if session.accessed or session.modified:
            super().save_session(app, session, response)


class Application(Flask):
    """Flask without a thing that would be asked of each request in vain."""

    json_provider_class = OrjsonProvider
    session_interface = DeviceCookies()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Call views as they are: none is a coroutine."""
        return func


def add_missing(response: Response, headers: Sequence[tuple[str, str]]) -> None:
    """Add the headers that an answer does not say otherwise."""
    said = {name.lower() for name, _ in response.headers}
    response.headers.extend([each for each in headers if each[0].lower() not in said])


def vary(response: Response, header: str) -> None:
    """Say that another ``header`` of the request would have got another answer."""
    said = response.headers.get("Vary")
    if said is None:
        response.headers.add("Vary", header)
    elif header not in said:
        response.headers["Vary"] = f"{said}, {header}"
