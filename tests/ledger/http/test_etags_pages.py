"""A page of the books is a 304, with nothing read for it, while the club's last entry is the last."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from unittest.mock import Mock

import pytest
from sqlalchemy import text

from ledger.books import journal
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime import clock
from ledger.web.frame import fragments
from tests.ledger.http.test_etags import again
from tests.ledger.http.test_etags_api import ACTS, evening, statements
from tests.ledger.table import ask
from tests.ledger.web.conftest import owner, scorer, viewer
from tests.ledger.web.phone import Phone

__all__ = ["evening", "owner", "scorer", "viewer"]

PLACES = (
    *("", "/money", "/evenings", "/head-to-head", "/statistics", "/players", "/players/1"),
    *("/players/1/evenings", "/players/1/statement", "{}/result", "{}/entries"),
)


@pytest.fixture
def places(club: Access, evening: int) -> list[str]:
    """Return every page that shows only content of the books."""
    return [f"/clubs/{club.club_id}" + place.format(f"/sessions/{evening}") for place in PLACES]


def test_after_any_act_no_old_page_is_shown(
    viewer: Phone, places: list[str], database: Database, club: Access, evening: int
) -> None:
    """Each is an entry of the club, so a page requested again is new."""
    answers = {place: viewer.client.get(place) for place in places}
    for name, act in ACTS.items():
        act(database, club, evening)
        for place, had in answers.items():
            answers[place] = again(viewer, place, had)
            assert answers[place].status_code == 200, (name, place)


def test_who_has_the_page_is_told_so_before_anything_is_read(
    viewer: Phone, places: list[str], database: Database
) -> None:
    """But for the device, with its club, and the last entry."""
    for place in places:
        copy = viewer.client.get(place)
        same, requests = statements(database, partial(again, viewer, place, copy))
        assert (same.status_code, same.data) == (304, b""), place
        assert same.headers["ETag"] == copy.headers["ETag"]
        assert requests == len(("BEGIN", "the device", "the last entry"))
        german = again(viewer, place, copy, **{"Accept-Language": "de"})
        assert german.status_code == 200


OF_NO_ENTRY = (
    "UPDATE device SET last_used_at = '2027-01-31 21:15:00', network = '192.0.2.7', kind = 'iPad'",
    "UPDATE link SET expires_at = '2099-01-31 21:15:00', made_by = 'Zed'",
    "UPDATE security_event SET times = times + 7",
)
"""What is noted of devices, links and tries; the last entry stays the last."""

ONCE = re.compile(r'name="(?:key|csrf_token)" value="[^"]*"')
"""What each form is drawn with, for one write by one device."""


def test_a_page_tells_nothing_but_what_entries_change(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    places: list[str],
    database: Database,
    club: Access,
) -> None:
    """Drawn again weeks later, with other devices and links, it is the same for everybody."""
    phones = [request.getfixturevalue(who) for who in ("owner", "scorer", "viewer")]

    def drawn() -> dict[tuple[int, str], str]:
        monkeypatch.setattr(fragments, "_rendered", fragments.RenderedPages())
        responses = {
            (who, place): phone.client.get(place)
            for who, phone in enumerate(phones)
            for place in places
        }
        assert {answer.status_code for answer in responses.values()} == {200}
        return {where: ONCE.sub("", answer.text) for where, answer in responses.items()}

    head, before = ask(database, club, journal.head), drawn()
    with database.engine.begin() as books:
        for done in OF_NO_ENTRY:
            books.execute(text(done))
    later = datetime.now(UTC) + timedelta(days=40)
    monkeypatch.setattr(clock, "datetime", Mock(now=Mock(return_value=later)))
    after = drawn()
    assert ask(database, club, journal.head) == head
    assert [where for where in before if before[where] != after[where]] == []
