"""Statements: each line with the balance after it, and balances as they were."""

from datetime import datetime, timedelta

import pytest

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.database.models import EntryKind
from ledger.runtime.clock import now
from ledger.services.club import players
from ledger.services.money import payments, statements
from ledger.services.reads.player_sums import player_sums
from ledger.services.session.view import Rate
from ledger.services.undo import payment as undo_payment
from ledger.words.problems import NotFound
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def paid_club(any_club: CardClub) -> CardClub:
    """A club with one evening converted: Ann is owed 300 by six others."""
    evening = any_club.start(table.SEVEN, rate=Rate(1, 1), title="New Year")
    evening.record(cash.ANN_WINS)
    evening.convert()
    return any_club


def balances(evening: Evening, *times: datetime) -> list[int]:
    """Return what Ann's seat had at these times."""
    account = evening.seat("Ann").account_id
    return [evening.club.read(statements.balance_at, account, at) for at in times]


def post(evening: Evening, occurred: datetime, entered: datetime) -> None:
    """Let Bob pay Ann ten chips at a time of its own."""
    ann, bob = (evening.seat(name).account_id for name in ("Ann", "Bob"))
    header = EntryHeader(evening.id, EntryKind.ADJUSTMENT, "Sue", occurred, entered)
    with evening.club.db.write(evening.club.access) as session:
        journal.post(session, header, {ann: 10, bob: -10})


def test_a_statement_lists_what_moved_a_players_money(paid_club: CardClub) -> None:
    """Newest first: a payment taken back, the payment, the evening it came from."""
    paid = paid_club.pay("Bob", "Ann", 20)["entry"]
    paid_club.do(undo_payment.take_back, paid, reason="bounced")
    statement = paid_club.read(statements.of_player, paid_club.player("Bob"), limit=9)
    assert (statement.player, statement.currency) == ("Bob", "EUR")
    assert (statement.balance, statement.total) == (-50, 3)
    assert [
        (line.kind, line.amount, line.balance, line.taken_back) for line in statement.lines
    ] == [
        ("reversal", -20, -50, False),
        ("payment", 20, -30, True),
        ("conversion", -50, -50, False),
    ]
    back, payment, evening = statement.lines
    assert payment.others == back.others == ("Ann",)
    assert (evening.session, payment.session) == ("New Year", None)
    assert evening.others == ("Ann", *table.SEVEN[2:])
    assert (back.reason, back.author) == ("bounced", "Sue")


def test_a_statement_is_read_a_page_at_a_time(paid_club: CardClub) -> None:
    """However long it is."""
    for amount in (1, 2, 3):
        paid_club.pay("Bob", "Ann", amount)
    page = paid_club.read(statements.of_player, paid_club.player("Bob"), offset=1, limit=2)
    assert page.total == 4
    assert [line.amount for line in page.lines] == [2, 1]


def test_the_latest_changes_are_those_that_happened_last(any_club: CardClub) -> None:
    """Payments entered later for an earlier day come behind, even if they leave no room for older entries."""
    for name in ("Ann", "Bob"):
        any_club.do(players.add, name=name)
    today = now()
    for amount, days in ((20, 0), (1, 3), (2, 2), (4, 1)):
        paid_at = today - days * DAY
        any_club.do(payments.pay, payer="Bob", payee="Ann", amount=amount, paid_at=paid_at)
    sums = any_club.read(player_sums, any_club.player("Bob"))
    account = (sums.account_id, sums.balance, sums.currency)
    lines = any_club.read(statements.latest, *account, 2)
    assert [(line.amount, line.balance) for line in lines] == [(20, 27), (4, 7)]


def test_who_never_had_money_has_an_empty_statement(sqlite_club: CardClub) -> None:
    """Of another club nobody has one."""
    sqlite_club.do(players.add, name="Zoë")
    statement = sqlite_club.read(statements.of_player, sqlite_club.player("Zoë"), limit=9)
    assert (statement.balance, statement.total, statement.lines) == (0, 0, ())
    with pytest.raises(NotFound):
        sqlite_club.read(statements.of_player, 999, limit=9)


def test_a_balance_can_be_asked_for_as_it_was(paid_club: CardClub) -> None:
    """Before anything, between two hands, now."""
    evening = paid_club.start(table.SEVEN)
    before = now()
    evening.record(cash.ANN_WINS)
    between = now()
    evening.record(cash.ANN_WINS)
    assert balances(evening, before, between, now() + DAY) == [0, 300, 600]


def test_an_account_of_another_club_has_no_balance_here(
    our_club: CardClub, their_club: CardClub
) -> None:
    """As if it were not there."""
    account = their_club.start().seat("Ann").account_id
    with pytest.raises(NotFound):
        our_club.read(statements.balance_at, account, now())


def test_a_clock_set_back_hides_no_entry(paid_club: CardClub) -> None:
    """One hand is written while the clock is an hour fast, the next after it was set right."""
    evening = paid_club.start()
    right = now()
    fast = right + HOUR
    for at in (fast, right, fast + HOUR):
        post(evening, at, at)
    assert balances(evening, right - DAY, right, fast, fast + DAY) == [0, 20, 20, 30]


def test_what_was_entered_later_than_it_happened_was_not_there_before(paid_club: CardClub) -> None:
    """The balance as it stood, not as it should have."""
    evening, entered = paid_club.start(), now() + 3 * HOUR
    post(evening, now() + HOUR, entered)
    assert balances(evening, now() + 2 * HOUR, entered) == [0, 10]
