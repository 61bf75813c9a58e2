"""Hands that are changed after a player left: what is owed or due for them, and the entries that say so.

Ann goes alone and is paid 50 by each of six others, at ten chips to a cent; then Bob leaves.
"""

from collections.abc import Callable
from typing import Any

import pytest

from ledger.books.balances import BalanceTooLarge
from ledger.services.hands import correct
from ledger.services.hands.preview import AfterLeaving
from ledger.services.money import currency, payments, statements
from ledger.services.money.convert import RateFixed
from ledger.services.money.till import TillNotEmpty
from ledger.services.reads import sessions
from ledger.services.session.view import Rate
from ledger.services.undo import last
from tests.ledger import cash, table
from tests.ledger.departed import ANN_LOSES, ann_with, evening, frog, since
from tests.ledger.evenings import CardClub, Evening


def test_a_correction_pays_a_player_who_left_at_the_rate_of_the_leaving(any_club: CardClub) -> None:
    """Bob lost 50 and left owing 5; in truth he won 50, so the till owes him 10 more: he is due 5."""
    played = evening(any_club)
    before = any_club.accounts
    bob = played.seat("Bob")
    played.correct(1, ANN_LOSES)
    after = any_club.accounts
    moved = {key: after[key] - chips for key, chips in before.items() if after[key] != chips}
    assert moved == {
        f"seat/{played.seat('Ann').id}": -600,
        **{f"seat/{played.seat(name).id}": 100 for name in table.SEVEN[2:]},
        f"session/{played.id}/bank": 100,
        f"player/{bob.player_id}/EUR": 10,
        f"session/{played.id}/till": -10,
    }
    assert any_club.owed == {"Bob": 5}
    assert since(played) == (AfterLeaving("Bob", 100, 10, "EUR"),)
    played.must_balance()
    (waiting,) = any_club.read(payments.settle_up).unfinished
    assert [tuple(owed) for owed in waiting.left] == [("Bob", 5)]
    statement = any_club.read(statements.of_player, bob.player_id, limit=9)
    assert [(line.kind, line.amount, line.balance) for line in statement.lines] == [
        ("after-leaving", 10, 5),
        ("cash-out", -5, -5),
    ]
    won = any_club.read(sessions.money_of, [played.id])
    assert won[played.id, bob.player_id] == 5


LOOKS: dict[str, Callable[[Evening], Any]] = {
    "correct": lambda e: e.preview(correct.correct, 1, ANN_LOSES),
    "void": lambda e: e.preview(correct.void, 1),
    "restore": lambda e: e.preview(correct.restore, 1),
    "undo": lambda e: e.preview(last.undo).preview,
}
DEEDS: dict[str, Callable[[Evening], Any]] = {
    "correct": lambda e: e.correct(1, ANN_LOSES),
    "void": lambda e: e.void(1),
    "restore": lambda e: e.restore(1),
    "undo": lambda e: e.undo(),
}


@pytest.mark.parametrize("act", DEEDS)
def test_a_preview_shows_each_balance_that_a_change_after_a_leaving_moves(
    sqlite_club: CardClub, act: str
) -> None:
    """The bank's chips, the till's money and Bob's; and in one line what Bob is due or owes."""
    played = evening(sqlite_club)
    if act in ("restore", "undo"):
        played.void(1)
    before = sqlite_club.accounts
    preview = LOOKS[act](played)
    assert sqlite_club.accounts == before
    answer = DEEDS[act](played)
    more = {"correct": 10, "void": 5, "restore": -5, "undo": -5}[act]
    assert preview.after_leaving == (AfterLeaving("Bob", 10 * more, more, "EUR"),)
    settled = {"player": "Bob", "chips": 10 * more, "money": more, "currency": "EUR"}
    assert answer["after_leaving"] == [settled]
    after = sqlite_club.accounts
    moved = [after[key] - chips for key, chips in before.items() if after[key] != chips]
    moves = [tuple(move) for move in preview.moves]
    assert sorted(moved) == sorted(move.amount for move in preview.moves)
    balance = more - 5 if act in ("correct", "void") else -5
    assert ("player", "Bob", more, balance, "EUR") in moves
    played.must_balance()


def test_several_corrections_come_to_the_cent_of_one(sqlite_club: CardClub) -> None:
    """Ten chips to a cent: each step of 5 chips is half a cent, yet none is lost or made."""
    played = evening(sqlite_club)
    for points in range(84, 60, -1):
        if points % 5 in (0, 3):
            played.correct(1, ann_with(points))
            won = played.nets["Bob"]
            assert sqlite_club.owed.get("Bob", 0) == (2 * won + 10) // 20
    played.must_balance()


def test_without_a_rate_chips_stay_due_until_they_are_cashed_in(sqlite_club: CardClub) -> None:
    """Bob left without money, so the correction is in chips; the conversion pays all of it."""
    played = evening(sqlite_club, rate=None)
    played.correct(1, ANN_LOSES)
    assert since(played) == (AfterLeaving("Bob", 100, None, "EUR"),)
    assert played.nets["Bob"] == 50
    played.must_balance()
    played.convert(cash.TEN_FOR_ONE)
    assert sqlite_club.owed == {"Ann": -30} | dict.fromkeys(table.SEVEN[1:], 5)


