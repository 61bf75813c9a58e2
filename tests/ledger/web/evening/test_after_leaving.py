"""A hand changed after a player left, on the pages: their debts and credits, before and after saving."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.ledger import cash, table
from tests.ledger.departed import ANN_LOSES, evening
from tests.ledger.evenings import CardClub
from tests.ledger.web.phone import Phone


@pytest.fixture
def address(database: Database, club: Access) -> str:
    """Where the pages are of an evening that Bob has left, owing 0.05 for a hand that Ann won."""
    return f"/clubs/{club.club_id}/sessions/{evening(CardClub(database, club)).id}"


def test_each_preview_says_what_it_comes_to_for_a_player_who_has_left(
    scorer: Phone, address: str, database: Database, club: Access
) -> None:
    """A voiding, a correction, and the undo of one; the payout has no row for bank or till."""
    assert (
        "Bob has left: +50 chips, gets 0.05 EUR more."
        in scorer.open(f"{address}/hands/1/void").text
    )
    form = scorer.open(f"{address}/hands/1/correct").form("/correct")
    looked = scorer.send(form, points="35", do="show").text
    assert "Bob has left: +100 chips, gets 0.10 EUR more." in looked
    assert "The bank" not in looked
    assert "The till" not in looked
    table.correct(database, club, 1, 1, ANN_LOSES)
    undoing = scorer.open(f"{address}/undo").text
    assert "Bob has left: −100 chips, owes 0.10 EUR more." in undoing
    assert "Bob EUR 0.05 −0.10 −0.05" in undoing


def test_what_is_due_since_the_leaving_stands_next_to_the_name(
    scorer: Phone, address: str, database: Database, club: Access
) -> None:
    """On the scoreboard and the result, where chips are cashed in, and in the club's money."""
    said = "since leaving: +100 chips, gets 0.10 EUR more"
    assert "since leaving" not in scorer.open(address).text
    table.correct(database, club, 1, 1, ANN_LOSES)
    assert f"Bob left {said}" in scorer.open(address).text
    assert f"Bob {said}" in scorer.open(f"{address}/result").text
    settling = scorer.open(f"{address}/settle").text
    assert "Bob has left: +100 chips, gets 0.10 EUR more." in settling
    assert "Players who left early are owed 0.05 EUR of it." in settling
    assert "Bob left and gets 0.05 EUR" in scorer.open(f"/clubs/{club.club_id}/money").text
    bob = cash.seat(database, club, 1, "Bob").player_id
    statement = scorer.open(f"/clubs/{club.club_id}/players/{bob}/statement").text
    assert "Correction after leaving" in statement


def test_without_a_rate_the_chips_stand_next_to_the_name(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Until they are cashed in they are chips."""
    played = evening(CardClub(database, club), rate=None).id
    table.correct(database, club, played, 1, ANN_LOSES)
    page = scorer.open(f"/clubs/{club.club_id}/sessions/{played}").text
    assert "Bob left since leaving: +100 chips" in page
    assert "more" not in page.split("+100 chips")[1][:8]


def test_what_was_settled_is_listed_and_has_no_undo_of_its_own(
    scorer: Phone, address: str, database: Database, club: Access
) -> None:
    """Among the other entries, with its seat; the leaving has one."""
    table.correct(database, club, 1, 1, ANN_LOSES)
    listed = scorer.open(f"{address}/entries")
    assert "Correction after leaving, Bob" in listed.text
    assert (
        len([link for link in listed.reader.links if link.startswith(f"{address}/entries/")]) == 1
    )
