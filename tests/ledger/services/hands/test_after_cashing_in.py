"""Hands of closed, cashed-in evenings that are changed in one write, and the money that follows."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ledger.database.models import SessionState
from ledger.services.hands import correct
from ledger.services.hands.plan import NotVoid
from ledger.services.hands.preview import CashedInAgain
from ledger.services.session.view import Rate
from ledger.services.undo import entry
from ledger.words.problems import AlreadyVoid, Conflict, SessionClosed, Stale, Unchanged
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.services.undo import an_evening

ANN_LOSES = {**cash.ANN_WINS, "points": 35}
"""Ann pays 50 to each of the others."""


def cashed_in(club: CardClub, rate: Rate = cash.TEN_FOR_ONE, hands: int = 1) -> Evening:
    """Play hands of seven that Ann wins, cash the chips in and close the evening."""
    evening = club.start(table.SEVEN, rate=rate)
    for _ in range(hands):
        evening.record(cash.ANN_WINS)
    evening.convert()
    evening.close()
    return evening


def apart(evening: Evening) -> Mapping[str, int]:
    """Return the club's money and the table's chips by account."""
    return {key: balance for key, balance in evening.club.accounts.items() if balance}


def test_a_correction_of_a_cashed_in_evening_moves_chips_and_money_at_once(
    any_club: CardClub,
) -> None:
    """The evening stays closed, nobody has chips to cash in, and the books verify."""
    evening = cashed_in(any_club)
    assert any_club.owed["Ann"] == 30
    preview = evening.preview(correct.correct, 1, ANN_LOSES)
    assert preview.cashed_in[0] == CashedInAgain("Ann", 300, -300, 30, -30, "EUR")
    assert len(preview.cashed_in) == 7
    answer = evening.correct(1, ANN_LOSES)
    assert answer["cashed_in"] == preview.to_mapping()["cashed_in"]
    assert answer["moves"] == preview.to_mapping()["moves"]
    assert {move["unit"] for move in answer["moves"]} == {"EUR"}
    assert evening.view.state == SessionState.CLOSED
    assert any_club.owed == {"Ann": -30, **dict.fromkeys(table.SEVEN[1:], 5)}
    assert not any(seat.unpaid or seat.balance for seat in evening.view.seats)
    any_club.must_verify()


CHANGES: Mapping[str, Callable[[Evening], Any]] = {
    "correct": lambda evening: evening.correct(1, ANN_LOSES),
    "void": lambda evening: evening.void(1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_undo_and_redo_of_a_change_after_the_closing_take_one_step(
    any_club: CardClub, change: str
) -> None:
    """Each is previewed as it is carried out, money included; before the change nothing can be undone."""
    evening = cashed_in(any_club, Rate(7, 1), hands=2)
    before = apart(evening)
    with any_club.refuses(SessionClosed):
        evening.undo()
    CHANGES[change](evening)
    after = apart(evening)
    for step, expected in ((an_evening.undo, before), (an_evening.redo, after)) * 2:
        step(evening)
        assert apart(evening) == expected
        any_club.must_verify()
    an_evening.undo(evening)
    with any_club.refuses(SessionClosed):
        evening.undo()
    evening.reopen()
    with any_club.refuses(Conflict):
        evening.undo()


def test_undo_restores_the_money_of_several_conversions(any_club: CardClub) -> None:
    """Each was rounded on its own, which a change of a hand does not touch."""
    evening = any_club.start(table.SEVEN, rate=Rate(7, 1))
    for bidder in ("Ann", "Bob", "Ann"):
        contract = {"bidder": bidder, "bid": "go-alone", "trump": "S"}
        evening.record({"contract": contract, "points": 85})
        evening.convert()
    evening.close()
    before = apart(evening)
    evening.correct(2, {**ANN_LOSES, "points": 41})
    any_club.must_verify()
    evening.undo()
    assert apart(evening) == before
    any_club.must_verify()


def test_the_conversion_of_a_difference_can_be_taken_back_and_entered_again(
    any_club: CardClub,
) -> None:
    """In a reopened evening: the chips are the players' again, and then money again."""
    evening = cashed_in(any_club, Rate(7, 1))
    evening.correct(1, {**ANN_LOSES, "points": 41})
    after = apart(evening)
    evening.reopen()
    conversion = evening.read(entry.last_conversion)
    assert conversion is not None
    evening.take_back(conversion)
    any_club.must_verify()
    evening.undo()
    assert apart(evening) == after
    any_club.must_verify()


def test_a_void_hand_of_a_closed_evening_is_restored_in_one_write(any_club: CardClub) -> None:
    """Everything is as before."""
    evening = cashed_in(any_club)
    before = apart(evening)
    evening.void(1)
    assert any_club.owed == {}
    evening.restore(1)
    assert apart(evening) == before
    any_club.must_verify()


