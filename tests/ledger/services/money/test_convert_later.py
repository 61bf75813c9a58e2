"""The time at which a conversion counts as done: the evening's own, long after it, or a chosen one."""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.clock import now
from ledger.services.audit import verify
from ledger.services.club import clubs
from ledger.services.common.writing import Write
from ledger.services.money import convert, payments, statements
from ledger.services.undo import entry
from ledger.words.problems import Invalid
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


DECEMBER = datetime(2025, 12, 12, 21, 30, tzinfo=UTC)
IN_DECEMBER = {**cash.ANN_WINS, "played_at": DECEMBER.isoformat()}


def money_of_ann(db: Database, access: Access) -> statements.Statement:
    """Return Ann's statement."""
    found: statements.Statement = ask(db, access, statements.of_player, 1)
    return found


def test_an_evening_cashed_in_long_after_counts_on_its_day(
    any_database: Database, here: Access
) -> None:
    """In statements; the entry keeps when it was written, and by that the books as they stood are read."""
    evening = table.start(any_database, here, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, {**IN_DECEMBER, "played_at": "2025-12-12T20:00:00Z"})
    table.record(any_database, here, evening, IN_DECEMBER)
    shown = ask(any_database, here, convert.quote, evening)
    begun = now()
    answer = cash.convert(any_database, here, evening)
    made, _ = cash.entry(any_database, here, answer)
    assert (shown.converted_at, answer["converted_at"]) == (DECEMBER, DECEMBER.isoformat())
    assert made.occurred_at == DECEMBER
    assert made.entered_at >= begun
    (line,) = money_of_ann(any_database, here).lines
    assert (line.occurred_at, line.entered_at) == (DECEMBER, made.entered_at)
    with any_database.read(here) as reading:
        account = convert.account_of(reading, 1, "EUR")
        assert statements.balance_at(reading, account.id, begun) == 0
        assert statements.balance_at(reading, account.id, now()) == account.balance == 60
    entry.take_back(table.write(any_database, here), evening, made.id, reason="why")
    assert list(verify(any_database)) == []


def test_an_evening_cashed_in_at_its_end_counts_at_that_time(
    any_database: Database, here: Access
) -> None:
    """A void hand does not make it longer; nothing was played hours ago."""
    evening = table.start(any_database, here, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, IN_DECEMBER)
    eleven_hours = (now() - timedelta(hours=11)).isoformat()
    table.record(any_database, here, evening, {**cash.ANN_WINS, "played_at": eleven_hours})
    assert ask(any_database, here, convert.quote, evening).converted_at is None
    answer = cash.convert(any_database, here, evening)
    made, _ = cash.entry(any_database, here, answer)
    assert (answer["converted_at"], made.occurred_at) == (None, made.entered_at)
    table.void(any_database, here, evening, 2)
    assert ask(any_database, here, convert.quote, evening).converted_at == DECEMBER


def test_the_time_of_a_conversion_can_be_chosen(any_database: Database, here: Access) -> None:
    """One to come is refused at its field, and nothing is written."""
    evening = table.start(any_database, here, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, IN_DECEMBER)
    before = table.row_counts(any_database)
    with pytest.raises(Invalid) as refused:
        convert.convert(
            table.write(any_database, here), evening, converted_at=now() + timedelta(days=1)
        )
    assert [fault.field for fault in refused.value.faults] == ["converted_at"]
    assert table.row_counts(any_database) == before
    chosen = DECEMBER + timedelta(days=3)
    answer = convert.convert(table.write(any_database, here), evening, converted_at=chosen)
    made, _ = cash.entry(any_database, here, answer)
    assert made.occurred_at == chosen


def test_a_key_of_an_earlier_release_gets_its_answer(database: Database, club: Access) -> None:
    """It knew no time of a conversion, and none was sent."""
    evening = table.start(database, club, rate=cash.TEN_FOR_ONE)
    table.record(database, club, evening, cash.ANN_WINS)
    convert.convert(Write(database, club, "key-of-before"), evening)
    with database.read() as session:
        kept = session.connection().scalar(
            text("SELECT fingerprint FROM written_answer WHERE key = 'key-of-before'")
        )
    sent = {"session_id": evening, "rate": None, "reason": None}
    printed = {"id" if name.endswith("_id") else name: value for name, value in sent.items()}
    said = json.JSONEncoder(sort_keys=True).encode(["convert", printed])
    assert kept == sha256(said.encode()).hexdigest()


def test_money_over_time_follows_the_days_that_things_happened(
    any_database: Database, here: Access
) -> None:
    """A conversion of last December stands before a payment of January, whichever was entered first."""
    evening = table.start(any_database, here, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, IN_DECEMBER)
    january = DECEMBER + timedelta(days=30)
    payments.pay(
        table.write(any_database, here), payer="Bob", payee="Ann", amount=20, paid_at=january
    )
    cash.convert(any_database, here, evening)
    money = ask(any_database, here, statements.latest, 1, 10)
    assert [(each.kind, each.occurred_at, each.amount, each.balance) for each in money] == [
        ("payment", january, -20, 10),
        ("conversion", DECEMBER, 30, 30),
    ]
