"""The stakes: the club's chips and currency, the stack and the rate of a session."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.money import currency
from ledger.services.session.load import load
from ledger.services.session.session_filter import EVERY_SESSION
from ledger.services.session.view import Rate
from tests.ledger import table
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone


@pytest.fixture
def address(database: Database, club: Access) -> str:
    """Where the pages of a session of four are."""
    return f"/clubs/{club.club_id}/sessions/{table.start(database, club, table.FOUR)}"


def test_the_club_names_its_chips_and_currency(
    scorer: Phone, database: Database, club: Access, address: str
) -> None:
    """The count asks for them."""
    place = f"/clubs/{club.club_id}/settings"
    form = scorer.open(place).form("/settings")
    assert dict(form.fields)["denominations"] == "5, 20, 30"
    assert scorer.send(form, currency="usd", denominations="1, 10 50").status == 303
    assert ask(database, club, currency.show) == currency.ClubMoney("USD", (1, 10, 50))
    names = [name for name, _ in scorer.open(f"{address}/count").form("/count").fields]
    assert sum(name.endswith("-50") for name in names) == 4


@pytest.mark.parametrize(
    ("field", "typed"), [("currency", "euros"), ("denominations", "five"), ("denominations", "")]
)
def test_settings_that_cannot_be_are_refused_at_their_input(
    scorer: Phone, club: Access, field: str, typed: str
) -> None:
    """And the inputs keep the typed text."""
    form = scorer.open(f"/clubs/{club.club_id}/settings").form("/settings")
    page = scorer.send(form, **{field: typed})
    assert page.status == 422
    assert page.wrong(field)
    assert dict(page.form("/settings").fields)[field] == typed


def test_a_session_starts_with_the_stack_its_game_proposes(
    scorer: Phone, club: Access, database: Database
) -> None:
    """150 for Crazy Solo, none for another game, unless somebody typed one."""
    place = f"/clubs/{club.club_id}/sessions/new"
    form = scorer.open(place).form("/new")
    assert dict(form.fields)["stack"] == "150"
    other = scorer.send(form, game="six-bid").form("/new")
    assert dict(other.fields)["stack"] == "0"
    typed = scorer.send(form, stack="200", game="six-bid").form("/new")
    assert dict(typed.fields)["stack"] == "200"
    started = scorer.send(
        form, do="start", seat=["Ann", "Bob", "Cyd"], rate_chips="100", rate_money="0.50"
    )
    view = ask(database, club, load, int(started.location.rsplit("/", 1)[1]))
    assert (view.starting_stack, view.rate) == (150, Rate(100, 50))
    assert {seat.balance for seat in view.seats} == {150}


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"stack": "lots"}, "stack"),
        ({"stack": "-5"}, "stack"),
        ({"rate_chips": "100"}, "rate_money"),
        ({"rate_money": "1"}, "rate_chips"),
    ],
)
def test_stakes_that_cannot_be_are_refused_at_their_input(
    scorer: Phone, club: Access, database: Database, said: dict[str, str], field: str
) -> None:
    """No session is started."""
    form = scorer.open(f"/clubs/{club.club_id}/sessions/new").form("/new")
    page = scorer.send(form, do="start", seat=["Ann", "Bob", "Cyd"], **said)
    assert page.status == 422
    assert page.wrong(field)
    assert ask(database, club, EVERY_SESSION.count) == 0
