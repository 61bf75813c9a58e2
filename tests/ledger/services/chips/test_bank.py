"""The bank: stacks, loans and repayments move chips in hand, and nothing that was won."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.chips import adjust, bank, count, payout
from ledger.services.chips.bank import ScoresNotChips
from ledger.services.club import clubs
from ledger.services.common.writing import Write
from ledger.services.money import convert, payments
from ledger.services.reads import accounts
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle, start
from ledger.services.table.start import SessionDraft
from ledger.words.problems import Invalid, KeyReused, SessionClosed, Stale
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def test_each_player_starts_with_the_stack_the_bank_gives(
    any_database: Database, here: Access
) -> None:
    """In one entry, from the bank; everybody holds 150 and has won nothing."""
    evening = table.start(any_database, here, starting_stack=150)
    assert table.balances(any_database, here, evening) == dict.fromkeys(table.SEVEN, 150)
    assert set(cash.nets(any_database, here, evening).values()) == {0}
    assert cash.kinds(any_database, here) == ["stack"]
    assert cash.held(any_database, here)[f"session/{evening}/bank"] == -7 * 150


def test_what_was_won_is_told_from_what_the_bank_gave(any_database: Database, here: Access) -> None:
    """Ann wins 300 on top of 150; the settlement speaks of what was won."""
    evening = table.start(any_database, here, starting_stack=150)
    cash.lend(any_database, here, evening, "Bob", 40)
    table.record(any_database, here, evening, cash.ANN_WINS)
    assert table.balances(any_database, here, evening)["Ann"] == 450
    assert table.balances(any_database, here, evening)["Bob"] == 140
    nets = cash.nets(any_database, here, evening)
    assert nets == dict.fromkeys(table.SEVEN, -50) | {"Ann": 300}
    settled = ask(any_database, here, accounts.settlement, evening)
    assert settled.even
    assert {(pay.payee, pay.amount) for pay in settled.payments} == {("Ann", 50)}


def test_a_loan_and_its_repayment_are_entries_of_their_kind(
    any_database: Database, here: Access
) -> None:
    """Each with its chips, who wrote it and why; the seat remembers what it still has of the bank's."""
    evening = table.start(any_database, here)
    lent = bank.lend(
        table.write(any_database, here),
        evening,
        player="bob",
        chips=60,
        reason=" out of  chips ",
    )
    made, moved = cash.entry(any_database, here, lent)
    bob = cash.seat(any_database, here, evening, "Bob")
    assert (made.kind, made.author, made.reason) == ("loan", "Sue", "out of chips")
    assert moved == {f"seat/{bob.id}": 60, f"session/{evening}/bank": -60}
    assert (bob.balance, bob.advanced, bob.net) == (60, 60, 0)
    back = bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=25)
    made, moved = cash.entry(any_database, here, back)
    assert (made.kind, moved[f"seat/{bob.id}"]) == ("repayment", -25)
    bob = cash.seat(any_database, here, evening, "Bob")
    assert (bob.balance, bob.advanced, bob.net) == (35, 35, 0)


def test_no_more_is_paid_back_than_the_bank_gave(any_database: Database, here: Access) -> None:
    """The rest of what a player holds was won, and stays."""
    evening = table.start(any_database, here)
    cash.lend(any_database, here, evening, "Bob", 60)
    with pytest.raises(
        Invalid, match="Bob has 60 chips from the bank; 61 can't be paid back"
    ) as no:
        bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=61)
    assert [fault.field for fault in no.value.faults] == ["chips"]


def test_nobody_pays_back_chips_they_have_lost(any_database: Database, here: Access) -> None:
    """Of 60 borrowed Bob has lost 50."""
    evening = table.start(any_database, here)
    cash.lend(any_database, here, evening, "Bob", 60)
    table.record(any_database, here, evening, cash.ANN_WINS)
    with pytest.raises(Invalid, match="Bob holds 10 chips; 11 can't be paid back"):
        bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=11)
    bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=10)
    bob = cash.seat(any_database, here, evening, "Bob")
    assert (bob.balance, bob.advanced, bob.net) == (0, 50, -50)


