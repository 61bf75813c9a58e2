"""Counting chips on a page, and undoing the last write."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.reads import accounts
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann, Bob, Cyd and Dee with 150 chips each."""
    return table.start(database, club, table.FOUR, starting_stack=150)


def counting(phone: Phone, address: str, **pieces: str) -> Page:
    """Type pieces into the form of a count, and hold them against the ledger."""
    return phone.send(phone.open(f"{address}/count").form("/count"), do="compare", **pieces)


def test_a_count_is_held_against_the_ledger_a_player_and_in_sum(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Ann is 5 short, Bob 20 over; nothing is written by looking."""
    before = table.row_counts(database)
    ann, bob = (table.seat_id(database, club, tonight, name) for name in ("Ann", "Bob"))
    page = counting(
        scorer,
        address,
        **{f"pieces-{ann}-5": "5", f"pieces-{ann}-20": "6", f"pieces-{bob}-20": "1"},
        **{f"pieces-{bob}-30": "5"},
    )
    assert "Counted 145: −5" in page.text
    assert "Counted 170: +20" in page.text
    assert "2 of 4 counted in total +15" in page.text
    assert table.row_counts(database) == before


def test_a_difference_is_posted_when_the_table_agrees(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """The ledger follows the chips on the table; a count that is only noted moves nothing."""
    ann = table.seat_id(database, club, tonight, "Ann")
    page = counting(scorer, address, **{f"pieces-{ann}-5": "5", f"pieces-{ann}-20": "6"})
    noted = scorer.send(page.form("/count"), do="write")
    assert noted.location == f"{address}/bank?done=counted"
    assert table.balances(database, club, tonight)["Ann"] == 150
    page = counting(scorer, address, **{f"pieces-{ann}-5": "5", f"pieces-{ann}-20": "6"})
    posted = scorer.send(page.form("/count"), do="post", reason="one lies under the sofa")
    assert posted.location == f"{address}/bank?done=followed"
    assert table.balances(database, club, tonight)["Ann"] == 145
    assert "Counted chips are off by −5" in scorer.open(f"{address}/bank").text


def test_a_difference_nobody_saw_is_shown_first(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Typed over and posted in the same breath."""
    ann = table.seat_id(database, club, tonight, "Ann")
    page = counting(scorer, address, **{f"pieces-{ann}-30": "5"})
    preview = scorer.send(page.form("/count"), do="post", **{f"pieces-{ann}-30": "4"})
    assert "Look at the difference" in preview.text
    assert table.balances(database, club, tonight)["Ann"] == 150
    assert scorer.send(preview.form("/count"), do="post").status == 303
    assert table.balances(database, club, tonight)["Ann"] == 120


def test_what_is_no_number_of_chips_is_said_at_its_input(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Nothing is saved, the typed text stays."""
    before = table.row_counts(database)
    name = f"pieces-{table.seat_id(database, club, tonight, 'Ann')}-5"
    form = scorer.open(f"{address}/count").form("/count")
    for typed in ("six", "-1", "99999"):
        page = scorer.must_refuse(form, name, "", do="write", **{name: typed})
        assert page.wrong(name)
        assert "Look at the difference" not in page.text
        assert dict(page.form("/count").fields)[name] == typed
    assert table.row_counts(database) == before


def test_an_empty_count_is_none(scorer: Phone, address: str, database: Database) -> None:
    """At least one player is counted."""
    before = table.row_counts(database)
    assert "at least one player" in counting(scorer, address).text
    form = scorer.open(f"{address}/count").form("/count")
    assert scorer.send(form, do="write").status == 422
    assert table.row_counts(database) == before


def test_a_count_against_an_older_ledger_is_shown_again(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """412: the difference is another one by now."""
    ann = table.seat_id(database, club, tonight, "Ann")
    page = counting(scorer, address, **{f"pieces-{ann}-30": "5"})
    table.record(database, club, tonight, cash.ANN_WINS)
    stale = scorer.send(page.form("/count"), do="post")
    assert stale.status == 412
    assert "Counted 150: −150" in stale.text


def test_undo_says_what_it_takes_back_and_takes_it_back(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """A loan first, then the hand before it, with the balances it moves."""
    table.record(database, club, tonight, cash.ANN_WINS)
    cash.lend(database, club, tonight, "Bob", 20)
    assert f"{address}/undo" in scorer.open(address).reader.links
    page = scorer.open(f"{address}/undo")
    assert "Last change: the bank lent Bob 20 chips." in page.text
    assert "Bob 120 −20 100 The bank −620 +20 −600" in page.text
    undone = scorer.send(page.form("/undo"))
    assert (undone.status, undone.location) == (303, f"{address}?done=undone")
    assert table.balances(database, club, tonight) == {
        "Ann": 300,
        "Bob": 100,
        "Cyd": 100,
        "Dee": 100,
    }


def test_an_undone_hand_shows_every_balance_before(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """And a double tap undoes one thing."""
    table.record(database, club, tonight, cash.ANN_WINS)
    page = scorer.open(f"{address}/undo")
    assert "Last change: hand 1 was recorded." in page.text
    assert "Ann 300 −150 150" in page.text
    form = page.form("/undo")
    assert [scorer.send(form).status for _ in range(2)] == [303, 303]
    assert set(table.balances(database, club, tonight).values()) == {150}
    repeated = scorer.open(f"{address}/undo").text
    assert "Undone last: hand 1 was recorded. Redo hand 1" in repeated


def test_an_undone_loan_is_named_and_made_again_by_a_redo(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """Nothing older can be undone; one tap makes the loan again."""
    cash.lend(database, club, tonight, "Bob", 20)
    scorer.send(scorer.open(f"{address}/undo").form("/undo"))
    page = scorer.open(f"{address}/undo")
    assert "Undone last: the bank lent Bob 20 chips. Redo the loan" in page.text
    assert [form.action for form in page.reader.forms if form.action.endswith("/undo")] == []
    answer = scorer.send(page.form("/redo"))
    assert (answer.status, answer.location) == (303, f"{address}?done=redone")
    assert table.balances(database, club, tonight)["Bob"] == 170


def test_starting_chips_are_not_offered_to_be_undone(scorer: Phone, address: str) -> None:
    """A slip of the thumb takes nobody's chips away."""
    page = scorer.open(f"{address}/undo")
    assert "Everybody began with these chips, so they can't be undone" in page.text
    assert [form.action for form in page.reader.forms if form.action.endswith("/undo")] == []


def test_nothing_to_undo_is_said(scorer: Phone, database: Database, club: Access) -> None:
    """In a session without stacks nothing was written yet."""
    tonight = table.start(database, club, table.FOUR)
    page = scorer.open(f"/clubs/{club.club_id}/sessions/{tonight}/undo")
    assert page.status == 200
    assert "nothing to undo" in page.text


def test_an_undo_overtaken_by_another_hand_undoes_nothing(
    scorer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """412, and the page shows the present next undo."""
    table.record(database, club, tonight, cash.ANN_WINS)
    form = scorer.open(f"{address}/undo").form("/undo")
    table.record(database, club, tonight, table.ALL_PASS)
    stale = scorer.send(form)
    assert stale.status == 412
    assert "Last change: hand 2 was recorded" in stale.text
    assert table.balances(database, club, tonight)["Ann"] == 300
    every = ask(database, club, accounts.books, tonight).accounts
    assert sum(account.balance for account in every if account.unit == "chips") == 0
