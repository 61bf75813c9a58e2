"""The names of bids and other calls."""

from typing import Final

from engine.cards.cards import Suit
from engine.games import GAMES
from engine.phases.bidding.auction import DOUBLE, HOLD, REDOUBLE
from engine.record import PASS
from engine.words.sentences import later, say, word

CALLS: Final = {
    PASS: later("Pass"),
    HOLD: later("Hold"),
    DOUBLE: later("Double"),
    REDOUBLE: later("Redouble"),
}
"""The names of the calls that are not bids."""


def call_name(code: str) -> str:
    """Return the name of a bid or another call as a sentence; a text that is neither is returned unchanged.

    >>> call_name("misere"), call_name("hold"), call_name("frage-in-clubs"), call_name("whist")
    ('Misère', 'Hold', 'Frage in clubs', 'whist')
    """
    if title := CALLS.get(code) or _bid_title(code):
        return word(title)
    bid, _, suit = code.rpartition("-in-")
    if (title := _bid_title(bid)) and any(suit == other.word for other in Suit):
        return say("{bid:term} in {suit:term}", bid=title, suit=suit)
    return code


def _bid_title(slug: str) -> str | None:
    """Return the title of a bid, the same in every game and variant that has it; `None` for no bid."""
    for sheet in GAMES.values():
        for variant in (None, *(variant.slug for variant in sheet.variants)):
            for seats in sheet.seats:
                bid = sheet.rules(variant, {}, seats).by_slug.get(slug)
                if bid is not None:
                    return bid.title
    return None
