"""The board view: the scoreboard for a tablet or television in the middle of the table.

A session has one, and the club: it shows the session in play, or the last one's result until the next starts.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import east_asian_width

from flask import url_for
from flask.typing import ResponseReturnValue

from ledger.services.club import links
from ledger.services.reads import session
from ledger.services.session.view import SeatView, SessionView
from ledger.services.table import same_table
from ledger.web.club.devices import code_address
from ledger.web.evening.how_to_play import rules_now
from ledger.web.frame import live
from ledger.web.frame.context import CLUB, SESSION, Here, secret, shows
from ledger.web.frame.plot import FLAT, Plot

_ONE_LINE = 18
"""The widest name in letters of full size; a wider one has smaller letters."""


@shows(f"{SESSION}/screen")
def screen(here: Here) -> ResponseReturnValue:
    """Return a session's board view: seats, standings, last hand, charts, tariff and the viewer link."""
    number = here.view.live_number
    return _page(here, url_for("web.live"), number, url_for("web.screen", revision=number))


@shows(f"{CLUB}/screen")
def club_screen(here: Here) -> ResponseReturnValue:
    """Return the board view of the session in play, else of the newest; without one it waits for the first.

    A request with the club's current ``number`` is answered 204.
    """
    number = live.standing(here)
    if live.is_known(number):
        return "", 204
    newest = same_table.newest(here.session)
    shown = same_table.being_played(here.session, newest) or newest
    here.session_id = shown.id if shown else 0
    address = url_for("web.club_screen", number=number)
    return _page(here, url_for("web.club_live"), number, address)


def _page(here: Here, stream: str, number: int, address: str) -> ResponseReturnValue:
    """Return the board view, which requests itself again at ``address`` when the stream passes the number."""
    context: dict[str, Any] = {"code": code_address(links.for_viewers(here.session, secret()))}
    if here.session_id:
        view = here.view
        context |= {
            "board": session.board(here.session, here.session_id),
            "plots": Plot.of_evening(here, FLAT),
            "sides": _sides(view.present),
            "payments": _payments(view),
            "rules": rules_now(view),
            "is_long": _is_long,
        }
    return here.page("screen.html", stream=stream, number=number, address=address, **context)


def _sides(seats: Sequence[SeatView]) -> Mapping[str, Sequence[SeatView]]:
    """Return the seats at each side of the table, clockwise: one at both ends, the others above and below.

    >>> [len(side) for side in _sides(range(7)).values()]
    [1, 3, 1, 2]
    """
    right = (len(seats) - 1) // 2 + 1
    return {
        "left": seats[:1],
        "above": seats[1:right],
        "right": seats[right : right + 1],
        "below": seats[right + 1 :],
    }


def _payments(view: SessionView) -> list[tuple[int | None, int | None, int]]:
    """Return the last hand's payments: the colours of payer and payee, None for a pot, and the amount."""
    if view.last is None:
        return []
    names = (view.seat(seat_id).name for seat_id in view.last.seat_ids)
    colours = dict(zip(view.last.record["players"], map(view.colours.get, names), strict=True))
    return [
        (colours.get(paid["from"]), colours.get(paid["to"]), paid["amount"])
        for paid in view.last.verdict["transfers"]
    ]


def _is_long(name: str) -> bool:
    """Return whether a name has smaller letters."""
    letters = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name)
    return letters > _ONE_LINE