def test_chips_that_were_not_cashed_in_stay_chips(any_club: CardClub) -> None:
    """The evening is marked as having chips worth money exactly while it has some."""
    evening = any_club.start(table.SEVEN, rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    evening.close()
    evening.void(1)
    assert any_club.owed == {}
    any_club.must_verify()
    answer = evening.restore(1)
    assert answer["cashed_in"] == []
    assert evening.nets["Ann"] == 300
    any_club.must_verify()


def test_a_change_of_a_closed_evening_is_checked_like_any_other(sqlite_club: CardClub) -> None:
    """It must change something, and its author must have seen the evening as it is."""
    evening = cashed_in(sqlite_club)
    with sqlite_club.refuses(Unchanged):
        evening.correct(1, cash.ANN_WINS)
    with sqlite_club.refuses(Stale):
        correct.void(sqlite_club.write(revision=1), evening.id, 1, reason="why")


def cashed_in_after(
    club: CardClub, hands: list[Mapping[str, Any]], rate: Rate, leaves: str = ""
) -> Evening:
    """Play an evening that a player may leave early, cash the chips in and close it."""
    evening = club.start(table.SEVEN, rate=rate)
    for hand in hands:
        evening.record(hand)
    if leaves:
        evening.leave(leaves)
    assume(any(seat.unpaid for seat in evening.view.seats))
    evening.convert()
    evening.close()
    return evening


def by_hand(
    club: CardClub,
    hands: list[Mapping[str, Any]],
    number: int,
    corrected: Mapping[str, Any] | None,
    rate: Rate,
    leaves: str = "",
) -> Mapping[str, int]:
    """Return the money of an evening that is reopened, converted back, corrected, converted and closed."""
    earlier = club.owed
    evening = cashed_in_after(club, hands, rate, leaves)
    evening.reopen()
    conversion = evening.read(entry.last_conversion)
    assert conversion is not None
    evening.take_back(conversion)
    evening.void(number) if corrected is None else evening.correct(number, corrected)
    if any(seat.unpaid for seat in evening.view.seats):
        evening.convert()
    evening.close()
    after = club.owed
    return {name: after.get(name, 0) - earlier.get(name, 0) for name in table.SEVEN}


POINTS = st.sampled_from((31, 45, 50, 58, 61, 66, 74, 85, 90, 103))
BIDDERS = st.sampled_from(table.SEVEN)


@st.composite
def played(draw: st.DrawFn) -> Mapping[str, Any]:
    """Return a hand that somebody plays alone."""
    return {
        "contract": {"bidder": draw(BIDDERS), "bid": "go-alone", "trump": "S"},
        "points": draw(POINTS),
    }


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    hands=st.lists(played(), min_size=1, max_size=4),
    new=st.lists(played() | st.none(), min_size=1, max_size=3),
    rate=st.sampled_from((Rate(10, 1), Rate(7, 1), Rate(30, 7), Rate(3, 2), Rate(999, 10))),
    leaves=st.sampled_from(("", "Bob", "Ann")),
    data=st.data(),
)
def test_everybody_has_the_money_of_an_evening_corrected_step_by_step(
    sqlite_club: CardClub,
    hands: list[Mapping[str, Any]],
    new: list[Mapping[str, Any] | None],
    rate: Rate,
    leaves: str,
    data: st.DataObject,
) -> None:
    """Reopen, undo the conversion, correct, convert, close: to the cent the same, also after several."""
    number = data.draw(st.integers(1, len(hands)))
    final = new[-1]
    assume(final != hands[number - 1])
    before = sqlite_club.owed
    evening = cashed_in_after(sqlite_club, hands, rate, leaves)
    for hand in new:
        with suppress(Unchanged, AlreadyVoid):
            evening.void(number) if hand is None else _set(evening, number, hand)
    after = sqlite_club.owed
    one = {name: after.get(name, 0) - before.get(name, 0) for name in table.SEVEN}
    assert by_hand(sqlite_club, hands, number, final, rate, leaves) == one
    sqlite_club.must_verify()


def _set(evening: Evening, number: int, hand: Mapping[str, Any]) -> None:
    """Correct a hand, and restore it first if it is void."""
    with suppress(NotVoid):
        evening.restore(number)
    evening.correct(number, hand)


def test_undo_of_a_change_that_left_chips_leaves_chips(any_club: CardClub) -> None:
    """A hand after the cashing in is voided: nothing is left to cash in, and the undo brings chips back."""
    evening = any_club.start(table.SEVEN, rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    evening.convert()
    evening.record(cash.ANN_WINS)
    evening.close()
    before = apart(evening)
    evening.void(2)
    assert not any(seat.unpaid for seat in evening.view.seats)
    evening.undo()
    assert apart(evening) == before
    any_club.must_verify()