def test_what_is_borrowed_after_a_conversion_is_paid_back(
    any_database: Database, here: Access
) -> None:
    """Ann won 300 and Bob lost 50, both are money by now: Ann pays 20 back, Bob no chip he has won."""
    evening = table.start(any_database, here, starting_stack=150)
    table.record(any_database, here, evening, cash.ANN_WINS)
    cash.convert(any_database, here, evening, Rate(7, 3))
    assert {cash.seat(any_database, here, evening, name).lent for name in table.SEVEN} == {0}
    cash.lend(any_database, here, evening, "Ann", 20)
    bank.take_repayment(table.write(any_database, here), evening, player="Ann", chips=20)
    ann = cash.seat(any_database, here, evening, "Ann")
    assert (ann.balance, ann.lent, ann.net) == (0, 0, 300)
    with pytest.raises(Invalid, match="Bob has 0 chips from the bank; 5 can't be paid back"):
        bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=5)


@pytest.mark.parametrize(
    ("said", "field", "code"),
    [
        ({"player": " ", "chips": 5}, "player", "player-missing"),
        ({"player": "Zed", "chips": 5}, "player", "not-at-the-table"),
        ({"player": "Bob", "chips": 0}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": -5}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": 10**9 + 1}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": 5, "reason": "nul \0"}, "reason", "reason-has-controls"),
    ],
)
def test_a_loan_that_cannot_be_is_refused_at_its_field(
    database: Database, club: Access, said: dict[str, object], field: str, code: str
) -> None:
    """And leaves no trace."""
    evening = table.start(database, club)
    before = table.row_counts(database)
    with pytest.raises(Invalid) as caught:
        bank.lend(table.write(database, club), evening, **said)  # type: ignore[arg-type]
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [(field, code)]
    assert table.row_counts(database) == before


def test_a_retried_loan_is_lent_once(any_database: Database, here: Access) -> None:
    """The same key gives the first answer; with another sum it is refused; a closed table lends nothing."""
    evening = table.start(any_database, here)
    key = table.new_key()
    first = bank.lend(Write(any_database, here, key), evening, player="Bob", chips=60)
    assert bank.lend(Write(any_database, here, key), evening, player="Bob", chips=60) == first
    assert table.balances(any_database, here, evening)["Bob"] == 60
    with pytest.raises(KeyReused):
        bank.lend(Write(any_database, here, key), evening, player="Bob", chips=61)
    with pytest.raises(Stale):
        bank.lend(table.write(any_database, here, 1), evening, player="Bob", chips=60)
    lifecycle.close(table.write(any_database, here), evening)
    with pytest.raises(SessionClosed):
        cash.lend(any_database, here, evening, "Bob", 60)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"starting_stack": -1}, "starting_stack"),
        ({"starting_stack": 10**9 + 1}, "starting_stack"),
        ({"rate": Rate(0, 1)}, "rate.chips"),
        ({"rate": Rate(10, -1)}, "rate.money"),
    ],
)
def test_a_session_starts_with_chips_and_a_rate_that_can_be(
    database: Database, club: Access, said: dict[str, object], field: str
) -> None:
    """Nobody starts with less than nothing; chips are worth something."""
    draft = SessionDraft(table.FOUR, "crazy-solo", **said)  # type: ignore[arg-type]
    with pytest.raises(Invalid) as caught:
        start.start(table.write(database, club), draft)
    assert [fault.field for fault in caught.value.faults] == [field]


def test_a_session_shows_its_stack_and_rate(database: Database, club: Access) -> None:
    """As they were agreed on; without them it plays for chips from 0."""
    agreed = table.start(database, club, starting_stack=150, rate=Rate(10, 1))
    view = ask(database, club, load, agreed)
    assert (view.starting_stack, view.rate) == (150, Rate(10, 1))
    view = ask(database, club, load, table.start(database, club))
    assert (view.starting_stack, view.rate) == (0, None)


