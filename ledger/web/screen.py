"""The board view: the scoreboard for a tablet or television in the middle of the table."""

from flask.typing import ResponseReturnValue

from ledger.services.club import links
from ledger.services.reads import session
from ledger.web.context import SESSION, Here, secret, shows
from ledger.web.devices import shown
from ledger.web.plot import Plot


@shows(f"{SESSION}/screen")
def screen(here: Here) -> ResponseReturnValue:
    """Show who stands where, who deals, leads and sits out, the last hand, the chart, and the way in."""
    board = session.board(here.session, here.session_id)
    page = here.page(
        "screen.html",
        board=board,
        plots=Plot.of_evening(here),
        **shown(links.for_viewers(here.session, secret())),
    )
    page.cache_control.no_store = True  # shows a secret
    return page
