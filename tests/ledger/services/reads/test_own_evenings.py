"""A player's running totals, taken from kept sums, are what their evenings come to one after another."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import adjust, count
from ledger.services.club import players
from ledger.services.reads import accounts, sessions
from ledger.services.table import lifecycle, start
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import last
from ledger.words.problems import Problem
from tests.ledger import cash, table
from tests.ledger.table import ask

GAMES: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
    "crazy-solo": lambda bidder: {
        "contract": {"bidder": bidder, "bid": "go-alone", "trump": "S"},
        "points": 85,
    },
    "german-solo": table.german_solo,
    "progressive": lambda _: table.ALL_PASS,
}
"""Games for chips, for scores, and for pots, each with a hand of somebody's that moves some of them."""
STAKES = {"pots": {"stake": 5, "solo_factor": 1}}
ADDED_UP = text(
    "SELECT play_session.id, sum(account.balance - seat.scored - seat.advanced), sum(seat.scored) "
    "FROM seat JOIN account ON account.seat_id = seat.id "
    "JOIN play_session ON play_session.id = seat.session_id "
    "WHERE seat.player_id = :who AND play_session.deleted_at IS NULL "
    "GROUP BY play_session.id, play_session.started_on "
    "ORDER BY play_session.started_on, play_session.id"
)
"""What a player won and scored in each of their evenings, oldest first."""


def rules(game: str) -> dict[str, Any]:
    """Say by which rules a game is played here."""
    return {"variant": None, "options": STAKES if game == "progressive" else {}}


def take_back_any(db: Database, access: Access, at: int, draw: Random) -> None:
    """Undo any entry of an evening, if it can be."""
    entry = draw.choice(ask(db, access, accounts.entries, at)[0])
    undo_entry.take_back(table.write(db, access), at, entry.id, reason="a slip")


def done_at_random(db: Database, access: Access, draw: Random, steps: int) -> None:
    """Do so many things, many of which are refused: on four days, at several tables a day."""
    begun: list[int] = []
    to = partial(table.write, db, access)
    for _ in range(steps):
        game, who, chips = draw.choice([*GAMES]), draw.choice(table.FOUR), draw.randint(1, 40)
        if len(begun) < 3 or draw.random() < 0.05:
            said = rules(game) | {"started_on": date(2026, 1, draw.randint(1, 4))}
            said["starting_stack"] = 0 if game == "german-solo" else draw.choice((0, 100))
            seats = table.FOUR[: 3 if game == "progressive" else 4]
            begun.append(table.start(db, access, seats, game, **said))
        at = draw.choice(begun)
        by_chips: dict[str, Any] = {"player": who, "chips": draw.choice((1, -1)) * chips}
        often: list[Callable[[], object]] = [
            *[partial(table.record, db, access, at, hand(who)) for hand in GAMES.values()],
            partial(adjust.adjust, to(), at, **by_chips, reason="found"),
            partial(adjust.adjust, to(), at, **by_chips, reason="ante", pot="solo"),
            partial(adjust.share_pots, to(), at),
            partial(adjust.share_differences, to(), at),
            partial(count.record, to(), at, {who: {5: chips}}, post=draw.random() < 0.5),
            partial(take_back_any, db, access, at, draw),
        ]
        seldom: list[Callable[[], object]] = [
            partial(table.void, db, access, at, draw.randint(1, 3)),
            partial(start.change_rules, to(), at, game=game, **rules(game)),
            partial(last.undo, to(), at),
            partial(cash.lend, db, access, at, who, chips),
            partial(cash.leave, db, access, at, who),
            partial(cash.join, db, access, at, who),
            partial(draw.choice([lifecycle.close, lifecycle.delete]), to(), at),
            partial(lifecycle.reopen, to(), at),
        ]
        with suppress(Problem, IndexError):  # refused, or nothing to be undone
            draw.choice(often * 3 + seldom)()


def added_up(db: Database, who: int) -> list[tuple[int, int, int]]:
    """Add a player's evenings up from the first one on: chips and points after each, newest first."""
    with db.engine.connect() as connection:
        rows = connection.execute(ADDED_UP, {"who": who}).all()
    chips = points = 0
    found = []
    for number, won, scored in rows:
        chips, points = chips + int(won), points + int(scored)
        found.append((number, chips, points))
    return found[::-1]


@pytest.mark.parametrize("seed", [3, 4])
def test_running_totals_are_what_the_evenings_come_to(
    any_database: Database, access: Access, seed: int
) -> None:
    """Whatever was played, adjusted, shared out, counted, lent and undone; on every page, however long."""
    draw = Random(seed)  # noqa: S311 - a test that draws the same every time
    done_at_random(any_database, access, draw, 100)
    for each in ask(any_database, access, players.everyone):
        expected = added_up(any_database, each.id)
        size, shown = draw.randint(1, 4), []
        for offset in range(0, len(expected) + 1, size):
            page, total = ask(
                any_database, access, sessions.of_player, each.id, offset=offset, limit=size
            )
            assert total == len(expected)
            shown += page
        assert [(own.session_id, own.total, own.total_scored) for own in shown] == [
            (number, points if own.unit == "score" else chips, points)
            for own, (number, chips, points) in zip(shown, expected, strict=True)
        ]
    assert list(verify(any_database)) == []


def test_what_was_won_by_other_entries_is_kept(database: Database, club: Access) -> None:
    """Adjusted, counted, shared out and undone: the player's own sum follows."""
    tonight = table.start(database, club, table.FOUR)

    def won() -> dict[str, int]:
        with database.engine.connect() as connection:
            rows = connection.execute(text("SELECT name, by_other_entries FROM player")).all()
        return {name: chips for name, chips in rows if chips}

    to = partial(table.write, database, club)
    adjust.adjust(to(), tonight, player="Bob", chips=-10, reason="fell under the sofa")
    assert won() == {"Bob": -10}
    count.record(to(), tonight, {"Cyd": {5: 2}}, post=True)
    assert won() == {"Bob": -10, "Cyd": 10}
    last.undo(to(), tonight)
    cash.lend(database, club, tonight, "Dee", 5)
    table.record(database, club, tonight, cash.ANN_WINS)
    assert won() == {"Bob": -10}
    adjust.share_differences(to(), tonight)
    assert won() == (kept := {"Ann": 3, "Bob": -7, "Cyd": 2, "Dee": 2})
    pots = table.start(database, club, table.FOUR[:3], "progressive", **rules("progressive"))
    table.record(database, club, pots, table.ALL_PASS)
    assert won() == kept
    adjust.share_pots(to(), pots)
    assert won() == {"Ann": 13, "Bob": 3, "Cyd": 12, "Dee": 2}
    last.undo(to(), pots)
    assert won() == kept
