"""Entries other than hands, undone by their own button after any later steps, or refused in words."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.record import HandRecord
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from ledger.books import journal
from ledger.books.chain import NO_DETAILS
from ledger.services.chips import adjust
from ledger.services.hands import draft, posting
from ledger.services.session.view import Rate
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import last
from ledger.services.undo.reverse import AlreadyUndone, CannotUndo
from ledger.words.problems import Invalid, NotFound
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.services.undo.an_evening import redo, state, undo

FROG_WON = {"contract": {"bidder": "Ann", "bid": "frog", "trump": "H"}, "points": 70}
"""Ann wins the frog pot."""


def tonight(club: CardClub) -> Evening:
    """Ann wins 50 of three others, at ten chips to a cent, on stacks of 150."""
    evening = club.start(starting_stack=150, rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    return evening


def with_pots(club: CardClub) -> Evening:
    """Three play Progressive for pots of 15 each after one hand in which all passed."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    evening = club.start(table.FOUR[:3], "progressive", options=options)
    evening.record(table.ALL_PASS)
    return evening


def reopened(evening: Evening) -> None:
    """Close a session and open it again."""
    evening.close()
    evening.reopen()


def lent_and_undone(evening: Evening) -> None:
    """Lend 5 chips, and undo the loan."""
    evening.lend("Bob", 5)
    evening.undo()


@pytest.mark.parametrize("then", [reopened, lent_and_undone])
def test_a_conversion_is_taken_back_whatever_undo_reaches(
    any_club: CardClub, then: Callable[[Evening], None]
) -> None:
    """The rate was wrong: chips, money and rate are as before, as previewed; it can be done again."""
    evening = tonight(any_club)
    before = any_club.accounts
    evening.convert(Rate(1, 1))
    entry = evening.read(undo_entry.last_conversion)
    assert entry is not None
    then(evening)
    preview = evening.preview(undo_entry.take_back, entry)
    assert dict(preview.balances) == {"Ann": 300, "Bob": 100, "Cyd": 100, "Dee": 100}
    assert {(move.name, move.unit): move.balance for move in preview.moves}["Ann", "EUR"] == 0
    answer = evening.take_back(entry)
    assert (answer["takes_back"], answer["recalculated"]) == (entry, [])
    assert answer["balances"] == dict(preview.balances)
    after = any_club.accounts
    assert {key: after[key] for key in before} == before
    assert any_club.owed == {}
    assert evening.view.rate == cash.TEN_FOR_ONE
    assert evening.read(undo_entry.last_conversion) is None
    evening.convert()
    assert any_club.owed == {"Ann": 15, "Bob": -5, "Cyd": -5, "Dee": -5}
    any_club.must_verify()


def test_the_newest_conversion_goes_first(sqlite_club: CardClub) -> None:
    """The older one depends on it; so does a loan before either."""
    evening = tonight(sqlite_club)
    loan = evening.lend("Bob", 5)["entry"]
    first = evening.convert()["entry"]
    evening.record(cash.ANN_WINS)
    second = evening.convert()["entry"]
    for entry in (first, loan):
        for act in (evening.do, evening.preview):
            with sqlite_club.refuses(CannotUndo, "cashed in since; undo that first"):
                act(undo_entry.take_back, entry, reason="why")
    for entry in (second, first, loan):
        evening.take_back(entry)
    assert sqlite_club.owed == {}
    assert evening.balances["Bob"] == 50
    sqlite_club.must_verify()


@pytest.mark.parametrize("kind", ["pots-shared", "adjustment"])
def test_what_was_taken_from_a_pot_is_given_back_to_who_won_it_later(
    sqlite_club: CardClub, kind: str
) -> None:
    """The next hand won the pot: it is paid as though nothing had been taken, and so reads its record."""
    evening, straight = with_pots(sqlite_club), with_pots(sqlite_club)
    if kind == "pots-shared":
        entry = evening.do(adjust.share_pots)["entry"]
    else:
        entry = evening.adjust("Bob", 4, pot="frog")["entry"]
    for played in (evening, straight):
        played.record(FROG_WON)
    expected = straight.balances
    assert evening.balances != expected
    preview = evening.preview(undo_entry.take_back, entry)
    assert [hand.number for hand in preview.recalculated] == [2]
    assert table.recalculated(evening.take_back(entry)) == [2]
    assert dict(preview.balances) == evening.balances == expected
    action = evening.read(last.look).last
    assert action is not None
    assert action.undid is not None
    assert (action.what, action.undid.what) == ("reversal", kind)
    sqlite_club.must_verify()
    for number in (1, 2):
        evening.void(number)
        evening.restore(number)
    assert evening.balances == expected
    sqlite_club.must_verify()


def test_each_hand_that_follows_is_scored_once(
    sqlite_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan is carried out, not made again."""
    evening = with_pots(sqlite_club)
    entry = evening.do(adjust.share_pots)["entry"]
    for _ in range(3):
        evening.record(table.ALL_PASS)
    scored = []

    def score_and_note(record: HandRecord, version: str) -> Verdict:
        scored.append(record)
        return score(record, version)

    monkeypatch.setattr(draft, "score", score_and_note)
    assert table.recalculated(evening.take_back(entry)) == [2, 3, 4]
    assert len(scored) == 3


def test_what_has_another_way_back_says_so(sqlite_club: CardClub) -> None:
    """A change of the table, another session's entry, one undone already, a reversal; a missing reason."""
    evening, other = tonight(sqlite_club), tonight(sqlite_club)
    loan = evening.lend("Bob", 5)["entry"]
    evening.set_rate(Rate(1, 1))
    evening.join("Eve")
    (joined, rate, *_), total = evening.read(undo_entry.page)
    assert (joined.entry.kind, rate.entry.kind, total) == ("stack", "rate-set", 4)
    assert not joined.has_own_way
    for line in (joined, rate):
        with sqlite_club.refuses(CannotUndo, "Nothing was won or lost by this"):
            evening.take_back(line.entry.id)
    with sqlite_club.refuses(NotFound):
        other.take_back(loan)
    with sqlite_club.refuses(Invalid):
        evening.do(undo_entry.take_back, loan, reason=" ")
    reversal = evening.take_back(loan)["entry"]
    with sqlite_club.refuses(AlreadyUndone):
        evening.take_back(loan)
    with sqlite_club.refuses(CannotUndo, "The last entry is a reversal"):
        evening.take_back(reversal)
    lines, _ = evening.read(undo_entry.page)
    assert [line.taken_back for line in lines if line.entry.id == loan] == [True]


def test_a_reversal_of_an_earlier_release_is_one_step_with_the_hands_that_followed_it(
    any_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its entries state no cause."""
    evening = with_pots(any_club)
    entry = evening.do(adjust.share_pots)["entry"]
    evening.record(FROG_WON)
    reverse = journal.reverse

    def without_details(*args: Any, **named: Any) -> int:
        return reverse(*args, **{**named, "details": NO_DETAILS})

    with monkeypatch.context() as earlier:
        earlier.setattr(posting, "_details", lambda _change: NO_DETAILS)
        earlier.setattr(journal, "reverse", without_details)
        assert table.recalculated(evening.take_back(entry)) == [2]
    states = [state(evening)]
    undone = []
    for _ in range(4):
        undone.append(undo(evening)["undone"])
        states.append(state(evening))
    assert undone == ["reversal", "recorded", "pots-shared", "recorded"]
    for expected in states[-2::-1]:
        redo(evening)
        assert state(evening) == expected
