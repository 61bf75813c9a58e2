"""The history of a session: every hand, what it paid and why, and what it said before."""

from flask import request
from flask.typing import ResponseReturnValue

from ledger.services.reads import session as read
from ledger.web.context import SESSION, Here, shows
from ledger.web.figures import page_of

A_PAGE = 30
"""How many hands a page of the history lists."""


def page_with(number: int, dealt: int) -> int:
    """Return the page that lists a hand, when so many were dealt.

    >>> page_with(31, 31), page_with(2, 31), page_with(1, 31)
    (1, 1, 2)
    """
    return max(dealt - number, 0) // A_PAGE + 1


@shows(f"{SESSION}/history")
def history(here: Here) -> ResponseReturnValue:
    """List the hands, newest first, a page at a time; beyond the last page is the last."""
    text = request.args.get("saved", "")
    view = here.view
    page = min(page_of(request.args.get("page", "1")), page_with(1, view.hands_dealt))
    if "hand" in request.args:
        page = page_with(page_of(request.args["hand"]), view.hands_dealt)
    last = view.hands_dealt - (page - 1) * A_PAGE
    first = max(last - A_PAGE + 1, 1)
    lines = read.hands(here.session, here.session_id, first=first, last=last)
    return here.page(
        "history.html",
        made_of=lines,
        lines=lines[::-1],
        saved=next((line for line in lines if str(line.number) == text), None),
        page=page,
        more=first > 1,
    )
