"""Money on the pages in currencies of no and of three decimals: written and read the same everywhere."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import players
from ledger.services.money import currency as money_currency
from ledger.services.money import payments
from ledger.services.session.view import Rate
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.ledger.web.phone import Page, Phone


def keep_money_in(database: Database, club: Access, currency: str) -> None:
    """Choose the club's currency."""
    if currency != "EUR":
        money_currency.change(table.write(database, club), currency=currency)


def cashed_in(database: Database, club: Access, rate: Rate) -> int:
    """Ann wins 50 of each of three others, which is turned into money."""
    evening = table.start(database, club, table.FOUR, rate=rate, title="Tonight")
    table.record(database, club, evening, cash.ANN_WINS)
    cash.convert(database, club, evening)
    return evening


def owing(page: Page) -> str:
    """What is proposed that Bob pays."""
    return next(
        dict(form.fields)["amount"] for form in page.reader.forms if ("payer", "Bob") in form.fields
    )


@pytest.mark.parametrize(
    ("currency", "owed", "proposed", "won"),
    [
        ("EUR", "1,250.00", "1250.00", "+3,750.00"),
        ("JPY", "125,000", "125000", "+375,000"),
        ("KWD", "125.000", "125.000", "+375.000"),
    ],
)
def test_every_page_writes_money_with_the_decimals_of_its_currency(
    scorer: Phone,
    database: Database,
    club: Access,
    currency: str,
    owed: str,
    proposed: str,
    won: str,
) -> None:
    """A chip is 2,500 of the smallest parts: cents, yen, fils. What is proposed can be sent as it is."""
    keep_money_in(database, club, currency)
    evening = cashed_in(database, club, Rate(1, 2500))
    place = f"/clubs/{club.club_id}"
    page = scorer.open(f"{place}/money")
    assert f"Bob pays Ann {owed}" in page.text
    assert owing(page) == proposed
    ann = next(p.id for p in ask(database, club, players.everyone) if p.name == "Ann")
    assert f"{won} {won[1:]}" in scorer.open(f"{place}/players/{ann}/statement").text
    assert f"{won[1:]} {currency}" in scorer.open(f"{place}/players/{ann}").text
    settle = scorer.open(f"{place}/sessions/{evening}/settle")
    rate = {"EUR": "25.00", "JPY": "2,500", "KWD": "2.500"}[currency]
    assert f"1 chip is worth {rate} {currency}" in settle.text
    assert dict(settle.form("/rate").fields)["rate_money"] == rate.replace(",", "")
    form = next(form for form in page.reader.forms if ("payer", "Bob") in form.fields)
    assert scorer.send(form).status == 303
    assert "Bob" not in cash.owed(database, club)


@pytest.mark.parametrize(
    ("currency", "typed", "paid"),
    [
        ("EUR", "12.50", 1250),
        ("EUR", "12,5", 1250),
        ("EUR", "1250", 125_000),
        ("EUR", "1,250.00", 125_000),
        ("EUR", "1.250,00", 125_000),
        ("EUR", "1,234,567", 123_456_700),
        ("JPY", "1250", 1250),
        ("JPY", "1,250", 1250),
        ("KWD", "1.250", 1250),
        ("KWD", "0,250", 250),
        ("KWD", "1250", 1_250_000),
        ("KWD", "12.50", 12_500),
    ],
)
def test_a_sum_is_read_as_its_currency_is_written(
    scorer: Phone, database: Database, club: Access, currency: str, typed: str, paid: int
) -> None:
    """Point or comma, thousands apart or not."""
    keep_money_in(database, club, currency)
    table.start(database, club, table.FOUR)
    form = scorer.open(f"/clubs/{club.club_id}/money").reader.forms[-1]
    assert scorer.send(form, payer="Bob", payee="Ann", amount=typed).status == 303
    assert cash.owed(database, club) == {"Ann": -paid, "Bob": paid}


