"""Chips worth money that are no money yet, on the pages: before closing, after it, after a correction."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import players
from ledger.services.session.view import Rate
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann has won 150 of the others' chips, a cent each."""
    session = table.start(database, club, table.FOUR, rate=Rate(1, 1), title="Tonight")
    table.record(database, club, session, cash.ANN_WINS)
    return session


@pytest.fixture
def address(club: Access, tonight: int) -> str:
    """Where the session's pages are."""
    return f"/clubs/{club.club_id}/sessions/{tonight}"


@pytest.fixture
def corrected(database: Database, club: Access, tonight: int) -> int:
    """The chips became money; then hand 1 turned out to be worth 20 more from each."""
    cash.convert(database, club, tonight)
    table.correct(database, club, tonight, 1, {**cash.ANN_WINS, "points": 95})
    return tonight


@pytest.mark.parametrize("page", ["", "/table"])
def test_closing_says_first_which_chips_stay_chips(scorer: Phone, address: str, page: str) -> None:
    """With the way to their money, and a button that closes all the same."""
    opened = scorer.open(address + page)
    assert "not cashed in yet: Ann +150 Bob −50 Cyd −50 Dee −50" in opened.text
    assert "Cash in chips Close anyway" in opened.text
    assert f"{address}/settle" in opened.reader.links
    scorer.send(scorer.open(f"{address}/settle").form("/settle"))
    opened = scorer.open(address + page)
    assert "Close anyway" not in opened.text
    assert "not cashed in yet" not in opened.text


def test_an_evening_closed_in_chips_shows_what_settles_it_and_that_no_money_does(
    scorer: Phone, viewer: Phone, address: str, club: Access
) -> None:
    """On its scoreboard, among the club's money, in the club's list and its history."""
    assert scorer.send(scorer.open(address).form("/close")).status == 303
    board = scorer.open(address).text
    assert "Played for money, and not cashed in: Ann +150 Bob −50" in board
    assert "reopen the session to cash them in" in board
    assert "Settle up in chips B Bob pays A Ann 50" in board.replace("\xa0", " ")
    assert "reopen" not in viewer.open(address).text
    money = scorer.open(f"/clubs/{club.club_id}/money").text
    assert "Tonight : Ann +150 Bob −50 Cyd −50 Dee −50 Reopen it first" in money.replace(
        "t:", "t :"
    )
    assert "Nobody owes anything" not in money
    for page in ("", "/evenings"):
        assert "Tonight not cashed in" in scorer.open(f"/clubs/{club.club_id}{page}").text


def test_a_statement_does_not_call_even_whose_chips_are_no_money_yet(
    scorer: Phone, tonight: int, database: Database, club: Access
) -> None:
    """Bob owes nothing so far; a player who was not there is even."""
    players.add(table.write(database, club), name="Zoë")
    ids = {each.name: each.id for each in ask(database, club, players.everyone)}
    place = f"/clubs/{club.club_id}/players"
    bob = scorer.open(f"{place}/{ids['Bob']}/statement")
    assert "Bob nothing is owed so far" in bob.text
    assert "Bob −50 Cash in the chips" in bob.text
    assert f"/clubs/{club.club_id}/sessions/{tonight}/settle" in bob.reader.links
    assert "Zoë is even" in scorer.open(f"{place}/{ids['Zoë']}/statement").text


@pytest.mark.usefixtures("corrected")
def test_a_hand_corrected_after_the_chips_became_money_leads_to_the_rest(
    scorer: Phone, address: str, club: Access
) -> None:
    """The scoreboard, the bank, the club's money and the closing name the unconverted chips."""
    rest = "not cashed in: Ann +60 Bob −20 Cyd −20 Dee −20 Cash in the rest"
    for page in ("", "/bank"):
        opened = scorer.open(address + page)
        assert rest in opened.text
        assert f"{address}/settle" in opened.reader.links
    assert "Ann +60 Bob −20" in scorer.open(f"/clubs/{club.club_id}/money").text
    assert "Close anyway" in scorer.open(address).text
    assert scorer.send(scorer.open(address).form("/close")).status == 303
    assert "not cashed in: Ann +60" in scorer.open(address).text
    history = scorer.open(f"/clubs/{club.club_id}/evenings").text
    assert "Tonight not all cashed in" in history


def test_the_look_at_a_correction_says_that_the_payments_stay_as_they_were(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """And at a voiding; before the chips became money there is no such notice."""
    pages = (f"{address}/hands/1/correct", f"{address}/hands/1/void")

    def look(page: str) -> str:
        form = scorer.open(page)
        if page.endswith("void"):
            return form.text
        return scorer.send(form.form("/correct"), do="show", points="95").text

    assert not any("Chips have been cashed in since" in look(page) for page in pages)
    cash.convert(database, club, tonight)
    for page in pages:
        assert "What this moves stays chips until the rest is cashed in" in look(page)
