"""The language and time zone of a request: the device's own choice, the browser's languages, or English."""

from typing import Final

from flask import Flask, Response, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from engine.words.language import READER
from ledger.http.flask_app import vary
from ledger.runtime.clock import ZONE, zone_named
from ledger.words.languages import ENGLISH, LANGUAGES
from ledger.words.translation import reader, term, translate_markup

COOKIE: Final = "solo-ledger-language"
"""The cookie with the device's chosen language."""

ZONE_COOKIE: Final = "solo-ledger-zone"
"""The cookie with the device's time zone, for times that no script shows."""


def init_app(app: Flask) -> None:
    """Set each request's language and time zone, and add ``Content-Language`` and ``Vary`` to its response.

    The API ignores the language cookie; static files get neither. Templates get ``_``, ``reader``,
    ``languages`` and the filter ``term``.
    """
    app.before_request(_set_reader)
    app.after_request(_add_headers)
    app.teardown_request(_reset_reader)
    app.jinja_env.globals.update(_=translate_markup, reader=reader, languages=LANGUAGES)
    app.jinja_env.filters["term"] = term


def chosen(own: str | None, accepted: str | None) -> str:
    """Return the language for a device's own choice and its ``Accept-Language`` header.

    >>> chosen("ja", "de"), chosen(None, "fr, de-AT;q=0.8, en;q=0.5"), chosen("tlh", None)
    ('ja', 'de', 'en')
    """
    if own is not None and own in LANGUAGES:
        return own
    for tag, quality in parse_accept_header(accepted, LanguageAccept):
        primary = tag.partition("-")[0].lower()
        if quality and primary in LANGUAGES:
            return primary
    return ENGLISH.tag


def _set_reader() -> None:
    """Set the reader's language and time zone, except for a static file.

    For the API the language depends on the header alone, not on the device's cookie.
    """
    if request.endpoint == "static":
        return
    own = None if request.path.startswith("/api/") else request.cookies.get(COOKIE)
    READER.set(LANGUAGES[chosen(own, request.headers.get("Accept-Language"))])
    ZONE.set(zone_named(request.cookies.get(ZONE_COOKIE, "")))


def _reset_reader(_: BaseException | None) -> None:
    """Reset language and zone for the thread's next work."""
    READER.set(ENGLISH)
    ZONE.set(None)


def _add_headers(response: Response) -> Response:
    """State the response's language, and that it depends on the reader."""
    if request.endpoint != "static":
        response.headers.setdefault("Content-Language", reader().tag)
        vary(response, "Accept-Language")
    return response
