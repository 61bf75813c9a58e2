"""The page that replays a hand from a link: the hand is in the link's fragment, which browsers never send."""

from collections.abc import Mapping
from typing import Any

from flask import render_template
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.guide.card_orders import card_orders
from engine.guide.play_sheets import play_sheets
from ledger.web.frame import fragments
from ledger.web.frame.context import four_suits, pages
from ledger.words.translation import term


@pages.get("/replay")
def replay() -> ResponseReturnValue:
    """Return the page for any hand of any game; it is the same for everybody who reads a language."""
    return fragments.answer(None, _page, "replay.html", four_suits())


def _page() -> str:
    return render_template("replay.html", tables=_tables())


def _tables() -> Mapping[str, Any]:
    """Return what replaying needs to know: all play sheets and card orders, and the games' titles."""
    titles = {slug: term(sheet.title) for slug, sheet in GAMES.items()}
    return {**play_sheets(), "orders": card_orders(), "titles": titles}
