"""Shared expenses: divided by shares to the cent, settled with the card results or separately, undone."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.services.common import apportion
from ledger.services.money import expenses, payments, statements
from ledger.services.money.settle_up import Payment
from ledger.services.money.till import Owed
from ledger.services.undo import payment as undo_payment
from ledger.services.undo.reverse import AlreadyUndone
from ledger.words.problems import Invalid, KeyReused, NotFound, ReadOnly, Stale
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.services.money.test_payments import played

NAMES = ("Ann", "Bob", "Cyd")


def shared(club: CardClub, amount: int = 1000, payer: str = "Ann", **more: Any) -> Any:
    """Share an expense, by default a pizza that Ann paid for three."""
    cost = {"title": "Pizza", "shared_by": [(name, 1) for name in NAMES], **more}
    return club.do(expenses.share, amount=amount, payer=payer, **cost)


@pytest.fixture
def seated(sqlite_club: CardClub) -> CardClub:
    """A club in which seven players once sat down."""
    sqlite_club.start(table.SEVEN)
    return sqlite_club


def test_an_expense_is_one_entry_of_the_club(any_club: CardClub) -> None:
    """With its title as reason, and who paid how much for whom in its details; the ledger verifies."""
    any_club.start(table.SEVEN)
    at = datetime(2026, 1, 31, 21, tzinfo=UTC)
    answer = shared(any_club, payer="ann", title=" Pizza  and beer ", paid_at=at)
    entry, moved = any_club.entry(answer)
    ann, bob, cyd = map(any_club.player, NAMES)
    assert (entry.kind, entry.session_id, entry.reason) == ("expense", None, "Pizza and beer")
    assert entry.occurred_at == at < entry.entered_at
    assert entry.details == {
        "payer": ann,
        "amount": 1000,
        "shares": {str(ann): 1, str(bob): 1, str(cyd): 1},
    }
    parts = {ann: 667, bob: -334, cyd: -333}
    assert moved == {f"player/{number}/EUR": part for number, part in parts.items()}
    assert any_club.owed == {"Ann": 667, "Bob": -334, "Cyd": -333}
    (line,) = any_club.read(expenses.page_of, limit=10).lines
    assert (line.title, line.payer, line.amount, line.separate) == (
        *("Pizza and beer", "Ann"),
        *(1000, False),
    )
    assert [(each.player, each.amount) for each in line.shared_by] == [
        ("Ann", 333),
        ("Bob", 334),
        ("Cyd", 333),
    ]
    any_club.must_verify()


def test_an_expense_is_shared_by_shares(seated: CardClub) -> None:
    """Two of four shares are half of it; a payer who did not eat has no part."""
    shared(seated, 2000, "Dee", shared_by=[("Ann", 1), ("Bob", 2), ("Cyd", 1)])
    assert seated.owed == {"Ann": -500, "Bob": -1000, "Cyd": -500, "Dee": 2000}
    seated.must_verify()


def test_an_expense_is_settled_together_with_the_card_results(sqlite_club: CardClub) -> None:
    """Bob owes 0.50 for cards and 3.34 for pizza, and pays both at once."""
    played(sqlite_club)
    shared(sqlite_club)
    up = sqlite_club.read(payments.settle_up)
    assert Payment("Bob", "Ann", 384) in up.payments
    assert up.separate_payments == ()


def test_an_expense_is_settled_separately(any_club: CardClub) -> None:
    """The card results stay as they are; a payment for it is of its own kind, and may be in parts."""
    played(any_club)
    cards = any_club.read(payments.settle_up)
    shared(any_club, separate=True)
    up = any_club.read(payments.settle_up)
    assert (up.balances, up.payments) == (cards.balances, cards.payments)
    assert up.separate_balances == (Owed("Ann", 667), Owed("Bob", -334), Owed("Cyd", -333))
    assert up.separate_payments == (Payment("Bob", "Ann", 334), Payment("Cyd", "Ann", 333))
    bob = {"payer": "Bob", "payee": "Ann", "separate": True}
    with any_club.refuses(Stale):
        any_club.do(payments.pay, **bob, amount=334, seen=-50)
    part = any_club.do(payments.pay, **bob, amount=300, seen=-334)
    assert any_club.entry(part)[0].kind == "separate-payment"
    assert any_club.read(payments.show, part["entry"]) == Payment("Bob", "Ann", 300)
    with any_club.refuses(Stale):
        any_club.do(payments.pay, payer="Bob", payee="Ann", amount=50, seen=-84)
    any_club.do(payments.pay, payer="Bob", payee="Ann", amount=50, seen=-50)
    up = any_club.read(payments.settle_up)
    assert Payment("Bob", "Ann", 34) in up.separate_payments
    assert "Bob" not in {each.player for each in up.balances}
    any_club.do(undo_payment.take_back, part["entry"], reason="bounced")
    up = any_club.read(payments.settle_up)
    assert Payment("Bob", "Ann", 334) in up.separate_payments
    any_club.must_verify()


def test_debts_that_cancel_in_the_account_are_still_settled_apart(sqlite_club: CardClub) -> None:
    """Bob owes 0.50 for cards and is owed 0.50 for drinks: his account is even, and both are listed."""
    played(sqlite_club)
    shared(sqlite_club, 50, "Bob", shared_by=[("Cyd", 1)], separate=True)
    assert sqlite_club.accounts[f"player/{sqlite_club.player('Bob')}/EUR"] == 0
    up = sqlite_club.read(payments.settle_up)
    assert Owed("Bob", -50) in up.balances
    assert up.separate_balances == (Owed("Bob", 50), Owed("Cyd", -50))


@pytest.mark.parametrize("separate", [False, True])
def test_an_undone_expense_is_owed_by_nobody(seated: CardClub, separate: bool) -> None:
    """Once, by a reversal with a reason; it stays in the list, marked. Payments are no expenses."""
    number = shared(seated, separate=separate)["entry"]
    seated.do(undo_payment.take_expense_back, number, reason="the host paid")
    assert seated.owed == {}
    up = seated.read(payments.settle_up)
    assert (up.balances, up.separate_balances) == ((), ())
    assert [line.taken_back for line in seated.read(expenses.page_of, limit=10).lines] == [True]
    with seated.refuses(AlreadyUndone, "the expense"):
        seated.do(undo_payment.take_expense_back, number, reason="once more")
    with seated.refuses(NotFound):
        seated.do(undo_payment.take_back, number, reason="not a payment")
    paid = seated.pay("Bob", "Ann", 5)["entry"]
    with seated.refuses(NotFound):
        seated.do(undo_payment.take_expense_back, paid, reason="not an expense")
    seated.must_verify()


def test_expenses_are_listed_newest_first_page_by_page(seated: CardClub) -> None:
    """By offset or after one of them; with the number of all."""
    numbers = [shared(seated, title=title)["entry"] for title in ("Pizza", "Drinks", "Room")]
    seated.pay("Bob", "Ann", 5)
    page = seated.read(expenses.page_of, offset=1, limit=1)
    assert (page.total, [line.title for line in page.lines]) == (3, ["Drinks"])
    page = seated.read(expenses.page_of, limit=5, after=numbers[1])
    assert [line.title for line in page.lines] == ["Pizza"]
    with seated.refuses(Invalid, at="after"):
        seated.read(expenses.page_of, limit=5, after=numbers[2] + 1)


def test_a_statement_names_the_expense(seated: CardClub) -> None:
    """As its kind and reason; neither as a payment."""
    shared(seated)
    (line,) = seated.read(statements.of_player, seated.player("Bob"), limit=5).lines
    assert (line.kind, line.reason, line.amount) == ("expense", "Pizza", -334)
    assert line.is_expense
    assert not line.is_payment


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"title": " "}, "title", "title-missing"),
        ({"title": "x" * 101}, "title", "title-too-long"),
        ({"title": "nul \0"}, "title", "title-has-controls"),
        ({"amount": 0}, "amount", "amount-out-of-range"),
        ({"amount": 10**9 + 1}, "amount", "amount-out-of-range"),
        ({"payer": "Zed"}, "payer", "unknown-player"),
        ({"shared_by": []}, "shared_by", "nobody-shares"),
        ({"shared_by": [("Zed", 1)]}, "shared_by", "unknown-player"),
        ({"shared_by": [("Bob", 1), ("bob", 1)]}, "shared_by", "named-twice"),
        ({"shared_by": [("Bob", 0)]}, "shared_by", "shares-out-of-range"),
        ({"shared_by": [("Bob", 101)]}, "shared_by", "shares-out-of-range"),
        ({"shared_by": [("Ann", 1)]}, "shared_by", "nothing-shared"),
        ({"paid_at": datetime(2999, 1, 1, tzinfo=UTC)}, "paid_at", "time-out-of-bounds"),
    ],
)
def test_an_invalid_expense_is_refused_at_its_field(
    seated: CardClub, change: dict[str, Any], field: str, code: str
) -> None:
    """And leaves no trace."""
    with seated.refuses(Invalid, at=field, code=code):
        shared(seated, **change)


def test_a_retried_expense_is_shared_once(seated: CardClub) -> None:
    """The same key with another amount is refused; a viewer shares nothing."""
    write = seated.write()
    cost: Any = {"title": "Pizza", "payer": "Ann", "shared_by": [("Bob", 1)]}
    answer = expenses.share(write, amount=1000, **cost)
    assert expenses.share(write, amount=1000, **cost) == answer
    with seated.refuses(KeyReused):
        expenses.share(write, amount=1001, **cost)
    with seated.refuses(ReadOnly):
        shared(seated.viewer())
    assert seated.owed == {"Ann": 1000, "Bob": -1000}


SHARES = st.dictionaries(st.integers(1, 40), st.integers(1, 100), min_size=1, max_size=12)


@given(st.integers(1, 10**9), st.integers(1, 40), SHARES)
def test_the_parts_of_an_expense_sum_to_it_and_are_fair(
    amount: int, payer: int, shares: dict[int, int]
) -> None:
    """No part differs from its exact share by a cent or more, and no cent is lost."""
    parts = apportion.parts_of_expense(amount, payer, shares)
    whole = sum(shares.values())
    assert parts.keys() == shares.keys()
    assert sum(parts.values()) == amount
    assert all(abs(parts[each] * whole - amount * shares[each]) < whole for each in shares)
    moved = apportion.moved_by_expense(amount, payer, shares)
    assert sum(moved.values()) == 0
    assert all(moved.values())


def test_the_odd_cents_go_to_the_players_after_the_payer() -> None:
    """So each pays one as often as the others if the payers take turns."""
    equal = {1: 1, 2: 1, 3: 1, 4: 1}
    extra = [
        {
            number
            for number, part in apportion.parts_of_expense(1002, payer, equal).items()
            if part == 251
        }
        for payer in equal
    ]
    assert extra == [{2, 3}, {3, 4}, {4, 1}, {1, 2}]
