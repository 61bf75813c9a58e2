"""The time at which a conversion counts as done: the evening's own, long after it, or a chosen one."""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import text

from ledger.runtime.clock import now
from ledger.services.money import convert, payments, statements
from ledger.services.reads import statistics
from ledger.words.problems import Invalid
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening

DECEMBER = datetime(2025, 12, 12, 21, 30, tzinfo=UTC)


def played(club: CardClub, *times: Any) -> Evening:
    """Play an evening of seven for money, with a hand at each of these times."""
    evening = club.start(table.SEVEN, rate=cash.TEN_FOR_ONE)
    for time in times:
        evening.record({**cash.ANN_WINS, "played_at": time.isoformat()})
    return evening


def test_an_evening_cashed_in_long_after_counts_on_its_day(any_club: CardClub) -> None:
    """In statements; the entry keeps when it was written, and by that earlier balances are read."""
    evening = played(any_club, DECEMBER - timedelta(hours=1), DECEMBER)
    quote = evening.read(convert.quote)
    begun = now()
    answer = evening.convert()
    entry, _ = evening.entry(answer)
    assert (quote.converted_at, answer["converted_at"]) == (DECEMBER, DECEMBER.isoformat())
    assert entry.occurred_at == DECEMBER
    assert entry.entered_at >= begun
    (line,) = any_club.read(statements.of_player, 1, limit=9).lines
    assert (line.occurred_at, line.entered_at) == (DECEMBER, entry.entered_at)
    with any_club.db.read(any_club.access) as session:
        account = convert.account_of(session, 1, "EUR")
        assert statements.balance_at(session, account.id, begun) == 0
        assert statements.balance_at(session, account.id, now()) == account.balance == 60
    evening.take_back(entry.id)
    any_club.must_verify()


def test_an_evening_cashed_in_at_its_end_counts_at_that_time(
    sqlite_club: CardClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A void hand does not make it longer; nothing was played hours ago."""
    evening = played(sqlite_club, DECEMBER, now() - timedelta(hours=11))
    assert evening.read(convert.quote).converted_at is None
    answer = evening.convert()
    entry, _ = evening.entry(answer)
    assert (answer["converted_at"], entry.occurred_at) == (None, entry.entered_at)
    evening.void(2)
    monkeypatch.setattr(convert, "now", lambda: DECEMBER + timedelta(hours=12))
    assert evening.read(convert.quote).converted_at == DECEMBER


def test_the_time_of_a_conversion_can_be_chosen(sqlite_club: CardClub) -> None:
    """One to come is refused at its field, and nothing is written."""
    evening = played(sqlite_club, DECEMBER)
    with sqlite_club.refuses(Invalid, at="converted_at"):
        evening.do(convert.convert, converted_at=now() + timedelta(days=1))
    chosen = DECEMBER + timedelta(days=3)
    entry, _ = evening.entry(evening.do(convert.convert, converted_at=chosen))
    assert entry.occurred_at == chosen


def test_a_key_of_an_earlier_release_gets_its_answer(sqlite_club: CardClub) -> None:
    """It knew no time of a conversion, and none was sent."""
    evening = played(sqlite_club, now())
    convert.convert(sqlite_club.write(key="key-of-before"), evening.id)
    stored = text("SELECT fingerprint FROM written_answer WHERE key = 'key-of-before'")
    with sqlite_club.db.read() as session:
        fingerprint = session.connection().scalar(stored)
    request = ["convert", {"id": evening.id, "rate": None, "reason": None}]
    encoded = json.JSONEncoder(sort_keys=True).encode(request)
    assert fingerprint == sha256(encoded.encode()).hexdigest()


def test_money_over_time_follows_the_days_that_things_happened(any_club: CardClub) -> None:
    """A conversion of last December stands before a payment of January, whichever was entered first."""
    evening = played(any_club, DECEMBER)
    january = DECEMBER + timedelta(days=30)
    any_club.do(payments.pay, payer="Bob", payee="Ann", amount=20, paid_at=january)
    evening.convert()
    money = any_club.read(statistics.of_player, 1).money
    assert [(line.kind, line.occurred_at, line.amount, line.balance) for line in money] == [
        ("payment", january, -20, 10),
        ("conversion", DECEMBER, 30, 30),
    ]
