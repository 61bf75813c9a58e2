"""Access to pages: none is open to another club, nor its writing to viewers."""

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.table import start
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone

READING = (
    "",
    "/players",
    "/share",
    "/money",
    "/money/expenses",
    "/head-to-head",
    "/seasons",
    "/players/1",
    "/players/1/statement",
    "/sessions/{s}",
    "/sessions/{s}/history",
    "/sessions/{s}/hands/1",
    "/sessions/{s}/report.pdf",
    "/report.pdf",
    "/sessions/{s}/result",
    "/sessions/{s}/bank",
)
WRITING = (
    "/keys",
    "/safekeeping",
    "/settings",
    "/seasons/new",
    "/money/import",
    "/sessions/new",
    "/paper",
    "/sessions/{s}/rules",
    "/sessions/{s}/table",
    "/sessions/{s}/table/seats",
    "/sessions/{s}/table/leave?player=Ann",
    "/sessions/{s}/count",
    "/sessions/{s}/settle",
    "/sessions/{s}/undo",
    "/sessions/{s}/hands/1/restore",
    "/sessions/{s}/hands/new",
    "/sessions/{s}/hands/1/correct",
    "/sessions/{s}/hands/1/void",
)
POSTING = (
    "/keys/tokens",
    "/keys/tokens/1/revoke",
    "/keys/passcode",
    "/share/renew",
    "/players",
    "/players/1",
    "/sessions/new",
    "/paper",
    "/sessions/{s}/rules",
    "/settings",
    "/money/pay",
    "/money/import",
    "/money/undo",
    "/money/expenses",
    "/money/expenses/1",
    "/players/1/statement",
    "/sessions/{s}/table/join",
    "/sessions/{s}/table/sit-out",
    "/sessions/{s}/table/come-back",
    "/sessions/{s}/table/leave",
    "/sessions/{s}/table/return",
    "/sessions/{s}/table/seats",
    "/sessions/{s}/table/pause",
    "/sessions/{s}/table/rename",
    "/sessions/{s}/table/delete",
    "/players/1/archive",
    "/seasons/new",
    "/sessions/again",
    "/sessions/{s}/table/resume",
    "/sessions/{s}/bank",
    "/sessions/{s}/bank/share-pots",
    "/sessions/{s}/bank/share-differences",
    "/sessions/{s}/count",
    "/sessions/{s}/rate",
    "/sessions/{s}/settle",
    "/sessions/{s}/undo",
    "/sessions/{s}/hands/1/confirm",
    "/sessions/{s}/hands/1/restore",
    "/sessions/{s}/close",
    "/sessions/{s}/reopen",
    "/sessions/{s}/hands/new",
    "/sessions/{s}/hands/preview",
    "/sessions/{s}/hands/1/preview",
    "/sessions/{s}/hands/1/correct",
    "/sessions/{s}/hands/1/void",
)


@pytest.fixture
def played(database: Database, club: Access, seven: str) -> str:
    """The address of a session with one hand, with its cards."""
    session_id = int(seven.rsplit("/", 1)[1])
    dealer, _ = table.turn(database, club, session_id)
    hand = table.with_cards("crazy-solo", table.SEVEN, dealer)
    table.record(database, club, session_id, hand)
    return seven


def _at(played: str, ending: str) -> str:
    club, session = played.split("/sessions/")
    return club + ending.format(s=session)


def test_who_reads_along_sees_it_all(viewer: Phone, played: str) -> None:
    """And no form that sends anything but the one to leave; a choice of days only reads."""
    for ending in READING:
        page = viewer.open(_at(played, ending))
        assert page.status == 200, ending
        sending = [form.action for form in page.reader.forms if form.method == "post"]
        assert {action.rsplit("/", 1)[1] for action in sending} <= {"leave"}, ending
        links = [link for link in page.reader.links if "/new" in link or "/correct" in link]
        assert not links, ending


def test_who_reads_along_opens_no_page_that_writes(viewer: Phone, played: str) -> None:
    """403, with the way to the passcode."""
    for ending in WRITING:
        page = viewer.open(_at(played, ending))
        assert page.status == 403, ending
        assert "This link is for following" in page.text, ending


