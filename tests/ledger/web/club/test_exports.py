"""The page of exports and the files that it offers."""

from urllib.parse import unquote

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping.exports import formats
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.web.phone import Phone

FILE = "/clubs/1/exports/file"


@pytest.fixture
def evening(database: Database, club: Access) -> int:
    """An evening with a hand."""
    played = CardClub(database, club).start(table.SEVEN)
    played.record(table.HEARTS_74)
    return 1


@pytest.mark.usefixtures("evening")
def test_everything_on_the_page_can_be_downloaded(viewer: Phone) -> None:
    """By viewers, too; the file is named after the club."""
    page = viewer.client.get("/clubs/1/exports").text
    offered = [slug for slug in formats.FORMATS if f'value="{slug}"' in page]
    assert set(formats.FORMATS) - set(offered) == {"rules-hands", "rules-entries", "rules-evenings"}
    for slug in offered:
        answer = viewer.client.get(
            FILE, query_string={"format": slug, "from": "", "to": "", "game": ""}
        )
        assert answer.status_code == 200
        assert answer.mimetype == formats.FORMATS[slug].media_type
        disposition = unquote(answer.headers["Content-Disposition"])
        assert f"Kitchen Table {formats.FORMATS[slug].ending}" in disposition
        assert len(answer.data) > 50


def test_a_session_offers_its_own_hands(viewer: Phone, evening: int) -> None:
    """Its result links to them."""
    assert (
        f'href="/clubs/1/sessions/{evening}/exports"'
        in viewer.client.get(f"/clubs/1/sessions/{evening}/result").text
    )
    page = viewer.client.get(f"/clubs/1/sessions/{evening}/exports").text
    assert f'name="session" value="{evening}"' in page
    answer = viewer.client.get(FILE, query_string={"format": "csv-hands", "session": str(evening)})
    assert len(answer.data.splitlines()) == 1 + len(table.SEVEN)


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"format": "xls"}, 422),
        ({"format": "csv-hands", "dialect": "french"}, 422),
        ({"format": "csv-hands", "from": "yesterday"}, 422),
        ({"format": "csv-hands", "to": "0000-00-00"}, 422),
        ({"format": "csv-hands", "game": "whist"}, 422),
        ({"format": "csv-hands", "session": "abc"}, 404),
        ({"format": "beancount", "from": "2026-01-01"}, 422),
        ({"format": "csv-hands", "session": "99"}, 404),
        ({"format": "csv-hands", "session": "9" * 30}, 404),
    ],
)
def test_an_odd_choice_is_refused(viewer: Phone, query: dict[str, str], status: int) -> None:
    """With a page that says why."""
    assert viewer.client.get(FILE, query_string=query).status_code == status


@pytest.mark.usefixtures("evening")
def test_a_file_that_is_too_large_is_refused(
    viewer: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page names the command that writes it."""
    monkeypatch.setattr(formats, "MOST_BYTES", 100)
    answer = viewer.client.get(FILE, query_string={"format": "csv-hands"})
    assert answer.status_code == 409
    assert "solo-ledger export" in answer.text


def test_strangers_get_nothing(app: Flask, evening: int) -> None:
    """Neither the page nor a file."""
    stranger = app.test_client()
    for address in ("/clubs/1/exports", f"/clubs/1/sessions/{evening}/exports", FILE):
        assert stranger.get(address).status_code != 200
