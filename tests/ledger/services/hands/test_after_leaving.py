"""Hands that are changed after a player left: what is owed or due for them, and the books that say so.

Ann goes alone and is paid 50 by each of six others, at ten chips to a cent; then Bob leaves.
"""

from collections.abc import Callable
from typing import Any

import pytest

from ledger.books.balances import BalanceTooLarge
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.club import clubs
from ledger.services.hands import correct
from ledger.services.hands.preview import AfterLeaving
from ledger.services.money import convert, currency, payments, statements
from ledger.services.money.convert import RateFixed
from ledger.services.money.till import TillNotEmpty
from ledger.services.reads import sessions
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from ledger.services.undo import last as undo_last
from ledger.words.problems import SessionClosed
from tests.ledger import cash, table
from tests.ledger.departed import (
    ANN_LOSES,
    adjusted,
    ann_with,
    evening,
    frog,
    must_balance,
    since,
    undo,
)
from tests.ledger.table import ask, dry


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def test_a_correction_pays_a_player_who_left_at_the_rate_of_the_leaving(
    any_database: Database, here: Access
) -> None:
    """Bob lost 50 and left owing 5; in truth he won 50, so the till owes him 10 more: he is due 5."""
    played = evening(any_database, here)
    before = cash.held(any_database, here)
    bob = cash.seat(any_database, here, played, "Bob")
    assert cash.owed(any_database, here) == {"Bob": -5}
    table.correct(any_database, here, played, 1, ANN_LOSES)
    after = cash.held(any_database, here)
    moved = {key: after[key] - held for key, held in before.items() if after[key] != held}
    others = [cash.seat(any_database, here, played, name).id for name in table.SEVEN[2:]]
    ann = cash.seat(any_database, here, played, "Ann")
    assert moved == {
        f"seat/{ann.id}": -600,
        **{f"seat/{seat_id}": 100 for seat_id in others},
        f"session/{played}/bank": 100,
        f"player/{bob.player_id}/EUR": 10,
        f"session/{played}/till": -10,
    }
    assert cash.owed(any_database, here) == {"Bob": 5}
    assert since(any_database, here, played) == (AfterLeaving("Bob", 100, 10, "EUR"),)
    must_balance(any_database, here, played)
    cash.convert(any_database, here, played)
    assert cash.owed(any_database, here) == {"Ann": -30} | dict.fromkeys(table.SEVEN[1:], 5)
    must_balance(any_database, here, played)


def test_a_voided_and_restored_hand_is_settled_with_a_player_who_left(
    any_database: Database, here: Access
) -> None:
    """Voided, Bob owes nothing; restored, his 5 again."""
    played = evening(any_database, here)
    table.void(any_database, here, played, 1)
    assert cash.owed(any_database, here) == {}
    must_balance(any_database, here, played)
    cash.restore(any_database, here, played, 1)
    assert cash.owed(any_database, here) == {"Bob": -5}
    assert since(any_database, here, played) == ()
    must_balance(any_database, here, played)


@pytest.mark.parametrize("act", ["correct", "void", "restore", "undo"])
def test_a_preview_shows_each_balance_that_a_change_after_a_leaving_moves(
    any_database: Database, here: Access, act: str
) -> None:
    """The bank's chips, the till's money and Bob's; and in one line what Bob is due or owes."""
    played = evening(any_database, here)
    if act == "restore":
        table.void(any_database, here, played, 1)
    looks: dict[str, Callable[[], Any]] = {
        "correct": lambda: ask(any_database, here, dry(correct.correct), played, 1, ANN_LOSES),
        "void": lambda: ask(any_database, here, dry(correct.void), played, 1),
        "restore": lambda: ask(any_database, here, dry(correct.restore), played, 1),
        "undo": lambda: ask(any_database, here, dry(undo_last.undo), played).preview,
    }
    deeds: dict[str, Callable[[], Any]] = {
        "correct": lambda: table.correct(any_database, here, played, 1, ANN_LOSES),
        "void": lambda: table.void(any_database, here, played, 1),
        "restore": lambda: cash.restore(any_database, here, played, 1),
        "undo": lambda: undo(any_database, here, played),
    }
    if act == "undo":
        table.void(any_database, here, played, 1)
    before = cash.held(any_database, here)
    seen = looks[act]()
    assert cash.held(any_database, here) == before
    answer = deeds[act]()
    more = {"correct": 10, "void": 5, "restore": -5, "undo": -5}[act]
    assert seen.after_leaving == (AfterLeaving("Bob", 10 * more, more, "EUR"),)
    assert answer["after_leaving"] == [
        {"player": "Bob", "chips": 10 * more, "money": more, "currency": "EUR"}
    ]
    after = cash.held(any_database, here)
    moved = [after[key] - held for key, held in before.items() if after[key] != held]
    assert sorted(moved) == sorted(move.amount for move in seen.moves)
    assert ("player", "Bob", more, more - 5 if act in ("correct", "void") else -5, "EUR") in [
        tuple(move) for move in seen.moves
    ]


