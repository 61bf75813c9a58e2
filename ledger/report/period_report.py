"""The report of a club's period, such as a year: standings, games, records, head to head and evenings."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

from engine.rules.sheet import CHIPS
from engine.words.sentences import say, word
from ledger.report.blocks import Block, stack
from ledger.report.characters import isolate
from ledger.report.chart import Course, draw_chart, ends_of
from ledger.report.days import evening_title, title_of
from ledger.report.figures import signed
from ledger.report.pages import Footer, to_pdf
from ledger.report.paper import FELT, Paper
from ledger.report.parts import Cell, ReportColumn, StyledText, heading, paragraph, quiet, table
from ledger.report.plotting import step_for
from ledger.report.sheets import A4, MARGIN, PaperSize
from ledger.report.strokes import stroke
from ledger.services.reads.period_summary import PeriodLine, PeriodSummary
from ledger.services.reads.records import RECORDS
from ledger.words.numbers import day, number
from ledger.words.player_marks import at_table
from ledger.words.translation import reader, translate

_MOST_AGAINST = 8
"""The most players in the table of who won from whom: those who won most and lost most."""

_CHART = 230.0
"""The height of a chart in points."""

_MOST_DAYS = 4
"""The most days below a chart."""

_AFTER_EACH_EVENING = {
    "chips": say("Chips after each evening"),
    "score": say("Score after each evening"),
}


def render_period(
    summary: PeriodSummary, *, printed_at: datetime, paper_size: PaperSize = A4
) -> bytes:
    """Return the report of a period as a PDF; equal arguments give equal bytes."""
    title = title_of(summary.chosen)
    blocks = [
        paragraph(summary.club, paper_size, size=11, color=FELT),
        heading(title, 1),
        *_standings(summary, paper_size),
        *_courses(summary, paper_size),
        *after_standings(summary, paper_size),
    ]
    pages = stack(blocks, paper_size.size, top=paper_size.top, bottom=paper_size.bottom)
    footer = Footer((summary.club, title), printed_at.date(), printed_at)
    return to_pdf(pages, f"{summary.club}, {title}", summary.club, footer)


def after_standings(summary: PeriodSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the sections below the standings: games, records, head to head and evenings."""
    yield from _games(summary, paper_size)
    yield from _records(summary, paper_size)
    yield from _head_to_head(summary, paper_size)
    yield from _evenings(summary, paper_size)


