"""ETags and a cache for pages that depend only on known values.

The values are read for each request, in its own transaction, so a page is never stale. Only rendering is
saved: a client with the same page gets 304, and viewers share a rendered and compressed page. A scorer's
page contains forms for one device and is not shared.
"""

from collections.abc import Callable
from threading import Lock
from typing import Any

from flask import Response, g, make_response, request, session

from ledger.database.access import Access
from ledger.http.compression import PACKED
from ledger.http.etags import MADE_OF, has, tag_of

MOST_PAGES = 64
"""The most pages in the cache, about 15 KB each; few sessions are followed at the same time."""


class RenderedPage:
    """A rendered page and its compressed forms by encoding."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.packed: dict[str, bytes] = {}


class RenderedPages:
    """The last rendered pages, by tag."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._rendered: dict[str, RenderedPage] = {}

    def page(self, tag: str, make: Callable[[], str]) -> RenderedPage:
        """Return the page of a tag, rendered once even if several requests need it.

        Other requests wait until it is rendered. Pages beyond the last used ``MOST_PAGES`` are dropped.
        """
        with self._lock:
            page = self._rendered.pop(tag, None) or RenderedPage(make())
            self._rendered[tag] = page  # the newest is the last
            if len(self._rendered) > MOST_PAGES:
                del self._rendered[next(iter(self._rendered))]
        return page


_rendered = RenderedPages()


def is_known(access: Access, *made_of: Any) -> bool:
    """Return whether the client has the page that depends only on ``made_of`` (plain values) and the request.

    Never for a request by htmx. The response gets the tag of this page.
    """
    return has(_tag_for(access, *made_of))


def answer(access: Access | None, make: Callable[[], str], *made_of: Any) -> Response:
    """Return the response of a page rendered by ``make``, from the cache if possible, or 304.

    A page without ``access`` belongs to no club. A scorer's page is never taken from the cache. The page may
    only depend on ``made_of`` (plain values), the request's URL except its ``revision``, and ``only_main``.
    """
    tag = _tag_for(access, *made_of)
    if has(tag):
        return make_response("", 304)
    if access is not None and access.may_write:
        return make_response(make())
    page = _rendered.page(tag, make)
    setattr(g, PACKED, page.packed)
    return make_response(page.text)


def _tag_for(access: Access | None, *made_of: Any) -> str:
    """Return the tag of a page for this client, and store it for the response."""
    audience: object = access and access.role
    if access is not None and access.may_write:
        audience = (session.get("csrf_token"), access)
    tag = tag_of(audience, only_main(), made_of)
    setattr(g, MADE_OF, tag)
    return tag


def only_main() -> bool:
    """Return whether htmx asks only for ``#main``.

    Browsers must not store these responses (see ``ledger.http.etags``), or they would later show half a page.
    """
    return request.headers.get("HX-Target", "body") != "body"
