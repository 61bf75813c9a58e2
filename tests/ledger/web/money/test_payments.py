"""Payments on the pages: marked as made, in full or in part, taken back; a player's statement."""

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.ledger import cash, table
from tests.ledger.web.phone import Form, Page, Phone


def payment(page: Page, payer: str) -> Form:
    """The form of one player's payment."""
    return next(form for form in page.reader.forms if ("payer", payer) in form.fields)


def statement(database: Database, club: Access, name: str) -> str:
    """The address of a player's statement."""
    number = table.player_id(database, club, name)
    return f"/clubs/{club.club_id}/players/{number}/statement"


def test_payments_are_marked_as_made_in_full_or_in_part(
    scorer: Phone, viewer: Phone, cashed_in: str
) -> None:
    """Bob pays all, Cyd 0.20 of his 0.50; the rest is still asked for."""
    assert scorer.send(payment(scorer.open(cashed_in), "Bob")).status == 303
    paid = scorer.send(payment(scorer.open(cashed_in), "Cyd"), amount="0,20")
    assert "Payment recorded: Cyd has paid Ann 0.20 EUR." in viewer.open(paid.location).text
    text = viewer.open(cashed_in).text
    assert "Bob pays" not in text
    assert "Cyd pays Ann 0.30" in text


def test_a_double_tap_pays_once(scorer: Phone, cashed_in: str) -> None:
    """The second answer is the first one's."""
    form = payment(scorer.open(cashed_in), "Bob")
    assert [scorer.send(form, amount="0.20").status for _ in range(2)] == [303, 303]
    assert "Bob pays Ann 0.30" in scorer.open(cashed_in).text


def test_two_who_mark_the_same_payment_book_it_once(
    scorer: Phone, cashed_in: str, database: Database, club: Access
) -> None:
    """412 for the second, with the rest to pay."""
    form = payment(scorer.open(cashed_in), "Bob")
    cash.pay(database, club, "Bob", "Ann", 50)
    late = scorer.send(form)
    assert late.status == 412
    assert "Meanwhile somebody recorded a payment by Bob" in late.text
    assert cash.owed(database, club) == {"Ann": 100, "Cyd": -50, "Dee": -50}


def test_an_amount_that_is_none_is_refused_at_its_input(
    scorer: Phone, cashed_in: str, database: Database
) -> None:
    """Nothing is saved, the typed text stays."""
    before = table.row_counts(database)
    form = payment(scorer.open(cashed_in), "Bob")
    for typed, sentence in (
        ("", "Say how much was paid, from 0.01 to 10,000,000.00 EUR"),
        ("0", "Say how much was paid"),
        ("-1", "Say how much was paid"),
        ("99999999999", "Say how much was paid"),
        ("much", "“much” is not an amount in EUR"),
        ("1.005", "at most 2 decimals, such as 12.50"),
    ):
        page = scorer.must_refuse(form, "amount", sentence, amount=typed)
        assert dict(payment(page, "Bob").fields)["amount"] == typed
    assert table.row_counts(database) == before


def test_another_payment_wants_two_players(
    scorer: Phone, cashed_in: str, database: Database
) -> None:
    """The error is at the wrong one."""
    before = table.row_counts(database)
    form = scorer.open(cashed_in).reader.forms[-1]
    for payer, payee, field, sentence in (
        ("Ann", "Ann", "payee", "can't pay"),
        ("Zoe", "Ann", "payer", "Nobody"),
        ("Ann", "", "payee", ""),
    ):
        page = scorer.must_refuse(form, field, sentence, payer=payer, payee=payee, amount="1")
        assert page.wrong(field)
    assert table.row_counts(database) == before


def test_a_payment_is_taken_back_in_the_statement(
    scorer: Phone, viewer: Phone, cashed_in: str, database: Database, club: Access
) -> None:
    """With a reason; both lines stay, and the debt is owed again."""
    scorer.send(payment(scorer.open(cashed_in), "Bob"))
    mine = statement(database, club, "Bob")
    page = scorer.open(mine)
    assert "Ann EUR 1.00 +0.50 1.50 Bob EUR 0.00 −0.50 −0.50" in page.text
    form = page.form("/statement")
    refused = scorer.send(form, reason="")
    assert refused.status == 422
    assert "Give a reason" in refused.wrong("reason")
    assert scorer.send(form, reason="it was Cyd").status == 303
    text = viewer.open(mine).text
    assert "Bob owes 0.50 EUR" in text
    assert "undone" in text
    assert "“it was Cyd”" in text
    assert scorer.send(form, reason="once more").status == 409


def test_a_statement_says_what_moved_and_what_it_came_to(
    viewer: Phone, cashed_in: str, database: Database, club: Access
) -> None:
    """The newest first; somebody without money has an empty one."""
    assert cashed_in
    text = viewer.open(statement(database, club, "Ann")).text
    assert "Chips cashed in" in text
    assert "Tonight +1.50 1.50" in text
    table.start(database, club, ("Ann", "Eve", "Fay"))
    assert (
        "No money has been recorded here yet" in viewer.open(statement(database, club, "Eve")).text
    )
    assert viewer.open(f"/clubs/{club.club_id}/players/999/statement").status == 404
