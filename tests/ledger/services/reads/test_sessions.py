"""Many evenings: a club's history, and a player's, newest first and a page at a time."""

from datetime import date
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping import migrate
from ledger.services.chips import adjust
from ledger.services.club import clubs, players
from ledger.services.reads import sessions, statistics
from ledger.services.reads.sessions import OwnEvening, Sitting
from ledger.services.session.view import Rate
from ledger.services.table import cash_out
from ledger.services.undo import last
from ledger.words.problems import NotFound
from tests.ledger import cash, table
from tests.ledger.table import ask

CENT_A_CHIP = Rate(1, 1)


def number_of(db: Database, access: Access, name: str) -> int:
    """A player's number."""
    return next(player.id for player in ask(db, access, players.everyone) if player.name == name)


def evening(db: Database, access: Access, day: int, **said: Any) -> int:
    """Play an evening of one hand on a day of January; Ann wins 150 of the three others."""
    played = table.start(
        db, access, table.FOUR, title=f"Day {day}", started_on=date(2026, 1, day), **said
    )
    table.record(db, access, played, cash.ANN_WINS)
    return played


def test_a_clubs_history_says_who_sat_and_who_won_how_much(
    database: Database, club: Access
) -> None:
    """By the day it was played, not by when it was written; with game, state, hands and winner."""
    evening(database, club, 9)
    late = evening(database, club, 2)
    table.record(database, club, late, table.ALL_PASS)
    newest, oldest = ask(database, club, sessions.of_club)
    assert (newest.title, newest.hands, newest.state) == ("Day 9", 1, "open")
    assert (oldest.title, oldest.hands, oldest.session_id) == ("Day 2", 2, late)
    assert (oldest.game, oldest.game_title, oldest.winners) == (
        "crazy-solo",
        "Crazy Solo",
        ("Ann",),
    )
    assert oldest.seats == (
        Sitting("Ann", 150, 0, 150),
        *(Sitting(name, -50, 0, -50) for name in ("Bob", "Cyd", "Dee")),
    )
    assert not oldest.came_to_money


def test_what_the_bank_gave_is_not_won_and_what_was_adjusted_is(
    database: Database, club: Access
) -> None:
    """Stacks and loans leave it as it was; a void hand does too."""
    played = evening(database, club, 1, starting_stack=150)
    cash.lend(database, club, played, "Bob", 40)
    adjust.adjust(table.write(database, club), played, player="Dee", chips=-5, reason="lost a chip")
    (found,) = ask(database, club, sessions.of_club)
    assert {seat.player: seat.won for seat in found.seats} == {
        "Ann": 150,
        "Bob": -50,
        "Cyd": -50,
        "Dee": -55,
    }
    table.void(database, club, played, 1)
    (found,) = ask(database, club, sessions.of_club)
    assert found.winners == ("Ann", "Bob", "Cyd")


def test_nobody_wins_an_evening_without_a_hand(database: Database, club: Access) -> None:
    """All are even."""
    table.start(database, club, table.FOUR, "six-bid", variant="pagat")
    (found,) = ask(database, club, sessions.of_club)
    assert (found.winners, found.hands) == ((), 0)
    assert found.game_title.endswith("Solo, Pagat")


def test_who_left_and_came_back_sat_once(database: Database, club: Access) -> None:
    """Two seats are one player, with all that both of them won."""
    played = evening(database, club, 1)
    cash.leave(database, club, played, "Bob")
    cash.join(database, club, played, "Bob")
    table.record(database, club, played, {**cash.ANN_WINS, "dealer": "Ann"})
    (found,) = ask(database, club, sessions.of_club)
    assert [(seat.player, seat.won) for seat in found.seats][:2] == [("Ann", 300), ("Bob", -100)]
    assert len(found.seats) == 4
    own, count = ask(database, club, sessions.of_player, number_of(database, club, "Bob"))
    assert ([(each.won, each.total) for each in own], count) == ([(-100, -100)], 1)


