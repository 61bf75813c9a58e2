"""The history of a session: every hand, what it paid and why, and what it said before."""

from flask import request
from flask.typing import ResponseReturnValue

from engine.record import PASS
from engine.words.sentences import say
from ledger.services.reads import hand_search
from ledger.services.reads import session as read
from ledger.services.reads.hand_search import HandFilter
from ledger.services.session.view import SessionView
from ledger.web.frame.context import SESSION, Here, shows
from ledger.web.frame.figures import page_of

_ALL_PASSED = say("All passed")

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
    """List the hands, newest first, a page at a time; beyond the last page is the last.

    Where some are looked for, only these.
    """
    wanted = _wanted()
    if not wanted.is_empty:
        return _found(here, wanted)
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
        wanted=wanted,
        bids=_bids(view),
    )


def _found(here: Here, wanted: HandFilter) -> ResponseReturnValue:
    """List the hands that are looked for."""
    view = here.view
    numbers = hand_search.numbers(here.session, view, wanted)
    page = min(page_of(request.args.get("page", "1")), page_with(1, len(numbers)))
    shown = numbers[(page - 1) * A_PAGE : page * A_PAGE]
    lines = [
        line
        for first, last in hand_search.runs(shown)
        for line in read.hands(here.session, here.session_id, first=first, last=last)[::-1]
    ]
    return here.page(
        "history.html",
        lines=lines,
        saved=None,
        page=page,
        more=page * A_PAGE < len(numbers),
        wanted=wanted,
        found=len(numbers),
        bids=_bids(view),
    )


def _wanted() -> HandFilter:
    """Read what is looked for; a bid or a player that is not there is found nowhere."""
    asked = request.args
    return HandFilter(
        asked.get("player", ""), asked.get("bid", ""), "lost" in asked, "changed" in asked
    )


def _bids(view: SessionView) -> list[tuple[str, str]]:
    """Return what the game offers now, each bid's slug and title, and that all passed."""
    rules = view.sheet.rules(view.variant, view.options, view.sheet.seats[-1])
    return [*((bid.slug, bid.title) for bid in rules.bids), (PASS, _ALL_PASSED)]
