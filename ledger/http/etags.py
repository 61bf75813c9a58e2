"""Pages and API reads that a browser may keep, and has to ask about each time it shows them.

The tag is worked out from the whole answer, or from all that it would be made of, after its reader was let
in. So a 304 says what is so: this reader would get just what they have. It spares the bytes and the drawing.
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
"""Where a page leaves its tag (in ``g``) that is known by what it is made of."""

STANDING: Final = "at-"
"""What a key begins with that a form has for as long as its page says the same."""

_DRAWN_FOR_IT = re.compile(rb'name="key" value="(?!at-)')
"""A form with a key of its own is for one write: a page with one that was sent must not come back."""

_CODE = {".html", ".py", ".po", ".css", ".js", ".svg"}


def tag_of(*made_of: Any) -> str:
    """Return the tag of an answer that is made of nothing but ``made_of`` (plain values) and the request.

    That is its address, but for the ``revision`` that a poll names, and the language of its reader.
    """
    asked = [each for each in request.args.items(multi=True) if each[0] != "revision"]
    said = repr((_code(), reader().tag, request.script_root, request.path, asked, made_of))
    return hashlib.blake2b(said.encode(errors="surrogatepass"), digest_size=16).hexdigest()


@lru_cache(maxsize=1)
def _code() -> str:
    """Return the same while this is the same release, with the same pages."""
    seal = hashlib.blake2b(digest_size=16)
    for place in (TEMPLATES, Path(ledger.__path__[0]), Path(engine.__path__[0])):
        for path in sorted(place.rglob("*")):
            if path.suffix in _CODE:
                seal.update(path.read_bytes())
    return seal.hexdigest()


def unchanged(tag: str) -> Response | None:
    """Answer 304 to who has what is made of this, None to others; the answer to these gets the tag, too.

    Before the tag may stand the state that it was read at, as a later ``If-Match`` names it.
    """
    setattr(g, MADE_OF, tag)
    for held in request.if_none_match.as_set(include_weak=True):
        state, _, made_of = (held or "").rpartition("-")  # "" is read as None
        if made_of == tag:
            response = Response(status=304, mimetype="application/json")
            if state:
                response.set_etag(state)
            return response
    return None


def has(tag: str) -> bool:
    """Whether who asks has an answer of this tag, and may be told so."""
    return "HX-Request" not in request.headers and request.if_none_match.contains_weak(tag)


def let_it_be_asked_about(response: Response) -> None:
    """Tag an answer that may be kept, or answer 304 to who has it; let nobody keep any other.

    Kept are pages and API reads that are whole and without a secret or a form for one write. What is read
    for a later ``If-Match`` has an ``ETag`` already, such as its session's revision. That tells too little to
    keep the answer by, as names of players change without it: the answer's own follows it, after a dash.
    """
    if not _may_be_kept(response):
        response.headers["Cache-Control"] = "no-store"
        return
    tag = g.get(MADE_OF) or _tag(response.get_data())
    response.headers["Cache-Control"] = "private, no-cache"
    state, _ = response.get_etag()
    tag = f"{state}-{tag}" if state else tag
    response.set_etag(tag, weak=state is None)  # weak: however it is compressed
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
        response.set_data(b"")


def _may_be_kept(response: Response) -> bool:
    return (
        request.method in {"GET", "HEAD"}
        and request.blueprint is not None  # how the process fares is asked of it, each time
        and (response.status_code == 200 or (response.status_code == 304 and MADE_OF in g))
        and response.mimetype in {"text/html", "application/json"}
        and "HX-Request" not in request.headers  # else going back could show a part of a page
        and not response.cache_control.no_store
        and not _DRAWN_FOR_IT.search(response.get_data())
    )


def _tag(body: bytes) -> str:
    """Return the same for the same answer to the same device.

    A CSRF token is signed with its second, and any that was signed for the device does: what stays of it
    stands for it.
    """
    if "csrf_token" in g:
        body = body.replace(g.csrf_token.encode(), session["csrf_token"].encode())
    return hashlib.blake2b(body, digest_size=16).hexdigest()
