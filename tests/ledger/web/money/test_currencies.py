"""Money on the pages in currencies of no and of three decimals: written and read the same everywhere."""

from collections.abc import Mapping

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
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
    """The payment proposed for Bob."""
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
    """A chip is 2,500 of the smallest parts: cents, yen, fils. A proposed amount can be sent as it is."""
    keep_money_in(database, club, currency)
    evening = cashed_in(database, club, Rate(1, 2500))
    place = f"/clubs/{club.club_id}"
    page = scorer.open(f"{place}/money")
    assert f"Bob pays Ann {owed}" in page.text
    assert owing(page) == proposed
    ann = table.player_id(database, club, "Ann")
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
    ("language", "currency", "amounts"),
    [
        (
            "en",
            "EUR",
            {
                "12.50": 1250,
                "12,5": 1250,
                "1250": 125_000,
                "1,250.00": 125_000,
                "1.250,00": 125_000,
                "1,234,567": 123_456_700,
                "١٢٫٥٠": 1250,
                "１２.５０": 1250,
                "१२,५": 1250,
            },
        ),
        ("en", "JPY", {"1250": 1250, "1,250": 1250}),
        ("en", "KWD", {"1.250": 1250, "0,250": 250, "1250": 1_250_000, "12.50": 12_500}),
        ("de", "EUR", {"1.50": 150, "1.250,00": 125_000, "1.234.567": 123_456_700}),
        ("de", "JPY", {"1.250": 1250}),
        ("de", "KWD", {"1,250": 1250}),
    ],
)
def test_a_sum_is_read_as_its_currency_and_language_write_it(
    scorer: Phone,
    database: Database,
    club: Access,
    language: str,
    currency: str,
    amounts: Mapping[str, int],
) -> None:
    """Thousands apart or not, in any digits; in German a comma stands before the decimals."""
    keep_money_in(database, club, currency)
    table.start(database, club, table.FOUR)
    scorer.send(scorer.open("/display").form("/display"), language=language)
    total = 0
    for typed, paid in amounts.items():
        form = scorer.open(f"/clubs/{club.club_id}/money").reader.forms[-1]
        assert scorer.send(form, payer="Bob", payee="Ann", amount=typed).status == 303, typed
        total += paid
        assert cash.owed(database, club) == {"Ann": -total, "Bob": total}, typed


@pytest.mark.parametrize(
    ("currency", "refusals"),
    [
        (
            "EUR",
            {
                "1.250": "at most 2 decimals, such as 12.50",
                "1,250": "“1,250” is not an amount in EUR",
                "1,25,000": "is not an amount in EUR",
                "١٬٢٥٠": "is not an amount in EUR",
                "9" * 5000: "is not an amount in EUR",
                ",".join(["999"] * 2000): "is not an amount in EUR",
            },
        ),
        (
            "JPY",
            {
                "12.50": "write it without decimals, such as 1250",
                "1.250": "write it without decimals",
            },
        ),
        (
            "KWD",
            {"1,250": "at most 3 decimals, such as 1.250", "1.2505": "at most 3 decimals"},
        ),
    ],
)
def test_what_could_be_two_sums_is_refused_and_says_how_it_is_written(
    scorer: Phone, database: Database, club: Access, currency: str, refusals: Mapping[str, str]
) -> None:
    """At its input, nothing saved."""
    keep_money_in(database, club, currency)
    table.start(database, club, table.FOUR)
    form = scorer.open(f"/clubs/{club.club_id}/money").reader.forms[-1]
    for typed, sentence in refusals.items():
        scorer.must_refuse(form, "amount", sentence, payer="Bob", payee="Ann", amount=typed)
    assert ask(database, club, payments.settle_up).balances == ()


@pytest.mark.parametrize(("currency", "typed"), [("EUR", "1.250"), ("KWD", "1.250")])
def test_what_could_be_two_sums_to_its_reader_is_refused(
    scorer: Phone, database: Database, club: Access, currency: str, typed: str
) -> None:
    """A German's point before three digits may divide thousands, and is shown again as it was typed."""
    keep_money_in(database, club, currency)
    table.start(database, club, table.FOUR)
    scorer.send(scorer.open("/display").form("/display"), language="de")
    form = scorer.open(f"/clubs/{club.club_id}/money").reader.forms[-1]
    sentence = f"„{typed}“ ist kein Betrag"
    scorer.must_refuse(form, "amount", sentence, payer="Bob", payee="Ann", amount=typed)


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
    scorer.must_refuse(form, "rate_money", "write it without decimals", **said, rate_money="0.5")
    assert scorer.send(form, **said, rate_money="50").status == 303
