"""Corrections that reach far: restored hands, seats that were left, the undo of what was written last."""

from collections.abc import Callable

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import adjust, bank
from ledger.services.common.writing import Write
from ledger.services.hands import correct, record, versions
from ledger.services.hands.plan import NotVoid
from ledger.services.reads import session
from ledger.services.session.activity import Action
from ledger.services.table import lifecycle
from ledger.services.undo import last as undo_last
from ledger.services.undo.last import NothingToUndo
from ledger.words.problems import NoSuchHand, SessionClosed, SessionPaused
from tests.ledger import table
from tests.ledger.table import (
    ALONE_85,
    HEARTS_46,
    HEARTS_74,
    PAYS_ALONE_85,
    PAYS_HEARTS_46,
    ask,
    dry,
)
from tests.ledger.table import PAYS_HEARTS_74 as PAYS_74


@pytest.fixture
def evening(database: Database, club: Access) -> int:
    """Two hands: hearts won, alone won."""
    session_id = table.start(database, club)
    for hand in (HEARTS_74, ALONE_85):
        table.record(database, club, session_id, hand)
    return session_id


def test_a_void_hand_restored_stands_as_it_last_did(
    database: Database, club: Access, evening: int
) -> None:
    """Corrected, voided, restored: the correction counts, and the history shows all four versions."""
    table.correct(database, club, evening, 1, HEARTS_46)
    table.void(database, club, evening, 1)
    seen = ask(database, club, dry(correct.restore), evening, 1)
    answer = correct.restore(table.write(database, club), evening, 1, reason=" no  misdeal ")
    both = table.total(PAYS_HEARTS_46, PAYS_ALONE_85)
    assert answer["balances"] == both == dict(seen.balances)
    assert (answer["state"], answer["version"]) == ("standing", 4)
    line = ask(database, club, session.hands, evening)[0]
    assert [version.action for version in line.previous] == ["recorded", "corrected", "voided"]
    assert (line.state, line.reason) == ("standing", "no misdeal")
    assert list(verify(database)) == []


def test_a_hand_that_stands_is_not_restored(database: Database, club: Access, evening: int) -> None:
    """Neither by saving nor by looking."""
    before = table.row_counts(database)
    with pytest.raises(NotVoid, match="Hand 1 is not void"):
        correct.restore(table.write(database, club), evening, 1, reason="why")
    with pytest.raises(NotVoid):
        ask(database, club, dry(correct.restore), evening, 1)
    assert table.row_counts(database) == before


def test_a_preview_shows_every_balance_a_correction_moves(
    database: Database, club: Access, evening: int
) -> None:
    """By how much, and where to; whoever gets the same in both is not in it."""
    seen = ask(database, club, dry(correct.correct), evening, 1, ALONE_85)
    moved = {move.name: (move.amount, move.balance) for move in seen.moves}
    answer = table.correct(database, club, evening, 1, ALONE_85)
    for name, (amount, balance) in moved.items():
        assert amount == PAYS_ALONE_85[name] - PAYS_74[name]
        assert balance == answer["balances"][name]
    assert moved.keys() == {name for name in PAYS_74 if PAYS_74[name] != PAYS_ALONE_85[name]}


LOOKS: dict[str, tuple[Callable[..., object], Callable[..., object]]] = {
    "correct": (
        lambda db, access, played: ask(db, access, dry(correct.correct), played, 1, HEARTS_46),
        lambda db, access, played: table.correct(db, access, played, 1, HEARTS_46),
    ),
    "void": (
        lambda db, access, played: ask(db, access, dry(correct.void), played, 1),
        lambda db, access, played: table.void(db, access, played, 1),
    ),
    "restore": (
        lambda db, access, played: ask(db, access, dry(correct.restore), played, 2),
        lambda db, access, played: correct.restore(
            table.write(db, access), played, 2, reason="why"
        ),
    ),
    "record": (
        lambda db, access, played: ask(db, access, dry(record.record), played, HEARTS_74),
        lambda db, access, played: table.record(db, access, played, HEARTS_74),
    ),
}


@pytest.mark.parametrize("what", LOOKS)
@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_preview_is_refused_where_the_deed_is(
    database: Database, club: Access, evening: int, what: str, state: str
) -> None:
    """In a break and after the end, in the same words; once the session goes on, both go."""
    table.void(database, club, evening, 2)
    look, deed = LOOKS[what]
    end, begin = {
        "paused": (lifecycle.pause, lifecycle.resume),
        "closed": (lifecycle.close, lifecycle.reopen),
    }[state]
    end(table.write(database, club), evening)
    said = []
    for attempt in (look, deed):
        with pytest.raises(SessionPaused if state == "paused" else SessionClosed) as refused:
            attempt(database, club, evening)
        said.append(refused.value.message)
    assert said[0] == said[1]
    begin(table.write(database, club), evening)
    look(database, club, evening)
    deed(database, club, evening)


def test_undo_takes_back_the_last_hand_and_redone_it_stands_again(
    database: Database, club: Access, evening: int
) -> None:
    """It is void, keeps its number, and its line says that it was undone."""
    assert ask(database, club, undo_last.look, evening).last == Action(
        "recorded", 2, "Sue", ask(database, club, table.version_record, evening, 2)[2].entered_at
    )
    answer = undo_last.undo(table.write(database, club), evening)
    assert (answer["hand"], answer["state"], answer["undone"]) == (2, "void", "recorded")
    assert answer["balances"] == PAYS_74
    line = ask(database, club, session.hands, evening)[1]
    assert (line.action, line.deed, line.reason) == ("voided", "undone", None)
    assert ask(database, club, record.propose, evening).dealer == "Bob"
    answer = undo_last.redo(table.write(database, club), evening)
    assert (answer["hand"], answer["state"], answer["redone"]) == (2, "standing", "recorded")
    assert answer["balances"] == table.total(PAYS_74, PAYS_ALONE_85)


