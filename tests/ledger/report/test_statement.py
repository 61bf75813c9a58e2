"""A player's statement as a reader of the PDF finds it, and the balances of a period."""

from datetime import UTC, date, datetime, timedelta
from io import BytesIO

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from engine.words.language import READER
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.report.days import Days
from ledger.report.statement import render_statement
from ledger.runtime import clock
from ledger.services.club import tokens
from ledger.services.money import statements
from ledger.services.money.statements import PeriodStatement, StatementLine
from ledger.services.reads.sessions import OwnEvening
from ledger.words.languages import LANGUAGES
from tests.ledger import cash, table
from tests.ledger.report import reading
from tests.ledger.report.evenings import HOSTILE, PRINTED_AT

YEAR = Days(date(2025, 1, 1), date(2025, 12, 31))


def made_up(player: str = "Ann", lines: int = 3, evenings: int = 3) -> bytes:
    """Return the statement of a player with payments to one other and evenings of the same title."""
    at = datetime(2025, 1, 3, 20, tzinfo=UTC)
    moves = tuple(
        StatementLine(
            number, "payment", None, None, "EUR", (player,), 250, 250 * number, "Bob", None,
            at + timedelta(hours=number), at, taken_back=False,
        )
        for number in range(1, lines + 1)
    )  # fmt: skip
    statement = PeriodStatement(player, "EUR", 0, 250 * lines, lines, moves)
    own = [OwnEvening(number, player, date(2025, 1, 3), -40, 0, -4) for number in range(evenings)]
    return render_statement(statement, own, player, YEAR, printed_at=PRINTED_AT)


def test_a_statement_runs_from_the_opening_to_the_closing_balance(
    database: Database, club: Access
) -> None:
    """Periods that follow each other have the same balance at their border, whenever it is."""
    with clock.stopped() as set_to:
        for day in (3, 10, 17):
            set_to(datetime(2025, 1, day, 20, tzinfo=UTC))
            session = table.start(database, club)
            table.record(database, club, session, cash.ANN_WINS)
            cash.convert(database, club, session, cash.TEN_FOR_ONE)
        cash.pay(database, club, "Bob", "Ann", 5)
    ann = table.player_id(database, club, "Ann")

    def between(start: datetime | None, end: datetime | None) -> PeriodStatement:
        return table.ask(database, club, statements.of_period, ann, start, end)

    everything = between(None, None)
    assert len(everything.lines) == 4
    current = table.ask(database, club, statements.of_player, ann, limit=1)
    assert everything.opening == 0
    assert everything.closing == current.balance == everything.lines[-1].balance != 0
    for day in (1, 3, 4, 11, 18, 30):
        border = datetime(2025, 1, day, tzinfo=UTC)
        before, after = between(None, border), between(border, None)
        assert before.closing == after.opening
        assert before.lines + after.lines == everything.lines
        assert after.opening + sum(line.amount for line in after.lines) == everything.closing


def test_a_statement_is_downloaded_from_page_and_api(
    app: Flask, database: Database, club: Access
) -> None:
    """With the same content; days that don't exist are ignored on the page and refused by the API."""
    session = table.start(database, club)
    table.record(database, club, session, cash.ANN_WINS)
    cash.convert(database, club, session, cash.TEN_FOR_ONE)
    ann = table.player_id(database, club, "Ann")
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    token = {"Authorization": f"Bearer {secret}"}
    page, api = f"/clubs/{club.club_id}/players", "/api/v1/players"
    for answer in (
        device.get(f"{page}/{ann}/statement.pdf?paper=letter"),
        app.test_client().get(f"{api}/{ann}/statement.pdf?paper=letter", headers=token),
    ):
        assert answer.status_code == 200
        tree = reading.structure(answer.data)
        assert tree.all("H1")[0].text == "Statement of Ann"
        assert [tag.text for tag in tree.all("H2")] == ["Money in EUR", "Evenings"]
        assert PdfReader(BytesIO(answer.data)).pages[0].mediabox.width == 612
    for query in (
        "from=0001-01-01&to=9999-12-31", "from=9999-12-31", "to=0001-01-01", "from=%00", "paper=%00",
    ):  # fmt: skip
        assert device.get(f"{page}/{ann}/statement.pdf?{query}").status_code == 200
        answer = app.test_client().get(f"{api}/{ann}/statement.pdf?{query}", headers=token)
        assert answer.status_code in {200, 422}
    assert device.get(f"{page}/{2**63 - 1}/statement.pdf").status_code == 404


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("player", HOSTILE)
def test_a_statement_draws_every_letter_in_every_language(player: str, tag: str) -> None:
    """Names in all scripts; equal statements have equal bytes."""
    token = READER.set(LANGUAGES[tag])
    try:
        pdf = made_up(player)
        assert pdf == made_up(player)
    finally:
        READER.reset(token)
    reading.structure(pdf)
    assert not reading.empty_glyphs(pdf)


def test_a_statement_of_a_year_has_every_line_once() -> None:
    """Over several pages, in one tagged table for the money and one for the evenings."""
    money, evenings = reading.structure(made_up(lines=120, evenings=40)).all("Table")
    assert len(money.kids) == 1 + 120 + 2
    assert len(evenings.kids) == 1 + 40 + 1
    assert evenings.kids[-1].kids[-2].text == "−1,600"


@given(
    st.dates(), st.sampled_from(["UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati"])
)
def test_every_day_of_the_calendar_limits_a_period_in_every_zone(on: date, name: str) -> None:
    """Or is no limit at the ends of the calendar; a day lasts 22 to 26 hours."""
    start, end = Days(on, on).moments(clock.zone_named(name))
    if start and end:
        assert timedelta(hours=0) < end - start <= timedelta(hours=26)


def test_a_long_name_in_the_title_stays_on_the_page() -> None:
    """In smaller type, or cut."""
    pdf = made_up("Maximiliane-Henriette von Łukasz und zu Żółć")
    title = reading.structure(pdf).all("H1")[0].text
    assert title == "Statement of Maximiliane-Henriette von Łukasz und zu Żółć"
    assert reading.structure(made_up("W" * 64)).all("H1")[0].text.endswith("…")


def test_the_title_of_a_period_is_its_year_or_its_days() -> None:
    """And names an open end."""
    assert YEAR.title == "2025"
    assert Days(date(2025, 1, 1), date(2025, 3, 31)).title == "1 January 2025 – 31 March 2025"
    assert Days(date(2025, 1, 1)).title == "Since 1 January 2025"
    assert Days(None, date(2025, 3, 31)).title == "Until 31 March 2025"
    assert Days().title == "All evenings"


def test_a_long_statement_has_its_last_changes_and_says_how_many_there_are(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The opening balance is that before the first change shown, so the lines still add up."""
    monkeypatch.setattr(statements, "MOST_LINES", 2)
    session = table.start(database, club)
    table.record(database, club, session, cash.ANN_WINS)
    cash.convert(database, club, session, cash.TEN_FOR_ONE)
    for amount in (5, 7):
        cash.pay(database, club, "Bob", "Ann", amount)
    ann = table.player_id(database, club, "Ann")
    statement = table.ask(database, club, statements.of_period, ann, None, None)
    assert statement.number == 3
    assert [line.amount for line in statement.lines] == [-5, -7]
    assert statement.closing == statement.opening - 12 == statement.lines[-1].balance
    pdf = render_statement(statement, [], "Club", YEAR, printed_at=PRINTED_AT)
    assert "The last 2 of 3 changes." in reading.text(pdf)
