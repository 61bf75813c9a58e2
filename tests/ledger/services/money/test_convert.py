"""Chips to money: at the agreed rate, no unit lost, scores left alone."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.services.money import convert
from ledger.services.reads import accounts, session
from ledger.services.session.view import Rate
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening


def test_a_conversion_is_an_entry_with_its_rate(any_club: CardClub) -> None:
    """It sums to zero in chips and in money; the journal names whose money it moved."""
    evening = any_club.start(rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    answer = evening.convert()
    assert (answer["currency"], set(answer["balances"].values())) == ("EUR", {0})
    assert answer["revision"] == evening.view.revision == 3
    entry, moved = evening.entry(answer)
    assert (entry.kind, entry.details["rate"]) == ("conversion", {"chips": 10, "money": 1})
    assert sum(moved.values()) == 0
    assert {name: money for name, money in moved.items() if "EUR" in name} == {
        "Ann/EUR": 15,
        "Bob/EUR": -5,
        "Cyd/EUR": -5,
        "Dee/EUR": -5,
    }
    (_, listed), total = evening.read(accounts.entries)
    assert (total, listed.details["rate"]) == (2, {"chips": 10, "money": 1})
    players = {post.account.player: post.amount for post in listed.postings if post.account.player}
    assert players == {"Ann": 15, "Bob": -5, "Cyd": -5, "Dee": -5}


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
    sqlite_club: CardClub, points: list[int], chips: int, cents: int, departed: set[int]
) -> None:
    """What all players are owed sums to 0, and each is within a unit or so of the exact share."""
    evening = sqlite_club.start(table.SEVEN, rate=Rate(chips, cents))
    before = sqlite_club.owed
    for count in points:
        evening.record({**cash.ANN_WINS, "points": count})
    for place in departed:
        evening.leave(table.SEVEN[place])
    won, paid = evening.nets, sqlite_club.owed
    evening.convert()
    owed = sqlite_club.owed
    assert sum(owed.values()) == 0
    stay = [name for place, name in enumerate(table.SEVEN) if place not in departed and won[name]]
    for name in table.SEVEN:
        if name in stay:
            exact = won[name] * cents / chips
            bears = 1 + len(departed) / (2 * len(stay))
            assert abs(owed.get(name, 0) - before.get(name, 0) - exact) <= bears
        elif stay:
            assert owed.get(name, 0) == paid.get(name, 0)


def scored(evening: Evening) -> dict[str, int]:
    """Return what everybody scored."""
    return {seat.name: seat.scored for seat in evening.view.seats}


def test_scores_wait_for_nobody_and_become_no_money(sqlite_club: CardClub) -> None:
    """Ann made a solo, Bob lost one: 6 and −6 stay what they are while the chips beside them are paid."""
    made, lost = table.german_solo("Ann"), table.german_solo("Bob", made=False)
    played = cash.voided_scores(sqlite_club.db, sqlite_club.access, made, lost)
    evening = sqlite_club.evening(played)
    evening.restore(1)
    evening.restore(2)
    evening.record(cash.ANN_WINS)
    chips = evening.balances
    assert sum(chips.values()) == 0
    assert scored(evening) == {"Ann": 6, "Bob": -6, "Cyd": 0, "Dee": 0}
    settled = evening.read(accounts.settlement)
    paid = dict.fromkeys(chips, 0)
    for payment in settled.payments:
        paid[payment.payee] += payment.amount
        paid[payment.payer] -= payment.amount
    assert (settled.unit, settled.even, settled.scored, paid) == ("chips", True, True, chips)
    assert evening.read(convert.quote).waits == ()
    evening.leave("Cyd")
    evening.convert()
    assert sqlite_club.owed == {name: won // 10 for name, won in chips.items() if won}
    assert set(evening.balances.values()) == {0}
    assert scored(evening)["Ann"] == 6
    assert evening.read(session.summary).instead_of_payments == "Everybody is even."
    sqlite_club.must_verify()


def test_a_retried_conversion_converts_once(sqlite_club: CardClub) -> None:
    """With the same key it gives the same answer, though nothing is left to convert."""
    evening = sqlite_club.start(table.SEVEN)
    evening.record(cash.ANN_WINS)
    write = sqlite_club.write()
    answer = convert.convert(write, evening.id, rate=cash.TEN_FOR_ONE)
    assert convert.convert(write, evening.id, rate=cash.TEN_FOR_ONE) == answer
    assert sqlite_club.owed["Ann"] == 30
