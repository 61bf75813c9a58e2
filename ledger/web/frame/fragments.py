"""A page that is known by all that it is made of: not made again for who has it, nor for the next follower.

What it shows is read each time, in the request's own transaction, so nothing on it is old. Only the making
of it is spared: who has the page made of just that is told so, and what one follower was shown another one
is shown, too, packed as it was. A scorer's page has forms that only their device can
send, and is made for it.
"""

from collections.abc import Callable
from threading import Lock
from typing import Any

from flask import Response, g, make_response, request, session

from ledger.database.access import Access
from ledger.http.compression import PACKED
from ledger.http.etags import MADE_OF, has, tag_of

MOST_PAGES = 64
"""How many are held at once, each of some 15 KB: a process has few sessions that are followed right now."""


class RenderedPage:
    """A page as it was made, and packed, by the way it is."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.packed: dict[str, bytes] = {}


class RenderedPages:
    """The pages that were made last, by their tags."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._rendered: dict[str, RenderedPage] = {}

    def page(self, tag: str, make: Callable[[], str]) -> RenderedPage:
        """Return the page of a tag. Many who ask for it at once wait for the one that makes it."""
        with self._lock:
            page = self._rendered.pop(tag, None) or RenderedPage(make())
            self._rendered[tag] = page  # the newest is the last
            if len(self._rendered) > MOST_PAGES:
                del self._rendered[next(iter(self._rendered))]
        return page


_rendered = RenderedPages()


def is_known(access: Access, *made_of: Any) -> bool:
    """Whether who asks has the page that is made of nothing but ``made_of`` (plain values) and the request.

    Whatever is answered instead carries the tag of it.
    """
    return has(_tag_for(access, *made_of))


def answer(access: Access, make: Callable[[], str], *made_of: Any) -> Response:
    """Answer with a page that ``make`` makes, of nothing but ``made_of`` (plain values) and the request.

    Of the request it may heed its address, but for the ``revision`` that a poll names, and whether
    ``only_main`` is asked for.
    """
    tag = _tag_for(access, *made_of)
    if has(tag):
        return make_response("", 304)
    if access.may_write:
        return make_response(make())
    page = _rendered.page(tag, make)
    setattr(g, PACKED, page.packed)
    return make_response(page.text)


def _tag_for(access: Access, *made_of: Any) -> str:
    """Return the tag of a page that is made of this, for who asks, and leave it for the answer."""
    who = (session.get("csrf_token"), access) if access.may_write else access.role
    tag = tag_of(who, only_main(), made_of)
    setattr(g, MADE_OF, tag)
    return tag


def only_main() -> bool:
    """Whether the page that asks has all that stands around ``#main``: its script takes no more than that.

    Such an answer is never kept (see ``ledger.http.etags``), so nobody is shown half a page later.
    """
    return request.headers.get("HX-Target", "body") != "body"
