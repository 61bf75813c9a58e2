"""The list of entries other than hands: each shows at once its player and amount."""

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.table import seating
from tests.ledger import cash, table
from tests.ledger.web.phone import Phone


def test_each_entry_beside_the_hands_says_whose_it_is_and_how_much_before_it_is_opened(
    viewer: Phone, seven: str, database: Database, club: Access
) -> None:
    """Two loans to Ann differ by their chips; a player sitting out or coming back is named."""
    played = int(seven.rsplit("/", 1)[1])
    cash.lend(database, club, played, "Ann", 20)
    cash.lend(database, club, played, "Ann", 35)
    for change in (seating.sit_out, seating.come_back):
        change(table.write(database, club), played, player="Bob")
    page = viewer.open(f"{seven}/entries").response.get_data(as_text=True)
    rows = [part.split("</summary>")[0] for part in page.split("<summary>")[1:]]
    assert [("Bob" in row, "Ann" in row) for row in rows] == [(True, False)] * 2 + [
        (False, True)
    ] * 2
    assert "+35" in rows[2]
    assert "+20" in rows[3]
    assert "Came back" in rows[0]