def test_several_corrections_come_to_the_cent_of_one(any_database: Database, here: Access) -> None:
    """Ten chips to a cent: each step of 5 chips is half a cent, yet none is lost or made."""
    played = evening(any_database, here)
    for points in range(84, 60, -1):
        if points % 5 in (0, 3):
            table.correct(any_database, here, played, 1, ann_with(points))
            won = cash.nets(any_database, here, played)["Bob"]
            assert cash.owed(any_database, here).get("Bob", 0) == (2 * won + 10) // 20
    must_balance(any_database, here, played)


def test_without_a_rate_chips_stay_due_until_they_are_cashed_in(
    any_database: Database, here: Access
) -> None:
    """Bob left without money, so the correction is in chips; the conversion pays all of it."""
    played = evening(any_database, here, rate=None)
    table.correct(any_database, here, played, 1, ANN_LOSES)
    assert since(any_database, here, played) == (AfterLeaving("Bob", 100, None, "EUR"),)
    assert cash.nets(any_database, here, played)["Bob"] == 50
    must_balance(any_database, here, played)
    cash.convert(any_database, here, played, cash.TEN_FOR_ONE)
    assert cash.owed(any_database, here) == {"Ann": -30} | dict.fromkeys(table.SEVEN[1:], 5)
    must_balance(any_database, here, played)


def test_after_all_chips_were_cashed_in_a_correction_is_settled_by_cashing_in_again(
    any_database: Database, here: Access
) -> None:
    """Closed, reopened, corrected: the till keeps it from closing again until the others cash in."""
    played = evening(any_database, here)
    cash.convert(any_database, here, played)
    lifecycle.close(table.write(any_database, here), played)
    with pytest.raises(SessionClosed):
        table.correct(any_database, here, played, 1, ANN_LOSES)
    lifecycle.reopen(table.write(any_database, here), played)
    table.correct(any_database, here, played, 1, ANN_LOSES)
    up = ask(any_database, here, payments.settle_up)
    (waiting,) = up.unfinished
    assert [tuple(each) for each in waiting.left] == [("Bob", 10)]
    assert up.payments == ()
    with pytest.raises(TillNotEmpty):
        lifecycle.close(table.write(any_database, here), played)
    with pytest.raises(RateFixed):
        convert.set_rate(table.write(any_database, here), played, rate=Rate(1, 1))
    cash.convert(any_database, here, played)
    lifecycle.close(table.write(any_database, here), played)
    assert cash.owed(any_database, here) == {"Ann": -30} | dict.fromkeys(table.SEVEN[1:], 5)
    must_balance(any_database, here, played)


def test_settling_up_names_what_a_player_who_left_is_due_in_all(
    any_database: Database, here: Access
) -> None:
    """Left owing 5, due 10 more by a correction: due 5, by the club's money and by the session."""
    played = evening(any_database, here)
    table.correct(any_database, here, played, 1, ANN_LOSES)
    (waiting,) = ask(any_database, here, payments.settle_up).unfinished
    assert [tuple(each) for each in waiting.left] == [("Bob", 5)]
    bob = cash.seat(any_database, here, played, "Bob")
    found = ask(any_database, here, statements.of_player, bob.player_id)
    assert [(line.kind, line.amount, line.balance) for line in found.lines] == [
        ("after-leaving", 10, 5),
        ("cash-out", -5, -5),
    ]
    won = ask(any_database, here, sessions.money_of, [played])
    assert won[played, bob.player_id] == 5


def test_a_hand_that_moves_nothing_else_is_corrected_without_an_entry_beside_it(
    any_database: Database, here: Access
) -> None:
    """Another note, another trump: nobody owes more, nobody less."""
    played = evening(any_database, here)
    before = cash.held(any_database, here)
    hand = {**cash.ANN_WINS, "note": "in spades, with a laugh"}
    answer = table.correct(any_database, here, played, 1, hand)
    assert (answer["after_leaving"], answer["moves"]) == ([], [])
    assert cash.held(any_database, here) == before
    assert "after-leaving" not in cash.kinds(any_database, here)
    must_balance(any_database, here, played)


