"""The history of a session: its hands with payouts, explanations and earlier versions."""

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
"""The hands on one page."""


def page_with(number: int, dealt: int) -> int:
    """Return the number of the history's page with a hand, given the number of hands dealt.

    >>> page_with(31, 31), page_with(2, 31), page_with(1, 31)
    (1, 1, 2)
    """
    return max(dealt - number, 0) // A_PAGE + 1


@shows(f"{SESSION}/history")
def history(here: Here) -> ResponseReturnValue:
    """Return a page of hands, newest first, or of those that match the filter.

    Without a filter, ``hand`` in the URL chooses the page with that hand. A page number beyond the last page
    shows the last one.
    """
    hand_filter = _filter()
    if not hand_filter.is_empty:
        return _matching_hands(here, hand_filter)
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
        hand_filter=hand_filter,
        bids=_bids(view),
    )


def _matching_hands(here: Here, hand_filter: HandFilter) -> ResponseReturnValue:
    """Return a page of the hands that match a filter."""
    view = here.view
    numbers = hand_search.numbers(here.session, view, hand_filter)
    page = min(page_of(request.args.get("page", "1")), page_with(1, len(numbers)))
    page_numbers = numbers[(page - 1) * A_PAGE : page * A_PAGE]
    lines = [
        line
        for first, last in hand_search.runs(page_numbers)
        for line in read.hands(here.session, here.session_id, first=first, last=last)[::-1]
    ]
    return here.page(
        "history.html",
        lines=lines,
        saved=None,
        page=page,
        more=page * A_PAGE < len(numbers),
        hand_filter=hand_filter,
        matches=len(numbers),
        bids=_bids(view),
    )


def _filter() -> HandFilter:
    """Parse the filter, which is empty without parameters; an unknown bid or player matches no hand."""
    query = request.args
    return HandFilter(
        query.get("player", ""), query.get("bid", ""), "lost" in query, "changed" in query
    )


def _bids(view: SessionView) -> list[tuple[str, str]]:
    """Return slugs and titles of the game's current bids and of a passed hand."""
    rules = view.sheet.rules(view.variant, view.options, view.sheet.seats[-1])
    return [*((bid.slug, bid.title) for bid in rules.bids), (PASS, _ALL_PASSED)]