@pytest.mark.parametrize(
    ("currency", "typed", "sentence"),
    [
        ("EUR", "1.250", "at most 2 decimals, such as 12.50"),
        ("EUR", "1,250", "“1,250” is not an amount in EUR"),
        ("EUR", "1,25,000", "is not an amount in EUR"),
        ("JPY", "12.50", "write it without decimals, such as 1250"),
        ("JPY", "1.250", "write it without decimals"),
        ("KWD", "1,250", "at most 3 decimals, such as 1.250"),
        ("KWD", "1.2505", "at most 3 decimals"),
        ("EUR", "١٬٢٥٠", "is not an amount in EUR"),
        ("EUR", "9" * 5000, "is not an amount in EUR"),
        ("EUR", ",".join(["999"] * 2000), "is not an amount in EUR"),
    ],
)
def test_what_could_be_two_sums_is_refused_and_says_how_it_is_written(
    scorer: Phone, database: Database, club: Access, currency: str, typed: str, sentence: str
) -> None:
    """At its input, nothing saved."""
    keep_money_in(database, club, currency)
    table.start(database, club, table.FOUR)
    form = scorer.open(f"/clubs/{club.club_id}/money").reader.forms[-1]
    page = scorer.send(form, payer="Bob", payee="Ann", amount=typed)
    assert page.status == 422
    assert sentence in page.wrong("amount")
    assert ask(database, club, payments.settle_up).balances == ()


@pytest.mark.parametrize(
    ("currency", "typed", "paid"),
    [
        ("EUR", "1.50", 150),
        ("EUR", "1.250,00", 125_000),
        ("EUR", "1.234.567", 123_456_700),
        ("JPY", "1.250", 1250),
        ("KWD", "1,250", 1250),
    ],
)
def test_a_sum_is_read_as_its_reader_s_language_writes_it(
    scorer: Phone, database: Database, club: Access, currency: str, typed: str, paid: int
) -> None:
    """In German a comma stands before the decimals, and points between the thousands."""
    keep_money_in(database, club, currency)
    table.start(database, club, table.FOUR)
    scorer.send(scorer.open("/display").form("/display"), language="de")
    form = scorer.open(f"/clubs/{club.club_id}/money").reader.forms[-1]
    assert scorer.send(form, payer="Bob", payee="Ann", amount=typed).status == 303
    assert cash.owed(database, club) == {"Ann": -paid, "Bob": paid}


@pytest.mark.parametrize(("currency", "typed"), [("EUR", "1.250"), ("KWD", "1.250")])
def test_what_could_be_two_sums_to_its_reader_is_refused(
    scorer: Phone, database: Database, club: Access, currency: str, typed: str
) -> None:
    """A German's point before three digits may divide thousands, and is shown again as it was typed."""
    keep_money_in(database, club, currency)
    table.start(database, club, table.FOUR)
    scorer.send(scorer.open("/display").form("/display"), language="de")
    form = scorer.open(f"/clubs/{club.club_id}/money").reader.forms[-1]
    page = scorer.send(form, payer="Bob", payee="Ann", amount=typed)
    assert page.status == 422
    assert f"„{typed}“ ist kein Betrag" in page.wrong("amount")


def test_a_sum_that_is_proposed_in_another_language_can_be_sent_as_it_is(
    scorer: Phone, database: Database, club: Access
) -> None:
    """Three decimals behind a German comma are none the less decimals."""
    keep_money_in(database, club, "KWD")
    cashed_in(database, club, Rate(1, 25))
    scorer.send(scorer.open("/display").form("/display"), language="de")
    page = scorer.open(f"/clubs/{club.club_id}/money")
    assert owing(page) == "1,250"
    form = next(form for form in page.reader.forms if ("payer", "Bob") in form.fields)
    assert scorer.send(form).status == 303
    assert "Bob" not in cash.owed(database, club)


@pytest.mark.parametrize("typed", ["١٢٫٥٠", "１２.５０", "१२,५"])
def test_money_may_be_typed_in_any_digits(
    scorer: Phone, database: Database, club: Access, typed: str
) -> None:
    """As chips may; the Arabic point is one."""
    table.start(database, club, table.FOUR)
    form = scorer.open(f"/clubs/{club.club_id}/money").reader.forms[-1]
    assert scorer.send(form, payer="Bob", payee="Ann", amount=typed).status == 303
    assert cash.owed(database, club)["Ann"] == -1250


def test_a_session_is_started_at_a_rate_of_the_clubs_currency(
    scorer: Phone, database: Database, club: Access
) -> None:
    """The field shows how a sum is typed; half a yen is refused at it."""
    keep_money_in(database, club, "JPY")
    page = scorer.open(f"/clubs/{club.club_id}/sessions/new")
    assert "are worth (JPY)" in page.text
    form = page.form("/new")
    said: dict[str, str | list[str] | None] = {"do": "start", "rate_chips": "100"}
    said["seat"] = ["Ann", "Bob", "Cyd"]
    refused = scorer.send(form, **said, rate_money="0.5")
    assert refused.status == 422
    assert "write it without decimals" in refused.wrong("rate_money")
    assert scorer.send(form, **said, rate_money="50").status == 303
