"""A second pair of eyes: hands that wait until another device confirms them."""

from collections import Counter
from dataclasses import replace

import pytest

from ledger.database.access import Role
from ledger.services.hands import confirm, correct
from ledger.services.money import currency
from ledger.services.reads import result, session
from ledger.services.undo import last
from ledger.words.problems import Invalid, NotFound, ReadOnly, Stale, Unchanged
from tests.ledger import table
from tests.ledger.departed import frog
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.services.hands.test_pots import ALL_PASS, bid
from tests.ledger.services.test_at_once import at_once

MISCOUNT = {**table.HEARTS_74, "points": 64}


def on(club: CardClub, device: str) -> CardClub:
    """Return the club on another device."""
    return CardClub(club.db, replace(club.access, holder=device))


@pytest.fixture
def phones(any_club: CardClub) -> tuple[CardClub, CardClub]:
    """Two phones in a club that requires confirmations of every hand that pays."""
    any_club.do(currency.change, confirm_from=1)
    return on(any_club, "device 1"), on(any_club, "device 2")


def played(phone: CardClub) -> Evening:
    """Start an evening with one hand."""
    evening = phone.start(table.SEVEN)
    evening.record(table.HEARTS_74)
    return evening


def waiting(evening: Evening) -> list[int]:
    """The hands that the result of the evening lists as not confirmed."""
    listed = list(evening.club.read(result.of_evening, evening.id).unconfirmed)
    lines = evening.club.read(session.hands, evening.id)
    assert listed == [line.number for line in lines if line.unconfirmed]
    assert len(listed) == evening.club.read(session.board, evening.id).unconfirmed
    return listed


def test_no_club_requires_it_at_first(any_club: CardClub) -> None:
    """A hand is as it always was, and there is nothing to confirm."""
    evening = played(on(any_club, "device 1"))
    assert waiting(evening) == []
    with any_club.refuses(confirm.NothingToConfirm, "needs no confirmation"):
        on(any_club, "device 2").do(confirm.confirm, evening.id, 1, version=1)


def test_another_device_confirms_a_hand_and_no_balance_or_revision_changes(
    phones: tuple[CardClub, CardClub],
) -> None:
    """Also after the next hand, and in a closed session; verify finds all of it in the register."""
    one, two = phones
    evening = played(one)
    evening.record(table.HEARTS_74)
    assert waiting(evening) == [1, 2]
    one.must_verify()
    before = evening.view
    answer = two.do(confirm.confirm, evening.id, 1, version=1)
    assert (answer["hand"], answer["version"], answer["revision"]) == (1, 1, before.revision)
    assert waiting(evening) == [2]
    assert evening.view.live_number == before.live_number + 1
    assert (evening.view.seats, evening.view.revision) == (before.seats, before.revision)
    evening.close()
    two.do(confirm.confirm, evening.id, 2, version=1)
    assert waiting(evening) == []
    one.must_verify()


def test_the_device_that_entered_a_hand_cannot_confirm_it(
    phones: tuple[CardClub, CardClub],
) -> None:
    """Whoever holds it; nor can a viewer, or anybody for a hand that does not exist."""
    one, two = phones
    evening = played(one)
    with one.refuses(confirm.SameDevice, "This device entered hand 1"):
        one.do(confirm.confirm, evening.id, 1, version=1)
    viewer = CardClub(two.db, replace(two.access, role=Role.VIEWER))
    with one.refuses(ReadOnly):
        viewer.do(confirm.confirm, evening.id, 1, version=1)
    with one.refuses(NotFound):
        two.do(confirm.confirm, evening.id, 2, version=1)
    assert waiting(evening) == [1]


def test_a_corrected_hand_needs_another_confirmation(phones: tuple[CardClub, CardClub]) -> None:
    """It waits for a device other than the one that corrected it; a void hand waits for none."""
    one, two = phones
    evening = played(one)
    two.do(confirm.confirm, evening.id, 1, version=1)
    two.do(correct.correct, evening.id, 1, MISCOUNT, reason="miscounted")
    assert waiting(evening) == [1]
    with one.refuses(Stale, "Hand 1 was changed"):
        one.do(confirm.confirm, evening.id, 1, version=1)
    with one.refuses(confirm.SameDevice):
        two.do(confirm.confirm, evening.id, 1, version=2)
    one.do(correct.correct, evening.id, 1, table.HEARTS_74, reason="no")
    two.do(confirm.confirm, evening.id, 1, version=3)
    one.do(last.undo, evening.id)
    assert waiting(evening) == [1]
    one.do(correct.void, evening.id, 1, reason="misdeal")
    assert waiting(evening) == []
    with one.refuses(confirm.NothingToConfirm):
        two.do(confirm.confirm, evening.id, 1, version=5)
    one.do(correct.restore, evening.id, 1, reason="no misdeal")
    assert waiting(evening) == [1]
    one.must_verify()


