"""The rules of undo and redo: what ends them, what they tell, once a key, told from a typed reason."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.club import clubs, players
from ledger.services.hands import correct, versions
from ledger.services.reads import session as reads
from ledger.services.session.load import load
from ledger.services.table import lifecycle, same_table, seating
from ledger.services.undo import last, leaving
from ledger.services.undo.last import NothingToRedo, NothingToUndo
from ledger.services.undo.reverse import CannotUndo
from ledger.words.problems import KeyReused, NotFound, SessionClosed, Stale
from tests.ledger import cash, table
from tests.ledger.services.undo.an_evening import FROG_WON, redo, state, tonight, undo
from tests.ledger.table import ask


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def test_whatever_else_is_done_ends_what_can_be_redone(database: Database, club: Access) -> None:
    """Undo goes on from what was done instead."""
    played = table.start(database, club, table.FOUR)
    table.record(database, club, played, cash.ANN_WINS)
    seating.sit_out(table.write(database, club), played, player="Dee")
    undo(database, club, played)
    cash.join(database, club, played, "Eve")
    assert ask(database, club, last.look, played).redo is None
    with pytest.raises(NothingToRedo, match="Nothing was undone last"):
        redo(database, club, played)
    assert [undo(database, club, played)["undone"] for _ in range(2)] == ["joining", "recorded"]
    with pytest.raises(NothingToUndo):
        undo(database, club, played)


def test_the_look_tells_what_is_next_either_way(database: Database, club: Access) -> None:
    """What a redo would do is told as it was first done."""
    played = table.start(database, club, table.FOUR)
    table.record(database, club, played, cash.ANN_WINS)
    cash.lend(database, club, played, "Bob", 30)
    undo(database, club, played)
    look = ask(database, club, last.look, played)
    assert look.last is not None
    assert (look.last.what, look.last.hand) == ("recorded", 1)
    assert look.redo is not None
    assert (look.redo.what, look.redo.player, look.redo.chips) == ("loan", "Bob", 30)
    undo(database, club, played)
    look = ask(database, club, last.look, played)
    assert (look.last, look.redo and look.redo.hand) == (None, 1)
    redo(database, club, played)
    look = ask(database, club, last.look, played)
    assert look.last is not None
    assert (look.last.what, look.last.hand) == ("recorded", 1)
    assert look.redo is not None
    assert look.redo.what == "loan"


def test_closing_ends_the_way_back_and_forward(database: Database, club: Access) -> None:
    """A session that was reopened says that it is closed again instead; nothing older is undone."""
    played = table.start(database, club, table.FOUR)
    table.record(database, club, played, cash.ANN_WINS)
    undo(database, club, played)
    lifecycle.close(table.write(database, club), played)
    for act in (undo, redo):
        with pytest.raises(SessionClosed):
            act(database, club, played)
    lifecycle.reopen(table.write(database, club), played)
    with pytest.raises(CannotUndo, match="Reopening a session can't be undone"):
        undo(database, club, played)
    with pytest.raises(NothingToRedo):
        redo(database, club, played)


def test_a_hand_waits_for_the_end_of_a_break(database: Database, club: Access) -> None:
    """What is not a hand is undone and redone in a break, the break itself first."""
    played = table.start(database, club, table.FOUR)
    table.record(database, club, played, cash.ANN_WINS)
    undo(database, club, played)
    redo(database, club, played)
    lifecycle.pause(table.write(database, club), played)
    assert undo(database, club, played)["undone"] == "pause"
    redo(database, club, played)
    assert ask(database, club, load, played).state == "paused"
    undo(database, club, played)
    assert undo(database, club, played)["undone"] == "recorded"


def test_one_key_is_one_step_and_an_old_page_none(database: Database, club: Access) -> None:
    """Two taps of one button undo once; a phone that has not seen the undo redoes nothing."""
    played = table.start(database, club, table.FOUR)
    table.record(database, club, played, cash.ANN_WINS)
    table.record(database, club, played, cash.ANN_WINS)
    seen = ask(database, club, load, played).revision
    for act in (last.undo, last.redo):
        once = table.write(database, club)
        assert act(once, played) == act(once, played)
        with pytest.raises(Stale):
            act(table.write(database, club, seen), played)
        if act is last.undo:
            with pytest.raises(KeyReused):
                last.redo(once, played)
    with pytest.raises(NotFound):
        last.redo(table.write(database, club), 99)


def test_a_typed_reason_makes_no_undo(database: Database, club: Access) -> None:
    """A correction because something was "undone" is somebody's own; an undo is told by its cause."""
    played = table.start(database, club, table.FOUR)
    table.record(database, club, played, cash.ANN_WINS)
    corrected = {**cash.ANN_WINS, "points": 80}
    correct.correct(table.write(database, club), played, 1, corrected, reason="undone")
    done = ask(database, club, last.latest, ask(database, club, load, played))
    assert done is not None
    assert (done.what, done.was_undo) == ("corrected", False)
    undo(database, club, played)
    done = ask(database, club, last.latest, ask(database, club, load, played))
    assert done is not None
    assert done.was_undo
    redo(database, club, played)
    hand = ask(database, club, versions.of_hand, played, 1)
    assert [sorted(version.cause or {}) for version in hand.versions] == [
        [],
        [],
        ["undo"],
        ["redo"],
    ]
    (line,) = ask(database, club, reads.hands, played)
    assert [(version.deed, version.reason) for version in line.previous] == [
        ("recorded", None),
        ("corrected", "undone"),
        ("undone", None),
    ]
    assert line.deed == "redone"
    assert list(verify(database)) == []


