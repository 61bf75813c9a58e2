"""The bank: stacks, loans and repayments move chips in hand, and nothing that was won."""

from typing import Any

import pytest

from ledger.services.chips import bank, payout
from ledger.services.chips.bank import ScoresNotChips
from ledger.services.common.stakes import MOST_CHIPS
from ledger.services.money import convert, payments
from ledger.services.session.view import Rate
from ledger.words.problems import Invalid, KeyReused, SessionClosed, Stale
from tests.ledger import table
from tests.ledger.evenings import CardClub


def test_a_loan_and_its_repayment_are_entries_of_their_kind(any_club: CardClub) -> None:
    """Each with its chips, its author and reason; the seat remembers what it still has of the bank's."""
    evening = any_club.start()
    lent = evening.do(bank.lend, player="bob", chips=60, reason=" out of  chips ")
    entry, moved = evening.entry(lent)
    bob = evening.seat("Bob")
    assert (entry.kind, entry.author, entry.reason) == ("loan", "Sue", "out of chips")
    assert moved == {"Bob": 60, "bank": -60}
    assert (bob.balance, bob.advanced, bob.net) == (60, 60, 0)
    entry, moved = evening.entry(evening.repay("Bob", 25))
    assert (entry.kind, moved["Bob"]) == ("repayment", -25)
    bob = evening.seat("Bob")
    assert (bob.balance, bob.advanced, bob.net) == (35, 35, 0)


def test_the_bank_lends_any_number_of_chips_up_to_its_limit(sqlite_club: CardClub) -> None:
    """The first and the last."""
    evening = sqlite_club.start()
    for chips in (1, MOST_CHIPS):
        evening.do(bank.lend, player="Bob", chips=chips)
    assert evening.seat("Bob").balance == MOST_CHIPS + 1


@pytest.mark.parametrize(
    ("loan", "field", "code"),
    [
        ({"player": " ", "chips": 5}, "player", "player-missing"),
        ({"player": "Zed", "chips": 5}, "player", "not-at-the-table"),
        ({"player": "Bob", "chips": 0}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": -5}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": 10**9 + 1}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": 5, "reason": "nul \0"}, "reason", "reason-has-controls"),
    ],
)
def test_an_invalid_loan_is_refused_at_its_field(
    sqlite_club: CardClub, loan: dict[str, Any], field: str, code: str
) -> None:
    """And leaves no trace."""
    evening = sqlite_club.start()
    with sqlite_club.refuses(Invalid, at=field, code=code):
        evening.do(bank.lend, **loan)


def test_a_retried_loan_is_lent_once(sqlite_club: CardClub) -> None:
    """The same key gives the first answer; with another sum it is refused; a closed table lends nothing."""
    evening = sqlite_club.start()
    write = sqlite_club.write()
    answer = bank.lend(write, evening.id, player="Bob", chips=60)
    assert bank.lend(write, evening.id, player="Bob", chips=60) == answer
    assert evening.balances["Bob"] == 60
    with sqlite_club.refuses(KeyReused):
        bank.lend(write, evening.id, player="Bob", chips=61)
    with sqlite_club.refuses(Stale):
        bank.lend(sqlite_club.write(1), evening.id, player="Bob", chips=60)
    evening.close()
    with sqlite_club.refuses(SessionClosed):
        evening.lend("Bob", 60)


def test_a_game_of_scores_is_played_beside_chips_for_money(sqlite_club: CardClub) -> None:
    """The evening stays one of chips, and no score is among them."""
    evening = sqlite_club.start(game="six-bid", rate=Rate(10, 1))
    evening.play("german-solo")
    evening.record(table.german_solo("Ann"))
    evening.lend("Bob", 40)
    assert evening.balances == {"Ann": 0, "Bob": 40, "Cyd": 0, "Dee": 0}
    assert (evening.view.unit, evening.view.scores_apart) == ("chips", True)
    assert {seat.name: seat.scored for seat in evening.view.seats if seat.scored} == {"Ann": 6}


def test_scores_are_neither_lent_counted_nor_cashed_in(sqlite_club: CardClub) -> None:
    """One sentence answers all that needs chips."""
    evening = sqlite_club.start(game="german-solo")
    evening.record(table.german_solo("Ann"))
    for act in (
        lambda: evening.lend("Ann", 5),
        lambda: evening.adjust("Ann", 5),
        lambda: evening.count({"Ann": {5: 1}}),
        lambda: evening.convert(),
        lambda: evening.read(convert.quote),
        lambda: evening.read(payout.holdings),
        lambda: evening.read(payout.in_chips, [("Bob", "Ann", 5)]),
    ):
        with sqlite_club.refuses(ScoresNotChips, "not for chips, so there are none to lend"):
            act()
    with sqlite_club.refuses(ScoresNotChips, "so there is no rate to agree on"):
        evening.set_rate(Rate(10, 1))


def test_scores_from_before_a_rate_are_never_cashed_in(sqlite_club: CardClub) -> None:
    """Six-Bid is played for money now; Ann's score is none of its chips, so nothing waits at the end."""
    evening = sqlite_club.start(game="german-solo")
    evening.record(table.german_solo("Ann"))
    evening.play("six-bid")
    evening.set_rate(Rate(10, 1))
    assert evening.view.unconverted == {}
    evening.close()
    assert sqlite_club.read(payments.settle_up).unconverted == ()