def test_a_correction_after_a_conversion_is_settled_by_cashing_in_again(
    sqlite_club: CardClub,
) -> None:
    """Closed, reopened, corrected: the till keeps it from closing again until the others cash in."""
    played = evening(sqlite_club)
    played.convert()
    played.close()
    played.reopen()
    played.correct(1, ANN_LOSES)
    due = sqlite_club.read(payments.settle_up)
    (waiting,) = due.unfinished
    assert [tuple(owed) for owed in waiting.left] == [("Bob", 10)]
    assert due.payments == ()
    with sqlite_club.refuses(TillNotEmpty):
        played.close()
    with sqlite_club.refuses(RateFixed):
        played.set_rate(Rate(1, 1))
    played.convert()
    played.close()
    assert sqlite_club.owed == {"Ann": -30} | dict.fromkeys(table.SEVEN[1:], 5)
    played.must_balance()


def test_a_correction_that_moves_nothing_has_no_entry_of_its_own(sqlite_club: CardClub) -> None:
    """Another note: nobody owes more, nobody less."""
    played = evening(sqlite_club)
    before = sqlite_club.accounts
    answer = played.correct(1, {**cash.ANN_WINS, "note": "in spades, with a laugh"})
    assert (answer["after_leaving"], answer["moves"]) == ([], [])
    assert sqlite_club.accounts == before
    assert "after-leaving" not in sqlite_club.kinds
    played.must_balance()


def test_at_another_rate_chips_wait_for_everybody_s(sqlite_club: CardClub) -> None:
    """Once all was cashed in, the table agreed on another rate: what one hand moves has one worth."""
    played = evening(sqlite_club)
    played.convert()
    played.set_rate(Rate(10, 2))
    played.correct(1, ANN_LOSES)
    assert since(played) == (AfterLeaving("Bob", 100, None, "EUR"),)
    assert sqlite_club.owed == {"Ann": 30} | dict.fromkeys(table.SEVEN[1:], -5)
    played.convert()
    assert sqlite_club.owed == {"Ann": -90} | dict.fromkeys(table.SEVEN[1:], 15)
    played.must_balance()


def test_after_a_change_of_currency_the_money_is_in_the_club_s_own(sqlite_club: CardClub) -> None:
    """Bob left with nothing won, so the club could still change to dollars."""
    played = sqlite_club.start(rate=cash.TEN_FOR_ONE)
    played.record(cash.ANN_WINS)
    played.void(1)
    played.leave("Bob")
    sqlite_club.do(currency.change, currency="USD")
    preview = played.preview(correct.restore, 1)
    played.restore(1)
    moves = {(move.kind, move.name): move.amount for move in preview.moves if move.unit == "USD"}
    assert moves == {("player", "Bob"): -5, ("till", "till"): 5}
    assert sqlite_club.owed == {"Bob": -5}
    played.must_balance()


def test_a_score_stays_with_a_seat_that_was_left(sqlite_club: CardClub) -> None:
    """German Solo is played for scores: no chips, so nothing goes to the bank, and nobody owes."""
    played = sqlite_club.start(game="german-solo")
    played.record(table.german_solo("Bob"))
    played.leave("Bob")
    assert played.void(1)["after_leaving"] == []
    assert played.seat("Bob").scored == 0
    played.restore(1)
    bob = played.seat("Bob")
    assert bob.scored == bob.balance == 6
    sqlite_club.must_verify()


def test_hands_that_follow_are_settled_with_players_who_left(any_club: CardClub) -> None:
    """All passed in hand 1: without it, the pots that Bob and then Ann took held less, and more."""
    pots = {"pots": {"stake": 5}}
    played = any_club.start(game="progressive", options=pots, rate=cash.TEN_FOR_ONE)
    for hand in ({"dealer": "Dee", **table.ALL_PASS}, frog("Bob"), frog("Ann")):
        played.record(hand)
    before = played.nets
    played.leave("Bob", "Ann")
    preview = played.preview(correct.void, 1)
    answer = played.void(1)
    after = played.nets
    assert answer["hands_recalculated"] == 2
    settled = {line["player"]: line["chips"] for line in answer["after_leaving"]}
    assert settled == {name: after[name] - before[name] for name in ("Ann", "Bob")}
    assert settled == {line.player: line.chips for line in preview.after_leaving}
    assert settled["Bob"] < 0 < settled["Ann"]
    played.must_balance()


def test_a_correction_that_an_account_can_t_hold_writes_nothing(any_club: CardClub) -> None:
    """At a rate of millions a chip, Bob's money could not be counted any more."""
    played = any_club.start(table.SEVEN, rate=Rate(1, 10**9))
    played.record(cash.ANN_WINS)
    played.adjust("Bob", 999_990)
    played.leave("Bob")
    for acts in (LOOKS, DEEDS):
        with any_club.refuses(BalanceTooLarge, "Bob"):
            acts["correct"](played)
