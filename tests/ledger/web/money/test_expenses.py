"""Shared expenses on the pages: entered in a minute, settled, undone."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.ledger import cash, table
from tests.ledger.web.phone import Form, Page, Phone

pytestmark = pytest.mark.usefixtures("cashed_in")
PIZZA = {"title": "Pizza", "amount": "10,00", "payer": "Ann"}


def address(club: Access) -> str:
    """The address of the page."""
    return f"/clubs/{club.club_id}/money/expenses"


def form(page: Page) -> Form:
    """The form for a new expense."""
    return next(
        form for form in page.reader.forms if any(name == "title" for name, _ in form.fields)
    )


def test_an_expense_is_entered_with_five_taps(
    scorer: Phone, viewer: Phone, database: Database, club: Access
) -> None:
    """The players of the newest evening are chosen already; a viewer reads everybody's part."""
    before = cash.owed(database, club)
    page = scorer.open(address(club))
    chosen = [value for name, value in form(page).fields if name == "shared_by"]
    assert chosen == ["Ann", "Bob", "Cyd", "Dee"]
    sent = scorer.send(form(page), **PIZZA, settled="together")
    assert sent.status == 303
    page = scorer.open(sent.location)
    assert "Shared: Pizza, 10.00 EUR." in page.text
    assert "Ann 2.50 Bob 2.50 Cyd 2.50 Dee 2.50" in viewer.open(address(club)).text
    owed = cash.owed(database, club)
    moved = {name: owed[name] - before[name] for name in before}
    assert moved == {"Ann": 750, "Bob": -250, "Cyd": -250, "Dee": -250}
    assert "Expense: Pizza" in scorer.open(f"/clubs/{club.club_id}/players/1/statement").text


def test_shares_and_separate_payments(
    scorer: Phone, cashed_in: str, database: Database, club: Access
) -> None:
    """Bob with three shares pays three quarters, in a payment of its own."""
    shares = {f"shares-{table.player_id(database, club, 'Bob')}": "3"}
    entered = form(scorer.open(address(club)))
    entered.fields = [pair for pair in entered.fields if pair[0] != "shared_by"]
    entered.fields += [("shared_by", "Ann"), ("shared_by", "Bob")]
    assert scorer.send(entered, **PIZZA, **shares, settled="separately").status == 303
    assert "1 share" in scorer.open(address(club)).text
    page = scorer.open(cashed_in)
    assert "For expenses, settled separately Bob pays Ann 7.50" in page.text
    paying = next(form for form in page.reader.forms if ("separate", "yes") in form.fields)
    assert scorer.send(paying, amount="7").status == 303
    text = scorer.open(cashed_in).text
    assert "Bob pays Ann 0.50" in text
    late = scorer.send(paying, amount="7", key="another-key-of-a-form")
    assert late.status == 412


def test_a_refused_expense_keeps_what_was_typed(
    scorer: Phone, club: Access, database: Database
) -> None:
    """The error is at its field."""
    before = table.row_counts(database)
    entered = form(scorer.open(address(club)))
    for change, field, sentence in (
        ({"title": ""}, "title", "Say what was paid for"),
        ({"amount": ""}, "amount", "Say how much was paid"),
        ({"amount": "much"}, "amount", "is not an amount in EUR"),
        ({"payer": ""}, "payer", "Nobody in this club"),
        ({"shares-2": "many"}, "shared_by", "1 to 100 shares"),
    ):
        page = scorer.must_refuse(entered, field, sentence, **{**PIZZA, **change})
        typed = dict(form(page).fields)
        assert typed["title"] == {**PIZZA, **change}["title"]
    assert table.row_counts(database) == before


def test_an_expense_is_undone_with_a_reason(scorer: Phone, viewer: Phone, club: Access) -> None:
    """It stays in the list, marked."""
    scorer.send(form(scorer.open(address(club))), **PIZZA)
    undoing = scorer.open(address(club)).reader.forms[-1]
    refused = scorer.send(undoing, reason="")
    assert refused.status == 422
    assert "Give a reason" in refused.wrong("reason")
    sent = scorer.send(undoing, reason="the host paid")
    assert "The expense is undone." in scorer.open(sent.location).text
    assert "undone" in viewer.open(address(club)).text
