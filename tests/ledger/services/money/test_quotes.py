"""What is quoted is what is done, to the cent."""

import pytest

from ledger.books.balances import BalanceTooLarge
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import adjust
from ledger.services.club import clubs
from ledger.services.money import convert as money_convert
from ledger.services.money import payments
from ledger.services.money.convert import RateFixed
from ledger.services.session.view import Rate
from ledger.services.table import cash_out, lifecycle
from ledger.services.undo import leaving as undo_leaving
from ledger.words.problems import Invalid, SessionClosed
from tests.ledger import cash, table
from tests.ledger.table import ask, asking, dry


def owed(database: Database, club: Access) -> dict[str, int]:
    """What each player is owed, those who are even left out."""
    return {each.player: each.balance for each in ask(database, club, payments.settle_up).balances}


@pytest.mark.parametrize("rate", [Rate(10, 1), Rate(30, 7), Rate(7, 30)])
def test_leaving_and_converting_pay_what_was_quoted(
    database: Database, club: Access, rate: Rate
) -> None:
    """Whatever is left over by rounding, with somebody who left before."""
    session = table.start(database, club, table.FOUR, starting_stack=150, rate=rate)
    table.record(database, club, session, cash.ANN_WINS)
    leaver = ask(database, club, dry(cash_out.leave), session, player="bob")
    assert (leaver.player, leaver.chips, leaver.borrowed, leaver.won) == ("Bob", 100, 150, -50)
    cash.leave(database, club, session, "Bob")
    assert owed(database, club) == {"Bob": leaver.money}
    quoted = ask(database, club, money_convert.quote, session)
    assert quoted.paid_before == leaver.money
    cash.convert(database, club, session)
    expected = {each.player: each.money for each in quoted.players if each.money}
    assert owed(database, club) == {"Bob": leaver.money, **expected}
    after = ask(database, club, money_convert.quote, session)
    assert not after.anything
    assert {(each.chips, each.borrowed, each.won) for each in after.players} == {(0, 0, 0)}


def test_nothing_is_quoted_while_chips_lie_elsewhere(database: Database, club: Access) -> None:
    """The pots are named, with what they hold."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    session = table.start(
        database, club, ("Ann", "Bob", "Cyd"), "progressive", options=options, rate=Rate(10, 1)
    )
    table.record(database, club, session, table.ALL_PASS)
    quoted = ask(database, club, money_convert.quote, session)
    assert quoted.waits == (("frog", 15), ("solo", 15))
    assert {each.money for each in quoted.players} == {None}


def test_no_conversion_is_quoted_that_would_be_refused(database: Database, club: Access) -> None:
    """Ann was cashed out at ten to one, so no other rate is quoted; nothing once the session is closed."""
    session = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE)
    table.record(database, club, session, cash.ANN_WINS)
    cash.leave(database, club, session, "Ann")
    for convert in (asking(money_convert.quote), cash.convert):
        with pytest.raises(RateFixed, match=r"cashed out at 10 chips to 0\.01 EUR"):
            convert(database, club, session, Rate(1, 100))
    same = ask(database, club, money_convert.quote, session, cash.TEN_FOR_ONE)
    assert same == ask(database, club, money_convert.quote, session)
    cash.convert(database, club, session)
    for convert in (asking(money_convert.quote), cash.convert):
        with pytest.raises(Invalid, match="1 to 1,000,000,000 chips"):
            convert(database, club, session, Rate(0, 1))
    lifecycle.close(table.write(database, club), session)
    for convert in (asking(money_convert.quote), cash.convert):
        with pytest.raises(SessionClosed):
            convert(database, club, session)


def test_who_is_not_here_is_quoted_nothing(database: Database, club: Access) -> None:
    """Said at the player."""
    session = table.start(database, club)
    with pytest.raises(Invalid) as refused:
        ask(database, club, dry(cash_out.leave), session, player="Zoe")
    assert [fault.field for fault in refused.value.faults] == ["player"]


def ten_billion(db: Database, access: Access, session_id: int) -> None:
    """Let Ann win ten billion chips of Bob."""
    for _ in range(10):
        for player, chips in (("Ann", 10**9), ("Bob", -(10**9))):
            adjust.adjust(
                table.write(db, access),
                session_id,
                player=player,
                chips=chips,
                reason="a bet",
            )


def test_money_that_no_account_can_hold_is_refused_in_the_quote_as_in_the_deed(
    any_database: Database,
) -> None:
    """At once or with what is there from before, on either database; at a smaller rate it is done."""
    here, _ = clubs.found(any_database, name="Kitchen Table", passcode="123456")
    session = table.start(any_database, here, ("Ann", "Bob", "Cyd"))

    def refused(rate: Rate) -> str:
        rows = table.row_counts(any_database)
        quoted = ask(any_database, here, money_convert.quote, session, rate)
        assert quoted.refusal is not None
        assert {each.money for each in quoted.players} == {None}
        with pytest.raises(BalanceTooLarge) as caught:
            cash.convert(any_database, here, session, rate)
        assert caught.value.message == quoted.refusal.message
        assert table.row_counts(any_database) == rows
        return caught.value.message

    ten_billion(any_database, here, session)
    assert "would put Ann at 100,000,000,000,000,000.00 EUR" in refused(Rate(1, 10**9))
    assert "would put Ann at 90,000,000,000,000,000.00 EUR" in refused(Rate(1, 9 * 10**8))
    assert ask(any_database, here, money_convert.quote, session, Rate(1, 90_000)).refusal is None
    cash.convert(any_database, here, session, Rate(1, 90_000))
    ten_billion(any_database, here, session)
    assert "would put Ann at 18,000,000,000,000.00 EUR" in refused(Rate(1, 90_000))
    cash.convert(any_database, here, session, Rate(1, 10_000))
    assert owed(any_database, here) == {"Ann": 10**15, "Bob": -(10**15)}
    assert list(verify(any_database)) == []


def test_a_leaving_with_more_money_than_an_account_can_hold_is_refused_as_it_is_quoted(
    database: Database, club: Access
) -> None:
    """The player's, or the till's where two leave with what one of them could."""
    session = table.start(database, club, table.FOUR)
    ten_billion(database, club, session)
    money_convert.set_rate(table.write(database, club), session, rate=Rate(1, 100_001))
    for act in (
        lambda: ask(database, club, dry(cash_out.leave), session, player="Ann"),
        lambda: cash.leave(database, club, session, "Ann"),
    ):
        with pytest.raises(BalanceTooLarge, match=r"would put Ann at 10,000,100,000,000\.00 EUR"):
            act()
    adjust.adjust(table.write(database, club), session, player="Ann", chips=-(10**9), reason="gave")
    cash.leave(database, club, session, "Ann")
    for _ in range(6):
        adjust.adjust(
            table.write(database, club),
            session,
            player="Cyd",
            chips=2 * 10**8,
            reason="got",
        )
    for act in (
        lambda: ask(database, club, dry(cash_out.leave), session, player="Cyd"),
        lambda: cash.leave(database, club, session, "Cyd"),
    ):
        with pytest.raises(BalanceTooLarge, match=r"would put the till at -10,200,102,000,000\.00"):
            act()
    undo_leaving.take_back(table.write(database, club), session, player="Ann", reason="stays")
    assert list(verify(database)) == []
