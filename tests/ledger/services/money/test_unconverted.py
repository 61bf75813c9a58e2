"""Chips worth money that are no money yet: found while the evening goes on, after it, after a correction."""

from typing import Any

import pytest
from sqlalchemy import event

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.club import clubs, players
from ledger.services.money import convert, payments, statements
from ledger.services.money.unconverted import Unconverted, Winnings
from ledger.services.reads import accounts
from ledger.services.reads import sessions as reads_sessions
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle, start
from tests.ledger import cash, table
from tests.ledger.table import ask

CENTS = Rate(1, 1)
ANN_WON = (Winnings("Ann", 150), *(Winnings(name, -50) for name in table.FOUR[1:]))


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def evening(db: Database, access: Access, title: str = "Friday", **said: Any) -> int:
    """Ann wins 50 of each of three others, a cent a chip."""
    played = table.start(db, access, table.FOUR, title=title, **{"rate": CENTS, **said})
    table.record(db, access, played, cash.ANN_WINS)
    return played


def close(db: Database, access: Access, session_id: int) -> Any:
    """Close a session."""
    return lifecycle.close(table.write(db, access), session_id)


def named(db: Database, access: Access) -> tuple[Unconverted, ...]:
    """Return what settling up names."""
    return ask(db, access, payments.settle_up).unconverted


def test_chips_worth_money_do_not_vanish_with_the_session_that_is_closed(
    any_database: Database, here: Access
) -> None:
    """Closing says whose they are, the club's money names them until they are money; verify is content."""
    friday = evening(any_database, here, starting_stack=150)
    assert named(any_database, here) == (Unconverted(friday, "Friday", "open", ANN_WON),)
    answer = close(any_database, here, friday)
    assert answer["unconverted"] == {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -50}
    assert named(any_database, here) == (Unconverted(friday, "Friday", "closed", ANN_WON),)
    assert [each.unconverted for each in ask(any_database, here, start.every)] == [True]
    assert ask(any_database, here, accounts.settlement, friday).payments
    assert list(verify(any_database)) == []
    lifecycle.reopen(table.write(any_database, here), friday)
    cash.convert(any_database, here, friday)
    assert named(any_database, here) == ()
    assert close(any_database, here, friday)["unconverted"] == {}
    assert [each.unconverted for each in ask(any_database, here, start.every)] == [False]
    assert list(verify(any_database)) == []


def test_a_table_that_plays_for_chips_after_all_takes_its_rate_away(
    database: Database, club: Access
) -> None:
    """Then nothing is named, nor where there never was a rate."""
    played = evening(database, club)
    evening(database, club, "Monday", rate=None)
    assert [each.title for each in named(database, club)] == ["Friday"]
    convert.set_rate(table.write(database, club), played, rate=None)
    assert close(database, club, played)["unconverted"] == {}
    assert named(database, club) == ()


def test_a_correction_after_the_chips_became_money_leaves_chips_that_are_named(
    database: Database, club: Access
) -> None:
    """85 was 95: 20 more from each; what is owed stays till the rest is turned into money."""
    played = evening(database, club)
    cash.convert(database, club, played)
    assert named(database, club) == ()
    owed = cash.owed(database, club)
    table.correct(database, club, played, 1, {**cash.ANN_WINS, "points": 95})
    rest = (Winnings("Ann", 60), *(Winnings(name, -20) for name in table.FOUR[1:]))
    assert named(database, club) == (Unconverted(played, "Friday", "open", rest),)
    assert cash.owed(database, club) == owed
    assert [each.unconverted for each in ask(database, club, reads_sessions.of_club)] == [True]
    assert close(database, club, played)["unconverted"]["Ann"] == 60
    assert list(verify(database)) == []


def test_a_session_left_for_money_is_named_once(database: Database, club: Access) -> None:
    """As one that is unfinished: that says more."""
    played = evening(database, club)
    cash.leave(database, club, played, "Ann")
    due = ask(database, club, payments.settle_up)
    assert [each.id for each in due.unfinished] == [played]
    assert due.unconverted == ()


def test_a_statement_names_the_sessions_in_which_the_player_has_such_chips(
    database: Database, club: Access
) -> None:
    """Bob's: his 50; of Zoë, who was not there, none."""
    played = evening(database, club)
    zoe = players.add(table.write(database, club), name="Zoë")["id"]
    bob = next(each.id for each in ask(database, club, players.everyone) if each.name == "Bob")
    assert ask(database, club, statements.of_player, bob).unconverted == (
        Unconverted(played, "Friday", "open", (Winnings("Bob", -50),)),
    )
    assert ask(database, club, statements.of_player, zoe).unconverted == ()


def test_only_this_clubs_sessions_are_named(
    database: Database, ours: Access, theirs: Access
) -> None:
    """Another club's chips are its own affair."""
    evening(database, theirs)
    assert named(database, ours) == ()
    assert len(named(database, theirs)) == 1


def test_evenings_that_are_over_and_paid_are_not_looked_at(
    database: Database, club: Access
) -> None:
    """By an index that holds none of them: the search costs the same however many there were."""
    sent: list[tuple[str, Any]] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def keep(_c: Any, _cursor: Any, statement: str, given: Any, _context: Any, _many: bool) -> None:
        if "unconverted" in statement:
            sent.append((statement, given))

    named(database, club)
    event.remove(database.engine, "before_cursor_execute", keep)
    ((statement, given),) = sent
    with database.engine.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
        assert any("ix_play_session_may_hold_chips" in row[3] for row in plan)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE play_session SET unconverted = false", "no chips are left to cash in"),
        ("UPDATE play_session SET rate_chips = NULL", "chips are left to cash in"),
    ],
)
def test_verifying_finds_a_session_said_to_hold_other_chips_than_it_does(
    database: Database, club: Access, change: str, said: str
) -> None:
    """Marked though it holds none, or not marked though it does."""
    close(database, club, evening(database, club))
    with database.engine.begin() as connection:
        connection.exec_driver_sql(change)
    assert any(said in str(each) for each in verify(database))