def test_a_hand_recalculated_after_another_stays_as_confirmed_as_it_was(
    phones: tuple[CardClub, CardClub],
) -> None:
    """The entered hand, which somebody confirmed, is unchanged; only the void hand waits no longer."""
    one, two = phones
    evening = one.start(game="progressive", options={"pots": {"stake": 5}})
    for hand in (ALL_PASS, bid("Ann", "frog"), bid("Bob", "spade-solo")):
        evening.record(hand)
    two.do(confirm.confirm, evening.id, 2, version=1)
    assert waiting(evening) == [1, 3]
    answer = evening.void(1)
    assert table.recalculated(answer) == [2, 3]
    assert waiting(evening) == [3]
    two.do(confirm.confirm, evening.id, 3, version=2)
    assert waiting(evening) == []
    one.must_verify()


def test_only_hands_from_an_amount_on_wait(phones: tuple[CardClub, CardClub]) -> None:
    """The most that somebody won or lost counts; a change of the setting leaves earlier hands alone."""
    one, two = phones
    evening = played(one)
    most = max(map(abs, table.PAYS_HEARTS_74.values()))
    two.do(currency.change, confirm_from=most + 1)
    evening.record(table.HEARTS_74)
    two.do(currency.change, confirm_from=most)
    evening.record(table.HEARTS_74)
    evening.record({"contract": {"bid": "pass"}})
    assert waiting(evening) == [1, 3]
    two.do(currency.change, confirm_from=0)
    evening.record(table.HEARTS_74)
    assert waiting(evening) == [1, 3]


def test_a_hand_that_follows_another_stays_confirmed(phones: tuple[CardClub, CardClub]) -> None:
    """Ann's frog finds less in its pot, as the pots decide, not whoever voided the hand before."""
    one, two = phones
    evening = one.start(game="progressive", options={"pots": {"stake": 5}})
    for hand in ({"dealer": "Dee", **table.ALL_PASS}, frog("Ann")):
        evening.record(hand)
    two.do(confirm.confirm, evening.id, 2, version=1)
    assert table.recalculated(evening.void(1)) == [2]
    assert waiting(evening) == []


def test_a_confirmation_is_answered_once_and_makes_no_write_stale(
    phones: tuple[CardClub, CardClub],
) -> None:
    """A scorer who began the next hand before it saves it at the revision they saw."""
    one, two = phones
    evening = played(one)
    revision = evening.view.revision
    write = two.write()
    answer = confirm.confirm(write, evening.id, 1, version=1)
    assert confirm.confirm(write, evening.id, 1, version=1) == answer
    with two.refuses(Stale):
        confirm.confirm(two.write(revision - 1), evening.id, 1, version=1)
    correct.void(one.write(revision), evening.id, 1, reason="misdeal")


def test_of_devices_that_confirm_at_once_one_does(phones: tuple[CardClub, CardClub]) -> None:
    """The others learn that there is nothing left to confirm."""
    one, two = phones
    evening = played(one)

    def tap(_phone: int) -> object:
        return two.do(confirm.confirm, evening.id, 1, version=1)["hand"]

    assert at_once(tap) == Counter({1: 1, "nothing-to-confirm": 5})


@pytest.mark.parametrize("amount", [-1, 1_000_000_001])
def test_the_amount_has_bounds(sqlite_club: CardClub, amount: int) -> None:
    """And setting it again to what it is changes nothing."""
    with sqlite_club.refuses(Invalid, at="confirm_from"):
        sqlite_club.do(currency.change, confirm_from=amount)
    with sqlite_club.refuses(Unchanged):
        sqlite_club.do(currency.change, confirm_from=0)
    sqlite_club.do(currency.change, confirm_from=50)
    assert sqlite_club.read(currency.show).confirm_from == 50
    assert sqlite_club.read(currency.show).denominations == (5, 20, 30)
