"""A player's statement for a period: the money account line by line, and the evenings with their results."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from engine.words.sentences import say
from ledger.database.kinds.entries import KINDS
from ledger.report.blocks import Block, space, stack
from ledger.report.characters import isolate
from ledger.report.days import Days, evening_title
from ledger.report.figures import signed
from ledger.report.pages import Footer, to_pdf
from ledger.report.paper import FELT
from ledger.report.parts import Cell, ReportColumn, StyledText, heading, paragraph, quiet, table
from ledger.report.sheets import A4, PaperSize
from ledger.services.money.statements import PeriodStatement, StatementLine
from ledger.services.reads.sessions import OwnEvening
from ledger.services.reads.summary import UNITS
from ledger.words.numbers import money, number, short_day
from ledger.words.translation import reader, translate


def render_statement(
    statement: PeriodStatement,
    evenings: Sequence[OwnEvening],
    club: str,
    days: Days,
    *,
    printed_at: datetime,
    paper_size: PaperSize = A4,
) -> bytes:
    """Return a player's statement as a PDF; equal arguments give equal bytes.

    ``evenings`` are those of the period, newest first. Days are those of the zone of `printed_at`.
    """
    title = translate(say("Statement of {player}", player=isolate(statement.player)))
    blocks = [
        paragraph(club, paper_size, size=11, color=FELT),
        heading(title, 1),
        paragraph(days.title, paper_size, size=11),
        *_money(statement, paper_size, printed_at),
        *_evenings(evenings, statement.currency, paper_size),
    ]
    pages = stack(blocks, paper_size.size, top=paper_size.top, bottom=paper_size.bottom)
    footer = Footer((club, statement.player), printed_at.date(), printed_at)
    return to_pdf(pages, f"{title}, {days.title}", club, footer)


def _money(
    statement: PeriodStatement, paper_size: PaperSize, printed_at: datetime
) -> Iterator[Block]:
    """Yield the table of money, between the opening and the closing balance."""
    currency = statement.currency
    yield heading(say("Money in {currency}", currency=currency))
    columns = (
        ReportColumn(say("Day"), 74, names_row=True),
        ReportColumn(say("Entry")),
        ReportColumn(say("Change"), 70, align=1),
        ReportColumn(say("Balance"), 70, align=1),
    )
    if statement.number > len(statement.lines):
        yield quiet(
            say(
                "The last {n} of {all} changes.",
                n=number(len(statement.lines)),
                all=number(statement.number),
            ),
            paper_size,
        )
    rows: list[list[Cell]] = [
        _balance_row(say("Opening balance"), statement.opening, currency),
        *(_row(line, currency, printed_at) for line in statement.lines),
        _balance_row(say("Closing balance"), statement.closing, currency),
    ]
    yield from table(columns, rows, paper_size)
    if not statement.lines:
        yield quiet(say("No money moved in this period."), paper_size)
    yield quiet(
        say("A positive balance is owed to the player; a negative one is owed by them."), paper_size
    )


def _row(line: StatementLine, currency: str, printed_at: datetime) -> list[Cell]:
    """Return the row of a change, with the day in the zone of `printed_at`."""
    return [
        short_day(line.occurred_at.astimezone(printed_at.tzinfo).date()),
        _entry(line),
        [StyledText(_change(line.amount, currency))],
        [StyledText(money(line.balance, currency))],
    ]


def _balance_row(words: str, balance: int, currency: str) -> list[Cell]:
    """Return the row of a balance in bold."""
    title = [StyledText(translate(words), bold=True)]
    return ["", title, "", [StyledText(money(balance, currency), bold=True)]]


def _change(amount: int, currency: str) -> str:
    return f"+{money(amount, currency)}" if amount > 0 else money(amount, currency)


def _entry(line: StatementLine) -> str:
    """Return what an entry was: a payment with the other player, or its kind with its evening and reason."""
    names = reader().comma.join(map(isolate, line.others))
    if line.is_payment and names:
        to, by = say("Payment to {names}", names=names), say("Payment from {names}", names=names)
        parts = [translate(to if line.amount > 0 else by)]
    else:
        parts = [translate(KINDS[line.kind].title)]
    parts += [isolate(text) for text in (line.session, line.reason) if text]
    if line.taken_back:
        parts.append(translate(say("undone")))
    return "  ·  ".join(parts)


def _evenings(
    evenings: Sequence[OwnEvening], currency: str, paper_size: PaperSize
) -> Iterator[Block]:
    """Yield the table of evenings, oldest first, with a sum for each unit."""
    if not evenings:
        return
    has_money = any(evening.money for evening in evenings)
    money_column = [ReportColumn(say("Money in {currency}", currency=currency), 84, align=1)]
    columns = (
        ReportColumn(say("Day"), 74, names_row=True),
        ReportColumn(say("Evening")),
        ReportColumn(say("Unit"), 50),
        ReportColumn(say("Won"), 60, align=1),
        *(money_column if has_money else []),
    )
    yield space(6)
    yield heading(say("Evenings"))
    rows: list[list[Cell]] = []
    sums = dict.fromkeys((evening.unit for evening in evenings), 0)
    for evening in reversed(evenings):
        sums[evening.unit] += evening.won
        rows.append(
            [
                short_day(evening.started_on),
                evening_title(evening.title, on_paper=evening.on_paper),
                translate(UNITS[evening.unit]),
                [StyledText(signed(evening.won))],
                *([[StyledText(_change(evening.money, currency))]] if has_money else []),
            ]
        )
    for unit, total in sums.items():
        bold = StyledText(translate(say("Sum")), bold=True), StyledText(signed(total), bold=True)
        row: list[Cell] = ["", [bold[0]], translate(UNITS[unit]), [bold[1]]]
        rows.append([*row, *([""] if has_money else [])])
    yield from table(columns, rows, paper_size)
