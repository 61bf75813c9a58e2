"""The options of commands that choose evenings: their days and their game."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import click

from engine.games import GAMES

_DAY = click.DateTime(["%Y-%m-%d"])


def period_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--from``, ``--to`` and ``--game`` to a command, as ``first``, ``last`` and ``game``."""
    for option in (
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
