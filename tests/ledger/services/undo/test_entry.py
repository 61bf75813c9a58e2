"""What is no hand's, taken back by its own button however much was done since, or refused in words."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.record import HandRecord
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from ledger.books import journal
from ledger.books.chain import NO_DETAILS
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import adjust, bank
from ledger.services.club import clubs
from ledger.services.common.idempotency import WriteResponse
from ledger.services.hands import correct, draft, posting
from ledger.services.hands import record as hands_record
from ledger.services.hands.pots import PotsSpent
from ledger.services.money import convert
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import last
from ledger.services.undo.reverse import AlreadyUndone, CannotUndo
from ledger.words.problems import Invalid, NotFound, SessionClosed, SessionPaused
from tests.ledger import cash, table
from tests.ledger.services.undo.an_evening import redo, state, undo
from tests.ledger.table import ask, dry

THREE = ("Ann", "Bob", "Cyd")
FROG_WON = {"contract": {"bidder": "Ann", "bid": "frog", "trump": "H"}, "points": 70}
"""Ann wins the frog pot."""


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def take_back(db: Database, access: Access, session_id: int, entry: int) -> WriteResponse:
    """Take an entry back that was a mistake."""
    return undo_entry.take_back(
        table.write(db, access), session_id, entry, reason="it was a mistake"
    )


def tonight(db: Database, access: Access) -> int:
    """Ann wins 50 of three others, at ten chips to a cent, on stacks of 150."""
    played = table.start(db, access, table.FOUR, starting_stack=150, rate=cash.TEN_FOR_ONE)
    table.record(db, access, played, cash.ANN_WINS)
    return played


def reopened(db: Database, access: Access, played: int) -> None:
    """Close a session and open it again."""
    lifecycle.close(table.write(db, access), played)
    lifecycle.reopen(table.write(db, access), played)


def lent_and_undone(db: Database, access: Access, played: int) -> None:
    """Lend 5 chips, and undo the loan."""
    cash.lend(db, access, played, "Bob", 5)
    last.undo(table.write(db, access), played)


@pytest.mark.parametrize("then", [reopened, lent_and_undone])
def test_a_conversion_is_taken_back_whatever_undo_reaches(
    any_database: Database, here: Access, then: Callable[[Database, Access, int], None]
) -> None:
    """The rate was wrong: chips, money and rate are as before, as the preview says; it can be done anew."""
    played = tonight(any_database, here)
    before = cash.held(any_database, here)
    cash.convert(any_database, here, played, Rate(1, 1))
    entry = ask(any_database, here, undo_entry.last_conversion, played)
    assert entry is not None
    then(any_database, here, played)
    look = ask(any_database, here, dry(undo_entry.take_back), played, entry)
    assert dict(look.balances) == {"Ann": 300, "Bob": 100, "Cyd": 100, "Dee": 100}
    assert {(move.name, move.unit): move.balance for move in look.moves}["Ann", "EUR"] == 0
    answer = take_back(any_database, here, played, entry)
    assert (answer["takes_back"], answer["recalculated"]) == (entry, [])
    assert answer["balances"] == dict(look.balances)
    held = cash.held(any_database, here)
    assert {key: held[key] for key in before} == before
    assert cash.owed(any_database, here) == {}
    assert ask(any_database, here, load, played).rate == cash.TEN_FOR_ONE
    assert ask(any_database, here, undo_entry.last_conversion, played) is None
    cash.convert(any_database, here, played)
    assert cash.owed(any_database, here) == {"Ann": 15, "Bob": -5, "Cyd": -5, "Dee": -5}
    assert list(verify(any_database)) == []


def test_the_newest_conversion_goes_first(database: Database, club: Access) -> None:
    """The older one hangs on it; so does a loan before either."""
    played = tonight(database, club)
    loan = cash.lend(database, club, played, "Bob", 5)["entry"]
    first = cash.convert(database, club, played)["entry"]
    table.record(database, club, played, cash.ANN_WINS)
    second = cash.convert(database, club, played)["entry"]
    before = table.row_counts(database)
    for entry in (first, loan):
        for refused in (
            lambda entry=entry: take_back(database, club, played, entry),
            lambda entry=entry: ask(database, club, dry(undo_entry.take_back), played, entry),
        ):
            with pytest.raises(CannotUndo, match="cashed in since; undo that first"):
                refused()
    assert table.row_counts(database) == before
    for entry in (second, first, loan):
        take_back(database, club, played, entry)
    assert cash.owed(database, club) == {}
    assert table.balances(database, club, played)["Bob"] == 50
    assert list(verify(database)) == []


def test_who_has_left_since_keeps_the_chips_and_the_rate(database: Database, club: Access) -> None:
    """Bob held chips at the conversion; Eve held none, and was paid by its rate."""
    played = tonight(database, club)
    entry = cash.convert(database, club, played)["entry"]
    cash.leave(database, club, played, "Bob")
    with pytest.raises(Exception, match="Bob has cashed out") as caught:
        ask(database, club, dry(undo_entry.take_back), played, entry)
    assert getattr(caught.value, "code", "") == "account-closed"
    other = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE)
    table.record(database, club, other, cash.ANN_WINS)
    entry = cash.convert(database, club, other, Rate(1, 1))["entry"]
    cash.join(database, club, other, "Eve")
    adjust.adjust(table.write(database, club), other, player="Eve", chips=9, reason="bet")
    cash.leave(database, club, other, "Eve")
    with pytest.raises(CannotUndo, match="has since cashed out at the rate"):
        take_back(database, club, other, entry)


def test_a_loan_that_was_paid_back_is_not_taken_back_first(
    database: Database, club: Access
) -> None:
    """The repayment goes first."""
    played = table.start(database, club, table.FOUR)
    loan = cash.lend(database, club, played, "Bob", 40)["entry"]
    repaid = bank.take_repayment(table.write(database, club), played, player="Bob", chips=40)[
        "entry"
    ]
    with pytest.raises(CannotUndo, match="Bob has repaid the bank since"):
        take_back(database, club, played, loan)
    take_back(database, club, played, repaid)
    take_back(database, club, played, loan)
    assert table.balances(database, club, played)["Bob"] == 0


def pots(db: Database, access: Access) -> int:
    """Three play Progressive for pots of 15 each after one hand in which all passed."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    played = table.start(db, access, THREE, "progressive", options=options)
    table.record(db, access, played, table.ALL_PASS)
    return played


