"""Chips worth money that are no money yet: found while the evening goes on, after it, after a correction."""

from typing import Any

import pytest

from ledger.services.audit import verify
from ledger.services.club import players
from ledger.services.money import payments, statements
from ledger.services.money.unconverted import Unconverted, Winnings
from ledger.services.reads import accounts
from ledger.services.reads import sessions as reads_sessions
from ledger.services.session.view import Rate
from ledger.services.table import start
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening, plan_of, sent_by


def winnings(ann: int, others: int) -> tuple[Winnings, ...]:
    """Return what each of the four has won."""
    return (Winnings("Ann", ann), *(Winnings(name, others) for name in table.FOUR[1:]))


def played(club: CardClub, title: str = "Friday", **draft: Any) -> Evening:
    """Ann wins 50 of each of three others, a cent a chip."""
    evening = club.start(title=title, **{"rate": Rate(1, 1), **draft})
    evening.record(cash.ANN_WINS)
    return evening


def named(club: CardClub) -> tuple[Unconverted, ...]:
    """Return what settling up names."""
    return club.read(payments.settle_up).unconverted


def test_chips_worth_money_do_not_vanish_with_the_session_that_is_closed(
    any_club: CardClub,
) -> None:
    """Closing says whose they are, the club's money names them until they are money; verify is content."""
    friday = played(any_club, starting_stack=150)
    won = winnings(150, -50)
    assert named(any_club) == (Unconverted(friday.id, "Friday", "open", won),)
    assert friday.close()["unconverted"] == {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -50}
    assert named(any_club) == (Unconverted(friday.id, "Friday", "closed", won),)
    assert [row.unconverted for row in any_club.read(start.list_all)] == [True]
    assert friday.read(accounts.settlement).payments
    any_club.must_verify()
    friday.reopen()
    friday.convert()
    assert named(any_club) == ()
    assert friday.close()["unconverted"] == {}
    assert [row.unconverted for row in any_club.read(start.list_all)] == [False]
    any_club.must_verify()


def test_a_table_that_plays_for_chips_after_all_takes_its_rate_away(sqlite_club: CardClub) -> None:
    """Then nothing is named, nor if there never was a rate."""
    evening = played(sqlite_club)
    played(sqlite_club, "Monday", rate=None)
    assert [row.title for row in named(sqlite_club)] == ["Friday"]
    evening.set_rate(None)
    assert evening.close()["unconverted"] == {}
    assert named(sqlite_club) == ()


def test_a_correction_after_the_chips_became_money_leaves_chips_that_are_named(
    sqlite_club: CardClub,
) -> None:
    """85 was 95: 20 more from each; what is owed stays till the rest is turned into money."""
    evening = played(sqlite_club)
    evening.convert()
    assert named(sqlite_club) == ()
    owed = sqlite_club.owed
    evening.correct(1, {**cash.ANN_WINS, "points": 95})
    rest = Unconverted(evening.id, "Friday", "open", winnings(60, -20))
    assert named(sqlite_club) == (rest,)
    assert sqlite_club.owed == owed
    assert [row.unconverted for row in sqlite_club.read(reads_sessions.of_club)] == [True]
    evening.adjust("Ann", -59)
    assert named(sqlite_club)[0].players[0] == Winnings("Ann", 1)
    assert evening.close()["unconverted"]["Ann"] == 1
    sqlite_club.must_verify()


def test_a_session_left_for_money_is_named_once(sqlite_club: CardClub) -> None:
    """As one that is unfinished: that says more."""
    evening = played(sqlite_club)
    evening.leave("Ann")
    due = sqlite_club.read(payments.settle_up)
    assert [row.id for row in due.unfinished] == [evening.id]
    assert due.unconverted == ()


def test_a_statement_names_the_sessions_in_which_the_player_has_such_chips(
    sqlite_club: CardClub,
) -> None:
    """Bob's: his 50; of Zoë, who was not there, none."""
    evening = played(sqlite_club)
    zoe = sqlite_club.do(players.add, name="Zoë")["id"]
    bob = sqlite_club.player("Bob")
    expected = Unconverted(evening.id, "Friday", "open", (Winnings("Bob", -50),))
    assert sqlite_club.read(statements.of_player, bob, limit=9).unconverted == (expected,)
    assert sqlite_club.read(statements.of_player, zoe, limit=9).unconverted == ()


def test_only_this_clubs_sessions_are_named(our_club: CardClub, their_club: CardClub) -> None:
    """Another club's chips are its own affair."""
    played(their_club)
    assert named(our_club) == ()
    assert len(named(their_club)) == 1


def test_evenings_that_are_over_and_paid_are_not_looked_at(sqlite_club: CardClub) -> None:
    """By an index that holds none of them: the search costs the same however many there were."""
    with sent_by(sqlite_club) as sent:
        named(sqlite_club)
    for word, index in (
        ("unconverted", "ix_play_session_may_hold_chips"),
        ("'till'", "ix_account_till_not_empty"),
    ):
        (query,) = [each for each in sent if word in each[0]]
        assert any(index in step for step in plan_of(sqlite_club, *query))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE play_session SET unconverted = false", "no chips are left to cash in"),
        ("UPDATE play_session SET rate_chips = NULL", "chips are left to cash in"),
    ],
)
def test_verifying_finds_a_session_marked_for_other_chips_than_it_has(
    sqlite_club: CardClub, change: str, message: str
) -> None:
    """Marked though it has none, or not marked though it has."""
    played(sqlite_club).close()
    with sqlite_club.db.engine.begin() as connection:
        connection.exec_driver_sql(change)
    assert any(message in str(finding) for finding in verify(sqlite_club.db))
