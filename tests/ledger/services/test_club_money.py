"""A club's currency and chips."""

import pytest
from sqlmodel import select

from ledger.access import Access, Role
from ledger.db import Database
from ledger.models import Club
from ledger.problems import Conflict, Invalid, ReadOnly
from ledger.services import club_money, money, payments, sessions, undo
from ledger.services.club_money import ClubMoney
from ledger.services.session_view import Rate
from ledger.services.taking_back import CannotTakeBack
from tests.ledger import cash, table


def test_a_club_keeps_euros_and_chips_of_five_twenty_and_thirty(
    database: Database, club: Access
) -> None:
    """Until it says otherwise; the rest stays when one of both is changed."""
    assert club_money.show(database, club) == ClubMoney("EUR", (5, 20, 30))
    club_money.change(database, club, table.new_key(), currency=" usd ")
    club_money.change(database, club, table.new_key(), denominations=[100, 1, 10])
    assert club_money.show(database, club) == ClubMoney("USD", (1, 10, 100))


def test_money_once_booked_keeps_its_currency(database: Database, club: Access) -> None:
    """Two currencies in one club would never add up; the chips may change."""
    tonight = table.start(database, club, table.FOUR)
    table.record(database, club, tonight, cash.ANN_WINS)
    cash.convert(database, club, tonight, cash.TEN_FOR_ONE)
    with pytest.raises(Conflict, match="booked in EUR already"):
        club_money.change(database, club, table.new_key(), currency="USD")
    club_money.change(database, club, table.new_key(), currency="EUR", denominations=[5])
    assert payments.settle_up(database, club).currency == "EUR"


@pytest.mark.parametrize("currency", ["", "E", "EURO", "12A", "€€€"])
def test_a_currency_has_three_letters(database: Database, club: Access, currency: str) -> None:
    """As ISO 4217 writes them."""
    with pytest.raises(Invalid) as caught:
        club_money.change(database, club, table.new_key(), currency=currency)
    assert [fault.field for fault in caught.value.faults] == ["currency"]


@pytest.mark.parametrize("currency", ["ABC", "XAU", "DEM"])
def test_a_currency_that_nobody_pays_with_is_refused(
    database: Database, club: Access, currency: str
) -> None:
    """Made up, gold, or gone: in words, at its field."""
    with pytest.raises(Invalid, match=f"{currency} is no currency's code") as caught:
        club_money.change(database, club, table.new_key(), currency=currency)
    assert [fault.field for fault in caught.value.faults] == ["currency"]
    assert club_money.show(database, club).currency == "EUR"


def test_a_code_of_older_books_stays_with_two_decimals(database: Database, club: Access) -> None:
    """What was written in it was written so; saving the page of settings changes nothing."""
    with database.write(club) as session:
        session.exec(select(Club)).one().currency = "ABC"
    club_money.change(database, club, table.new_key(), currency="ABC", denominations=[5])
    assert club_money.show(database, club) == ClubMoney("ABC", (5,))
    assert club_money.show(database, club).decimals == 2


def test_a_rate_agreed_on_never_comes_to_mean_another_sum(database: Database, club: Access) -> None:
    """1.00 EUR is 100 in the books, which would be 100 JPY; dollars have cents as well."""
    evening = table.start(database, club, rate=Rate(100, 100), title="Friday")
    for other in ("JPY", "KWD"):
        with pytest.raises(Conflict, match=r"“Friday” is played at 100 chips to 1\.00 EUR"):
            club_money.change(database, club, table.new_key(), currency=other)
    club_money.change(database, club, table.new_key(), currency="USD")
    money.set_rate(database, club, table.new_key(), evening, rate=None)
    club_money.change(database, club, table.new_key(), currency="JPY")
    money.set_rate(database, club, table.new_key(), evening, rate=Rate(100, 100))
    with pytest.raises(Conflict, match="at 100 chips to 100 JPY"):
        club_money.change(database, club, table.new_key(), currency="EUR")


def test_what_hinders_another_currency_can_be_done(database: Database, club: Access) -> None:
    """A closed session may be opened again, so its rate counts: it is to be reopened, and then it is left."""
    evening = table.start(database, club, rate=Rate(100, 100), title="Friday")
    sessions.close(database, club, table.new_key(), evening)
    with pytest.raises(Conflict, match=r"Reopen “Friday” and leave that rate empty first"):
        club_money.change(database, club, table.new_key(), currency="JPY")
    sessions.reopen(database, club, table.new_key(), evening)
    with pytest.raises(Conflict, match=r"JPY has other decimals\. Leave that rate empty first"):
        club_money.change(database, club, table.new_key(), currency="JPY")
    money.set_rate(database, club, table.new_key(), evening, rate=None)
    club_money.change(database, club, table.new_key(), currency="JPY")


@pytest.mark.parametrize("values", [[], [0], [5, 5], [-5], [1_000_001], list(range(1, 14))])
def test_chips_are_worth_something_and_differ(
    database: Database, club: Access, values: list[int]
) -> None:
    """One to twelve kinds."""
    with pytest.raises(Invalid) as caught:
        club_money.change(database, club, table.new_key(), denominations=values)
    assert [fault.field for fault in caught.value.faults] == ["denominations"]
    assert club_money.show(database, club).denominations == (5, 20, 30)


def test_a_viewer_changes_neither(database: Database, club: Access) -> None:
    """But may look."""
    viewer = Access(club.club_id, Role.VIEWER, "viewer")
    with pytest.raises(ReadOnly):
        club_money.change(database, viewer, table.new_key(), currency="USD")
    assert club_money.show(database, viewer).currency == "EUR"


def test_a_rate_comes_back_only_in_money_in_which_it_means_the_same(
    database: Database, club: Access
) -> None:
    """1.00 EUR left empty and taken back would be 100 JPY; in dollars it is 1.00 again."""
    evening = table.start(database, club, rate=Rate(100, 100))
    money.set_rate(database, club, table.new_key(), evening, rate=None)
    club_money.change(database, club, table.new_key(), currency="JPY")
    said = "The rate before was in EUR, and the club counts in JPY by now"
    with pytest.raises(CannotTakeBack, match=said):
        undo.undo(database, club, table.new_key(), evening)
    assert undo.look(database, club, evening).refusal
    club_money.change(database, club, table.new_key(), currency="USD")
    undo.undo(database, club, table.new_key(), evening)
    assert sessions.show(database, club, evening).rate == Rate(100, 100)