def test_a_name_changed_meanwhile_stands_in_no_ones_way(database: Database, club: Access) -> None:
    """Nor does being archived: who is given the seat back comes again."""
    played = table.start(database, club, table.FOUR)
    cash.join(database, club, played, "Eve")
    undo(database, club, played)
    eve = next(each for each in ask(database, club, players.everyone) if each.name == "Eve")
    players.rename(table.write(database, club), eve.id, name="Evelyn")
    players.archive(table.write(database, club), eve.id)
    redo(database, club, played)
    assert [seat.name for seat in ask(database, club, load, played).present][-1] == "Evelyn"
    assert not ask(database, club, players.show, eve.id).archived
    assert list(verify(database)) == []


def test_a_leaving_undone_by_name_is_a_step_of_its_own(
    any_database: Database, here: Access
) -> None:
    """Undoing that lets the player leave again, with the same chips and money."""
    db, played = any_database, tonight(any_database, here)
    cash.leave(db, here, played, "Bob")
    left = state(db, here, played)
    leaving.take_back(table.write(db, here), played, player="Bob", reason="he stays")
    back = state(db, here, played)
    undo(db, here, played)
    assert state(db, here, played) == left
    redo(db, here, played)
    assert state(db, here, played) == back
    assert list(verify(db)) == []


def test_a_correction_after_a_leaving_is_one_step_with_what_it_settles(
    any_database: Database, here: Access
) -> None:
    """Undone and redone with it, then the leaving too; who leaves once more takes the sum of both."""
    db, played = any_database, tonight(any_database, here)
    states = [state(db, here, played)]
    cash.leave(db, here, played, "Bob")
    states.append(state(db, here, played))
    table.correct(db, here, played, 1, FROG_WON)
    states.append(state(db, here, played))
    for _ in range(2):
        for before in (states[1], states[0]):
            undo(db, here, played)
            assert state(db, here, played) == before
        for after in (states[1], states[2]):
            redo(db, here, played)
            assert state(db, here, played) == after
    leaving.take_back(table.write(db, here), played, player="Bob", reason="he stays")
    back = state(db, here, played)
    for _ in range(2):
        undo(db, here, played)
        assert state(db, here, played) == states[2]
        redo(db, here, played)
        assert state(db, here, played) == back
    assert [str(each) for each in verify(db)] == []


def test_a_hand_can_be_restored_after_its_player_s_joining_was_undone(
    any_database: Database, here: Access
) -> None:
    """What it pays them becomes money with everybody's, and their turn to deal is their neighbour's."""
    played = table.start(any_database, here, table.FOUR, rate=cash.TEN_FOR_ONE)
    cash.join(any_database, here, played, "Eve")
    for _ in range(4):
        table.record(any_database, here, played, cash.ANN_WINS)
    assert table.turn(any_database, here, played)[0] == "Eve"
    assert [undo(any_database, here, played)["undone"] for _ in range(5)][-1] == "joining"
    cash.restore(any_database, here, played, 4)
    board = ask(any_database, here, reads.board, played)
    assert [(each.player, each.chips) for each in board.after_leaving] == [("Eve", -50)]
    assert ask(any_database, here, same_table.same_table, played).draft.first_dealer == "Ann"
    cash.convert(any_database, here, played)
    assert cash.owed(any_database, here)["Eve"] == -5
    assert list(verify(any_database)) == []
