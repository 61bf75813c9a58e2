"""A board is made once for all followers, and not at all for a current copy; its data is read each time."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask, template_rendered
from werkzeug.test import TestResponse

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import clubs, players
from ledger.services.hands import correct
from ledger.services.table import lifecycle, seating
from ledger.web.frame import fragments
from tests.ledger import cash, table
from tests.ledger.conftest import PASSCODE
from tests.ledger.web.phone import Phone


@pytest.fixture
def made(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect which pages are made, beginning with none that is held."""
    monkeypatch.setattr(fragments, "_rendered", fragments.RenderedPages())
    names: list[str] = []

    def hear(_app: Flask, template: Any, **_: Any) -> None:
        names.append(template.name)

    with template_rendered.connected_to(hear, app):
        yield names


def boards(phones: list[Phone], address: str, **headers: str) -> list[TestResponse]:
    """Fetch the board on each phone, all at once, as after a save."""
    with ThreadPoolExecutor(8) as pool:
        return [*pool.map(lambda phone: phone.client.get(address, headers=headers), phones)]


def a_viewer(app: Flask, viewer: Phone) -> Phone:
    """Return another phone that has the same link."""
    phone, cookie = Phone(app), viewer.client.get_cookie("solo-ledger")
    assert cookie is not None
    phone.client.set_cookie("solo-ledger", cookie.value)
    return phone


def test_thirty_boards_after_a_save_are_made_once(
    app: Flask, viewer: Phone, address: str, made: list[str]
) -> None:
    """Each is the same to the byte, in any encoding, and the same as a newly made one."""
    phones = [a_viewer(app, viewer) for _ in range(30)]
    polled = boards(phones, f"{address}?revision=1", **{"HX-Request": "true"})
    assert {answer.status_code for answer in polled} == {200}
    packed = boards(phones, address, **{"Accept-Encoding": "gzip"})
    assert made == ["board.html"]
    assert len({answer.data for answer in packed}) == 1
    assert len({answer.data for answer in polled}) == 1
    fragments._rendered = fragments.RenderedPages()
    assert viewer.client.get(address).data == polled[0].data


CHANGES: dict[str, Callable[[Database, Access, int], object]] = {
    "a hand": lambda db, club, evening: table.record(db, club, evening, cash.ANN_WINS),
    "a hand made void": lambda db, club, evening: correct.void(
        table.write(db, club), evening, 1, reason="a misdeal"
    ),
    "a player's name": lambda db, club, _: players.rename(table.write(db, club), 1, name="Zoë"),
    "who sits out": lambda db, club, evening: seating.sit_out(
        table.write(db, club), evening, player="Bob"
    ),
    "a break": lambda db, club, evening: lifecycle.pause(table.write(db, club), evening),
}


@pytest.mark.parametrize(("page", "changes"), [("", [*CHANGES]), ("/history", [*CHANGES][:3])])
def test_whatever_a_board_or_a_history_shows_is_never_old(
    viewer: Phone,
    address: str,
    made: list[str],
    database: Database,
    club: Access,
    tonight: int,
    page: str,
    changes: Sequence[str],
) -> None:
    """A change by anybody makes another page, for holders of the old one as for all others."""
    address += page
    copy = viewer.client.get(address)
    for change in changes:
        del made[:]
        had = {"If-None-Match": copy.headers["ETag"]}
        CHANGES[change](database, club, tonight)
        then = viewer.client.get(address, headers=had)
        assert (then.status_code, len(made)) == (200, 1), change
        assert then.data != copy.data, change
        fragments._rendered = fragments.RenderedPages()
        copy = viewer.client.get(address)
        assert copy.data == then.data, change


@pytest.mark.parametrize("page", ["", "/history"])
def test_who_has_the_page_is_told_before_it_is_made(
    scorer: Phone, viewer: Phone, address: str, made: list[str], page: str
) -> None:
    """A scorer, too, with forms of their own; other parts of an address are another page."""
    address += page
    for phone in (scorer, viewer):
        phone.client.get(address)
        copy = phone.client.get(address)
        del made[:]
        had = {"If-None-Match": copy.headers["ETag"]}
        answer = phone.client.get(address, headers=had)
        assert (answer.status_code, answer.data, made) == (304, b"", [])
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert phone.client.head(address).headers["ETag"] == copy.headers["ETag"]
        assert phone.client.get(f"{address}?done=reopened", headers=had).status_code == 200


def test_a_scorers_board_is_made_for_their_device(
    app: Flask, database: Database, club: Access, scorer: Phone, address: str, made: list[str]
) -> None:
    """No two share a page, as each has its own secret in its forms, and may hold it while nothing changes."""
    other = Phone(app)
    name = table.ask(database, club, clubs.show).name
    assert other.enter(name, PASSCODE, "Mia").status == 303
    pages = [phone.client.get(address) for phone in (scorer, other, scorer, other)]
    assert made.count("board.html") == 4
    assert len({page.headers["ETag"] for page in pages[2:]}) == 2
    assert b'name="key" value="at-' in pages[0].data


def test_a_board_that_was_kept_closes_its_session_once(scorer: Phone, address: str) -> None:
    """Sent twice it is done once; reopened, the page has another key, and closes it again."""
    for _ in range(2):
        form = scorer.open(address).form("/close")
        answers = [scorer.send(form) for _ in range(2)]
        assert [answer.status for answer in answers] == [303, 303]
        reopened = scorer.open(address).form("/reopen")
        assert scorer.send(reopened).status == 303


def test_no_more_pages_are_held_than_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that nobody asked for the longest goes first."""
    monkeypatch.setattr(fragments, "MOST_PAGES", 2)
    pages, made = fragments.RenderedPages(), []

    def ask(tag: str) -> str:
        def make() -> str:
            made.append(tag)
            return tag

        return pages.page(tag, make).text

    assert [ask(tag) for tag in "ababcab"] == [*"ababcab"]
    assert made == [*"abcab"]