@pytest.mark.parametrize("shared", [False, True])
def test_what_was_taken_from_a_pot_is_given_back_to_who_won_it_later(
    any_database: Database, here: Access, shared: bool
) -> None:
    """The next hand won the pot: it is paid as though nothing had been taken, and so reads its record."""
    played, straight = pots(any_database, here), pots(any_database, here)
    if shared:
        taken = adjust.share_pots(table.write(any_database, here), played)["entry"]
    else:
        taken = adjust.adjust(
            table.write(any_database, here), played,
            player="Bob", chips=4, reason="why not", pot="frog",
        )["entry"]  # fmt: skip
    for each in (played, straight):
        table.record(any_database, here, each, FROG_WON)
    wanted = table.balances(any_database, here, straight)
    assert table.balances(any_database, here, played) != wanted
    look = ask(any_database, here, dry(undo_entry.take_back), played, taken)
    assert [hand.number for hand in look.recalculated] == [2]
    answer = take_back(any_database, here, played, taken)
    assert table.recalculated(answer) == [2]
    assert dict(look.balances) == table.balances(any_database, here, played) == wanted
    undone = ask(any_database, here, last.look, played).last
    assert undone is not None
    assert (undone.what, undone.undid and undone.undid.what) == (
        "reversal",
        "pots-shared" if shared else "adjustment",
    )
    assert list(verify(any_database)) == []
    correct.void(table.write(any_database, here), played, 1, reason="misdeal")
    correct.restore(table.write(any_database, here), played, 1, reason="it was none")
    correct.void(table.write(any_database, here), played, 2, reason="misdeal")
    correct.restore(table.write(any_database, here), played, 2, reason="it was none")
    assert table.balances(any_database, here, played) == wanted
    assert list(verify(any_database)) == []


