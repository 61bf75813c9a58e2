"""The options of commands that choose evenings: their days and their game, or a season."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import click

from engine.games import GAMES
from ledger.database.scope import ScopedSession
from ledger.services.club import seasons
from ledger.services.session.session_filter import SessionFilter, of_season

_DAY = click.DateTime(["%Y-%m-%d"])


def period_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--from``, ``--to``, ``--game`` and ``--season`` to a command.

    They are its arguments ``first``, ``last``, ``game`` and ``season``.
    """
    for option in (
        click.option("--season", help="The name of a season, for its days and its game."),
        click.option("--game", type=click.Choice([*GAMES]), help="Only this game."),
        click.option("--to", "last", type=_DAY, help="Their last day."),
        click.option("--from", "first", type=_DAY, help="The first day of the evenings."),
    ):
        command = option(command)
    return command


def days(first: datetime | None, last: datetime | None) -> tuple[date | None, date | None]:
    """Return the chosen days. Raises ``click.BadParameter`` if the last is before the first."""
    if first and last and first > last:
        raise click.BadParameter("the last day is before the first.", param_hint="--to")
    return first and first.date(), last and last.date()


def with_season(session: ScopedSession, chosen: SessionFilter, season: str | None) -> SessionFilter:
    """Return a filter with the days and the game of a season, if one is named.

    Raises ``click.BadParameter`` if the filter has days or a game, and ``Invalid`` for an unknown season.
    """
    if season is None:
        return chosen
    if chosen.is_dated or chosen.game is not None:
        raise click.BadParameter("it has its own days and game.", param_hint="--season")
    days_and_game = of_season(seasons.by_name(session, season, "season"))
    return replace(days_and_game, player=chosen.player, session_id=chosen.session_id)
