"""Corrections that reach far: restored hands, previews, undo, and the pages of the history."""

from collections.abc import Callable

import pytest

from ledger.services.hands import correct, record, versions
from ledger.services.hands.plan import NotVoid
from ledger.services.reads import session
from ledger.services.session.activity import Action
from ledger.services.undo import last as undo_last
from ledger.words.problems import NoSuchHand, SessionClosed, SessionPaused
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.table import ALONE_85, HEARTS_46, HEARTS_74, PAYS_ALONE_85, PAYS_HEARTS_46, total
from tests.ledger.table import PAYS_HEARTS_74 as PAYS_74


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """Two hands: hearts won, alone won."""
    started = sqlite_club.start(table.SEVEN)
    for hand in (HEARTS_74, ALONE_85):
        started.record(hand)
    return started


def test_a_void_hand_restored_stands_as_it_last_did(evening: Evening) -> None:
    """Corrected, voided, restored: the correction counts, and the history shows all four versions."""
    evening.correct(1, HEARTS_46)
    evening.void(1)
    preview = evening.preview(correct.restore, 1)
    answer = evening.do(correct.restore, 1, reason=" no  misdeal ")
    both = total(PAYS_HEARTS_46, PAYS_ALONE_85)
    assert answer["balances"] == both == dict(preview.balances)
    assert (answer["state"], answer["version"]) == ("standing", 4)
    line = evening.read(session.hands)[0]
    assert [version.action for version in line.previous] == ["recorded", "corrected", "voided"]
    assert (line.state, line.reason) == ("standing", "no misdeal")
    evening.must_balance()


def test_a_hand_that_stands_is_not_restored(evening: Evening) -> None:
    """Neither by saving nor by looking."""
    for act in (evening.do, evening.preview):
        with evening.club.refuses(NotVoid, "Hand 1 is not void"):
            act(correct.restore, 1, reason="why")


def test_a_preview_shows_every_balance_a_correction_moves(evening: Evening) -> None:
    """By how much, and where to; whoever gets the same in both is not in it."""
    preview = evening.preview(correct.correct, 1, ALONE_85)
    answer = evening.correct(1, ALONE_85)
    assert {move.name: (move.amount, move.balance) for move in preview.moves} == {
        name: (PAYS_ALONE_85[name] - paid, answer["balances"][name])
        for name, paid in PAYS_74.items()
        if paid != PAYS_ALONE_85[name]
    }


CALLS: dict[str, Callable[[Callable[..., object]], object]] = {
    "correct": lambda act: act(correct.correct, 1, HEARTS_46, reason="why"),
    "void": lambda act: act(correct.void, 1, reason="why"),
    "restore": lambda act: act(correct.restore, 2, reason="why"),
    "record": lambda act: act(record.record, HEARTS_74),
}


@pytest.mark.parametrize(
    ("call", "state"), [*((call, "paused") for call in CALLS), ("record", "closed")]
)
def test_a_preview_is_refused_like_the_write(evening: Evening, call: str, state: str) -> None:
    """In a break and after the end, in the same words; once the session goes on, both go."""
    evening.void(2)
    (evening.pause if state == "paused" else evening.close)()
    messages = []
    for act in (evening.preview, evening.do):
        with evening.club.refuses(SessionPaused if state == "paused" else SessionClosed) as caught:
            CALLS[call](act)
        messages.append(caught.value.message)
    assert messages[0] == messages[1]
    (evening.resume if state == "paused" else evening.reopen)()
    CALLS[call](evening.preview)
    CALLS[call](evening.do)


def test_undo_takes_back_the_last_hand_and_redone_it_stands_again(evening: Evening) -> None:
    """It is void, keeps its number, and its line says that it was undone."""
    entered = evening.read(table.version_record, 2)[2].entered_at
    assert evening.read(undo_last.look).last == Action("recorded", 2, "Sue", entered)
    answer = evening.undo()
    assert (answer["hand"], answer["state"], answer["undone"]) == (2, "void", "recorded")
    assert answer["balances"] == PAYS_74
    line = evening.read(session.hands)[1]
    assert (line.action, line.deed, line.reason) == ("voided", "undone", None)
    assert evening.turn[0] == "Bob"
    answer = evening.redo()
    assert (answer["hand"], answer["state"], answer["redone"]) == (2, "standing", "recorded")
    assert answer["balances"] == total(PAYS_74, PAYS_ALONE_85)


