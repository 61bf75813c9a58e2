"""Many evenings: a club's history, and a player's, newest first and a page at a time."""

from datetime import date
from typing import Any

import pytest

from ledger.services.reads import sessions, statistics
from ledger.services.reads.sessions import Evening as EveningSummary
from ledger.services.reads.sessions import OwnEvening, Sitting
from ledger.services.session.view import Rate
from ledger.words.problems import NotFound
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening

CENT_A_CHIP = Rate(1, 1)


def played(club: CardClub, day: int, **draft: Any) -> Evening:
    """Play an evening of one hand on a day of January; Ann wins 150 of the three others."""
    evening = club.start(title=f"Day {day}", started_on=date(2026, 1, day), **draft)
    evening.record(cash.ANN_WINS)
    return evening


def only(club: CardClub) -> EveningSummary:
    """Return the only evening of a club's history."""
    (evening,) = club.read(sessions.of_club)
    return evening


def own(club: CardClub, name: str, **page: int) -> tuple[list[OwnEvening], int]:
    """Return a page of a player's evenings, and how many there are."""
    return club.read(sessions.of_player, club.player(name), **page)


def test_a_clubs_history_says_who_sat_and_who_won_how_much(sqlite_club: CardClub) -> None:
    """By the day it was played, not by when it was written; with game, state, hands and winner."""
    played(sqlite_club, 9)
    late = played(sqlite_club, 2)
    late.record(table.ALL_PASS)
    newest, oldest = sqlite_club.read(sessions.of_club)
    assert (newest.title, newest.hands, newest.state) == ("Day 9", 1, "open")
    assert (oldest.title, oldest.hands, oldest.session_id) == ("Day 2", 2, late.id)
    assert (oldest.game, oldest.game_title) == ("crazy-solo", "Crazy Solo")
    assert oldest.winners == ("Ann",)
    assert oldest.seats == (
        Sitting("Ann", 150, 0, 150),
        *(Sitting(name, -50, 0, -50) for name in ("Bob", "Cyd", "Dee")),
    )
    assert not oldest.came_to_money


def test_what_the_bank_gave_is_not_won_and_what_was_adjusted_is(sqlite_club: CardClub) -> None:
    """Stacks and loans leave it as it was; a void hand does too."""
    evening = played(sqlite_club, 1, starting_stack=150)
    evening.lend("Bob", 40)
    evening.adjust("Dee", -5)
    won = {seat.player: seat.won for seat in only(sqlite_club).seats}
    assert won == {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -55}
    evening.void(1)
    assert only(sqlite_club).winners == ("Ann", "Bob", "Cyd")


def test_nobody_wins_an_evening_without_a_hand(sqlite_club: CardClub) -> None:
    """All are even."""
    sqlite_club.start(game="six-bid", variant="pagat")
    evening = only(sqlite_club)
    assert (evening.winners, evening.hands) == ((), 0)
    assert evening.game_title.endswith("Solo, Pagat")


def test_who_left_and_came_back_sat_once(sqlite_club: CardClub) -> None:
    """Two seats are one player, with all that both of them won."""
    evening = played(sqlite_club, 1)
    evening.leave("Bob")
    evening.join("Bob")
    evening.record({**cash.ANN_WINS, "dealer": "Ann"})
    seats = only(sqlite_club).seats
    assert [(seat.player, seat.won) for seat in seats][:2] == [("Ann", 300), ("Bob", -100)]
    assert len(seats) == 4
    evenings, count = own(sqlite_club, "Bob")
    assert ([(line.won, line.total) for line in evenings], count) == ([(-100, -100)], 1)


def test_an_evening_says_what_money_it_came_to(sqlite_club: CardClub) -> None:
    """By leaving early and by converting, less the undone; a later payment is no evening's."""
    evening = played(sqlite_club, 1, rate=CENT_A_CHIP)
    evening.leave("Bob")
    evening.convert()
    listed = only(sqlite_club)
    money = {seat.player: seat.money for seat in listed.seats}
    assert money == {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -50}
    assert (listed.came_to_money, listed.currency) == (True, "EUR")
    sqlite_club.pay("Bob", "Ann", 50)
    assert only(sqlite_club) == listed
    assert [line.money for line in own(sqlite_club, "Bob")[0]] == [-50]
    evening.undo()
    money = {seat.player: seat.money for seat in only(sqlite_club).seats}
    assert money == {"Ann": 0, "Bob": -50, "Cyd": 0, "Dee": 0}


def test_a_players_evenings_run_up_to_a_total(sqlite_club: CardClub) -> None:
    """Whichever page is asked for; evenings without them are not listed."""
    for day in (1, 2, 4):
        played(sqlite_club, day)
    sqlite_club.start(("Bob", "Cyd", "Dee"), started_on=date(2026, 1, 3), title="Without Ann")
    evenings, count = own(sqlite_club, "Ann")
    assert count == 3
    assert [(line.title, line.won, line.total) for line in evenings] == [
        ("Day 4", 150, 450),
        ("Day 2", 150, 300),
        ("Day 1", 150, 150),
    ]
    pages = [own(sqlite_club, "Ann", offset=offset, limit=1)[0] for offset in range(4)]
    assert pages == [[line] for line in evenings] + [[]]


def test_statistics_show_the_latest_evenings_and_how_many_there_were(sqlite_club: CardClub) -> None:
    """Twenty of them; the others are on the player's own list."""
    for day in range(1, statistics.LATEST + 3):
        sqlite_club.start(started_on=date(2026, 1, day), title=f"Day {day}")
    stats = sqlite_club.read(statistics.of_player, sqlite_club.player("Ann"))
    assert (stats.sessions, len(stats.evenings)) == (22, 20)
    assert stats.evenings[0].title == "Day 22"


def test_a_clubs_history_is_its_own(our_club: CardClub, their_club: CardClub) -> None:
    """Neither evenings nor players of another club."""
    played(our_club, 1)
    assert "Day 1" in [line.title for line in our_club.read(sessions.of_club)]
    assert "Day 1" not in [line.title for line in their_club.read(sessions.of_club)]
    with pytest.raises(NotFound):
        their_club.read(sessions.of_player, our_club.player("Ann"))


def test_the_history_is_paged(sqlite_club: CardClub) -> None:
    """A page goes on where the one before it ended."""
    for day in (1, 2, 3):
        sqlite_club.start(started_on=date(2026, 1, day))
    evenings = sqlite_club.read(sessions.of_club)
    first = sqlite_club.read(sessions.of_club, limit=2)
    assert [*first, *sqlite_club.read(sessions.of_club, offset=2, limit=2)] == evenings
    assert sqlite_club.read(sessions.of_club, offset=3) == []


def test_both_databases_tell_the_same_history(any_club: CardClub) -> None:
    """Chips, money and totals, of the club and of a player."""
    for day in (1, 2):
        played(any_club, day, rate=CENT_A_CHIP).convert()
    newest, _ = any_club.read(sessions.of_club)
    assert newest.seats[0] == Sitting("Ann", 150, 150)
    evenings, count = own(any_club, "Ann", offset=1, limit=1)
    assert [(line.title, line.total, line.money) for line in evenings] == [("Day 1", 150, 150)]
    assert count == 2
    stats = any_club.read(statistics.of_player, any_club.player("Ann"))
    assert [line.balance for line in stats.money] == [300, 150]
