"""The hand form where somebody is short of chips: one save writes the hand and the loan."""

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.ledger import table
from tests.ledger.web.phone import Page, Phone

HAND = {"bidder": "Ann", "bid": "go-alone", "trump": "S", "points": "85"}
"""Ann is paid 50 by each of the others."""


def shown(scorer: Phone, database: Database, club: Access, stack: int) -> tuple[str, int, Page]:
    """Start a table of four with these chips each, and look at the result of the hand."""
    played = table.start(database, club, table.FOUR, starting_stack=stack)
    address = f"/clubs/{club.club_id}/sessions/{played}"
    form = scorer.open(f"{address}/hands/new").form("/new")
    return address, played, scorer.send(form, do="show", **HAND)


def test_one_save_writes_the_hand_and_the_loan(
    scorer: Phone, database: Database, club: Access
) -> None:
    """The form names the players who are short before it is saved; the undo names both."""
    address, played, page = shown(scorer, database, club, 30)
    assert "Bob is short of 20 chips." in page.text
    assert "The bank lends 60 chips with this hand" in page.text
    assert "the bank lends 60 chips" in page.text  # next to the button, too
    assert scorer.send(page.form("/new"), do="save").status == 303
    assert table.balances(database, club, played) == {"Ann": 180, "Bob": 0, "Cyd": 0, "Dee": 0}
    undo = scorer.open(f"{address}/undo")
    assert "What the bank lent with it is undone, too." in undo.text
    assert scorer.send(undo.form("/undo")).status == 303
    assert set(table.balances(database, club, played).values()) == {30}


def test_who_wants_no_loan_says_so_and_no_page_shows_less_than_nothing(
    scorer: Phone, database: Database, club: Access
) -> None:
    """The chips that are missing are named instead."""
    address, played, page = shown(scorer, database, club, 30)
    repeated = scorer.send(page.form("/new"), do="show", lend=None)
    assert "0 20 short" in repeated.text
    assert scorer.send(repeated.form("/new"), do="save").status == 303
    assert table.balances(database, club, played)["Bob"] == -20
    for place in ("", "/bank", "/table", "/count"):
        assert "0 20 short" in scorer.open(address + place).text, place


def test_nobody_is_asked_where_all_can_pay_or_the_table_counts_from_nought(
    scorer: Phone, database: Database, club: Access
) -> None:
    """As before."""
    for stack in (50, 0):
        _, _, page = shown(scorer, database, club, stack)
        assert "short" not in page.text
