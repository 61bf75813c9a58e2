"""A page of the books is a 304, with nothing read for it, while the club's last entry is the last."""

from functools import partial

import pytest

from ledger.access import Access
from ledger.db import Database
from tests.ledger.test_etags import again
from tests.ledger.test_etags_api import ACTS, evening, statements
from tests.ledger.web.conftest import viewer
from tests.ledger.web.phone import Phone

__all__ = ["evening", "viewer"]

PLACES = (
    *("", "/money", "/evenings", "/head-to-head", "/statistics", "/players", "/players/1"),
    *("/players/1/evenings", "/players/1/statement", "{}/result", "{}/entries"),
)


@pytest.fixture
def places(club: Access, evening: int) -> list[str]:
    """Every page that shows nothing but what is in the books."""
    return [f"/clubs/{club.club_id}" + place.format(f"/sessions/{evening}") for place in PLACES]


def test_after_any_act_no_old_page_is_shown(
    viewer: Phone, places: list[str], database: Database, club: Access, evening: int
) -> None:
    """Each is an entry of the club, so who looks again is shown the page anew."""
    for name, act in ACTS.items():
        seen = {place: viewer.client.get(place) for place in places}
        assert {answer.status_code for answer in seen.values()} == {200}
        act(database, club, evening)
        for place, had in seen.items():
            assert again(viewer, place, had).status_code == 200, (name, place)


def test_who_has_the_page_is_told_so_before_anything_is_read(
    viewer: Phone, places: list[str], database: Database
) -> None:
    """But for the device, with its club, and the last entry."""
    for place in places:
        seen = viewer.client.get(place)
        same, sent = statements(database, partial(again, viewer, place, seen))
        assert (same.status_code, same.data) == (304, b""), place
        assert same.headers["ETag"] == seen.headers["ETag"]
        assert sent == len(("BEGIN", "the device", "the last entry"))
        german = again(viewer, place, seen, **{"Accept-Language": "de"})
        assert german.status_code == 200
