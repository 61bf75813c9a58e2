"""Statements: each line with the balance after it, and balances as they were."""

from datetime import timedelta

import pytest

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import EntryKind
from ledger.runtime.clock import now
from ledger.services.club import clubs, players
from ledger.services.money import statements
from ledger.services.session.view import Rate
from ledger.services.undo import payment as undo_payment
from ledger.words.problems import NotFound
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database, with one evening converted: Ann is owed 300 by six others."""
    access, _ = clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")
    played = table.start(any_database, access, rate=Rate(1, 1), title="New Year")
    table.record(any_database, access, played, cash.ANN_WINS)
    cash.convert(any_database, access, played)
    return access


def player_id(db: Database, access: Access, name: str) -> int:
    """Return the id of a player."""
    return next(player.id for player in ask(db, access, players.everyone) if player.name == name)


def test_a_statement_lists_what_moved_a_players_money(any_database: Database, here: Access) -> None:
    """Newest first: a payment taken back, the payment, the evening it came from."""
    paid = cash.pay(any_database, here, "Bob", "Ann", 20)["entry"]
    undo_payment.take_back(table.write(any_database, here), paid, reason="bounced")
    found = ask(any_database, here, statements.of_player, player_id(any_database, here, "Bob"))
    assert (found.player, found.currency, found.balance, found.total) == ("Bob", "EUR", -50, 3)
    assert [(line.kind, line.amount, line.balance, line.taken_back) for line in found.lines] == [
        ("reversal", -20, -50, False),
        ("payment", 20, -30, True),
        ("conversion", -50, -50, False),
    ]
    back, payment, evening = found.lines
    assert payment.others == back.others == ("Ann",)
    assert (evening.session, payment.session) == ("New Year", None)
    assert evening.others == ("Ann", *table.SEVEN[2:])
    assert (back.reason, back.author) == ("bounced", "Sue")


def test_a_statement_is_read_a_page_at_a_time(any_database: Database, here: Access) -> None:
    """However long it is."""
    for amount in (1, 2, 3):
        cash.pay(any_database, here, "Bob", "Ann", amount)
    bob = player_id(any_database, here, "Bob")
    found = ask(any_database, here, statements.of_player, bob, offset=1, limit=2)
    assert found.total == 4
    assert [line.amount for line in found.lines] == [2, 1]


def test_who_never_had_money_has_an_empty_statement(database: Database, club: Access) -> None:
    """Of another club nobody has one."""
    players.add(table.write(database, club), name="Zoë")
    found = ask(database, club, statements.of_player, player_id(database, club, "Zoë"))
    assert (found.balance, found.total, found.lines) == (0, 0, ())
    with pytest.raises(NotFound):
        ask(database, club, statements.of_player, 999)


def test_a_balance_can_be_asked_for_as_it_was(any_database: Database, here: Access) -> None:
    """Before anything, between two hands, now."""
    played = table.start(any_database, here)
    ann = cash.seat(any_database, here, played, "Ann").account_id
    before = now()
    table.record(any_database, here, played, cash.ANN_WINS)
    between = now()
    table.record(any_database, here, played, cash.ANN_WINS)
    assert [
        ask(any_database, here, statements.balance_at, ann, at)
        for at in (before, between, now() + timedelta(days=1))
    ] == [0, 300, 600]


def test_an_account_of_another_club_has_no_balance_here(
    database: Database, ours: Access, theirs: Access
) -> None:
    """As if it were not there."""
    foreign = table.start(database, theirs)
    account = cash.seat(database, theirs, foreign, "Ann").account_id
    with pytest.raises(NotFound):
        ask(database, ours, statements.balance_at, account, now())


def test_a_clock_set_back_hides_no_entry(any_database: Database, here: Access) -> None:
    """One hand is written while the clock is an hour fast, the next after it was set right."""
    played = table.start(any_database, here)
    ann = cash.seat(any_database, here, played, "Ann").account_id
    bob = cash.seat(any_database, here, played, "Bob").account_id
    fast = now() + timedelta(hours=1)
    for at in (fast, now(), now() + timedelta(hours=2)):
        with any_database.write(here) as session:
            header = EntryHeader(played, EntryKind.ADJUSTMENT, "Sue", at, at)
            journal.post(session, header, {ann: 10, bob: -10})
    assert [
        ask(any_database, here, statements.balance_at, ann, at)
        for at in (now() - timedelta(days=1), fast, now() + timedelta(days=1))
    ] == [0, 20, 30]


def test_what_was_entered_later_than_it_happened_was_not_there_before(
    any_database: Database, here: Access
) -> None:
    """The books as they stood, not as they should have."""
    played = table.start(any_database, here)
    ann = cash.seat(any_database, here, played, "Ann").account_id
    bob = cash.seat(any_database, here, played, "Bob").account_id
    happened, entered = now() + timedelta(hours=1), now() + timedelta(hours=3)
    with any_database.write(here) as session:
        header = EntryHeader(played, EntryKind.ADJUSTMENT, "Sue", happened, entered)
        journal.post(session, header, {ann: 10, bob: -10})
    between = now() + timedelta(hours=2)
    assert ask(any_database, here, statements.balance_at, ann, between) == 0
    assert ask(any_database, here, statements.balance_at, ann, entered) == 10