def test_each_hand_that_follows_is_scored_once(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was planned is carried out, not planned anew."""
    played = pots(database, club)
    taken = adjust.share_pots(table.write(database, club), played)["entry"]
    for _ in range(3):
        table.record(database, club, played, table.ALL_PASS)
    scored = []

    def score_and_note(record: HandRecord, version: str) -> Verdict:
        scored.append(record)
        return score(record, version)

    monkeypatch.setattr(draft, "score", score_and_note)
    assert table.recalculated(take_back(database, club, played, taken)) == [2, 3, 4]
    assert len(scored) == 3


def test_a_pot_that_would_owe_says_what_to_take_back_and_that_can_be_done(
    database: Database, club: Access
) -> None:
    """4 out of the frog pot, then the pot won: the hand before can't be voided before the 4 are back."""
    played = pots(database, club)
    taken = adjust.adjust(
        table.write(database, club),
        played,
        player="Bob",
        chips=14,
        reason="x",
        pot="frog",
    )["entry"]
    table.record(database, club, played, FROG_WON)
    with pytest.raises(PotsSpent, match="undo that first, under Other entries"):
        table.void(database, club, played, 1)
    take_back(database, club, played, taken)
    table.void(database, club, played, 1)
    assert list(verify(database)) == []


def test_hands_follow_only_while_the_session_is_open(database: Database, club: Access) -> None:
    """In a break no hand changes; after the end nothing does."""
    played = pots(database, club)
    taken = adjust.share_pots(table.write(database, club), played)["entry"]
    table.record(database, club, played, FROG_WON)
    lifecycle.pause(table.write(database, club), played)
    with pytest.raises(SessionPaused):
        take_back(database, club, played, taken)
    lifecycle.close(table.write(database, club), played)
    with pytest.raises(SessionClosed):
        ask(database, club, dry(undo_entry.take_back), played, taken)


def test_what_has_another_way_back_says_so(database: Database, club: Access) -> None:
    """A change of the table, a hand, a closing, another session's entry, twice, without a reason."""
    played = tonight(database, club)
    lent = cash.lend(database, club, played, "Bob", 5)["entry"]
    convert.set_rate(table.write(database, club), played, rate=Rate(1, 1))
    cash.join(database, club, played, "Eve")
    (joined, rate, *_), total = ask(database, club, undo_entry.page, played)
    assert (joined.entry.kind, rate.entry.kind, total) == ("stack", "rate-set", 4)
    assert not joined.has_own_way
    for line in (joined, rate):
        with pytest.raises(CannotUndo, match="Nothing was won or lost by this"):
            take_back(database, club, played, line.entry.id)
    hand = hands_record.record(table.write(database, club), played, table.ALL_PASS)
    assert hand["hand"] == 2
    other = tonight(database, club)
    with pytest.raises(NotFound):
        take_back(database, club, other, lent)
    with pytest.raises(Invalid):
        undo_entry.take_back(table.write(database, club), played, lent, reason=" ")
    answer = take_back(database, club, played, lent)
    with pytest.raises(AlreadyUndone):
        take_back(database, club, played, lent)
    with pytest.raises(CannotUndo, match="The last entry is a reversal"):
        take_back(database, club, played, answer["entry"])
    lines, _ = ask(database, club, undo_entry.page, played)
    assert [line.taken_back for line in lines if line.entry.id == lent] == [True]


def test_a_leaving_is_taken_back_here_too(database: Database, club: Access) -> None:
    """The seat is taken again, by the one mechanism."""
    played = tonight(database, club)
    entry = cash.leave(database, club, played, "Ann")["entry"]
    table.record(database, club, played, table.ALL_PASS)
    take_back(database, club, played, entry)
    view = ask(database, club, load, played)
    assert view.names == table.FOUR
    assert cash.owed(database, club) == {}


def test_a_reversal_of_an_earlier_release_is_one_step_with_the_hands_that_followed_it(
    any_database: Database, here: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its entries say nothing of their cause."""
    played = pots(any_database, here)
    taken = adjust.share_pots(table.write(any_database, here), played)["entry"]
    table.record(any_database, here, played, FROG_WON)
    reverse = journal.reverse

    def without_details(*args: Any, **named: Any) -> int:
        return reverse(*args, **{**named, "details": NO_DETAILS})

    with monkeypatch.context() as earlier:
        earlier.setattr(posting, "_details", lambda _change: NO_DETAILS)
        earlier.setattr(journal, "reverse", without_details)
        assert table.recalculated(take_back(any_database, here, played, taken)) == [2]
    states = [state(any_database, here, played)]
    done = []
    for _ in range(4):
        done.append(undo(any_database, here, played)["undone"])
        states.append(state(any_database, here, played))
    assert done == ["reversal", "recorded", "pots-shared", "recorded"]
    for expected in states[-2::-1]:
        redo(any_database, here, played)
        assert state(any_database, here, played) == expected
