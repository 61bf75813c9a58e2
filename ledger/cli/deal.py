"""``solo-ledger deal``: print complete legal hands at random, the same for the same seed."""

from collections.abc import Mapping
from itertools import islice

import click

from engine.errors import Refused
from engine.games import GAMES
from engine.guide.random_hands import random_hands
from ledger.cli.hand_files import exit_if_unwritten, target_option, write, writer


@click.command(
    epilog="Example: solo-ledger deal --game frog --hands 3 --seed 1 | solo-ledger score -"
)
@click.option("--game", type=click.Choice([*GAMES]), required=True, help="The game to play.")
@click.option("--rules", help="The variant.  [default: the game's first]")
@click.option(
    "--players", type=int, help="Players at the table.  [default: any number, hand by hand]"
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="RULE=VALUE",
    help="A house rule, such as rounding=0 or pots.stake=2; may be given several times.",
)
@click.option(
    "--hands", type=click.IntRange(0), default=1, show_default=True, help="How many hands."
)
@click.option(
    "--seed",
    default="1",
    show_default=True,
    help="Any text: the same seed gives the same hands, with every version of Python.",
)
@target_option
def deal(
    game: str,
    rules: str | None,
    players: int | None,
    options: tuple[str, ...],
    hands: int,
    seed: str,
    target: str,
) -> None:
    """Play hands at random by the rules, and print them: deal, auction, exchange and tricks.

    Spit deals, passed-out, conceded and stopped hands are among them. Each is legal, so that programs can be
    tested against their scores. Exit status: 0 when all were printed, 2 when the game is not played so, 3
    when the output could not be written.
    """
    try:
        records = random_hands(game, rules, _house_rules(options), players=players, seed=seed)
    except Refused as refused:
        raise click.UsageError(str(refused)) from refused
    with exit_if_unwritten("The hands"):
        for text in writer(target)(islice(records, hands)):
            write(text.encode())


def _house_rules(options: tuple[str, ...]) -> Mapping[str, object]:
    """Return the house rules of ``rule=value`` texts; ``pots.stake=2`` is a member of a group.

    Raises ``click.UsageError`` for other texts.
    """
    chosen: dict[str, object] = {}
    for text in options:
        rule, mark, value = text.partition("=")
        if not (rule and mark):
            raise click.UsageError(f"A house rule is written as RULE=VALUE, not {text}.")
        group, dot, member = rule.partition(".")
        if not dot:
            chosen[rule] = _value(value)
            continue
        members = chosen.setdefault(group, {})
        if not isinstance(members, dict):
            raise click.UsageError(f"{group} has a value already, so {rule} has no place.")
        members[member] = _value(value)
    return chosen


def _value(text: str) -> object:
    """Return a value: true, false, a whole number, or the text itself."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 12 else text
