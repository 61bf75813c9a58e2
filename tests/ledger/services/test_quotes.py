"""What is quoted is what is done, to the cent."""

import pytest

from ledger.access import Access
from ledger.db import Database
from ledger.problems import Invalid, SessionClosed
from ledger.services import payments, quotes, sessions
from ledger.services.money import RateFixed
from ledger.services.session_view import Rate
from tests.ledger import cash, table


def owed(database: Database, club: Access) -> dict[str, int]:
    """What each player is owed, those who are even left out."""
    return {each.player: each.balance for each in payments.settle_up(database, club).balances}


@pytest.mark.parametrize("rate", [Rate(10, 1), Rate(30, 7), Rate(7, 30)])
def test_leaving_and_converting_pay_what_was_quoted(
    database: Database, club: Access, rate: Rate
) -> None:
    """Whatever is left over by rounding, with somebody who left before."""
    session = table.start(database, club, table.FOUR, starting_stack=150, rate=rate)
    table.record(database, club, session, cash.ANN_WINS)
    leaver = quotes.leaving(database, club, session, player="bob")
    assert (leaver.player, leaver.chips, leaver.borrowed, leaver.won) == ("Bob", 100, 150, -50)
    cash.leave(database, club, session, "Bob")
    assert owed(database, club) == {"Bob": leaver.money}
    quoted = quotes.conversion(database, club, session)
    assert quoted.paid_before == leaver.money
    cash.convert(database, club, session)
    expected = {each.player: each.money for each in quoted.players if each.money}
    assert owed(database, club) == {"Bob": leaver.money, **expected}
    after = quotes.conversion(database, club, session)
    assert not after.anything
    assert {(each.chips, each.borrowed, each.won) for each in after.players} == {(0, 0, 0)}


def test_nothing_is_quoted_while_chips_lie_elsewhere(database: Database, club: Access) -> None:
    """The pots are named, with what they hold."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    session = table.start(
        database, club, ("Ann", "Bob", "Cyd"), "progressive", options=options, rate=Rate(10, 1)
    )
    table.record(database, club, session, table.ALL_PASS)
    quoted = quotes.conversion(database, club, session)
    assert quoted.waits == (("frog", 15), ("solo", 15))
    assert {each.money for each in quoted.players} == {None}


def test_no_conversion_is_quoted_that_would_be_refused(database: Database, club: Access) -> None:
    """Ann was cashed out at ten to one, so no other rate is quoted; nothing once the session is closed."""
    session = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE)
    table.record(database, club, session, cash.ANN_WINS)
    cash.leave(database, club, session, "Ann")
    for convert in (quotes.conversion, cash.convert):
        with pytest.raises(RateFixed, match=r"cashed out at 10 chips to 0\.01 EUR"):
            convert(database, club, session, Rate(1, 100))
    same = quotes.conversion(database, club, session, cash.TEN_FOR_ONE)
    assert same == quotes.conversion(database, club, session)
    cash.convert(database, club, session)
    for convert in (quotes.conversion, cash.convert):
        with pytest.raises(Invalid, match="1 to 1,000,000,000 chips"):
            convert(database, club, session, Rate(0, 1))
    sessions.close(database, club, table.new_key(), session)
    for convert in (quotes.conversion, cash.convert):
        with pytest.raises(SessionClosed):
            convert(database, club, session)


def test_who_is_not_here_is_quoted_nothing(database: Database, club: Access) -> None:
    """Said at the player."""
    session = table.start(database, club)
    with pytest.raises(Invalid) as refused:
        quotes.leaving(database, club, session, player="Zoe")
    assert [fault.field for fault in refused.value.faults] == ["player"]
