"""The score sheet: the grid that card players keep on paper, filled from a session or blank for a pen."""

from datetime import date, datetime

from engine.words.sentences import say, word
from ledger.report.blocks import space, stack
from ledger.report.characters import isolate
from ledger.report.figures import signed
from ledger.report.pages import Footer, written
from ledger.report.paper import FELT
from ledger.report.parts import Cell, ReportColumn, StyledText, heading, paragraph, quiet, table
from ledger.report.sheets import A4, PaperSize
from ledger.services.reads.summary import HandLine, SessionSummary
from ledger.words.numbers import day, number
from ledger.words.translation import translate

_ROW, _ABOVE = 21.0, 90.0
"""The height of a row to write in, and of all that is above the rows of a page."""


def render_score_sheet(
    summary: SessionSummary,
    *,
    printed_at: datetime,
    paper: PaperSize = A4,
    blank: bool = False,
) -> bytes:
    """Return the score sheet of a session as a PDF: each hand's contract and everybody's total after it.

    A `blank` one has the players' names above empty rows, as many as fit on a page.
    """
    sheet = paper if len(summary.seats) <= 6 else paper.lying
    columns = [
        ReportColumn(say("No."), 24, align=1, names_row=True),
        ReportColumn(say("Contract"), 104),
        ReportColumn(say("Result"), 40, align=1),
        *(ReportColumn(name, align=1, is_name=True) for name in summary.seats),
    ]
    rows = [_row(hand, summary) for hand in summary.hands if hand.state == "standing"]
    if blank:
        count = int((sheet.top - sheet.bottom - _ABOVE) / _ROW)
        rows = [[f"{place}", "", "", *("" for _ in summary.seats)] for place in range(1, count + 1)]
    title = translate(say("Score sheet"))
    games = [game for game, _ in summary.games]
    facts = translate(say("{games:and}", games=games))
    blocks = [
        paragraph(summary.club, sheet, size=11, color=FELT),
        heading(title, 1),
        paragraph(_facts(summary.title, None if blank else summary.started_on, facts), sheet),
        space(4),
        *table(columns, rows, sheet, ruled=True, least=_ROW if blank else 0),
    ]
    if not blank:
        blocks.append(quiet(say("Everybody's total after each hand; the bidder's in bold."), sheet))
    pages = stack(blocks, sheet.size, top=sheet.top, bottom=sheet.bottom)
    footer = Footer((summary.club, summary.title), summary.started_on, printed_at)
    return written(pages, f"{title}, {summary.title}", summary.club, footer)


def _facts(title: str, on: date | None, games: str) -> str:
    return "  ·  ".join([isolate(title), *([day(on)] if on else []), games])


def _row(hand: HandLine, summary: SessionSummary) -> list[Cell]:
    """Return the row of a hand: number, bidder with bid, result, and everybody's total after it."""
    bid = translate(word(hand.bid_title))
    contract = f"{isolate(hand.bidder)}, {bid}" if hand.bidder else bid
    result = " ".join(number(value) for value in hand.counts.values())
    totals = zip(summary.seats, hand.balances, strict=True)
    return [
        f"{hand.number}",
        contract,
        result,
        *([StyledText(signed(total), bold=name == hand.bidder)] for name, total in totals),
    ]
