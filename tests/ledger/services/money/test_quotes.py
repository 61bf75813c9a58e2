"""What is quoted is what is done, to the cent."""

from collections.abc import Callable

import pytest

from ledger.books.balances import BalanceTooLarge
from ledger.services.money import convert
from ledger.services.money.convert import RateFixed
from ledger.services.session.view import Rate
from ledger.services.table import cash_out
from ledger.words.problems import Invalid, SessionClosed
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening


@pytest.mark.parametrize("rate", [Rate(10, 1), Rate(30, 7), Rate(7, 30)])
def test_leaving_and_converting_pay_what_was_quoted(sqlite_club: CardClub, rate: Rate) -> None:
    """Whatever is left over by rounding, with somebody who left before."""
    evening = sqlite_club.start(starting_stack=150, rate=rate)
    evening.record(cash.ANN_WINS)
    leaver = evening.preview(cash_out.leave, player="bob")
    assert (leaver.player, leaver.chips, leaver.borrowed, leaver.won) == ("Bob", 100, 150, -50)
    assert leaver.balances == {"Ann": 300, "Cyd": 100, "Dee": 100}
    evening.leave("Bob")
    assert sqlite_club.owed == {"Bob": leaver.money}
    quote = evening.read(convert.quote)
    assert quote.paid_before == leaver.money
    evening.convert()
    expected = {line.player: line.money for line in quote.players if line.money}
    assert sqlite_club.owed == {"Bob": leaver.money, **expected}
    after = evening.read(convert.quote)
    assert not after.anything
    assert {(line.chips, line.borrowed, line.won) for line in after.players} == {(0, 0, 0)}


def test_nothing_is_quoted_while_chips_lie_elsewhere(sqlite_club: CardClub) -> None:
    """The pots and the differences are named, with what is in them."""
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    evening = sqlite_club.start(table.FOUR[:3], "progressive", options=options, rate=Rate(10, 1))
    evening.record(table.ALL_PASS)
    evening.adjust("Ann", -1)
    quote = evening.read(convert.quote)
    assert quote.waits == (("differences", 1), ("frog", 15), ("solo", 15))
    assert {line.money for line in quote.players} == {None}


def test_no_conversion_is_quoted_that_would_be_refused(sqlite_club: CardClub) -> None:
    """Ann was cashed out at ten to one, so no other rate is quoted; nothing once the session is closed."""
    evening = sqlite_club.start(rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    evening.leave("Ann")

    def refused(error: type[Exception], match: str, rate: Rate | None) -> None:
        with sqlite_club.refuses(error, match):
            evening.read(convert.quote, rate)
        with sqlite_club.refuses(error, match):
            evening.convert(rate)

    refused(RateFixed, r"cashed out at 10 chips to 0\.01 EUR", Rate(1, 100))
    assert evening.read(convert.quote, cash.TEN_FOR_ONE) == evening.read(convert.quote)
    evening.convert()
    refused(Invalid, "1 to 1,000,000,000 chips", Rate(0, 1))
    evening.close()
    refused(SessionClosed, "is closed", None)


def test_who_is_not_here_is_quoted_nothing(sqlite_club: CardClub) -> None:
    """Refused at the player."""
    evening = sqlite_club.start()
    with sqlite_club.refuses(Invalid, at="player"):
        evening.preview(cash_out.leave, player="Zoe")


def ten_billion(evening: Evening) -> None:
    """Let Ann win ten billion chips of Bob."""
    for _ in range(10):
        evening.adjust("Ann", 10**9)
        evening.adjust("Bob", -(10**9))


def test_money_that_no_account_can_hold_is_refused_in_the_quote_as_in_the_deed(
    any_club: CardClub,
) -> None:
    """At once or with what is there from before, on either database; at a smaller rate it is done."""
    evening = any_club.start(table.FOUR[:3])

    def refused(rate: Rate) -> str:
        quote = evening.read(convert.quote, rate)
        assert quote.refusal is not None
        assert {line.money for line in quote.players} == {None}
        with any_club.refuses(BalanceTooLarge) as caught:
            evening.convert(rate)
        assert caught.value.message == quote.refusal.message
        return quote.refusal.message

    ten_billion(evening)
    assert "would put Ann at 100,000,000,000,000,000.00 EUR" in refused(Rate(1, 10**9))
    assert "would put Ann at 90,000,000,000,000,000.00 EUR" in refused(Rate(1, 9 * 10**8))
    assert evening.read(convert.quote, Rate(1, 90_000)).refusal is None
    evening.convert(Rate(1, 90_000))
    ten_billion(evening)
    assert "would put Ann at 18,000,000,000,000.00 EUR" in refused(Rate(1, 90_000))
    evening.convert(Rate(1, 10_000))
    assert any_club.owed == {"Ann": 10**15, "Bob": -(10**15)}
    any_club.must_verify()


def test_a_leaving_with_more_money_than_an_account_can_hold_is_refused_as_it_is_quoted(
    sqlite_club: CardClub,
) -> None:
    """The player's, or the till's if two leave with what one of them could."""
    evening = sqlite_club.start()
    ten_billion(evening)
    evening.set_rate(Rate(1, 100_001))

    def refused(player: str, message: str) -> None:
        acts: tuple[Callable[..., object], ...] = (evening.preview, evening.do)
        for act in acts:
            with sqlite_club.refuses(BalanceTooLarge, message):
                act(cash_out.leave, player=player)

    refused("Ann", r"would put Ann at 10,000,100,000,000\.00 EUR")
    evening.adjust("Ann", -(10**9))
    evening.leave("Ann")
    for _ in range(6):
        evening.adjust("Cyd", 2 * 10**8)
    refused("Cyd", r"would put the till at -10,200,102,000,000\.00")
    evening.stay("Ann")
    sqlite_club.must_verify()
