"""An owner downloads the club's archive and imports another club, on the page of backups and by the API."""

import gzip
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.failures import MOST_BYTES
from ledger.keeping.archive import lines, transfer
from ledger.keeping.archive.export import archive
from ledger.keeping.migrate import open_books
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.audit import verify
from ledger.services.club import clubs, tokens
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.ledger.web.phone import Page, Phone


@pytest.fixture
def elsewhere(settings: Settings, tmp_path: Path) -> Iterator[bytes]:
    """The archive of a club of another ledger, the Sunday Table, with an evening."""
    url = f"sqlite:///{tmp_path}/elsewhere.sqlite"
    with closing(open_books(replace(settings, database_url=url))) as database:
        club, _ = clubs.create(database, name="Sunday Table", passcode="four aces", author="Eve")
        table.record(database, club, table.start(database, club), table.HEARTS_74)
        yield b"".join(archive(database, club.club_id))


@pytest.fixture
def owner_of(app: Flask, database: Database, club: Access) -> Caller:
    """A program with an owner's token."""
    return Caller(app, tokens.issue(database, club, label="script", role=Role.OWNER)[0])


def sent(phone: Phone, club: Access, content: bytes, **typed: str) -> Page:
    """Send the form with an archive; return the page that it leads to."""
    form = phone.open(f"/clubs/{club.club_id}/safekeeping").form("/archives")
    upload = {"archive": (BytesIO(content), "club.solo.gz")} if content else {}
    page = Page(phone.client.post(form.action, data={**dict(form.fields), **typed, **upload}))
    return phone.open(page.location) if page.status == 303 else page


def link_in(page: Page) -> str:
    """Return the path of the link that a page shows."""
    match = re.search(r'value="http://localhost(/v/[^"]+)"', page.response.get_data(as_text=True))
    assert match
    return match[1]


def test_an_owner_downloads_the_archive_that_the_command_line_writes(
    owner: Phone, owner_of: Caller, database: Database, club: Access
) -> None:
    """The API sends the same bytes, and no cache stores them."""
    table.record(database, club, table.start(database, club), table.HEARTS_74)
    page = owner.open(f"/clubs/{club.club_id}/safekeeping/archives")
    assert 'filename="Kitchen Table.solo.gz"' in page.response.headers["Content-Disposition"]
    assert page.response.mimetype == "application/octet-stream"
    assert list(lines.read(BytesIO(page.response.data)))[-1].kind == lines.END
    reply = owner_of.get("/club/archive")
    assert (reply.status_code, reply.data) == (200, page.response.data)
    for headers in (page.response.headers, reply.headers):
        assert re.search("max-age=0|no-store", headers["Cache-Control"])


def test_an_imported_club_opens_with_the_link_that_is_shown_once(
    owner: Phone, app: Flask, database: Database, club: Access, elsewhere: bytes
) -> None:
    """It is a club of its own, and the ledger verifies before and after its owner came."""
    page = sent(owner, club, elsewhere)
    assert "The club is imported." in page.text
    link = link_in(page)
    assert "/v/" not in owner.open(f"/clubs/{club.club_id}/safekeeping").text
    assert list(verify(database)) == []
    eve = Phone(app)
    joined = eve.send(eve.open(link).form(link), author="Eve")
    assert "Sunday Table" in eve.open(joined.location).text
    assert list(verify(database)) == []


def test_the_same_archive_again_adds_nothing(
    owner: Phone, database: Database, club: Access, elsewhere: bytes
) -> None:
    """And shows no second link."""
    sent(owner, club, elsewhere)
    before = table.row_counts(database)
    page = sent(owner, club, elsewhere)
    assert "All entries of that archive are here already; nothing was added." in page.text
    assert 'id="secret"' not in page.response.get_data(as_text=True)
    assert table.row_counts(database) == before