def test_an_evening_says_what_money_it_came_to(database: Database, club: Access) -> None:
    """By leaving early and by converting, less what was taken back; a later payment is no evening's."""
    played = evening(database, club, 1, rate=CENT_A_CHIP)
    cash_out.leave(table.write(database, club), played, player="Bob")
    cash.convert(database, club, played)
    (found,) = ask(database, club, sessions.of_club)
    money = {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -50}
    assert {seat.player: seat.money for seat in found.seats} == money
    assert (found.came_to_money, found.currency) == (True, "EUR")
    cash.pay(database, club, "Bob", "Ann", 50)
    assert ask(database, club, sessions.of_club) == [found]
    own, _ = ask(database, club, sessions.of_player, number_of(database, club, "Bob"))
    assert [each.money for each in own] == [-50]
    last.undo(table.write(database, club), played)
    (found,) = ask(database, club, sessions.of_club)
    assert {seat.player: seat.money for seat in found.seats} == {
        "Ann": 0,
        "Bob": -50,
        "Cyd": 0,
        "Dee": 0,
    }


def test_a_players_evenings_run_up_to_a_total(database: Database, club: Access) -> None:
    """Whichever page is asked for; evenings without them are not listed."""
    for day in (1, 2, 4):
        evening(database, club, day)
    table.start(
        database, club, ("Bob", "Cyd", "Dee"), started_on=date(2026, 1, 3), title="Without Ann"
    )
    ann = number_of(database, club, "Ann")
    own, count = ask(database, club, sessions.of_player, ann)
    assert count == 3
    assert [(each.title, each.won, each.total) for each in own] == [
        ("Day 4", 150, 450),
        ("Day 2", 150, 300),
        ("Day 1", 150, 150),
    ]
    pages = [
        ask(database, club, sessions.of_player, ann, offset=offset, limit=1)[0]
        for offset in range(4)
    ]
    assert [each for page in pages for each in page] == own
    assert pages[3] == []
    assert isinstance(own[0], OwnEvening)


def test_statistics_show_the_latest_evenings_and_how_many_there_were(
    database: Database, club: Access
) -> None:
    """Twenty of them; the others are on the player's own list."""
    for day in range(1, statistics.LATEST + 3):
        table.start(database, club, table.FOUR, started_on=date(2026, 1, day), title=f"Day {day}")
    found = ask(database, club, statistics.of_player, number_of(database, club, "Ann"))
    assert (found.sessions, len(found.evenings)) == (22, 20)
    assert found.evenings[0].title == "Day 22"


def test_a_clubs_history_is_its_own(database: Database, ours: Access, theirs: Access) -> None:
    """Neither evenings nor players of another club."""
    evening(database, ours, 1)
    assert "Day 1" in [each.title for each in ask(database, ours, sessions.of_club)]
    others = ask(database, theirs, sessions.of_club)
    assert "Day 1" not in [each.title for each in others]
    ann = number_of(database, ours, "Ann")
    with pytest.raises(NotFound):
        ask(database, theirs, sessions.of_player, ann)


def test_the_history_is_paged(database: Database, club: Access) -> None:
    """A page goes on where the one before it ended."""
    for day in (1, 2, 3):
        table.start(database, club, table.FOUR, started_on=date(2026, 1, day), title=f"Day {day}")
    every = ask(database, club, sessions.of_club)
    first = ask(database, club, sessions.of_club, limit=2)
    assert [*first, *ask(database, club, sessions.of_club, offset=2, limit=2)] == every
    assert ask(database, club, sessions.of_club, offset=3) == []


def test_both_databases_tell_the_same_history(database_url: str) -> None:
    """Chips, money and totals, of the club and of a player."""
    database = Database(database_url)
    migrate.upgrade(database)
    access, _ = clubs.found(database, name="Kitchen Table", passcode="123456", author="Sue")
    for day in (1, 2):
        played = evening(database, access, day, rate=CENT_A_CHIP)
        cash.convert(database, access, played)
    newest, _ = ask(database, access, sessions.of_club)
    assert newest.seats[0] == Sitting("Ann", 150, 150)
    own, count = ask(
        database, access, sessions.of_player, number_of(database, access, "Ann"), offset=1, limit=1
    )
    assert ([(each.title, each.total, each.money) for each in own], count) == (
        [("Day 1", 150, 150)],
        2,
    )
    found = ask(database, access, statistics.of_player, number_of(database, access, "Ann"))
    assert [move.balance for move in found.money] == [300, 150]
    database.close()