@pytest.mark.parametrize("said", [{"rate": Rate(10, 1)}, {"starting_stack": 150}])
def test_a_session_of_scores_starts_with_neither_chips_nor_a_rate(
    database: Database, club: Access, said: dict[str, Any]
) -> None:
    """German Solo's scores are no chips: refused at the field, and nothing is started."""
    before = table.row_counts(database)
    with pytest.raises(Invalid, match="German Solo is played for scores, not for chips") as caught:
        table.start(database, club, table.FOUR, "german-solo", **said)
    assert [(each.field, each.code) for each in caught.value.faults] == [
        (*said, "scores-not-chips")
    ]
    assert table.row_counts(database) == before


@pytest.mark.parametrize("said", [{"rate": Rate(10, 1)}, {"starting_stack": 150}])
def test_a_game_of_scores_is_played_beside_chips(
    database: Database, club: Access, said: dict[str, Any]
) -> None:
    """They are lent and counted as before, and no score is among them."""
    evening = table.start(database, club, table.FOUR, "six-bid", **said)
    german: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    start.change_rules(table.write(database, club), evening, **german)
    before = table.balances(database, club, evening)
    table.record(database, club, evening, table.german_solo("Ann"))
    cash.lend(database, club, evening, "Bob", 40)
    assert table.balances(database, club, evening) == {**before, "Bob": before["Bob"] + 40}
    view = ask(database, club, load, evening)
    assert (view.unit, view.scores_apart) == ("chips", True)
    assert {seat.name: seat.scored for seat in view.seats if seat.scored} == {"Ann": 6}


def test_scores_are_neither_lent_counted_nor_cashed_in(database: Database, club: Access) -> None:
    """One sentence answers all that needs chips; once the bank lent some, they are paid back as ever."""
    evening = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, evening, table.german_solo("Ann"))
    write = table.write(database, club)
    for act in (
        lambda: bank.lend(write, evening, player="Ann", chips=5),
        lambda: adjust.adjust(write, evening, player="Ann", chips=5, reason="why"),
        lambda: count.record(write, evening, {"Ann": {5: 1}}),
        lambda: convert.convert(write, evening),
        lambda: ask(database, club, convert.quote, evening),
        lambda: ask(database, club, payout.holdings, evening),
        lambda: ask(database, club, payout.in_chips, evening, [("Bob", "Ann", 5)]),
    ):
        with pytest.raises(
            ScoresNotChips, match="scores, not for chips, so there are none to lend"
        ):
            act()
    with pytest.raises(ScoresNotChips, match="so there is no rate to agree on"):
        convert.set_rate(write, evening, rate=Rate(10, 1))


def test_chips_from_before_the_scores_go_back_to_the_bank(database: Database, club: Access) -> None:
    """Bob borrowed while Six-Bid was played; that German Solo came after does not keep his chips."""
    evening = table.start(database, club, table.FOUR, "six-bid")
    cash.lend(database, club, evening, "Bob", 40)
    german: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    start.change_rules(table.write(database, club), evening, **german)
    bank.take_repayment(table.write(database, club), evening, player="Bob", chips=40)
    assert table.balances(database, club, evening)["Bob"] == 0


def test_scores_from_before_a_rate_are_never_cashed_in(database: Database, club: Access) -> None:
    """Six-Bid is played for money now; Ann's score is none of its chips, so nothing waits at the end."""
    evening = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, evening, table.german_solo("Ann"))
    six_bid: dict[str, Any] = {"game": "six-bid", "variant": None, "options": {}}
    start.change_rules(table.write(database, club), evening, **six_bid)
    convert.set_rate(table.write(database, club), evening, rate=Rate(10, 1))
    assert ask(database, club, load, evening).unconverted == {}
    lifecycle.close(table.write(database, club), evening)
    assert ask(database, club, payments.settle_up).unconverted == ()