def test_a_program_of_an_owner_imports_a_club(owner_of: Caller, elsewhere: bytes) -> None:
    """The response has its number, its name, and a link for its owner; the second one none."""
    reply = owner_of.post(
        "/archives?name=Sundays", data=elsewhere, content_type=transfer.MEDIA_TYPE
    )
    assert reply.status_code == 201
    assert (reply.json["club"], reply.json["name"]) == (2, "Sundays")
    assert "/v/" in reply.json["link"]
    unnamed = owner_of.post("/archives", data=elsewhere)
    assert unnamed.status_code == 415
    assert "Content-Type: application/octet-stream" in unnamed.json["detail"]
    again = owner_of.post("/archives", data=elsewhere, content_type=transfer.MEDIA_TYPE)
    assert (again.json["entries"], again.json["link"]) == (0, None)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "Choose the file of an archive."),
        (b"no archive", "it can't be unpacked"),
        (gzip.compress(b"{}", mtime=0), "Line 1 of the archive"),
    ],
)
def test_a_faulty_archive_is_refused_beside_the_file_or_above_the_form(
    owner: Phone, database: Database, club: Access, content: bytes, sentence: str
) -> None:
    """Nothing is written, and the form stays open."""
    before = table.row_counts(database)
    page = sent(owner, club, content)
    assert page.status == 422
    assert sentence in page.text
    assert '<details class="more" id="import" open>' in page.response.get_data(as_text=True)
    assert table.row_counts(database) == before


def test_a_club_with_a_name_that_is_taken_gets_another(
    owner: Phone, database: Database, club: Access, elsewhere: bytes
) -> None:
    """The problem is at the input for it."""
    clubs.create(database, name="Sunday Table", passcode="five aces", author="Tom")
    page = sent(owner, club, elsewhere)
    assert "There is already a club called “Sunday Table”" in page.wrong("name")
    assert "The club is imported." in sent(owner, club, elsewhere, name="Sundays").text


def test_an_archive_over_the_limit_is_refused(owner: Phone, club: Access) -> None:
    """As any other body that is too long; one below it is read."""
    assert sent(owner, club, b"x" * MOST_BYTES).status == 413
    assert sent(owner, club, b"x" * (MOST_BYTES - 10_000)).status == 422


def test_only_owners_export_and_import(
    app: Flask, owner: Phone, scorer: Phone, database: Database, club: Access, elsewhere: bytes
) -> None:
    """A scorer sees neither on the page of backups."""
    form = owner.open(f"/clubs/{club.club_id}/safekeeping").form("/archives")
    tom = Caller(app, tokens.issue(database, club, label="Tom", role=Role.SCORER)[0])
    assert tom.get("/club/archive").status_code == 403
    assert (
        tom.post("/archives", data=elsewhere, content_type=transfer.MEDIA_TYPE).status_code == 403
    )
    assert "Archive of this club" not in scorer.open(f"/clubs/{club.club_id}/safekeeping").text
    assert scorer.open(form.action).status == 403
    token = dict(scorer.open("/enter").form("/enter").fields)["csrf_token"]
    assert scorer.send(form, csrf_token=token).status == 403


def test_where_nobody_may_found_a_club_nobody_imports_one(
    settings: Settings, database: Database, club: Access, elsewhere: bytes
) -> None:
    """The operator has closed sign-up."""
    app = create_app(replace(settings, sign_up_closed=True), database)
    sue = Caller(app, tokens.issue(database, club, label="Sue", role=Role.OWNER)[0])
    reply = sue.post("/archives", data=elsewhere, content_type=transfer.MEDIA_TYPE)
    assert (reply.status_code, reply.json["code"]) == (403, "sign-up-closed")


def test_a_club_too_large_to_be_sent_is_written_on_the_command_line(
    owner: Phone, owner_of: Caller, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is one with entries that don't match their digests, which the message names."""
    monkeypatch.setattr(transfer, "MOST_BYTES", 10)
    page = owner.open(f"/clubs/{club.club_id}/safekeeping/archives")
    assert page.status == 409
    assert "can write an archive with solo-ledger export" in page.text
    assert owner_of.get("/club/archive").json["detail"].startswith("This club is too large")