def _standings(summary: PeriodSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the standings in each unit, best first."""
    if not summary.stats.units:
        yield paragraph(say("No hand in this period."), paper_size)
    for part in summary.stats.units:
        in_chips = part.unit == CHIPS
        yield heading(say("Standings") if in_chips else say("Standings in scores"))
        columns = (
            ReportColumn("", 22, align=1),
            ReportColumn(say("Player"), names_row=True),
            ReportColumn(say("Hands"), 60, align=1),
            ReportColumn(say("Bids made"), 90, align=1),
            ReportColumn(say("Chips") if in_chips else say("Score"), 80, align=1),
        )
        rows: list[list[Cell]] = [
            [
                f"{place}",
                isolate(line.name),
                number(line.hands),
                f"{number(line.made)} / {number(line.contracts)}",
                [StyledText(signed(line.total), bold=place == 1)],
            ]
            for place, line in enumerate(part.standings, start=1)
        ]
        yield from table(columns, rows, paper_size)


def _courses(summary: PeriodSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the charts of the players' totals after each evening, one for each unit; none of one evening."""
    for unit, lines in summary.lines.items():
        if len(summary.days) > 1 and lines:
            yield heading(_AFTER_EACH_EVENING[unit])
            if unit == CHIPS and summary.chosen.game is None:
                yield quiet(
                    say(
                        "With chips moved without a hand; the standings count hands and evenings on paper."
                    ),
                    paper_size,
                )
            yield Block(
                _CHART,
                partial(_draw_course, _course(summary, lines), paper_size),
                keep_with_previous=True,
            )


def _draw_course(course: Course, paper_size: PaperSize, paper: Paper, y: float) -> None:
    draw_chart(paper, course, x=MARGIN, y=y, width=paper_size.room, height=_CHART)


def _course(summary: PeriodSummary, lines: Sequence[PeriodLine]) -> Course:
    """Return the content of a chart: a step is an evening, and some have their day below."""
    names, totals = [line.name for line in lines], [(0, *line.totals) for line in lines]
    evenings = len(summary.days)
    interval = step_for(evenings, _MOST_DAYS)
    return Course(
        names,
        list(map(stroke, at_table([line.colour for line in lines]))),
        totals,
        [line.start for line in lines],
        {step: day(summary.days[step - 1]) for step in range(interval, evenings + 1, interval)},
        "",
        say(
            "Line chart of the totals after each of {n:evening|evenings}. At the end: {listed:list}.",
            n=evenings,
            listed=ends_of(names, totals),
        ),
    )


def _games(summary: PeriodSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield how often each game's contracts were bid and made."""
    if not summary.stats.games:
        return
    yield heading(say("What was played"))
    columns = (
        ReportColumn(say("Game"), names_row=True),
        ReportColumn(say("Bids"), 70, align=1),
        ReportColumn(say("Made"), 70, align=1),
        ReportColumn("%", 50, align=1),
    )
    rows: list[list[Cell]] = [
        [translate(word(game.title)), number(game.contracts), number(game.made), f"{game.share}"]
        for game in summary.stats.games
    ]
    yield from table(columns, rows, paper_size)


def _records(summary: PeriodSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the records with their players and the evening."""
    if not summary.records:
        return
    yield heading(say("Records"))
    columns = (
        ReportColumn(say("Record"), 150, names_row=True),
        ReportColumn(say("Players")),
        ReportColumn(say("Evening")),
        ReportColumn("", 56, align=1),
    )
    rows: list[list[Cell]] = []
    for record in summary.records:
        is_count = record.unit == "count"
        title, played_on = record.session_title, record.played_on
        evening = f"{isolate(title)}, {day(played_on)}" if title and played_on else ""
        words = translate(word(RECORDS[record.kind]))
        rows.append(
            [
                words
                if is_count or record.unit == CHIPS
                else f"{words} ({translate(say('Score'))})",
                reader().comma.join(map(isolate, record.players)),
                evening,
                number(record.amount) if is_count else signed(record.amount),
            ]
        )
    yield from table(columns, rows, paper_size)


def _head_to_head(summary: PeriodSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the chips that each player won from each other, net, of those with the largest totals."""
    won = {(pair.player, pair.other): pair.net for pair in summary.pairs}
    totals: dict[str, int] = {}
    for (player, _), net in won.items():
        totals[player] = totals.get(player, 0) + net
    if not totals:
        return
    most = sorted(totals, key=lambda name: -abs(totals[name]))[:_MOST_AGAINST]
    names = sorted(most, key=lambda name: -totals[name])
    yield heading(say("Head to head"))
    yield quiet(
        say("The chips that each player won from the one above the column, net."), paper_size
    )
    columns = (
        ReportColumn(say("Player"), names_row=True),
        *(ReportColumn(name, 50, align=1, is_name=True) for name in names),
    )
    rows: list[list[Cell]] = [
        [
            isolate(name),
            *(
                "" if name == other else [StyledText(signed(won.get((name, other), 0)))]
                for other in names
            ),
        ]
        for name in names
    ]
    yield from table(columns, rows, paper_size)


def _evenings(summary: PeriodSummary, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the evenings, oldest first, with their winners."""
    if not summary.evenings:
        return
    yield heading(say("Evenings"))
    if summary.number > len(summary.evenings):
        yield quiet(
            say(
                "The last {n} of {all} evenings.",
                n=number(len(summary.evenings)),
                all=number(summary.number),
            ),
            paper_size,
        )
    columns = (
        ReportColumn(say("Day"), 96, names_row=True),
        ReportColumn(say("Evening")),
        ReportColumn(say("Game"), 112),
        ReportColumn(say("Winner")),
        ReportColumn("", 52, align=1),
    )
    rows: list[list[Cell]] = []
    for evening in summary.evenings:
        best = max((seat.won for seat in evening.seats), default=0)
        rows.append(
            [
                day(evening.started_on),
                evening_title(evening.title, on_paper=evening.on_paper),
                translate(evening.game_named),
                reader().comma.join(map(isolate, evening.winners)) or "–",
                signed(best),
            ]
        )
    yield from table(columns, rows, paper_size)
