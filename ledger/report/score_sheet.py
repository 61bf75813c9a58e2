"""The score sheet: the grid that card players keep on paper, filled from a session or blank for a pen."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from engine.words.sentences import say, word
from ledger.report.blocks import Block, space, stack
from ledger.report.characters import isolate
from ledger.report.column_widths import standings
from ledger.report.figures import signed
from ledger.report.pages import Footer, to_pdf
from ledger.report.paper import FELT
from ledger.report.parts import Cell, ReportColumn, StyledText, heading, paragraph, quiet, table
from ledger.report.sheets import A4, PaperSize
from ledger.services.reads.summary import UNITS, HandLine, SessionSummary
from ledger.words.numbers import day, number
from ledger.words.translation import translate

_ROW, _ABOVE = 21.0, 90.0
"""The height of a row to write in, and of all that is above the rows of a page."""


def render_score_sheet(
    summary: SessionSummary,
    *,
    printed_at: datetime,
    paper_size: PaperSize = A4,
    blank: bool = False,
) -> bytes:
    """Return the score sheet of a session as a PDF: each hand's contract and everybody's total after it.

    Chips and scores have a table each if the session has both. A `blank` sheet has the players' names above
    empty rows, as many as fit on a page.
    """
    paper_size = paper_size if len(summary.seats) <= 6 else paper_size.lying
    columns = [
        ReportColumn(say("No."), 24, align=1, names_row=True),
        ReportColumn(say("Contract"), 104),
        ReportColumn(say("Result"), 40, align=1),
        *(ReportColumn(name, align=1, is_name=True) for name in summary.seats),
    ]
    title = translate(say("Score sheet"))
    games = [game for game, _ in summary.games]
    facts = translate(say("{games:and}", games=games))
    blocks = [
        paragraph(summary.club, paper_size, size=11, color=FELT),
        heading(title, 1),
        paragraph(_facts(summary.title, None if blank else summary.started_on, facts), paper_size),
        space(4),
    ]
    if blank:
        count = int((paper_size.top - paper_size.bottom - _ABOVE) / _ROW)
        empty = [
            [f"{place}", "", "", *("" for _ in summary.seats)] for place in range(1, count + 1)
        ]
        blocks += table(columns, empty, paper_size, ruled=True, least=_ROW)
    else:
        blocks += _filled(summary, columns, paper_size)
        blocks.append(
            quiet(say("Everybody's total after each hand; the bidder's in bold."), paper_size)
        )
    pages = stack(blocks, paper_size.size, top=paper_size.top, bottom=paper_size.bottom)
    footer = Footer((summary.club, summary.title), summary.started_on, printed_at)
    return to_pdf(pages, f"{title}, {summary.title}", summary.club, footer)


def _facts(title: str, on: date | None, games: str) -> str:
    return "  ·  ".join([isolate(title), *([day(on)] if on else []), games])


def _filled(
    summary: SessionSummary, columns: Sequence[ReportColumn], paper_size: PaperSize
) -> Iterator[Block]:
    """Yield a table of the standing hands for each unit, with its title if there are two.

    If other entries count, the table in the session's unit ends with their sum and the present standing.
    """
    others = [entry.amounts for entry in summary.other_entries if entry.counts]
    for unit in summary.units:
        if summary.scores_apart:
            yield heading(UNITS[unit])
        rows = [
            _row(hand, summary)
            for hand in summary.hands
            if hand.state == "standing" and hand.unit == unit
        ]
        if others and unit == summary.unit:
            sums = ([StyledText(signed(sum(each)))] for each in zip(*others, strict=True))
            rows.append(["", translate(say("Other entries")), "", *sums])
            present = ([StyledText(signed(total), bold=True)] for total in standings(summary))
            standing = StyledText(translate(say("Standing")), bold=True)
            rows.append(["", [standing], "", *present])
        yield from table(columns, rows, paper_size, ruled=True)


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
