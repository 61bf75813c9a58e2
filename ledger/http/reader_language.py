"""Which language a request is answered in: a device's own choice, then what is accepted, then English."""

from functools import lru_cache
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
"""The cookie that keeps a device's own choice."""

ZONE_COOKIE: Final = "solo-ledger-zone"
"""The cookie in which pages keep the name of a device's time zone, for what is not shown by a script."""


def init_app(app: Flask) -> None:
    """Let every request be answered in its reader's language, and templates say sentences by ``_``."""
    app.before_request(_heed_reader)
    app.after_request(_say_which)
    app.teardown_request(_forget_reader)
    app.jinja_env.globals.update(_=translate_markup, reader=reader, languages=LANGUAGES)
    app.jinja_env.filters["term"] = term


@lru_cache(maxsize=256)
def chosen(own: str | None, accepted: str | None) -> str:
    """Choose a language, by a device's own choice and what its browser accepts.

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


def _heed_reader() -> None:
    """Find out who reads the answer; programs choose by their header alone."""
    if request.endpoint == "static":
        return
    own = None if request.path.startswith("/api/") else request.cookies.get(COOKIE)
    READER.set(LANGUAGES[chosen(own, request.headers.get("Accept-Language"))])
    ZONE.set(zone_named(request.cookies.get(ZONE_COOKIE, "")))


def _forget_reader(_: BaseException | None) -> None:
    """Let what this thread does next be for nobody in particular."""
    READER.set(ENGLISH)
    ZONE.set(None)


def _say_which(response: Response) -> Response:
    """Say which language an answer is in, and that another reader may get another one."""
    if request.endpoint != "static":
        response.headers.setdefault("Content-Language", reader().tag)
        vary(response, "Accept-Language")
    return response
