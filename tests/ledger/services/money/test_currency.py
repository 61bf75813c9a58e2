"""A club's currency and chips."""

import pytest
from sqlmodel import select

from ledger.database.models import Club
from ledger.services.money import currency as money_currency
from ledger.services.money import payments
from ledger.services.money.currency import ClubMoney
from ledger.words.problems import Conflict, Invalid, ReadOnly, Stale
from tests.ledger import cash
from tests.ledger.evenings import CardClub


def test_a_club_has_euros_and_chips_of_five_twenty_and_thirty(sqlite_club: CardClub) -> None:
    """Until it says otherwise; the rest stays when one of both is changed."""
    assert sqlite_club.read(money_currency.show) == ClubMoney("EUR", (5, 20, 30))
    sqlite_club.do(money_currency.change, currency=" usd ")
    sqlite_club.do(money_currency.change, denominations=[100, 1, 10])
    assert sqlite_club.read(money_currency.show) == ClubMoney("USD", (1, 10, 100))
    with sqlite_club.refuses(Stale, "The club's currency or its chips changed"):
        money_currency.change(sqlite_club.write(1), currency="EUR")


def test_money_once_booked_keeps_its_currency(sqlite_club: CardClub) -> None:
    """Two currencies in one club would never add up; the chips may change."""
    evening = sqlite_club.start()
    evening.record(cash.ANN_WINS)
    evening.convert(cash.TEN_FOR_ONE)
    with sqlite_club.refuses(Conflict, "already has entries in EUR"):
        sqlite_club.do(money_currency.change, currency="USD")
    sqlite_club.do(money_currency.change, currency="EUR", denominations=[5])
    assert sqlite_club.read(payments.settle_up).currency == "EUR"


@pytest.mark.parametrize(
    ("message", "currency"),
    [
        *(("three letters", code) for code in ("", "E", "EURO", "12A", "€€€", "ÄÖÜ")),
        *((f"{code} is not a currency code", code) for code in ("ABC", "XAU", "DEM")),
    ],
)
def test_a_currency_is_a_code_that_somebody_pays_with(
    sqlite_club: CardClub, message: str, currency: str
) -> None:
    """Three letters as ISO 4217 writes them; not made up, gold, or gone."""
    with sqlite_club.refuses(Invalid, message, at="currency"):
        sqlite_club.do(money_currency.change, currency=currency)


def test_a_code_of_an_older_database_stays_with_two_decimals(sqlite_club: CardClub) -> None:
    """What was written in it was written so; saving the page of settings changes nothing."""
    with sqlite_club.db.write(sqlite_club.access) as session:
        session.exec(select(Club)).one().currency = "ABC"
    sqlite_club.do(money_currency.change, currency="ABC", denominations=[5])
    money = sqlite_club.read(money_currency.show)
    assert (money, money.decimals) == (ClubMoney("ABC", (5,)), 2)


@pytest.mark.parametrize("values", [[], [0], [5, 5], [-5], [1_000_001], list(range(1, 14))])
def test_chips_are_worth_something_and_differ(sqlite_club: CardClub, values: list[int]) -> None:
    """One to twelve kinds."""
    with sqlite_club.refuses(Invalid, at="denominations"):
        sqlite_club.do(money_currency.change, denominations=values)
    assert sqlite_club.read(money_currency.show).denominations == (5, 20, 30)


def test_a_viewer_changes_neither(sqlite_club: CardClub) -> None:
    """But may look."""
    viewer = sqlite_club.viewer()
    with viewer.refuses(ReadOnly):
        viewer.do(money_currency.change, currency="USD")
    assert viewer.read(money_currency.show).currency == "EUR"
