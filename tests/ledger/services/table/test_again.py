"""The same table as last time: another evening that starts as the last one was at its end."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.club import players
from ledger.services.session.load import load
from ledger.services.session.view import SessionView
from ledger.services.table import lifecycle, same_table
from ledger.services.undo import last
from ledger.words.problems import Invalid, NotFound, Stale
from tests.ledger import cash, table
from tests.ledger.table import ask


def start_again(database: Database, access: Access, like: int) -> SessionView:
    """Start an evening like one; return it."""
    answer = same_table.start_again(table.write(database, access), like, last=like)
    return ask(database, access, load, answer["id"])


def test_everything_is_as_it_was_at_the_end_and_the_deal_goes_on(
    database: Database, club: Access
) -> None:
    """Game, house rules, chips, rate and seats, those who left early among them."""
    played = table.start(
        database,
        club,
        table.FOUR,
        options={"rounding": 0},
        starting_stack=200,
        rate=cash.TEN_FOR_ONE,
    )
    table.record(database, club, played, cash.ANN_WINS)
    cash.join(database, club, played, "Eve", position=1)
    cash.leave(database, club, played, "Cyd")
    due = table.turn(database, club, played)
    tonight = start_again(database, club, played)
    assert (tonight.game, tonight.options) == ("crazy-solo", {"rounding": 0})
    assert (tonight.starting_stack, tonight.rate) == (200, cash.TEN_FOR_ONE)
    assert tonight.names == ("Ann", "Eve", "Bob", "Cyd", "Dee")
    assert table.turn(database, club, tonight.id)[0] == due[0]
    assert {seat.balance for seat in tonight.seats} == {200}
    assert tonight.title == "Evening 2"
    assert list(verify(database)) == []


@pytest.mark.parametrize(
    "leaving",
    [("Cyd", "Bob"), ("Bob", "Cyd"), ("Gus", "Ann", "Dee"), table.SEVEN, table.SEVEN[::-1]],
    ids=" ".join,
)
def test_departed_players_sit_and_deal_in_their_old_order(
    database: Database, club: Access, leaving: tuple[str, ...]
) -> None:
    """In whatever order they left, and even if nobody is left; Bob was due to deal, so he deals."""
    played = table.start(database, club, table.SEVEN)
    table.record(database, club, played, table.HEARTS_74)
    for player in leaving:
        cash.leave(database, club, played, player)
    tonight = start_again(database, club, played)
    assert tonight.names == table.SEVEN
    for dealer in ("Bob", "Cyd", "Dee", "Eve"):
        assert table.turn(database, club, tonight.id)[0] == dealer
        table.record(database, club, tonight.id, table.HEARTS_74)


def test_an_archived_dealer_hands_the_deal_to_the_next_player(
    database: Database, club: Access
) -> None:
    """Not to whoever sits first."""
    played = table.start(database, club, table.SEVEN, first_dealer="Cyd")
    players.archive(table.write(database, club), 3)
    tonight = start_again(database, club, played)
    assert table.turn(database, club, tonight.id)[0] == "Dee"


def test_a_joining_that_was_undone_seats_nobody(database: Database, club: Access) -> None:
    """Eve joined by mistake."""
    played = table.start(database, club, table.FOUR)
    cash.join(database, club, played, "Eve")
    last.undo(table.write(database, club), played)
    assert ask(database, club, same_table.same_table, played).draft.players == table.FOUR


def test_who_is_archived_is_left_out_and_named(database: Database, club: Access) -> None:
    """Once; and where too few are left for the game, none is started."""
    played = table.start(database, club, table.FOUR)
    players.archive(table.write(database, club), 1)
    found = ask(database, club, same_table.same_table, played)
    assert (found.draft.players, found.left_out) == (("Bob", "Cyd", "Dee"), ("Ann",))
    assert found.is_enough
    answer = same_table.start_again(table.write(database, club), played)
    assert answer["left_out"] == ["Ann"]
    players.archive(table.write(database, club), 2)
    assert not ask(database, club, same_table.same_table, played).is_enough
    before = table.row_counts(database)
    with pytest.raises(Invalid, match="Crazy Solo"):
        same_table.start_again(table.write(database, club), played)
    assert table.row_counts(database) == before


def test_who_left_and_came_back_sits_once(database: Database, club: Access) -> None:
    """In the seat they have at the end."""
    played = table.start(database, club, table.FOUR)
    cash.leave(database, club, played, "Bob")
    cash.join(database, club, played, "Bob", position=0)
    found = ask(database, club, same_table.same_table, played)
    assert found.draft.players == ("Bob", "Ann", "Cyd", "Dee")


def test_two_phones_start_one_evening(database: Database, club: Access) -> None:
    """The second is told which one was started; a deleted one is none."""
    played = table.start(database, club, table.FOUR)
    assert ask(database, club, same_table.newest).id == played  # type: ignore[union-attr]
    tonight = start_again(database, club, played)
    with pytest.raises(Stale, match="“Evening 2” was started meanwhile"):
        start_again(database, club, played)
    lifecycle.delete(table.write(database, club), tonight.id)
    assert start_again(database, club, played).title == "Evening 3"
    with pytest.raises(NotFound):
        same_table.start_again(table.write(database, club), 99)
