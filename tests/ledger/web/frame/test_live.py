"""The right to follow, and the server's note of a subscription."""

from dataclasses import replace

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.http.subscription import SUBSCRIPTIONS, Subscription
from ledger.services.reads import followed
from tests.ledger import table
from tests.ledger.web.phone import Phone


def follow(phone: Phone, address: str) -> tuple[int, list[Subscription]]:
    """Request to follow, on a server that can hold a stream; return the status and the subscription."""
    told: list[Subscription] = []
    answer = phone.client.get(address, environ_overrides={SUBSCRIPTIONS: told})
    return answer.status_code, told


def test_a_session_is_followed_by_its_revision_and_a_club_by_its_last_entry(
    viewer: Phone, address: str, database: Database, club: Access
) -> None:
    """Both go up with a hand."""
    own = f"/clubs/{club.club_id}"
    ((_, session_then), (_, club_then)) = (
        follow(viewer, f"{address}/live"),
        follow(viewer, f"{own}/live"),
    )
    number = session_then[0].session_id
    table.record(database, club, number, table.HEARTS_74)
    status, (session_now,) = follow(viewer, f"{address}/live")
    _, (club_now,) = follow(viewer, f"{own}/live")
    assert status == 200
    assert session_now == replace(session_then[0], number=session_then[0].number + 1)
    assert club_now.session_id == 0
    assert club_now.number > club_then[0].number
    with database.read() as reading:
        keys = [(club.club_id, number), (club.club_id, 999), (999, number)]
        numbers = followed.numbers(reading, keys, [club.club_id])
    assert numbers.sessions == {(club.club_id, number): session_now.number}
    assert numbers.clubs == {club.club_id: club_now.number}


def test_who_is_not_let_in_follows_nothing(
    stranger: Phone, viewer: Phone, address: str, club: Access
) -> None:
    """As for any page: 401 to strangers, 404 without a session."""
    for place in (f"{address}/live", f"/clubs/{club.club_id}/live"):
        assert follow(stranger, place) == (401, [])
    assert follow(viewer, f"/clubs/{club.club_id}/sessions/999/live") == (404, [])


def test_a_server_that_holds_no_streams_says_so_for_good(viewer: Phone, address: str) -> None:
    """With 204 a browser does not ask again; the page asks for the board now and then."""
    assert viewer.client.get(f"{address}/live").status_code == 204


@pytest.mark.parametrize("page", ["", "/history", "/bank"])
def test_pages_that_follow_say_from_where(viewer: Phone, address: str, page: str) -> None:
    """Asked again with the revision it shows, each answers that there is nothing new."""
    opened = viewer.client.get(f"{address}{page}").text
    assert f'data-live="{address}/live"' in opened
    again = opened.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    assert viewer.open(again).status == 204
