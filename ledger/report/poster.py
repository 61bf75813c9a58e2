"""The poster for the winner of a season: one page with their mark, their name and their figures."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from reportlab.lib.colors import Color

from engine.words.sentences import say
from ledger.report.blocks import Block, PdfPage, space
from ledger.report.characters import isolate
from ledger.report.days import Days
from ledger.report.pages import Footer, to_pdf
from ledger.report.paper import FELT, GREY, INK, Paper
from ledger.report.sheets import A4, MARGIN, PaperSize
from ledger.report.strokes import Stroke, stroke
from ledger.report.text import fit, line, wrap
from ledger.services.reads import season_rules
from ledger.services.reads.season_table import SeasonStanding
from ledger.services.reads.seasons import EVENINGS_WON, SeasonTable
from ledger.words.numbers import number
from ledger.words.translation import reader, translate

_MOST_WINNERS = 4
"""The most winners whose marks and names are drawn; others are counted below them."""
_SHARE_OF_MARK = 0.62
"""The size of a mark in the ring around it."""
_INSET = 30.0
"""The distance of the content from the frame."""


def render_poster(
    standings: SeasonTable,
    club: str,
    colours: Mapping[int, int],
    *,
    printed_at: datetime,
    paper_size: PaperSize = A4,
) -> bytes:
    """Return the poster of a season's winners as a PDF; equal arguments give equal bytes.

    ``colours`` are the numbers of the players' colours by id.
    """
    season, winners = standings.season, standings.winners
    first = stroke(colours[winners[0].id])
    period = Days(season.first_day, season.last_day).title
    blocks = [
        _frame(first.color, paper_size),
        _centred(club, 18, FELT, 32),
        _centred(isolate(season.name), 38, INK, 54, bold=True, role="H1"),
        *([] if period == season.name else [_centred(period, 14, GREY, 24)]),
        space(30),
        _marks([(row, stroke(colours[row.id])) for row in winners[:_MOST_WINNERS]], paper_size),
        space(14),
        *_names(winners, first.color),
        *_figures(standings, winners[0]),
        *_prize(season.prize),
        *_others(standings),
    ]
    height = sum(block.height for block in blocks)
    placed: list[tuple[float, Block]] = []
    y = paper_size.top - max((paper_size.top - paper_size.bottom - height) / 2, 0)
    for block in blocks:
        placed.append((y, block))
        y -= block.height
    footer = Footer((club, season.name), printed_at.date(), printed_at)
    title = f"{club}, {season.name}"
    return to_pdf([PdfPage(paper_size.size, tuple(placed))], title, club, footer)


def _frame(color: Color, paper_size: PaperSize) -> Block:
    """Return the frame around the page, which takes no height."""

    def draw(paper: Paper, _y: float) -> None:
        for inset, width, pen in ((0, 4.0, color), (7, 0.8, INK)):
            left, bottom = MARGIN + inset, paper_size.bottom + inset
            paper.canvas.setStrokeColor(pen)
            paper.canvas.setLineWidth(width)
            paper.canvas.rect(
                left, bottom, paper_size.right - inset - left, paper_size.top - inset - bottom
            )

    return Block(0, draw)


def _centred(
    words: str, size: float, color: Color, height: float, *, bold: bool = False, role: str = "P"
) -> Block:
    """Return a centred line, in smaller type if it is long, down to a third, and cut if still too wide."""

    def draw(paper: Paper, y: float) -> None:
        text, room = translate(words), _room(paper)
        fitted = max(min(size, room / max(line(text, bold=bold).width, 1)), size / 3)
        laid = fit(text, room / fitted, bold=bold)
        with paper.part(role):
            x = (paper.size[0] - laid.width * fitted) / 2
            paper.put(x, y - height / 2 - size * 0.35, laid, fitted, color)

    return Block(height, draw)


def _room(page: Paper | PaperSize) -> float:
    """Return the width inside the frame."""
    return page.size[0] - 2 * MARGIN - 2 * _INSET


def _marks(winners: Sequence[tuple[SeasonStanding, Stroke]], paper_size: PaperSize) -> Block:
    """Return the marks of the winners beside one another, in rings, as one figure."""
    names = [isolate(winner.name) for winner, _ in winners]
    apart = _room(paper_size) / len(winners)
    ring = min(112.0, apart / 2.2)

    def draw(paper: Paper, y: float) -> None:
        with paper.figure(translate(say("The mark of {names:and}", names=names))):
            for place, (_, mark) in enumerate(winners):
                x = paper.size[0] / 2 + (place - (len(winners) - 1) / 2) * apart
                mark.stamp(paper.canvas, x, y - ring, ring * _SHARE_OF_MARK)
                mark.pen(paper.canvas, 2.0)
                paper.canvas.circle(x, y - ring, ring, stroke=1, fill=0)

    return Block(2 * ring, draw)


def _names(winners: Sequence[SeasonStanding], color: Color) -> Iterator[Block]:
    """Yield the winners' names below the word for them."""
    yield _centred(say("Winner") if len(winners) == 1 else say("Winners"), 14, GREY, 24)
    size = 58.0 / len(winners[:_MOST_WINNERS]) ** 0.5
    for winner in winners[:_MOST_WINNERS]:
        yield _centred(isolate(winner.name), size, color, size * 1.2, bold=True)
    more = len(winners) - _MOST_WINNERS
    if more > 0:
        yield _centred(say("and {n} more", n=number(more)), 14, GREY, 24)


def _figures(standings: SeasonTable, winner: SeasonStanding) -> Iterator[Block]:
    """Yield the total that won and, of a single winner, the evenings."""
    figures = [
        (season_rules.figure(standings, winner.total), season_rules.unit_title(standings)),
    ]
    if len(standings.winners) == 1:
        figures.append((number(winner.evenings), say("Evenings")))
        if standings.unit != EVENINGS_WON:
            figures.append((number(winner.wins), say("Evenings won")))

    def draw(paper: Paper, y: float) -> None:
        apart = _room(paper) / len(figures)
        for place, (amount, caption) in enumerate(figures):
            x = paper.size[0] / 2 + (place - (len(figures) - 1) / 2) * apart
            with paper.part("P"):
                for words, size, below, color in (
                    (amount, 26, 26, INK),
                    (translate(caption), 11, 44, GREY),
                ):
                    laid = fit(words, (apart - 8) / size)
                    paper.put(x - laid.width * size / 2, y - below, laid, size, color)

    yield space(12)
    yield Block(56, draw)


def _prize(prize: str) -> Iterator[Block]:
    """Yield the prize, if there is one, on at most three lines."""
    if not prize:
        return
    words, size = f"{translate(say('Prize'))}{reader().colon}{isolate(prize)}", 15.0

    def draw(paper: Paper, y: float) -> None:
        with paper.part("P"):
            lines = wrap(words, _room(paper) / size, most=3)
            top = y - size - (3 - len(lines)) * 10
            paper.put_lines(paper.size[0] / 2, top, lines, size, 20, INK, align=0.5)

    yield Block(70, draw)


def _others(standings: SeasonTable) -> Iterator[Block]:
    """Yield the players in the second and the third place, at most three."""
    rows = [row for row in standings.standings if row.place in (2, 3)]
    for row in rows[:3]:
        figure = season_rules.figure(standings, row.total)
        yield _centred(f"{row.place}.  {isolate(row.name)}  {figure}", 15, INK, 24)
