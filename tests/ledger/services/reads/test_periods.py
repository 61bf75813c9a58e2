"""Statistics of a period, a game and a player, from the results of the hands in it."""

from datetime import date
from typing import Any

import pytest

from ledger.services.reads import club_statistics, head_to_head, sessions, statistics
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter, years
from ledger.services.table import start
from ledger.words.problems import Invalid
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.table import ALONE_85, HEARTS_46, HEARTS_74

SOLO = {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 72}
"""Six-Bid, Dee deals: won by 12, which two pay."""

YEAR = SessionFilter(date(2025, 1, 1), date(2025, 12, 31))


@pytest.fixture
def evenings(sqlite_club: CardClub) -> list[Evening]:
    """Four evenings: on the last day of 2024, the first and last of 2025, and the first of 2026.

    The third changes from Crazy Solo to Six-Bid. In each Ann wins 120 with hearts.
    """
    days = ("2024-12-31", "2025-01-01", "2025-12-31", "2026-01-01")
    four = [
        sqlite_club.start(
            table.SEVEN, first_dealer="Gus", started_on=date.fromisoformat(day), title=day
        )
        for day in days
    ]
    for evening in four:
        evening.record(HEARTS_74)
    mixed = four[2]
    for name in ("Eve", "Fay", "Gus"):
        mixed.leave(name)
    mixed.do(start.change_rules, game="six-bid", variant=None, options={})
    mixed.record({**SOLO, "dealer": "Dee"})
    return four


def of(club: CardClub, chosen: SessionFilter, unit: int = 0) -> dict[str, tuple[int, int]]:
    """Return everybody's total and number of hands."""
    stats = club.read(club_statistics.of_club, chosen)
    return {each.name: (each.total, each.hands) for each in stats.units[unit].standings}


def totals(club: CardClub, first: str | None, last: str | None, **more: Any) -> int:
    """Return Ann's total between two days."""
    days = (day and date.fromisoformat(day) for day in (first, last))
    first_day, last_day = days
    return of(club, SessionFilter(first_day or None, last_day or None, **more))["Ann"][0]


def test_the_first_and_the_last_day_belong_to_a_period(
    sqlite_club: CardClub, evenings: list[Evening]
) -> None:
    """Neither the day before nor the day after does; one end alone is enough."""
    assert len(evenings) == 4
    assert totals(sqlite_club, "2025-01-01", "2025-12-31") == 2 * 120 + 24
    assert totals(sqlite_club, "2025-01-02", "2025-12-31") == 120 + 24
    assert totals(sqlite_club, "2025-01-01", "2025-12-30") == 120
    assert totals(sqlite_club, None, "2025-01-01") == 2 * 120
    assert totals(sqlite_club, "2025-12-31", None) == 2 * 120 + 24
    assert totals(sqlite_club, None, None) == 4 * 120 + 24
    assert sqlite_club.read(years) == range(2026, 2023, -1)
    assert sqlite_club.read(club_statistics.of_club, SessionFilter(date(2027, 1, 1))).units == ()


def test_an_evening_of_two_games_is_divided_by_hand(
    sqlite_club: CardClub, evenings: list[Evening]
) -> None:
    """A game's statistics have its hands only, of all evenings or of a period."""
    assert len(evenings) == 4
    for first, last, crazy in (("2025-01-01", "2025-12-31", 2), (None, None, 4)):
        assert totals(sqlite_club, first, last, game="crazy-solo") == crazy * 120
        assert totals(sqlite_club, first, last, game="six-bid") == 24
    stats = sqlite_club.read(club_statistics.of_club, SessionFilter(game="six-bid"))
    assert [game.game for game in stats.games] == ["six-bid"]
    best = stats.units[0].best
    assert best is not None
    assert (best.player, best.hand.amount, best.hand.session_title) == ("Ann", 24, "2025-12-31")
    ann = sqlite_club.player("Ann")
    view = sqlite_club.read(statistics.of_player, ann, SessionFilter(game="six-bid"))
    assert (view.played.total, view.best and view.best.amount) == (24, 24)
    pairs = sqlite_club.read(head_to_head.head_to_head, SessionFilter(game="six-bid", player="ann"))
    assert [(pair.player, pair.other, pair.net) for pair in pairs] == [
        ("Ann", name, 12) for name in ("Bob", "Cyd")
    ]


