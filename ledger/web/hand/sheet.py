"""The page of one hand with cards: its auction, its tricks and its payout, as a sheet to read or print."""

from flask.typing import ResponseReturnValue

from ledger.services.reads.hand_sheet import hand_sheet
from ledger.web.frame.context import HAND, Here, shows
from ledger.web.hand.replay import link_to


@shows(HAND)
def hand(here: Here, number: int) -> ResponseReturnValue:
    """Return the sheet of a hand at its current version; 404 if its tricks were not recorded."""
    sheet = hand_sheet(here.session, here.view, number)
    link = sheet.shared and link_to(sheet.shared)
    return here.page("hand.html", sheet=sheet, line=sheet.line, link=link)
