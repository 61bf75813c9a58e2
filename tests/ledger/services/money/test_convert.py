"""Chips to money: at the agreed rate, no unit lost, as often as there is something new to convert."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import adjust
from ledger.services.club import clubs
from ledger.services.common.writing import Write
from ledger.services.money import convert, currency
from ledger.services.money.blockers import NotReady
from ledger.services.money.convert import RateFixed
from ledger.services.reads import accounts, session
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from ledger.services.undo import leaving as undo_leaving
from ledger.words.problems import Conflict, Invalid, SessionClosed, Unchanged
from tests.ledger import cash, table
from tests.ledger.table import ask

BOB_ALONE = {"bidder": "Bob", "bid": "go-alone", "trump": "S"}


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def set_rate(db: Database, access: Access, session_id: int, rate: Rate | None) -> object:
    """Agree on a rate."""
    return convert.set_rate(table.write(db, access), session_id, rate=rate)


def test_chips_become_money_and_the_bank_has_all_chips_back(
    any_database: Database, here: Access
) -> None:
    """Ann won 300 of six others: 30 cents; stacks and loans are no winnings."""
    evening = table.start(any_database, here, starting_stack=150, rate=cash.TEN_FOR_ONE)
    cash.lend(any_database, here, evening, "Bob", 70)
    table.record(any_database, here, evening, cash.ANN_WINS)
    answer = cash.convert(any_database, here, evening)
    assert cash.owed(any_database, here) == {"Ann": 30} | dict.fromkeys(table.SEVEN[1:], -5)
    held = cash.held(any_database, here)
    assert {held[key] for key in held if key.startswith(("seat", "session"))} == {0}
    assert (answer["currency"], set(answer["balances"].values())) == ("EUR", {0})
    assert cash.nets(any_database, here, evening)["Ann"] == 300
    made, moved = cash.entry(any_database, here, answer)
    assert (made.kind, made.details["rate"]) == ("conversion", {"chips": 10, "money": 1})
    assert sum(moved.values()) == 0
    assert sum(amount for key, amount in moved.items() if "EUR" in key) == 0


def test_the_units_left_over_go_to_the_largest_fractions(
    any_database: Database, here: Access
) -> None:
    """At 7 chips to a cent: 300 are 42 6/7, each −50 is −7 1/7; Ann has the largest fraction but one."""
    evening = table.start(any_database, here)
    table.record(any_database, here, evening, cash.ANN_WINS)
    cash.convert(any_database, here, evening, Rate(7, 1))
    # Rounded down: 42 and six times −8, six cents short; each −50 has 6/7 over, as Ann has. Clockwise
    # from Ann: all but the last get one.
    assert cash.owed(any_database, here) == {
        "Ann": 43,
        **dict.fromkeys(table.SEVEN[1:6], -7),
        "Gus": -8,
    }


def test_more_hands_and_corrections_are_converted_in_their_turn(
    any_database: Database, here: Access
) -> None:
    """A second conversion pays only what is new; a third finds nothing."""
    evening = table.start(any_database, here, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, cash.ANN_WINS)
    cash.convert(any_database, here, evening)
    table.void(any_database, here, evening, 1)
    assert table.balances(any_database, here, evening)["Ann"] == -300
    cash.convert(any_database, here, evening)
    assert cash.owed(any_database, here) == {}
    with pytest.raises(Conflict, match="no chips to cash in"):
        cash.convert(any_database, here, evening)
    assert set(cash.nets(any_database, here, evening).values()) == {0}


def test_those_who_stay_pay_exactly_those_who_left(any_database: Database, here: Access) -> None:
    """Cashed out to the nearest cent at 7 chips a cent; the till is empty after the conversion."""
    evening = table.start(any_database, here, starting_stack=150, rate=Rate(7, 1))
    table.record(any_database, here, evening, cash.ANN_WINS)
    cash.leave(any_database, here, evening, "Ann")
    cash.leave(any_database, here, evening, "Bob")
    assert cash.owed(any_database, here) == {"Ann": 43, "Bob": -7}
    cash.convert(any_database, here, evening)
    owed = cash.owed(any_database, here)
    assert sum(owed.values()) == 0
    assert cash.held(any_database, here)[f"session/{evening}/till"] == 0
    assert sorted(owed[name] for name in table.SEVEN[2:]) == [-8, -7, -7, -7, -7]


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.integers(65, 118), min_size=1, max_size=4),
    st.integers(1, 40),
    st.integers(1, 40),
    st.sets(st.integers(0, 6), max_size=3),
)
def test_a_conversion_loses_no_unit_whoever_left_before(
    database: Database, club: Access, points: list[int], chips: int, cents: int, gone: set[int]
) -> None:
    """What all players are owed sums to 0, and each is within a unit or so of the exact share."""
    evening = table.start(database, club, rate=Rate(chips, cents))
    before = cash.owed(database, club)
    for count in points:
        table.record(database, club, evening, {**cash.ANN_WINS, "points": count})
    for place in gone:
        cash.leave(database, club, evening, table.SEVEN[place])
    won, paid = cash.nets(database, club, evening), cash.owed(database, club)
    cash.convert(database, club, evening)
    owed = cash.owed(database, club)
    assert sum(owed.values()) == 0
    stay = [name for place, name in enumerate(table.SEVEN) if place not in gone and won[name]]
    for name in table.SEVEN:
        if name in stay:
            exact = won[name] * cents / chips
            bears = 1 + len(gone) / (2 * len(stay))
            assert abs(owed.get(name, 0) - before.get(name, 0) - exact) <= bears
        elif stay:
            assert owed.get(name, 0) == paid.get(name, 0)


def test_who_left_and_was_paid_bears_no_unit_of_a_later_conversion(
    any_database: Database, here: Access
) -> None:
    """Ann and Dee got a cent each for 5 chips at 10:1; Bob, who lost 10, owes both, and nobody else does."""
    evening = table.start(any_database, here, table.FOUR, rate=cash.TEN_FOR_ONE)
    for player, won in (("Ann", 5), ("Dee", 5), ("Bob", -10)):
        adjust.adjust(
            table.write(any_database, here),
            evening,
            player=player,
            chips=won,
            reason="a bet",
        )
    cash.leave(any_database, here, evening, "Ann")
    cash.leave(any_database, here, evening, "Dee")
    quote = ask(any_database, here, convert.quote, evening)
    assert {each.player: each.money for each in quote.players if each.money} == {"Bob": -2}
    cash.convert(any_database, here, evening)
    assert cash.owed(any_database, here) == {"Ann": 1, "Bob": -2, "Dee": 1}


def test_when_all_have_left_the_till_is_still_brought_to_nothing(
    database: Database, club: Access
) -> None:
    """Each was rounded alone: 43 and six times −7 make one cent too many, borne by the last seat."""
    evening = table.start(database, club, rate=Rate(7, 1))
    table.record(database, club, evening, cash.ANN_WINS)
    for player in table.SEVEN:
        cash.leave(database, club, evening, player)
    assert sum(cash.owed(database, club).values()) == 1
    cash.convert(database, club, evening)
    assert cash.owed(database, club) == {"Ann": 43, "Gus": -8} | dict.fromkeys(table.SEVEN[1:6], -7)


def test_chips_that_nobody_holds_are_settled_before_a_conversion(
    database: Database, club: Access
) -> None:
    """What was adjusted against nobody has to be shared out first."""
    evening = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE)
    table.record(database, club, evening, cash.ANN_WINS)
    adjust.adjust(
        table.write(database, club),
        evening,
        player="Bob",
        chips=-10,
        reason="lost a chip",
    )
    with pytest.raises(NotReady, match="are off by -10 in total") as caught:
        cash.convert(database, club, evening)
    assert caught.value.status == 409
    adjust.share_differences(table.write(database, club), evening)
    cash.convert(database, club, evening)
    assert sum(cash.owed(database, club).values()) == 0


def test_scores_wait_for_nobody_and_become_no_money(any_database: Database, here: Access) -> None:
    """Ann made a solo, Bob lost one: 6 and −6 stay what they are while the chips beside them are paid."""
    made, lost = table.german_solo("Ann"), table.german_solo("Bob", made=False)
    evening = cash.voided_scores(any_database, here, made, lost)
    for number in (1, 2):
        cash.restore(any_database, here, evening, number)
    table.record(any_database, here, evening, cash.ANN_WINS)
    chips = table.balances(any_database, here, evening)
    assert sum(chips.values()) == 0
    assert scored(any_database, here, evening) == {"Ann": 6, "Bob": -6, "Cyd": 0, "Dee": 0}
    settled = ask(any_database, here, accounts.settlement, evening)
    paid = dict.fromkeys(chips, 0)
    for each in settled.payments:
        paid[each.payee] += each.amount
        paid[each.payer] -= each.amount
    assert (settled.unit, settled.even, settled.scored, paid) == ("chips", True, True, chips)
    assert ask(any_database, here, convert.quote, evening).waits == ()
    cash.leave(any_database, here, evening, "Cyd")
    cash.convert(any_database, here, evening)
    owed = {name: won // 10 for name, won in chips.items() if won}
    assert cash.owed(any_database, here) == owed
    assert set(table.balances(any_database, here, evening).values()) == {0}
    assert scored(any_database, here, evening)["Ann"] == 6
    said = ask(any_database, here, session.summary, evening).instead_of_payments
    assert said == "Everybody is even."
    assert list(verify(any_database)) == []


def scored(db: Database, access: Access, session_id: int) -> dict[str, int]:
    """Return what everybody scored."""
    return {seat.name: seat.scored for seat in ask(db, access, load, session_id).seats}


def test_a_rate_is_needed_and_can_come_with_the_conversion(
    database: Database, club: Access
) -> None:
    """And stays agreed on."""
    evening = table.start(database, club)
    table.record(database, club, evening, cash.ANN_WINS)
    with pytest.raises(Invalid) as caught:
        cash.convert(database, club, evening)
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [
        ("rate", "rate-missing")
    ]
    cash.convert(database, club, evening, Rate(5, 2))
    assert ask(database, club, load, evening).rate == Rate(5, 2)
    assert cash.owed(database, club)["Ann"] == 120


def test_the_rate_stays_while_somebody_was_paid_by_it_and_others_were_not(
    database: Database, club: Access
) -> None:
    """After the conversion, or the leaving taken back, it may change for what comes."""
    evening = table.start(database, club, rate=cash.TEN_FOR_ONE)
    table.record(database, club, evening, cash.ANN_WINS)
    cash.leave(database, club, evening, "Ann")
    for other in (Rate(5, 1), None):
        with pytest.raises(RateFixed, match=r"cashed out at 10 chips to 0\.01 EUR"):
            set_rate(database, club, evening, other)
    with pytest.raises(Unchanged):
        set_rate(database, club, evening, cash.TEN_FOR_ONE)
    undo_leaving.take_back(table.write(database, club), evening, player="Ann", reason="stays")
    set_rate(database, club, evening, None)
    set_rate(database, club, evening, Rate(5, 1))
    cash.convert(database, club, evening)
    set_rate(database, club, evening, Rate(1, 1))
    assert ask(database, club, load, evening).rate == Rate(1, 1)


@pytest.mark.parametrize("converted_before", [False, True])
def test_the_rate_stays_though_what_was_paid_by_it_comes_to_nothing_in_sum(
    any_database: Database, here: Access, converted_before: bool
) -> None:
    """Ann's 50 and Bob's −50 cancel; the others' chips are worth the same all the same."""
    evening = table.start(any_database, here, table.FOUR, rate=Rate(10, 10))
    won = {"Ann": 50, "Bob": -50, "Cyd": 100, "Dee": -100}
    for player, chips in won.items():
        adjust.adjust(
            table.write(any_database, here),
            evening,
            player=player,
            chips=chips,
            reason="a bet",
        )
    if converted_before:
        cash.leave(any_database, here, evening, "Ann")
        cash.leave(any_database, here, evening, "Bob")
        cash.convert(any_database, here, evening)
        for player in ("Ann", "Bob"):
            undo_leaving.take_back(
                table.write(any_database, here), evening, player=player, reason="stays"
            )
    else:
        cash.leave(any_database, here, evening, "Ann")
        cash.leave(any_database, here, evening, "Bob")
    with pytest.raises(RateFixed, match=r"10 chips to 0\.10 EUR"):
        set_rate(any_database, here, evening, Rate(10, 1000))
    with pytest.raises(RateFixed):
        cash.convert(any_database, here, evening, Rate(10, 1000))
    cash.convert(any_database, here, evening)
    assert cash.owed(any_database, here) == won
    set_rate(any_database, here, evening, Rate(10, 1000))