def test_the_best_hand_of_a_period_is_not_that_of_all_times(
    sqlite_club: CardClub, evenings: list[Evening]
) -> None:
    """It is the first one of the period with its amount; another player's may be better."""
    evenings[3].record(ALONE_85)
    stats = sqlite_club.read(club_statistics.of_club, YEAR)
    best, worst = stats.units[0].best, stats.units[0].worst
    assert best is not None
    assert worst is not None
    assert (best.player, best.hand.amount, best.hand.session_title) == ("Ann", 120, "2025-01-01")
    assert (worst.hand.amount, worst.hand.session_title) == (-40, "2025-01-01")
    everything = sqlite_club.read(club_statistics.of_club).units[0].best
    assert everything is not None
    assert (everything.player, everything.hand.amount) == ("Cyd", 300)


def test_corrections_voids_and_undo_move_the_figures_of_their_period_only(
    sqlite_club: CardClub, evenings: list[Evening]
) -> None:
    """Each leaves the other years as they were."""
    before = SessionFilter(last_day=date(2024, 12, 31))
    others = of(sqlite_club, before)
    second = evenings[1]
    second.correct(1, HEARTS_46)
    assert of(sqlite_club, YEAR)["Ann"] == (120 + 24 - 120, 3)
    second.void(1)
    assert of(sqlite_club, YEAR)["Ann"] == (120 + 24, 2)
    second.undo()
    assert of(sqlite_club, YEAR)["Ann"] == (120 + 24 - 120, 3)
    second.undo()
    assert of(sqlite_club, YEAR)["Ann"] == (2 * 120 + 24, 3)
    assert of(sqlite_club, before) == others
    sqlite_club.must_verify()


def test_a_period_of_everything_has_the_stored_sums(
    sqlite_club: CardClub, evenings: list[Evening]
) -> None:
    """Read from the hands instead; head to head, too."""
    assert len(evenings) == 4
    everything = SessionFilter(date.min, date.max)
    for query in (club_statistics.of_club, head_to_head.head_to_head):
        assert sqlite_club.read(query, everything) == sqlite_club.read(query, EVERY_SESSION)
    for name in ("Ann", "Eve"):
        player = sqlite_club.player(name)
        assert sqlite_club.read(statistics.of_player, player, everything) == sqlite_club.read(
            statistics.of_player, player
        )


def test_a_player_s_evenings_of_a_period_have_the_total_of_all_evenings(
    sqlite_club: CardClub, evenings: list[Evening]
) -> None:
    """So it continues that of the year before; the game limits only the hands."""
    assert len(evenings) == 4
    ann = sqlite_club.player("Ann")
    chosen = SessionFilter(YEAR.first_day, YEAR.last_day, "six-bid")
    view = sqlite_club.read(statistics.of_player, ann, chosen)
    assert view.sessions == 2
    assert [(each.title, each.total) for each in view.evenings] == [
        ("2025-12-31", 3 * 120 + 24),
        ("2025-01-01", 2 * 120),
    ]
    listed, _ = sqlite_club.read(sessions.of_player, ann, YEAR)
    assert tuple(listed) == view.evenings


def test_only_a_player_of_the_club_limits_statistics(sqlite_club: CardClub) -> None:
    """An unknown name is refused at the player."""
    for query in (club_statistics.of_club, head_to_head.head_to_head):
        with pytest.raises(Invalid, match="Nobody in this club is called Zoe"):
            sqlite_club.read(query, SessionFilter(player="Zoe"))
    assert sqlite_club.read(years) == ()
