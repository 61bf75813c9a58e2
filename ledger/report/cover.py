"""The first page: the session's facts, standings, chart and settlement."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial

from reportlab.lib.colors import Color

from engine.words.sentences import say
from ledger.report.blocks import Block, PdfPage, space, stack
from ledger.report.characters import isolate
from ledger.report.chart import draw_chart, of_session
from ledger.report.figures import moment, signed
from ledger.report.paper import FELT, GREY, INK, RULE, Paper
from ledger.report.sheets import MARGIN, PaperSize
from ledger.report.strokes import strokes
from ledger.report.tags import COLUMN, head_of_row
from ledger.report.text import TextLine, line, wrap
from ledger.services.money.settle_up import Payment
from ledger.services.reads.summary import UNITS, SeatLine, SessionSummary
from ledger.words import numbers
from ledger.words.translation import translate

_MONEY = 86
_SCORE = 52
_TITLE = 31.0
_CHART_LEAST, _CHART_MOST = 146.0, 340.0


def cover(
    summary: SessionSummary, printed_at: datetime, paper_size: PaperSize, last: Iterable[Block] = ()
) -> list[PdfPage]:
    """Return the first page, ending with the blocks `last`, and more if there are many rules or names."""
    above = [*_head(summary, printed_at, paper_size), *_standings(summary, paper_size)]
    below = [*_settlement(summary, paper_size), *_house_rules(summary, paper_size), *last]
    used_height = sum(block.height for block in above + below) + _TITLE
    room = paper_size.top - paper_size.bottom - used_height
    chart: list[Block] = []
    for unit in summary.units if summary.hands else ():
        chart += _chart(summary, unit, paper_size, min(max(room, _CHART_LEAST), _CHART_MOST))
        room = 0
    blocks = [*above, *chart, *below]
    pages = stack(blocks, paper_size.size, top=paper_size.top, bottom=paper_size.bottom)
    return [PdfPage(pages[0].size, pages[0].blocks, say("Standings")), *pages[1:]]


def _paragraph(
    lines: list[TextLine], size: float, leading: float, color: Color = INK, role: str = "P"
) -> Block:
    """Return a block of lines at the left margin."""

    def draw(paper: Paper, y: float) -> None:
        with paper.part(role):
            paper.put_lines(MARGIN, y - size, lines, size, leading, color)

    return Block(len(lines) * leading, draw)


def _head(summary: SessionSummary, printed_at: datetime, paper_size: PaperSize) -> Iterator[Block]:
    """Yield club, session, date and game, and a note if the session is not closed."""
    yield _paragraph(wrap(summary.club, paper_size.room / 11, most=2), 11, 15, FELT)
    yield _paragraph(
        wrap(summary.title, paper_size.room / 22, bold=True, most=3), 22, 27, role="H1"
    )
    yield space(4)
    games = summary.games
    played = [
        say("{game} ({n:hand|hands})", game=title, n=hands) if len(games) > 1 else title
        for title, hands in games
    ]
    facts = [
        numbers.day(summary.started_on),
        translate(say("{names:and}", names=played)),
        translate(say("{n:player|players}", n=len(summary.seats))),
        translate(summary.count),
    ]
    yield _paragraph(wrap("  ·  ".join(facts), paper_size.room / 9.5, most=3), 9.5, 13.5, INK)
    if not summary.closed:
        note = say("Still being played; as of {at}.", at=moment(printed_at, printed_at))
        yield _paragraph(wrap(translate(note), paper_size.room / 9.5), 9.5, 13.5, GREY)
    if waiting := summary.unconfirmed:
        listed = say("{all:list}", all=waiting)
        note = say(
            "{n:hand is|hands are} not confirmed yet: {numbers}", n=len(waiting), numbers=listed
        )
        yield _paragraph(wrap(translate(note), paper_size.room / 9.5, most=3), 9.5, 13.5, GREY)
    yield space(6)


def _title(words: str) -> Block:
    """Return a section title."""

    def draw(paper: Paper, y: float) -> None:
        with paper.part("H2"):
            paper.write(MARGIN, y - 24, translate(words), 11.5, FELT, bold=True)

    return Block(_TITLE, draw)


def _standings(summary: SessionSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the table of standings, also the chart's legend, and later results of departed players."""
    yield _title(say("Final standings") if summary.closed else say("Standings so far"))

    money = summary.money
    edge = _chips_edge(summary, paper_size)

    key = object()

    def head(paper: Paper, y: float) -> None:
        row = paper.table(key).add("TR")
        heads = [
            (MARGIN, translate(say("Rank")), 0),
            (MARGIN + 52, translate(say("Player")), 0),
        ]
        if not summary.on_paper:
            heads.append((edge - 148, translate(say("Hands bid")), 1))
            heads.append((edge - 84, translate(say("Hands won")), 1))
        for place, unit in enumerate(summary.units):
            heads.append((edge + _SCORE * place, translate(UNITS[unit]), 1))
        if money:
            heads.append((paper_size.right, money.currency, 1))
        for x, words, align in heads:
            with paper.within(row.add("TH", COLUMN)):
                paper.write(x, y - 9, words, 7.5, GREY, align=align)
        paper.rule(MARGIN, y - 13, paper_size.right, 0.7, INK)

    yield Block(13, head, keep_with_previous=True)
    for standing in summary.standings:
        seat = summary.seats.index(standing.name)
        # The only place that prints every name in full.
        name = wrap(standing.name, (edge - 205 - MARGIN - 52) / 9.5, bold=standing.rank == 1)
        row = partial(_standing, summary, standing, seat, name, paper_size, key)
        yield Block(16 + 12 * (len(name) - 1), row, keep_with_previous=True)
    for effect in summary.after_leaving:
        player, more = isolate(effect.player), effect.in_words
        yield from _small_print(
            say("{player}, since leaving: {more}", player=player, more=more), paper_size
        )