def test_who_reads_along_writes_nothing(viewer: Phone, played: str, database: Database) -> None:
    """403 with the right token, too; nothing is saved."""
    before = table.row_counts(database)
    token = dict(viewer.open(_at(played, "/share")).form("/leave").fields)["csrf_token"]
    data = {"csrf_token": token, "name": "Zed"}
    statuses = {
        ending: viewer.client.post(_at(played, ending), data=data).status_code for ending in POSTING
    }
    assert statuses == dict.fromkeys(POSTING, 403)
    assert table.row_counts(database) == before


def test_every_write_wants_its_token(scorer: Phone, played: str, database: Database) -> None:
    """Without it a form from another site could write."""
    before = table.row_counts(database)
    for ending in POSTING:
        response = scorer.client.post(_at(played, ending), data={"name": "Zed", "do": "save"})
        assert response.status_code == 400, ending
        assert b"This page is out of date" in response.data, ending
    assert table.row_counts(database) == before


def test_a_stranger_sees_nothing(stranger: Phone, played: str) -> None:
    """401 on every page of a club."""
    pages = (*READING, *WRITING)
    statuses = {ending: stranger.open(_at(played, ending)).status for ending in pages}
    assert statuses == dict.fromkeys(pages, 401)


def test_another_clubs_session_is_not_there(
    scorer: Phone, club: Access, database: Database, theirs: Access
) -> None:
    """Not even under the own club's address."""
    session = ask(database, theirs, start.list_all)[0].id
    for ending in (ending for ending in (*READING, *WRITING) if "{s}" in ending):
        page = ending.format(s=session)
        assert scorer.open(f"/clubs/{club.club_id}{page}").status == 404, ending
        assert scorer.open(f"/clubs/{theirs.club_id}{page}").status == 401, ending


def test_a_number_that_is_nobodys_is_not_found(scorer: Phone, played: str) -> None:
    """However large."""
    club = played.split("/sessions/")[0]
    for number in ("99", "0", "99999999999999999999999999"):
        assert scorer.open(f"{club}/sessions/{number}").status == 404, number
        assert scorer.open(f"{played}/hands/{number}/correct").status == 404, number
        assert scorer.open(f"{played}/hands/{number}/void").status == 404, number
        assert scorer.open(f"/clubs/{number}").status in {401, 404}, number


def test_a_body_of_ten_megabytes_is_refused(scorer: Phone, played: str) -> None:
    """413 before it is read."""
    form = scorer.open(f"{played}/hands/new").form("/new")
    page = scorer.send(form, note="x" * 10_000_000)
    assert page.status == 413


def test_every_page_forbids_what_is_not_its_own(scorer: Phone, played: str) -> None:
    """No inline script or style, no event attribute, nothing from elsewhere."""
    for ending in (*READING, *WRITING):
        if ending.endswith(".pdf"):
            continue
        page = scorer.open(_at(played, ending))
        html = page.response.get_data(as_text=True)
        assert page.response.headers["Content-Security-Policy"].startswith("default-src 'self'")
        for inline in ("<style", " style=", "<script>", " onclick=", "hx-on", "js:", "javascript:"):
            assert inline not in html, (ending, inline)


def test_a_device_with_a_foreign_signature_is_a_stranger(
    settings: Settings, database: Database, played: str
) -> None:
    """The cookie is signed: one made under another key opens nothing."""
    forger = create_app(
        Settings(settings.database_url, settings.data_dir, "another key altogether"), database
    )
    own: Flask = create_app(settings, database)
    from ledger.web.frame import cookies

    with forger.test_request_context():
        from flask import session as cookie

        cookies.remember(database, Access(1, Role.SCORER, "Mallory"))
        signer = forger.session_interface.get_signing_serializer(forger)  # type: ignore[attr-defined]
        forged = signer.dumps(dict(cookie))
    client = own.test_client()
    client.set_cookie("solo-ledger", forged)
    assert client.get(played).status_code == 401
