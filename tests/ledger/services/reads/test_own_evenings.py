"""A player's running totals, read from stored sums, equal their evenings' sums one after another."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from ledger.services.chips import adjust
from ledger.services.club import players
from ledger.services.reads import accounts, sessions
from ledger.services.table import lifecycle
from ledger.words.problems import Problem
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening

GAMES: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
    "crazy-solo": lambda bidder: {
        "contract": {"bidder": bidder, "bid": "go-alone", "trump": "S"},
        "points": 85,
    },
    "german-solo": table.german_solo,
    "progressive": lambda _: table.ALL_PASS,
}
"""Games for chips, for scores, and for pots, each with a hand of somebody's that moves some of them."""
POTS = {"options": {"pots": {"stake": 5, "solo_factor": 1}}}
ADDED_UP = text(
    "SELECT play_session.id, sum(account.balance - seat.scored - seat.advanced), sum(seat.scored) "
    "FROM seat JOIN account ON account.seat_id = seat.id "
    "JOIN play_session ON play_session.id = seat.session_id "
    "WHERE seat.player_id = :player AND play_session.deleted_at IS NULL "
    "GROUP BY play_session.id, play_session.started_on "
    "ORDER BY play_session.started_on, play_session.id"
)
"""What a player won and scored in each of their evenings, oldest first."""


def options_of(game: str) -> dict[str, Any]:
    """Return the house rules by which a game is played here."""
    return POTS if game == "progressive" else {}


def act_at_random(club: CardClub, draw: Random, steps: int) -> None:
    """Do so many things, many of which are refused: on four days, at several tables a day."""
    begun: list[Evening] = []

    def take_back_any(at: Evening) -> None:
        at.take_back(draw.choice(at.read(accounts.entries)[0]).id)

    for _ in range(steps):
        game, name, chips = draw.choice([*GAMES]), draw.choice(table.FOUR), draw.randint(1, 40)
        if len(begun) < 3 or draw.random() < 0.05:
            draft = options_of(game) | {"started_on": date(2026, 1, draw.randint(1, 4))}
            draft["starting_stack"] = 0 if game == "german-solo" else draw.choice((0, 100))
            begun.append(club.start(table.FOUR[: 3 if game == "progressive" else 4], game, **draft))
        at = draw.choice(begun)
        signed = draw.choice((1, -1)) * chips
        often: list[Callable[[], object]] = [
            *[partial(at.record, hand(name)) for hand in GAMES.values()],
            partial(at.adjust, name, signed),
            partial(at.adjust, name, signed, pot="solo"),
            partial(at.do, adjust.share_pots),
            partial(at.do, adjust.share_differences),
            partial(at.count, {name: {5: chips}}, post=draw.random() < 0.5),
            partial(take_back_any, at),
        ]
        seldom: list[Callable[[], object]] = [
            partial(at.void, draw.randint(1, 3)),
            partial(at.play, game, **options_of(game)),
            at.undo,
            partial(at.lend, name, chips),
            partial(at.leave, name),
            partial(at.join, name),
            partial(at.do, draw.choice([lifecycle.close, lifecycle.delete])),
            at.reopen,
        ]
        with suppress(Problem, IndexError):  # refused, or nothing to be undone
            draw.choice(often * 3 + seldom)()


def added_up(club: CardClub, player: int) -> list[tuple[int, int, int]]:
    """Add a player's evenings up from the first one on: chips and points after each, newest first."""
    with club.db.engine.connect() as connection:
        rows = connection.execute(ADDED_UP, {"player": player}).all()
    chips = points = 0
    sums = []
    for number, won, scored in rows:
        chips, points = chips + int(won), points + int(scored)
        sums.append((number, chips, points))
    return sums[::-1]


@pytest.mark.parametrize("seed", [3, 4])
def test_running_totals_are_what_the_evenings_come_to(any_club: CardClub, seed: int) -> None:
    """With any hands, adjustments, shares, counts, loans and undos; on every page, of any length."""
    draw = Random(seed)  # noqa: S311 - a test that draws the same every time
    act_at_random(any_club, draw, 100)
    for player in any_club.read(players.everyone):
        expected = added_up(any_club, player.id)
        size, shown = draw.randint(1, 4), []
        for offset in range(0, len(expected) + 1, size):
            page, total = any_club.read(sessions.of_player, player.id, offset=offset, limit=size)
            assert total == len(expected)
            shown += page
        assert [(own.session_id, own.total, own.total_scored) for own in shown] == [
            (number, points if own.unit == "score" else chips, points)
            for own, (number, chips, points) in zip(shown, expected, strict=True)
        ]
    any_club.must_verify()


def test_what_was_won_by_other_entries_is_stored(sqlite_club: CardClub) -> None:
    """Adjusted, counted, shared out and undone: the player's own sum follows."""
    evening = sqlite_club.start()

    def won() -> dict[str, int]:
        with sqlite_club.db.engine.connect() as connection:
            rows = connection.execute(text("SELECT name, by_other_entries FROM player")).all()
        return {name: chips for name, chips in rows if chips}

    evening.adjust("Bob", -10)
    assert won() == {"Bob": -10}
    evening.count({"Cyd": {5: 2}}, post=True)
    assert won() == {"Bob": -10, "Cyd": 10}
    evening.undo()
    evening.lend("Dee", 5)
    evening.record(cash.ANN_WINS)
    assert won() == {"Bob": -10}
    evening.do(adjust.share_differences)
    shared = {"Ann": 3, "Bob": -7, "Cyd": 2, "Dee": 2}
    assert won() == shared
    pots = sqlite_club.start(table.FOUR[:3], "progressive", **POTS)
    pots.record(table.ALL_PASS)
    assert won() == shared
    pots.do(adjust.share_pots)
    assert won() == {"Ann": 13, "Bob": 3, "Cyd": 12, "Dee": 2}
    pots.undo()
    assert won() == shared