def _chips_edge(summary: SessionSummary, paper_size: PaperSize) -> float:
    """Return the right edge of the balances; scores and money may follow."""
    extra_width = _SCORE * (len(summary.units) - 1)
    return paper_size.right - extra_width - (_MONEY if summary.money else 0)


def _standing(
    summary: SessionSummary,
    standing: SeatLine,
    seat: int,
    name: list[TextLine],
    paper_size: PaperSize,
    key: object,
    paper: Paper,
    y: float,
) -> None:
    """Draw one player's standing, a row of the table with this key."""
    edge, money = _chips_edge(summary, paper_size), summary.money
    base = y - 11.5
    row = paper.table(key).add("TR")
    with paper.within(row.add("TD")):
        paper.write(MARGIN + 14, base, f"{standing.rank}", 9.5, GREY, align=1)
    strokes(summary)[seat].sample(paper.canvas, MARGIN + 24, base + 3.2)
    with paper.within(row.add("TH", head_of_row())):
        paper.put_lines(MARGIN + 52, base, name, 9.5, 12)
    counts = [
        (edge - 148, numbers.number(standing.hands_bid), False),
        (edge - 84, numbers.number(standing.hands_won), False),
    ]
    figures = [*([] if summary.on_paper else counts), (edge, signed(standing.balance), True)]
    if summary.scores_apart:
        figures.append((edge + _SCORE, signed(standing.scored), False))
    if money:
        figures.append((paper_size.right, numbers.money(money.amounts[seat], money.currency), True))
    for x, words, bold in figures:
        with paper.within(row.add("TD")):
            paper.write(x, base, words, 9.5, INK, bold=bold, align=1)
    paper.rule(MARGIN, y - 16 - 12 * (len(name) - 1), paper_size.right, 0.35, RULE)


def _chart(
    summary: SessionSummary, unit: str, paper_size: PaperSize, height: float
) -> Iterator[Block]:
    """Yield the chart of running balances in one unit, with its title."""
    yield _title(_AFTER_EACH_HAND[unit])
    course = of_session(summary, unit)

    def draw(paper: Paper, y: float) -> None:
        draw_chart(paper, course, x=MARGIN, y=y, width=paper_size.room, height=height)

    yield Block(height, draw, keep_with_previous=True)


