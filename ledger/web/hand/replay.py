"""The page that replays a hand from a link: the hand is in the link's fragment, which browsers never send."""

from urllib.parse import quote

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from ledger.http.failures import public
from ledger.web.frame import fragments, replay_player
from ledger.web.frame.context import four_suits, pages

_IN_FRAGMENTS = "/$!+,.:=?@()_-"
"""The signs of a compact line; all of them may stand in a fragment. Letters of other scripts are encoded."""


@pages.get("/replay")
def replay() -> ResponseReturnValue:
    """Return the page for any hand of any game; it is the same for everybody who reads a language."""
    return fragments.answer(None, _page, "replay.html", four_suits(), replay_player.address())


def link_to(line: str) -> str:
    """Return the URL that replays the hand of a compact line."""
    return f"{public(url_for('web.replay'))}#{quote(line, safe=_IN_FRAGMENTS)}"


def _page() -> str:
    return render_template("replay.html")
