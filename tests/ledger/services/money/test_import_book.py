"""Importing balances of other programs: once, undoable, and nothing if anything is refused."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import pytest

from ledger.keeping.imports.columns import ForeignColumns
from ledger.keeping.imports.formats import read_book
from ledger.runtime.clock import today
from ledger.services.club import players
from ledger.services.money import payments, statements
from ledger.services.money.foreign_book import ForeignBook, ForeignRow, RejectedRow
from ledger.services.money.import_book import import_book
from ledger.services.money.settle_up import Payment
from ledger.services.undo import payment as undo_payment
from ledger.words.problems import Invalid, KeyReused, NotFound, ReadOnly
from tests.ledger import table
from tests.ledger.evenings import CardClub

DAY = date(2026, 1, 3)
PIZZA = ForeignRow(2, DAY, "Pizza", {"Ann": 2000, "Bob": -1000, "Cyd": -1000}, False)
BACK = ForeignRow(3, DAY + timedelta(2), "Back", {"Bob": 1000, "Ann": -1000}, True)


def book(*rows: ForeignRow, rejected: tuple[RejectedRow, ...] = ()) -> ForeignBook:
    """Return a book of Ann, Bob and Cyd."""
    return ForeignBook("splitwise", ("Ann", "Bob", "Cyd"), rows, rejected)


def bring(
    club: CardClub, of: ForeignBook, chosen: Mapping[str, str | None] | None = None, **more: Any
) -> Any:
    """Import a book."""
    return club.do(import_book, book=of, players_by_member=chosen or {}, **more)


def owed(club: CardClub) -> dict[str, int]:
    """Return the open balances."""
    return {each.player: each.balance for each in club.read(payments.settle_up).balances}


def test_of_a_longer_file_only_the_new_row_is_imported(sqlite_club: CardClub) -> None:
    """Also if it comes first, as ihatemoney writes it, and shows that its payer counts double."""
    head = "date,what,amount,payer_name,payer_weight,owers\n"
    pizza = '2026-01-03,Pizza,10.00,Ann,1.0,"Ann, Bob, Cyd"\n'
    beer = '2026-01-05,Beer,9.00,Bob,2.0,"Ann, Bob"\n'
    columns = ForeignColumns()
    short, longer = (read_book(head + rows, "", "EUR", columns) for rows in (pizza, beer + pizza))
    assert bring(sqlite_club, short)["rows"] == 1
    answer = bring(sqlite_club, longer)
    assert (answer["rows"], answer["repeated"]) == (1, 1)
    assert answer["changes"] == {"Ann": -300, "Bob": 300}


def test_a_book_becomes_one_entry_with_its_balances(any_club: CardClub) -> None:
    """New players are added; the entry is dated like the last row; a dry run adds nothing."""
    before = table.row_counts(any_club.db)
    preview = any_club.preview(import_book, book=book(PIZZA, BACK), players_by_member={})
    assert preview.changes == {"Ann": 1000, "Cyd": -1000}
    assert (preview.rows, preview.repeated, preview.rejected) == (2, 0, ())
    assert table.row_counts(any_club.db) == before
    answer = bring(any_club, book(PIZZA, BACK), reason="last year")
    assert answer == {**preview.to_mapping(), "entries": 1}
    assert owed(any_club) == {"Ann": 1000, "Cyd": -1000}
    ann = any_club.read(players.by_name, "Ann", "name").id
    statement = any_club.read(statements.of_player, ann, limit=9)
    (line,) = statement.lines
    assert (line.kind, line.reason, line.amount) == ("opening", "last year", 1000)
    assert (line.is_payment, line.is_debt, line.occurred_at.date()) == (False, True, BACK.day)
    with pytest.raises(NotFound):
        any_club.read(payments.show, line.entry)
    any_club.must_verify()


def test_the_same_book_again_adds_nothing_and_a_longer_one_its_new_rows(any_club: CardClub) -> None:
    """Whether as balances or row by row; equal rows of one file count each."""
    bring(any_club, book(PIZZA, PIZZA))
    assert owed(any_club)["Ann"] == 4000
    again = bring(any_club, book(PIZZA, PIZZA))
    assert (again["rows"], again["repeated"], again["entries"]) == (0, 2, 0)
    longer = bring(any_club, book(BACK, PIZZA, PIZZA, PIZZA), each_row=True)
    assert (longer["rows"], longer["repeated"], longer["entries"]) == (2, 2, 2)
    assert bring(any_club, book(BACK, PIZZA, PIZZA, PIZZA))["rows"] == 0
    assert owed(any_club) == {"Ann": 5000, "Bob": -2000, "Cyd": -3000}
    any_club.must_verify()


def test_each_row_is_an_entry_with_its_day_and_text(any_club: CardClub) -> None:
    """A payment between two is a payment."""
    assert bring(any_club, book(PIZZA, BACK), each_row=True)["entries"] == 2
    bob = any_club.read(players.by_name, "Bob", "name").id
    back, pizza = any_club.read(statements.of_player, bob, limit=9).lines
    assert (back.kind, back.reason, back.others, back.amount) == ("payment", "Back", ("Ann",), 1000)
    assert (pizza.kind, pizza.reason, pizza.occurred_at.date()) == ("opening", "Pizza", DAY)
    assert any_club.read(payments.show, back.entry) == Payment("Bob", "Ann", 1000)


def test_an_undone_import_can_be_imported_again(any_club: CardClub) -> None:
    """Its rows no longer count as imported."""
    bring(any_club, book(PIZZA))
    ann = any_club.read(players.by_name, "Ann", "name").id
    (line,) = any_club.read(statements.of_player, ann, limit=9).lines
    any_club.do(undo_payment.take_back, line.entry, reason="wrong club")
    assert owed(any_club) == {}
    assert bring(any_club, book(PIZZA))["rows"] == 1
    any_club.must_verify()


def test_members_are_mapped_to_players_or_left_out(any_club: CardClub) -> None:
    """Several members may be one player; rows of somebody left out are rejected."""
    any_club.start()  # with Ann, Bob, Cyd and Dee
    answer = bring(any_club, book(PIZZA), {"Ann": "dee", "Bob": "Cyd"})
    assert answer["changes"] == {"Cyd": -2000, "Dee": 2000}
    answer = bring(any_club, book(BACK, PIZZA, PIZZA), {"Cyd": None})
    assert (answer["rows"], answer["repeated"], len(answer["rejected"])) == (1, 1, 1)
    assert str(answer["rejected"][0]["reason"]) == "Cyd is left out."
    one = bring(any_club, book(PIZZA._replace(text="one")), {"Bob": "Ann", "Cyd": "Ann"})
    assert (one["rows"], one["changes"], one["entries"]) == (1, {}, 1)
    assert bring(any_club, book(PIZZA._replace(text="one")))["repeated"] == 1
    any_club.must_verify()


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"Zoe": "Ann"}, "members"),
        ({"Bob": "<b>"}, "members.1"),
        ({"Cyd": "The bank"}, "members.2"),
        ({"Ann": "widow"}, "members.0"),
        ({"Ann": ""}, "members.0"),
    ],
)
def test_unsuitable_names_save_nothing(
    sqlite_club: CardClub, chosen: dict[str, str | None], field: str
) -> None:
    """The error is at the member."""
    before = table.row_counts(sqlite_club.db)
    with pytest.raises(Invalid) as raised:
        bring(sqlite_club, book(PIZZA), chosen)
    assert raised.value.faults[0].field == field
    assert table.row_counts(sqlite_club.db) == before


def test_a_rejected_row_refuses_the_file_if_wanted(sqlite_club: CardClub) -> None:
    """Otherwise the others are imported; a day in the future or before 1900 rejects its row."""
    future = PIZZA._replace(line=9, day=today() + timedelta(1))
    old = PIZZA._replace(line=8, day=date(1899, 12, 31))
    bad = RejectedRow(7, "Odd.")
    with pytest.raises(Invalid, match="Line 7 can't be imported, so nothing is: Odd"):
        bring(sqlite_club, book(PIZZA, future, rejected=(bad,)), all_or_nothing=True)
    assert owed(sqlite_club) == {}
    answer = bring(sqlite_club, book(future, PIZZA, old, rejected=(bad,)))
    assert [row["line"] for row in answer["rejected"]] == [7, 8, 9]
    assert answer["rows"] == 1


def test_a_retry_is_answered_once_and_viewers_import_nothing(any_club: CardClub) -> None:
    """The key stands for the whole file."""
    write = any_club.write()
    first = import_book(write, book=book(PIZZA), players_by_member={})
    assert import_book(write, book=book(PIZZA), players_by_member={}) == first
    with pytest.raises(KeyReused):
        import_book(write, book=book(BACK), players_by_member={})
    with pytest.raises(ReadOnly):
        bring(any_club.viewer(), book(BACK))
    assert owed(any_club)["Ann"] == 2000
