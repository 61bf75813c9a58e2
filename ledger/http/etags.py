"""ETags for pages and API reads: a browser may store them, but has to revalidate each time.

The tag is a hash of the whole response, or of everything it is built from, computed after the access check.
So a 304 response is exact: this reader would get the same. It saves the bytes and the rendering.
"""

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from flask import Response, g, request, session

import engine
import ledger
from ledger.runtime.paths import TEMPLATES
from ledger.words.translation import reader

MADE_OF: Final = "made_of"
"""The name in ``g`` of the tag of a page with known sources."""

STANDING: Final = "at-"
"""The prefix of an idempotency key that a form has as long as its page is unchanged."""

_ONE_TIME_KEY = re.compile(rb'name="key" value="(?!at-)')
"""A form with a key for a single write: its page must not come back after it was sent."""

_CODE = {".html", ".py", ".po", ".css", ".js", ".svg"}


def tag_of(*sources: Any) -> str:
    """Return the tag of a response that depends only on ``sources`` (plain values) and the request.

    Of the request count its address, without the ``revision`` that a poll names, and the reader's language.
    """
    query = [item for item in request.args.items(multi=True) if item[0] != "revision"]
    text = repr((_code(), reader().tag, request.script_root, request.path, query, sources))
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


# Cached for the benchmark loading: it reads all code, and every page asks.
@lru_cache(maxsize=1)
def _code() -> str:
    """Return a hash of the release: its templates and code."""
    digest = hashlib.blake2b(digest_size=16)
    for folder in (TEMPLATES, Path(ledger.__path__[0]), Path(engine.__path__[0])):
        for path in sorted(folder.rglob("*")):
            if path.suffix in _CODE:
                digest.update(path.read_bytes())
    return digest.hexdigest()


def unchanged(tag: str) -> Response | None:
    """Note the tag for ``revalidate``; return a 304 response if the client's copy has it, else None.

    The client's ETag may begin with the state that the copy was read at, as a later ``If-Match`` names it.
    """
    setattr(g, MADE_OF, tag)
    for etag in request.if_none_match.as_set(include_weak=True):
        state, _, stored = (etag or "").rpartition("-")  # "" is parsed as None
        if stored == tag:
            response = Response(status=304, mimetype="application/json")
            if state:
                response.set_etag(state)
            return response
    return None


def has(tag: str) -> bool:
    """Return whether the client has a copy with this tag; false for a request by htmx, which can't use it."""
    return "HX-Request" not in request.headers and request.if_none_match.contains_weak(tag)


def revalidate(response: Response) -> None:
    """Tag a response that may be stored, or turn it into a 304; forbid storing any other.

    Complete pages and API reads may be stored, unless they contain a secret or a form for a single write. A
    response may already have an ETag for ``If-Match``, for example its session's revision. A player's new
    name does not change that one, so a tag of the content is appended after a dash.
    """
    if not _may_be_stored(response):
        response.headers["Cache-Control"] = "no-store"
        return
    tag = g.get(MADE_OF) or _tag(response.get_data())
    response.headers["Cache-Control"] = "private, no-cache"
    state, _ = response.get_etag()
    tag = f"{state}-{tag}" if state else tag
    response.set_etag(tag, weak=state is None)  # weak: valid for any compression
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
        response.set_data(b"")


def _may_be_stored(response: Response) -> bool:
    return (
        request.method in {"GET", "HEAD"}
        and request.blueprint is not None  # the process's health is read each time
        and (response.status_code == 200 or (response.status_code == 304 and MADE_OF in g))
        and response.mimetype in {"text/html", "application/json"}
        and "HX-Request" not in request.headers  # else going back could show part of a page
        and not response.cache_control.no_store
        and not _ONE_TIME_KEY.search(response.get_data())
    )


def _tag(body: bytes) -> str:
    """Return a hash that is equal for equal responses to the same device.

    The signature of a CSRF token contains the time, so the token differs each second; it is replaced by its
    constant part before hashing.
    """
    if "csrf_token" in g:
        body = body.replace(g.csrf_token.encode(), session["csrf_token"].encode())
    return hashlib.blake2b(body, digest_size=16).hexdigest()