def test_a_leaving_that_paid_nothing_fixes_no_rate(database: Database, club: Access) -> None:
    """Nothing was won, so no rate was used."""
    evening = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE)
    cash.leave(database, club, evening, "Ann")
    set_rate(database, club, evening, Rate(10, 5))
    assert ask(database, club, load, evening).rate == Rate(10, 5)


def test_a_leaving_that_paid_nothing_leaves_the_currency_open(
    any_database: Database, here: Access
) -> None:
    """The till opened empty in EUR takes the dollars of who leaves after the club has changed."""
    evening = table.start(any_database, here, table.FOUR, rate=cash.TEN_FOR_ONE)
    cash.leave(any_database, here, evening, "Ann")
    currency.change(table.write(any_database, here), currency="USD")
    table.record(
        any_database, here, evening, {**cash.ANN_WINS, "contract": {**BOB_ALONE}, "points": 85}
    )
    cash.leave(any_database, here, evening, "Bob")
    assert cash.owed(any_database, here) == {"Bob": 10}
    cash.convert(any_database, here, evening)
    assert sum(cash.owed(any_database, here).values()) == 0
    assert list(verify(any_database)) == []


def test_what_was_converted_by_one_rate_is_taken_back_at_that_rate(
    database: Database, club: Access
) -> None:
    """Else the others would be paid for it at another."""
    evening = table.start(database, club, rate=cash.TEN_FOR_ONE)
    table.record(database, club, evening, cash.ANN_WINS)
    cash.leave(database, club, evening, "Ann")
    cash.convert(database, club, evening)
    set_rate(database, club, evening, Rate(1, 1))
    with pytest.raises(
        Conflict, match=r"converted at 10 chips to 0\.01 EUR; set the session's rate"
    ):
        undo_leaving.take_back(table.write(database, club), evening, player="Ann", reason="stays")
    set_rate(database, club, evening, cash.TEN_FOR_ONE)
    undo_leaving.take_back(table.write(database, club), evening, player="Ann", reason="stays")
    cash.convert(database, club, evening)
    assert cash.owed(database, club) == {"Ann": 30} | dict.fromkeys(table.SEVEN[1:], -5)


