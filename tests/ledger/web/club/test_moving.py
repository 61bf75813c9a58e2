"""The pages of a club that has left for another installation."""

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import moving
from tests.ledger import table
from tests.ledger.web.phone import Phone

THERE = "https://cards.example.org"


def test_a_phone_of_a_club_that_has_left_shows_a_button_to_its_new_address(
    scorer: Phone, database: Database, club: Access
) -> None:
    """On each of the club's pages, and behind its links."""
    viewers = table.viewer_key(database, club)
    moving.leave(database, club, THERE)
    for path in (f"/clubs/{club.club_id}", f"/clubs/{club.club_id}/keys", f"/v/{viewers}"):
        page = scorer.open(path)
        assert page.status == 410
        assert "This club has moved" in page.text
        assert f'href="{THERE}"' in page.response.get_data(as_text=True)
