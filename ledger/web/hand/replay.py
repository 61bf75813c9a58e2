"""The page that replays a hand from a link: the hand is in the link's fragment, which browsers never send."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from engine.cards.cards import CARDS, Suit
from engine.games import GAMES
from engine.guide.card_orders import card_orders
from engine.guide.play_sheets import play_sheets
from ledger.http.failures import public
from ledger.web.frame import fragments
from ledger.web.frame.context import four_suits, pages
from ledger.words.calls import CALLS
from ledger.words.translation import reader, term

_IN_FRAGMENTS = "/$!+,.:=?@()_-"
"""The signs of a compact line; all of them may stand in a fragment. Letters of other scripts are encoded."""


@pages.get("/replay")
def replay() -> ResponseReturnValue:
    """Return the page for any hand of any game; it is the same for everybody who reads a language."""
    return fragments.answer(None, _page, "replay.html", four_suits())


def link_to(line: str) -> str:
    """Return the URL that replays the hand of a compact line."""
    return f"{public(url_for('web.replay'))}#{quote(line, safe=_IN_FRAGMENTS)}"


def _page() -> str:
    return render_template("replay.html", tables=_tables(), cards=[*map(str, CARDS)])


def _tables() -> Mapping[str, Any]:
    """Return what replaying needs to know: all play sheets and card orders, the names of games and calls."""
    every = play_sheets()
    bids = {slug for sheet in every["sheets"] for slug in sheet["bids"]}
    in_clubs = {f"{slug}-in-{Suit.CLUBS.word}" for slug in bids}
    return {
        **every,
        "orders": card_orders(),
        "titles": {slug: term(sheet.title) for slug, sheet in GAMES.items()},
        "calls": {code: reader().call(code) for code in sorted({*bids, *in_clubs, *CALLS})},
    }