def test_the_journal_shows_the_players_money_and_the_rate(database: Database, club: Access) -> None:
    """A session's entries name whose money they moved."""
    evening = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE)
    table.record(database, club, evening, cash.ANN_WINS)
    cash.convert(database, club, evening)
    (_, conversion), total = ask(database, club, accounts.entries, evening)
    assert total == 2
    assert conversion.details["rate"] == {"chips": 10, "money": 1}
    moved = {
        post.account.player: post.amount for post in conversion.postings if post.account.player
    }
    assert moved == {"Ann": 15, "Bob": -5, "Cyd": -5, "Dee": -5}


def test_a_closed_session_is_not_converted(database: Database, club: Access) -> None:
    """Nor is its rate changed."""
    evening = table.start(database, club)
    table.record(database, club, evening, cash.ANN_WINS)
    lifecycle.close(table.write(database, club), evening)
    with pytest.raises(SessionClosed):
        cash.convert(database, club, evening, cash.TEN_FOR_ONE)
    with pytest.raises(SessionClosed):
        set_rate(database, club, evening, cash.TEN_FOR_ONE)


def test_a_retried_conversion_converts_once(database: Database, club: Access) -> None:
    """With the same key it gives the same answer, though nothing is left to convert."""
    evening = table.start(database, club)
    table.record(database, club, evening, cash.ANN_WINS)
    key = table.new_key()
    first = convert.convert(Write(database, club, key), evening, rate=cash.TEN_FOR_ONE)
    assert convert.convert(Write(database, club, key), evening, rate=cash.TEN_FOR_ONE) == first
    assert cash.owed(database, club)["Ann"] == 30
