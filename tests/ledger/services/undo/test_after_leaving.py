"""Undo after a player left: corrections, entries that hands follow, and the leaving itself."""

from sqlmodel import select

from ledger.books.balances import AccountClosed
from ledger.database.models import JournalEntry
from ledger.services.session import activity
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import leaving
from ledger.services.undo.reverse import CannotUndo
from tests.ledger import cash, table
from tests.ledger.departed import ANN_LOSES, evening, frog, since
from tests.ledger.evenings import CardClub


def test_undo_takes_a_correction_back_with_what_was_settled_for_it(any_club: CardClub) -> None:
    """In one step, as if it had never been; the settlement alone can't be undone."""
    played = evening(any_club)
    revision = played.view.revision
    played.lend("Cyd", 10)
    before = any_club.accounts
    played.correct(1, ANN_LOSES)
    actions = any_club.read(activity.since, played.view, revision)
    assert [(action.what, action.hand) for action in actions] == [("loan", None), ("corrected", 1)]
    with any_club.db.read(any_club.access) as session:
        settlement = select(JournalEntry.id).where(JournalEntry.kind == "after-leaving")
        entry = session.exec(settlement).one()
    with any_club.refuses(CannotUndo, "correct or void that hand instead"):
        played.take_back(entry)
    answer = played.undo()
    assert (answer["undone"], answer["hand"]) == ("corrected", 1)
    assert any_club.accounts == before
    assert since(played) == ()
    played.must_balance()


def test_a_leaving_undone_after_a_correction_restores_what_would_have_been(
    sqlite_club: CardClub,
) -> None:
    """Chips and money are as if Bob had stayed; he leaves again with the chips he then has."""
    played = evening(sqlite_club)
    played.correct(1, ANN_LOSES)
    preview = played.preview(leaving.take_back, player="Bob")
    revision = played.view.revision
    played.stay("Bob")
    moves = {move.name: move.amount for move in preview.moves if move.kind != "seat"}
    assert moves == {"bank": -200, "Bob": -5, "till": 5}
    bob = played.seat("Bob")
    assert (bob.state, bob.balance, bob.unpaid) == ("playing", 200, 50)
    assert sqlite_club.owed == {}
    actions = sqlite_club.read(activity.since, played.view, revision)
    assert [(action.what, action.player) for action in actions] == [("reversal", "Bob")]
    played.must_balance()
    played.leave("Bob")
    assert sqlite_club.owed == {"Bob": 5}
    assert since(played) == ()
    played.void(1)
    assert sqlite_club.owed == {}
    played.must_balance()


def test_hands_that_follow_an_undone_entry_are_settled_with_players_who_left(
    any_club: CardClub,
) -> None:
    """A pot with chips for Ann was won by Bob, who left: undone, he won more."""
    pots = {"pots": {"stake": 5}}
    played = any_club.start(game="progressive", options=pots, rate=cash.TEN_FOR_ONE)
    played.record({"dealer": "Dee", **table.ALL_PASS})
    entry = played.adjust("Ann", 12, pot="frog")["entry"]
    played.record(frog("Bob"))
    played.leave("Bob")
    preview = played.preview(undo_entry.take_back, entry)
    before = any_club.accounts
    answer = played.take_back(entry)
    moved = [chips - before.get(key, 0) for key, chips in any_club.accounts.items()]
    assert sorted(filter(None, moved)) == sorted(move.amount for move in preview.moves)
    settled = {"player": "Bob", "chips": 12, "money": 1, "currency": "EUR"}
    assert answer["after_leaving"] == [settled]
    played.must_balance()


def test_only_hands_move_the_chips_of_a_player_who_left(sqlite_club: CardClub) -> None:
    """An adjustment that they were part of is undone after the leaving."""
    played = sqlite_club.start(rate=cash.TEN_FOR_ONE)
    entry = played.adjust("Bob", 20)["entry"]
    played.leave("Bob")
    with sqlite_club.refuses(AccountClosed, r"Bob has cashed out.*undo the leaving first"):
        played.take_back(entry)
    played.stay("Bob")
    played.take_back(entry)
    assert set(played.balances.values()) == {0}


def test_changes_and_the_leaving_are_undone_and_redone_one_by_one(sqlite_club: CardClub) -> None:
    """Each step back and forth is exact to the cent, and the database verifies at each."""
    played = evening(sqlite_club)
    stayed = played.balances | {"Bob": 100}
    states = [sqlite_club.accounts]
    played.correct(1, ANN_LOSES)
    states.append(sqlite_club.accounts)
    played.void(1)
    states.append(sqlite_club.accounts)
    for state in (states[1], states[0]):
        played.undo()
        assert sqlite_club.accounts == state
        played.must_balance()
    played.undo()
    assert played.balances == stayed
    played.must_balance()
    for state in states:
        played.redo()
        assert sqlite_club.accounts == state
        played.must_balance()
