"""The report of a season: its table, its rules, changes since it was closed, and what was played."""

from collections.abc import Iterator
from datetime import datetime

from engine.words.sentences import say
from ledger.report.blocks import Block, space, stack
from ledger.report.characters import isolate
from ledger.report.days import Days
from ledger.report.pages import Footer, to_pdf
from ledger.report.paper import FELT
from ledger.report.parts import Cell, ReportColumn, StyledText, heading, paragraph, quiet, table
from ledger.report.period_report import after_standings
from ledger.report.sheets import A4, PaperSize
from ledger.services.reads import season_rules
from ledger.services.reads.period_summary import PeriodSummary
from ledger.services.reads.seasons import SeasonTable
from ledger.words.numbers import day, number
from ledger.words.translation import reader, translate


def render_season(
    standings: SeasonTable,
    summary: PeriodSummary,
    *,
    printed_at: datetime,
    paper_size: PaperSize = A4,
) -> bytes:
    """Return the report of a season as a PDF; equal arguments give equal bytes.

    ``summary`` is that of the season's days and game.
    """
    season = standings.season
    blocks = [
        paragraph(summary.club, paper_size, size=11, color=FELT),
        heading(isolate(season.name), 1),
        paragraph(Days(season.first_day, season.last_day).title, paper_size, size=11),
        *_prize(standings, paper_size),
        heading(say("Standings")),
        *_standings(standings, paper_size),
        *_changes(standings, paper_size),
        *after_standings(summary, paper_size),
    ]
    pages = stack(blocks, paper_size.size, top=paper_size.top, bottom=paper_size.bottom)
    footer = Footer((summary.club, season.name), printed_at.date(), printed_at)
    return to_pdf(pages, f"{summary.club}, {season.name}", summary.club, footer)


def _prize(standings: SeasonTable, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the prize, if there is one."""
    if standings.season.prize:
        words = f"{translate(say('Prize'))}{reader().colon}{isolate(standings.season.prize)}"
        yield paragraph(words, paper_size, size=11)


def _standings(standings: SeasonTable, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the table of the season and its rules."""
    columns = (
        ReportColumn("", 22, align=1),
        ReportColumn(say("Player"), names_row=True),
        ReportColumn(say("Evenings"), 70, align=1),
        ReportColumn(say("Evenings won"), 90, align=1),
        ReportColumn(season_rules.unit_title(standings), 100, align=1),
    )
    rows: list[list[Cell]] = [
        [
            f"{line.place or '–'}",
            isolate(line.name),
            number(line.evenings),
            number(line.wins),
            [StyledText(season_rules.figure(standings, line.total), bold=line.place == 1)],
        ]
        for line in standings.standings
    ]
    if rows:
        yield from table(columns, rows, paper_size)
    counted = say("{n:evening counts|evenings count}.", n=standings.evenings)
    words = map(translate, (counted, *season_rules.sentences(standings)))
    yield quiet(reader().gap.join(words), paper_size)


def _changes(standings: SeasonTable, paper_size: PaperSize) -> Iterator[Block]:
    """Yield the players whom corrections since the closing gave another place or total."""
    closed_at = standings.season.closed_at
    if closed_at is None or not standings.changes:
        return
    yield heading(say("Since it was closed"))
    yield quiet(
        say(
            "The table is the one of {day}. Evenings corrected since then would change it:",
            day=day(closed_at.date()),
        ),
        paper_size,
    )
    columns = (
        ReportColumn(say("Player"), names_row=True),
        ReportColumn(say("Place"), 70, align=1),
        ReportColumn(season_rules.unit_title(standings), 170, align=1),
    )

    def change(before: str, now: str) -> str:
        return before if before == now else f"{before} → {now}"

    def total(amount: int | None) -> str:
        return "–" if amount is None else season_rules.figure(standings, amount)

    rows: list[list[Cell]] = [
        [
            isolate(line.name),
            change(f"{line.place_before or '–'}", f"{line.place or '–'}"),
            change(total(line.total_before), total(line.total)),
        ]
        for line in standings.changes
    ]
    yield from table(columns, rows, paper_size)
    yield space(4)
