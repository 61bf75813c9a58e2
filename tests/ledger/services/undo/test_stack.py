"""The rules of undo and redo: one step a key, recognised without a typed reason, under any new names."""

from ledger.services.club import players
from ledger.services.hands import correct, versions
from ledger.services.reads import session as reads
from ledger.services.session.activity import Action
from ledger.services.table import same_table
from ledger.services.undo import last
from ledger.words.problems import KeyReused, NotFound, Stale
from tests.ledger import cash
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.services.undo.an_evening import redo, state, tonight, undo


def latest(evening: Evening) -> Action:
    """Return the last action."""
    action = evening.club.read(last.latest, evening.view)
    assert action is not None
    return action


def test_one_key_is_one_step_and_an_old_page_none(sqlite_club: CardClub) -> None:
    """Two taps of one button undo once; a phone that has not seen the undo redoes nothing."""
    evening = sqlite_club.start()
    for _ in range(2):
        evening.record(cash.ANN_WINS)
    revision = evening.view.revision
    for step in (last.undo, last.redo):
        write = sqlite_club.write()
        assert step(write, evening.id) == step(write, evening.id)
        with sqlite_club.refuses(Stale):
            step(sqlite_club.write(revision), evening.id)
        if step is last.undo:
            with sqlite_club.refuses(KeyReused):
                last.redo(write, evening.id)
    with sqlite_club.refuses(NotFound):
        sqlite_club.evening(99).redo()


def test_a_typed_reason_makes_no_undo(sqlite_club: CardClub) -> None:
    """A correction because something was "undone" is somebody's own; an undo is recognised by its cause."""
    evening = sqlite_club.start()
    evening.record(cash.ANN_WINS)
    evening.do(correct.correct, 1, {**cash.ANN_WINS, "points": 80}, reason="undone")
    assert (latest(evening).what, latest(evening).was_undo) == ("corrected", False)
    undo(evening)
    assert latest(evening).was_undo
    redo(evening)
    hand = evening.read(versions.of_hand, 1)
    causes = [sorted(version.cause or {}) for version in hand]
    assert causes == [[], [], ["undo"], ["redo"]]
    (line,) = evening.read(reads.hands)
    assert [(version.deed, version.reason) for version in line.previous] == [
        ("recorded", None),
        ("corrected", "undone"),
        ("undone", None),
    ]
    assert line.deed == "redone"
    sqlite_club.must_verify()


def test_a_name_changed_meanwhile_stands_in_no_ones_way(sqlite_club: CardClub) -> None:
    """Nor does being archived: the player of a restored seat is active again."""
    evening = sqlite_club.start()
    evening.join("Eve")
    undo(evening)
    eve = sqlite_club.player("Eve")
    sqlite_club.do(players.rename, eve, name="Evelyn")
    sqlite_club.do(players.archive, eve)
    redo(evening)
    assert evening.present[-1] == "Evelyn"
    assert not sqlite_club.read(players.show, eve).archived
    sqlite_club.must_verify()


def test_a_leaving_undone_by_name_is_a_step_of_its_own(sqlite_club: CardClub) -> None:
    """Undoing that lets the player leave again, with the same chips and money."""
    evening = tonight(sqlite_club)
    evening.leave("Bob")
    left = state(evening)
    evening.stay("Bob")
    back = state(evening)
    undo(evening)
    assert state(evening) == left
    redo(evening)
    assert state(evening) == back
    sqlite_club.must_verify()


def test_a_player_whose_joining_was_undone_hands_the_deal_on(sqlite_club: CardClub) -> None:
    """The board shows a restored hand's payment to them, and another evening goes on with their neighbour."""
    evening = sqlite_club.start(rate=cash.TEN_FOR_ONE)
    evening.join("Eve")
    for _ in range(4):
        evening.record(cash.ANN_WINS)
    assert [undo(evening)["undone"] for _ in range(5)][-1] == "joining"
    evening.restore(4)
    board = evening.read(reads.board)
    assert [(line.player, line.chips) for line in board.after_leaving] == [("Eve", -50)]
    assert evening.read(same_table.same_table).draft.first_dealer == "Ann"
