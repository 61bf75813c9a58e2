"""The page of one hand with cards: its auction, its tricks and its payout, as a sheet to read or print."""

from flask import request
from flask.typing import ResponseReturnValue

from engine.words.sentences import say
from ledger.http import downloads
from ledger.report import file_name, paper_size_for, render_hand
from ledger.runtime.clock import local, now
from ledger.services.club import clubs
from ledger.services.reads.hand_sheet import hand_sheet
from ledger.web.frame.context import HAND, Here, shows
from ledger.web.hand.replay import link_to


@shows(HAND)
def hand(here: Here, number: int) -> ResponseReturnValue:
    """Return the sheet of a hand at its current version; 404 if its tricks were not recorded."""
    sheet = hand_sheet(here.session, here.view, number)
    link = sheet.shared and link_to(sheet.shared)
    return here.page("hand.html", sheet=sheet, line=sheet.line, link=link)


@shows(f"{HAND}/sheet.pdf")
def hand_pdf(here: Here, number: int) -> ResponseReturnValue:
    """Return the sheet of a hand as a PDF to download, on A4 or Letter; 404 without recorded tricks."""
    sheet = hand_sheet(here.session, here.view, number)
    pdf = render_hand(
        sheet,
        here.view,
        clubs.show(here.session).name,
        printed_at=local(now()),
        paper_size=paper_size_for(request.args.get("paper"), request.accept_languages.best),
    )
    name = file_name(here.view, say("Hand {number}", number=number))
    return downloads.pdf(pdf, name, as_attachment=True)
