"""A club's currency and chips."""

import pytest
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import Club
from ledger.services.money import convert, payments
from ledger.services.money import currency as money_currency
from ledger.services.money.currency import ClubMoney
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle
from ledger.services.undo import last
from ledger.services.undo.reverse import CannotUndo
from ledger.words.problems import Conflict, Invalid, ReadOnly
from tests.ledger import cash, table
from tests.ledger.table import ask


def test_a_club_keeps_euros_and_chips_of_five_twenty_and_thirty(
    database: Database, club: Access
) -> None:
    """Until it says otherwise; the rest stays when one of both is changed."""
    assert ask(database, club, money_currency.show) == ClubMoney("EUR", (5, 20, 30))
    money_currency.change(table.write(database, club), currency=" usd ")
    money_currency.change(table.write(database, club), denominations=[100, 1, 10])
    assert ask(database, club, money_currency.show) == ClubMoney("USD", (1, 10, 100))


def test_money_once_booked_keeps_its_currency(database: Database, club: Access) -> None:
    """Two currencies in one club would never add up; the chips may change."""
    tonight = table.start(database, club, table.FOUR)
    table.record(database, club, tonight, cash.ANN_WINS)
    cash.convert(database, club, tonight, cash.TEN_FOR_ONE)
    with pytest.raises(Conflict, match="already has entries in EUR"):
        money_currency.change(table.write(database, club), currency="USD")
    money_currency.change(table.write(database, club), currency="EUR", denominations=[5])
    assert ask(database, club, payments.settle_up).currency == "EUR"


@pytest.mark.parametrize("currency", ["", "E", "EURO", "12A", "€€€"])
def test_a_currency_has_three_letters(database: Database, club: Access, currency: str) -> None:
    """As ISO 4217 writes them."""
    with pytest.raises(Invalid) as caught:
        money_currency.change(table.write(database, club), currency=currency)
    assert [fault.field for fault in caught.value.faults] == ["currency"]


@pytest.mark.parametrize("currency", ["ABC", "XAU", "DEM"])
def test_a_currency_that_nobody_pays_with_is_refused(
    database: Database, club: Access, currency: str
) -> None:
    """Made up, gold, or gone: in words, at its field."""
    with pytest.raises(Invalid, match=f"{currency} is not a currency code") as caught:
        money_currency.change(table.write(database, club), currency=currency)
    assert [fault.field for fault in caught.value.faults] == ["currency"]
    assert ask(database, club, money_currency.show).currency == "EUR"


def test_a_code_of_older_books_stays_with_two_decimals(database: Database, club: Access) -> None:
    """What was written in it was written so; saving the page of settings changes nothing."""
    with database.write(club) as session:
        session.exec(select(Club)).one().currency = "ABC"
    money_currency.change(table.write(database, club), currency="ABC", denominations=[5])
    assert ask(database, club, money_currency.show) == ClubMoney("ABC", (5,))
    assert ask(database, club, money_currency.show).decimals == 2


def test_a_rate_agreed_on_never_comes_to_mean_another_sum(database: Database, club: Access) -> None:
    """1.00 EUR is 100 in the books, which would be 100 JPY; dollars have cents as well."""
    evening = table.start(database, club, rate=Rate(100, 100), title="Friday")
    for other in ("JPY", "KWD"):
        with pytest.raises(Conflict, match=r"“Friday” is played at 100 chips to 1\.00 EUR"):
            money_currency.change(table.write(database, club), currency=other)
    money_currency.change(table.write(database, club), currency="USD")
    convert.set_rate(table.write(database, club), evening, rate=None)
    money_currency.change(table.write(database, club), currency="JPY")
    convert.set_rate(table.write(database, club), evening, rate=Rate(100, 100))
    with pytest.raises(Conflict, match="at 100 chips to 100 JPY"):
        money_currency.change(table.write(database, club), currency="EUR")


def test_what_hinders_another_currency_can_be_done(database: Database, club: Access) -> None:
    """A closed session may be opened again, so its rate counts: it is to be reopened, and then it is left."""
    evening = table.start(database, club, rate=Rate(100, 100), title="Friday")
    lifecycle.close(table.write(database, club), evening)
    with pytest.raises(Conflict, match=r"Reopen “Friday” and leave that rate empty first"):
        money_currency.change(table.write(database, club), currency="JPY")
    lifecycle.reopen(table.write(database, club), evening)
    with pytest.raises(Conflict, match=r"JPY has different decimals\. Leave that rate empty first"):
        money_currency.change(table.write(database, club), currency="JPY")
    convert.set_rate(table.write(database, club), evening, rate=None)
    money_currency.change(table.write(database, club), currency="JPY")


@pytest.mark.parametrize("values", [[], [0], [5, 5], [-5], [1_000_001], list(range(1, 14))])
def test_chips_are_worth_something_and_differ(
    database: Database, club: Access, values: list[int]
) -> None:
    """One to twelve kinds."""
    with pytest.raises(Invalid) as caught:
        money_currency.change(table.write(database, club), denominations=values)
    assert [fault.field for fault in caught.value.faults] == ["denominations"]
    assert ask(database, club, money_currency.show).denominations == (5, 20, 30)


def test_a_viewer_changes_neither(database: Database, club: Access) -> None:
    """But may look."""
    viewer = Access(club.club_id, Role.VIEWER, "viewer")
    with pytest.raises(ReadOnly):
        money_currency.change(table.write(database, viewer), currency="USD")
    assert ask(database, viewer, money_currency.show).currency == "EUR"


def test_a_rate_comes_back_only_in_money_in_which_it_means_the_same(
    database: Database, club: Access
) -> None:
    """1.00 EUR left empty and taken back would be 100 JPY; in dollars it is 1.00 again."""
    evening = table.start(database, club, rate=Rate(100, 100))
    convert.set_rate(table.write(database, club), evening, rate=None)
    money_currency.change(table.write(database, club), currency="JPY")
    said = "The rate before was in EUR, and the club counts in JPY now"
    with pytest.raises(CannotUndo, match=said):
        last.undo(table.write(database, club), evening)
    assert ask(database, club, last.look, evening).refusal
    money_currency.change(table.write(database, club), currency="USD")
    last.undo(table.write(database, club), evening)
    assert ask(database, club, load, evening).rate == Rate(100, 100)