def test_undo_takes_a_correction_back_to_what_the_hand_said_before(evening: Evening) -> None:
    """Whichever hand it was of; and redone the correction holds."""
    evening.correct(1, HEARTS_46)
    for step, expected, points in ((evening.undo, PAYS_74, 74), (evening.redo, PAYS_HEARTS_46, 46)):
        step()
        assert evening.balances == total(expected, PAYS_ALONE_85)
        assert evening.read(versions.of_hand, 1)[-1].record["points"] == points
    evening.must_balance()


def test_a_page_of_hands_says_what_the_whole_history_says(evening: Evening) -> None:
    """Whichever page, after corrections, voids and loans: the same lines with the same balances."""
    for hand in (HEARTS_46, ALONE_85, HEARTS_74, HEARTS_46):
        evening.record(hand)
        evening.lend("Cyd", 10)
    evening.correct(2, HEARTS_46)
    evening.void(4)
    lines = evening.read(session.hands)
    assert [line.number for line in lines] == [1, 2, 3, 4, 5, 6]
    for first in range(1, 7):
        for last in range(first, 7):
            page = evening.read(session.hands, first=first, last=last)
            assert page == lines[first - 1 : last]
    running = dict.fromkeys(table.SEVEN, 0)
    for line in lines:
        if line.state == "standing":
            running = total(running, dict(zip(table.SEVEN, line.deltas, strict=True)))
        assert line.balances == tuple(running.values())


def test_the_board_is_the_history_at_a_glance(evening: Evening) -> None:
    """Standings, the last hand that stands and who deals next, as the summary of all hands has them."""
    evening.record(HEARTS_46)
    evening.void(3)
    evening.correct(2, HEARTS_46)
    board, summary = evening.read(session.board), evening.read(session.summary)
    assert board.standings == summary.standings
    assert (board.hands, board.last) == (3, summary.hands[1])
    assert board.next == evening.read(record.propose)
    assert {row.name: (row.hands_bid, row.hands_won) for row in board.standings}["Ann"] == (2, 1)


def test_what_was_adjusted_between_two_hands_is_in_the_balance_after_the_first(
    evening: Evening,
) -> None:
    """So the last line of the history is what the standings say, whichever page it is read on."""
    evening.adjust("Ann", 7)
    evening.record(HEARTS_46)
    after = [PAYS_74, total(PAYS_74, PAYS_ALONE_85)]
    after.append(total(after[1], PAYS_HEARTS_46))
    for later in after[1:]:
        later["Ann"] += 7
    lines = evening.read(session.hands)
    assert [line.balances for line in lines] == [tuple(balances.values()) for balances in after]
    assert evening.read(session.hands, first=1, last=2) == lines[:2]
    assert evening.read(session.hands, first=2, last=2) == lines[1:2]
    assert {row.name: row.balance for row in evening.read(session.board).standings} == after[2]


def test_a_hand_that_was_never_dealt_is_said_as_one_counts(evening: Evening) -> None:
    """Two hands, one, none."""
    one, none = evening.club.start(table.SEVEN), evening.club.start(table.SEVEN)
    one.record(HEARTS_74)
    for played, count in (
        (evening, "it has 2 hands"),
        (one, "it has 1 hand"),
        (none, "no hand has been recorded there yet"),
    ):
        message = f"There is no hand 9 in .*; {count}"
        with evening.club.refuses(NoSuchHand, message):
            played.preview(correct.void, 9)
        for read in (table.version_record, versions.of_hand):
            with evening.club.refuses(NoSuchHand, message):
                played.read(read, 9)