def _settlement(summary: SessionSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the payments in money, then those for chips that were not converted.

    If there are none, a sentence explains it.
    """
    yield _title(say("Settling up") if summary.closed else say("Settling up, if it ended now"))
    money = summary.money
    if money and money.payments:
        yield from _rows(
            [
                (pay, f"{numbers.money(pay.amount, money.currency)} {money.currency}")
                for pay in money.payments
            ],
            paper_size,
        )
        yield from _small_print(_THIS_EVENING, paper_size)
        if not summary.payments:
            return
        yield space(8)
    if summary.payments:
        yield from _rows(
            [(pay, translate(say("{n:chip|chips}", n=pay.amount))) for pay in summary.payments],
            paper_size,
        )
    else:
        lines = wrap(translate(summary.instead_of_payments), paper_size.room / 9.5, most=3)
        yield replace(_paragraph(lines, 9.5, 14), keep_with_previous=True)
    if summary.unconverted:
        yield from _small_print(_SINCE if money and money.payments else _IN_CHIPS, paper_size)


_AFTER_EACH_HAND = {"chips": say("Chips after each hand"), "score": say("Score after each hand")}
_THIS_EVENING = say(
    "For this evening alone; the club's money includes other evenings, and what was paid since."
)
_SINCE = say("Won or corrected after chips were cashed in; these are not cashed in.")
_IN_CHIPS = say("Played for money; these chips are not cashed in.")


def _small_print(sentence: str, paper_size: PaperSize) -> Iterator[Block]:
    """Yield a sentence in small type below other blocks."""
    yield replace(space(2), keep_with_previous=True)
    lines = wrap(translate(sentence), paper_size.room / 8.5, most=3)
    yield replace(_paragraph(lines, 8.5, 13, GREY), keep_with_previous=True)


def _rows(payments: list[tuple[Payment, str]], paper_size: PaperSize) -> Iterator[Block]:
    """Yield payments with their amounts, in two columns if there are at least three."""
    half = -(-len(payments) // 2)
    column = paper_size.room / 2 - 9
    rows = (
        [[payment] for payment in payments]
        if len(payments) < 3
        else [payments[row::half] for row in range(half)]
    )
    key = object()
    for pair in rows:
        yield Block(15, partial(_payments, pair, column, key), keep_with_previous=True)


def _payments(
    pair: list[tuple[Payment, str]], column: float, key: object, paper: Paper, y: float
) -> None:
    """Draw one row of payments."""
    for place, (payment, amount) in enumerate(pair):
        paper.content = paper.item(key)
        left = MARGIN + place * (column + 18)
        pays = line(f" {translate(say('pays'))} ")
        room = (column - 18) / 9.5 - pays.width - line(amount, bold=True).width
        payer, payee = _side_by_side(isolate(payment.payer), isolate(payment.payee), room)
        base = y - 10.5
        paper.put(left, base, payer, 9.5)
        at = left + payer.width * 9.5 + 2
        paper.put(at, base, pays, 9.5, GREY)
        paper.put(at + pays.width * 9.5 + 2, base, payee, 9.5)
        paper.write(left + column, base, f" {amount}", 9.5, INK, bold=True, align=1)
        paper.content = None
        paper.rule(left, y - 15, left + column, 0.35, RULE)


def _side_by_side(one: str, other: str, room: float) -> tuple[TextLine, TextLine]:
    """Fit two names into a width: if one needs less than half, the other gets the rest."""
    shorter = min(line(one).width, line(other).width, room / 2)
    first, second = (wrap(name, room - shorter, most=1)[0] for name in (one, other))
    if first.width + second.width <= room:
        return first, second
    return wrap(one, room / 2, most=1)[0], wrap(other, room / 2, most=1)[0]


def _house_rules(summary: SessionSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield a title and one sentence for each house rule; nothing without any."""
    if not summary.house_rules:
        return
    several = len(summary.games) > 1
    of_one = say("House rules of {game:term}", game=summary.game_title)
    yield _title(of_one if several else say("House rules"))
    key = object()
    for number, rule in enumerate(summary.house_rules):
        lines = wrap(translate(rule), (paper_size.room - 12) / 8.5, most=6)
        yield Block(
            len(lines) * 11.5 + 2, partial(_rule, lines, key), keep_with_previous=number < 8
        )


def _rule(lines: list[TextLine], key: object, paper: Paper, y: float) -> None:
    """Draw one house rule."""
    paper.write(MARGIN, y - 9, "•", 8.5, FELT)
    with paper.within(paper.item(key)):
        paper.put_lines(MARGIN + 12, y - 9, lines, 8.5, 11.5)