def test_at_another_rate_chips_wait_for_everybody_s(any_database: Database, here: Access) -> None:
    """Once all was cashed in, the table agreed on another rate: what one hand moves has one worth."""
    played = evening(any_database, here)
    cash.convert(any_database, here, played)
    convert.set_rate(table.write(any_database, here), played, rate=Rate(10, 2))
    table.correct(any_database, here, played, 1, ANN_LOSES)
    assert since(any_database, here, played) == (AfterLeaving("Bob", 100, None, "EUR"),)
    assert cash.owed(any_database, here) == {"Ann": 30} | dict.fromkeys(table.SEVEN[1:], -5)
    cash.convert(any_database, here, played)
    assert cash.owed(any_database, here) == {"Ann": -90} | dict.fromkeys(table.SEVEN[1:], 15)
    must_balance(any_database, here, played)


def test_after_a_change_of_currency_the_money_is_in_the_club_s_own(
    any_database: Database, here: Access
) -> None:
    """Bob left with nothing won, so the club could still change to dollars."""
    played = table.start(any_database, here, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, played, cash.ANN_WINS)
    table.void(any_database, here, played, 1)
    cash.leave(any_database, here, played, "Bob")
    currency.change(table.write(any_database, here), currency="USD")
    seen = ask(any_database, here, dry(correct.restore), played, 1)
    cash.restore(any_database, here, played, 1)
    money = {
        (move.kind, move.name, move.unit): move.amount for move in seen.moves if move.unit == "USD"
    }
    assert money == {("player", "Bob", "USD"): -5, ("till", "till", "USD"): 5}
    assert cash.owed(any_database, here) == {"Bob": -5}
    must_balance(any_database, here, played)


def test_a_score_stays_with_a_seat_that_was_left(any_database: Database, here: Access) -> None:
    """German Solo is played for scores: no chips, so nothing goes to the bank, and nobody owes."""
    played = table.start(any_database, here, table.FOUR, "german-solo")
    table.record(any_database, here, played, table.german_solo("Bob"))
    cash.leave(any_database, here, played, "Bob")
    answer = table.void(any_database, here, played, 1)
    assert answer["after_leaving"] == []
    assert cash.seat(any_database, here, played, "Bob").scored == 0
    cash.restore(any_database, here, played, 1)
    bob = cash.seat(any_database, here, played, "Bob")
    assert bob.scored == bob.balance != 0
    assert list(verify(any_database)) == []


def test_hands_that_follow_are_settled_with_players_who_left(
    any_database: Database, here: Access
) -> None:
    """All passed in hand 1: without it, the pots that Bob and then Ann took held less, and more."""
    played = table.start(
        any_database,
        here,
        table.FOUR,
        "progressive",
        options={"pots": {"stake": 5}},
        rate=cash.TEN_FOR_ONE,
    )
    for hand in ({"dealer": "Dee", **table.ALL_PASS}, frog("Bob"), frog("Ann")):
        table.record(any_database, here, played, hand)
    bob, ann = (cash.nets(any_database, here, played)[name] for name in ("Bob", "Ann"))
    for name in ("Bob", "Ann"):
        cash.leave(any_database, here, played, name)
    seen = ask(any_database, here, dry(correct.void), played, 1)
    answer = table.void(any_database, here, played, 1)
    after = cash.nets(any_database, here, played)
    assert answer["hands_recalculated"] == 2
    settled = {each["player"]: each["chips"] for each in answer["after_leaving"]}
    assert settled == {"Ann": after["Ann"] - ann, "Bob": after["Bob"] - bob}
    assert settled == {each.player: each.chips for each in seen.after_leaving}
    assert settled["Bob"] < 0 < settled["Ann"]
    must_balance(any_database, here, played)


def test_a_correction_that_an_account_can_t_hold_writes_nothing(
    any_database: Database, here: Access
) -> None:
    """At a rate of millions a chip, Bob's money could not be counted any more."""
    played = table.start(any_database, here, rate=Rate(1, 10**9))
    table.record(any_database, here, played, cash.ANN_WINS)
    adjusted(any_database, here, played, 999_990)
    cash.leave(any_database, here, played, "Bob")
    before = table.row_counts(any_database)
    with pytest.raises(BalanceTooLarge, match="Bob"):
        ask(any_database, here, dry(correct.correct), played, 1, ANN_LOSES)
    with pytest.raises(BalanceTooLarge, match="Bob"):
        table.correct(any_database, here, played, 1, ANN_LOSES)
    assert table.row_counts(any_database) == before