def test_undo_takes_a_correction_back_to_what_the_hand_said_before(
    database: Database, club: Access, evening: int
) -> None:
    """Whichever hand it was of; and redone the correction holds."""
    table.correct(database, club, evening, 1, HEARTS_46)
    for act, expected, points in (
        (undo_last.undo, PAYS_74, 74),
        (undo_last.redo, PAYS_HEARTS_46, 46),
    ):
        act(table.write(database, club), evening)
        assert table.balances(database, club, evening) == table.total(expected, PAYS_ALONE_85)
        assert ask(database, club, versions.of_hand, evening, 1)[-1].record["points"] == points
    assert list(verify(database)) == []


def test_undo_is_of_whatever_was_written_last(
    database: Database, club: Access, evening: int
) -> None:
    """A loan after the hands; the hands stay, and the last of them is next."""
    bank.lend(table.write(database, club), evening, player="Ann", chips=50)
    found = ask(database, club, undo_last.look, evening).last
    assert found is not None
    assert (found.what, found.hand) == ("loan", None)
    answer = undo_last.undo(table.write(database, club), evening)
    assert answer["undone"] == "loan"
    assert answer["balances"] == table.total(PAYS_74, PAYS_ALONE_85)
    found = ask(database, club, undo_last.look, evening).last
    assert found is not None
    assert (found.what, found.hand) == ("recorded", 2)


def test_where_nothing_was_written_nothing_is_undone(database: Database, club: Access) -> None:
    """A session without an entry says so."""
    session_id = table.start(database, club)
    assert ask(database, club, undo_last.look, session_id).last is None
    with pytest.raises(NothingToUndo):
        undo_last.undo(table.write(database, club), session_id)


def test_an_undo_sent_twice_undoes_once(database: Database, club: Access, evening: int) -> None:
    """The same key gets the first answer again."""
    key = table.new_key()
    first = undo_last.undo(Write(database, club, key), evening)
    assert undo_last.undo(Write(database, club, key), evening) == first
    assert table.balances(database, club, evening) == PAYS_74


def test_the_page_of_some_hands_says_what_the_whole_history_says(
    database: Database, club: Access, evening: int
) -> None:
    """Whichever page, after corrections, voids and loans: the same lines with the same balances."""
    for hand in (HEARTS_46, ALONE_85, HEARTS_74, HEARTS_46):
        table.record(database, club, evening, hand)
        bank.lend(table.write(database, club), evening, player="Cyd", chips=10)
    table.correct(database, club, evening, 2, HEARTS_46)
    table.void(database, club, evening, 4)
    whole = ask(database, club, session.hands, evening)
    assert [line.number for line in whole] == [1, 2, 3, 4, 5, 6]
    for first in range(1, 7):
        for last in range(first, 7):
            page = ask(database, club, session.hands, evening, first=first, last=last)
            assert page == whole[first - 1 : last]
    running = dict.fromkeys(table.SEVEN, 0)
    for line in whole:
        if line.state == "standing":
            running = {
                name: running[name] + delta
                for name, delta in zip(table.SEVEN, line.deltas, strict=True)
            }
        assert line.balances == tuple(running.values())


def test_the_board_is_the_history_at_a_glance(
    database: Database, club: Access, evening: int
) -> None:
    """Standings, the last hand that stands and who deals next, as the summary of all hands has them."""
    table.record(database, club, evening, HEARTS_46)
    table.void(database, club, evening, 3)
    table.correct(database, club, evening, 2, HEARTS_46)
    seen, summary = (
        ask(database, club, session.board, evening),
        ask(database, club, session.summary, evening),
    )
    assert seen.standings == summary.standings
    assert (seen.hands, seen.last) == (3, summary.hands[1])
    assert seen.next == ask(database, club, record.propose, evening)
    assert {line.name: (line.hands_bid, line.hands_won) for line in seen.standings}["Ann"] == (2, 1)


def test_what_was_adjusted_between_two_hands_is_in_the_balance_after_the_first(
    database: Database, club: Access, evening: int
) -> None:
    """So the last line of the history is what the standings say, whichever page it is read on."""
    adjust.adjust(table.write(database, club), evening, player="Ann", chips=7, reason="count")
    table.record(database, club, evening, HEARTS_46)
    after = [PAYS_74, table.total(PAYS_74, PAYS_ALONE_85)]
    after.append(table.total(after[1], PAYS_HEARTS_46))
    for later in after[1:]:
        later["Ann"] += 7
    whole = ask(database, club, session.hands, evening)
    assert [line.balances for line in whole] == [tuple(each.values()) for each in after]
    assert ask(database, club, session.hands, evening, first=1, last=2) == whole[:2]
    assert ask(database, club, session.hands, evening, first=2, last=2) == whole[1:2]
    assert {
        line.name: line.balance for line in ask(database, club, session.board, evening).standings
    } == (after[2])


def test_a_hand_that_was_never_dealt_is_said_as_one_counts(
    database: Database, club: Access, evening: int
) -> None:
    """Two hands, one, none."""
    one, none = table.start(database, club), table.start(database, club)
    table.record(database, club, one, HEARTS_74)
    for played, said in (
        (evening, "it has 2 hands"),
        (one, "it has 1 hand"),
        (none, "no hand has been"),
    ):
        for look in (dry(correct.void), table.version_record, versions.of_hand):
            with pytest.raises(NoSuchHand, match=f"There is no hand 9 in .*; {said}"):
                ask(database, club, look, played, 9)
