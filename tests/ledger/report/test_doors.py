"""The report as it leaves by each door: page, API, command line."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner
from flask import Flask
from pypdf import PdfReader

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access, Role
from ledger.http.reader_language import ZONE_COOKIE
from ledger.runtime.clock import now, zone_of
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import tokens
from tests.ledger import table
from tests.ledger.report import reading

EAST = timedelta(hours=14)
"""How far the kitchen table of these tests lies east of Greenwich."""


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The service runs where it is tomorrow already for most of the day."""
    monkeypatch.setenv("TZ", "<+14>-14")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def by_page(app: Flask, database: Database, club: Access, session: int) -> bytes:
    """Follow the viewer link, then tap the report."""
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    answer = device.get(f"/clubs/{club.club_id}/sessions/{session}/report.pdf")
    return bytes(answer.data)


def by_api(app: Flask, database: Database, club: Access, session: int) -> bytes:
    """Ask with a token."""
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    headers = {"Authorization": f"Bearer {secret}"}
    answer = app.test_client().get(f"/api/v1/sessions/{session}/report.pdf", headers=headers)
    return bytes(answer.data)


def test_pages_and_report_count_the_same_hands(
    app: Flask, database: Database, club: Access
) -> None:
    """On the scoreboard, the result and the club's lists as on paper: those that stand, and those void."""
    session = table.start(database, club)
    for hand in (table.HEARTS_74, table.ALONE_85, table.HEARTS_46):
        table.record(database, club, session, hand)
    table.void(database, club, session, 1)
    device = app.test_client()
    assert "2 hands and 1 void" in reading.text(by_page(app, database, club, session))
    device.get(f"/v/{table.viewer_key(database, club)}")
    home = f"/clubs/{club.club_id}"
    for place in (
        f"{home}/sessions/{session}",
        f"{home}/sessions/{session}/result",
        f"{home}/evenings",
    ):
        assert "2 hands and 1 void" in device.get(place).text, place
    assert device.get(home).text.count("2 hands and 1 void") == 2


def by_command(app: Flask, database: Database, club: Access, session: int) -> bytes:  # noqa: ARG001
    """Run `solo-ledger report`."""
    file = Path("report.pdf")
    result = CliRunner().invoke(main, ["report", "Kitchen Table", str(session), "-o", str(file)])
    assert result.exit_code == 0, result.output
    return file.read_bytes()


@pytest.mark.parametrize(
    "name", ["Asia/Kathmandu", "", "Mars/Olympus", "../../etc/passwd", "x" * 99]
)
def test_a_report_tells_the_time_of_the_reader_s_zone_and_names_it(
    app: Flask, database: Database, club: Access, name: str
) -> None:
    """By the cookie that a page sets; a zone that there is not is the service's own."""
    session = table.start(database, club)
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    device.set_cookie(ZONE_COOKIE, name)
    before = now()
    answer = device.get(f"/clubs/{club.club_id}/sessions/{session}/report.pdf")
    zone = ZoneInfo(name) if name.startswith("Asia") else None
    hours = [at.astimezone(zone) for at in (before, now())]
    text = reading.text(answer.data)
    assert any(f"{hour:%H:%M} ({zone_of(hour)})" in text for hour in hours)


@pytest.mark.usefixtures("far_east")
@pytest.mark.parametrize("door", [by_page, by_api, by_command])
def test_a_report_tells_the_time_at_the_table(
    settings: Settings,
    database: Database,
    club: Access,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    door: Callable[[Flask, Database, Access, int], bytes],
) -> None:
    """Printed in any way, it has the hour on the wall, not the one in Greenwich."""
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("LEDGER_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    session = table.start(database, club)
    table.record(database, club, session, table.HEARTS_74)
    before = now() + EAST
    pdf = door(create_app(settings, database), database, club, session)
    after = now() + EAST
    text = PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert any(f"{hour:%H:%M}" in text for hour in (before, after))


def test_a_report_is_on_the_paper_asked_for_or_that_of_the_readers_region(
    app: Flask, database: Database, club: Access
) -> None:
    """A page takes the parameter `paper`; the API refuses another format than the two."""
    session = table.start(database, club)
    device = app.test_client()
    device.get(f"/v/{table.viewer_key(database, club)}")
    place = f"/clubs/{club.club_id}/sessions/{session}/report.pdf"
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    token = {"Authorization": f"Bearer {secret}"}
    api = f"/api/v1/sessions/{session}/report.pdf"

    def width(pdf: bytes) -> float:
        return round(float(PdfReader(BytesIO(pdf)).pages[0].mediabox.width))

    for language, query, expected in (
        ("en-US,en;q=0.5", "", 612),
        ("de-AT,de;q=0.5", "", 595),
        ("en-US", "?paper=a4", 595),
        ("ja", "?paper=letter", 612),
    ):
        headers = {"Accept-Language": language}
        assert width(device.get(place + query, headers=headers).data) == expected
        assert width(device.get(api + query, headers=headers | token).data) == expected
    assert width(device.get(f"{place}?paper=papyrus").data) == 595
    assert device.get(f"{api}?paper=papyrus", headers=token).status_code == 422
