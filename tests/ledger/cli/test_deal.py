"""``solo-ledger deal``: legal hands on standard output, the same for the same seed."""

import json

import pytest
from click.testing import CliRunner, Result

from ledger.cli import main


def run(*arguments: str) -> Result:
    """Run ``solo-ledger deal``."""
    return CliRunner().invoke(main, ["deal", *arguments])


def test_the_same_seed_prints_the_same_hands() -> None:
    """A longer run begins with the hands of a shorter one, and another seed has others."""
    three = run("--game", "six-bid", "--hands", "3", "--seed", "x").stdout.splitlines()
    assert len(three) == 3
    assert run("--game", "six-bid", "--hands", "2", "--seed", "x").stdout.splitlines() == three[:2]
    assert run("--game", "six-bid", "--hands", "3", "--seed", "y").stdout.splitlines() != three
    assert run("--game", "six-bid", "--hands", "0").stdout == ""


def test_dealt_hands_are_scored() -> None:
    """In a pipe, as lines or as JSON."""
    lines = run("--game", "german-solo", "--hands", "5", "--to", "line").stdout
    scored = CliRunner().invoke(main, ["score", "--format", "line", "-"], input=lines)
    assert scored.exit_code == 0
    assert len(scored.stdout.splitlines()) == 5


def test_variant_players_and_house_rules_are_those_of_the_options() -> None:
    """Words, numbers and switches, also in a group."""
    options = ("pots.stake=2", "pots.on_loss=match", "idle_paid_on_loss=false")
    more = [part for option in options for part in ("--option", option)]
    arguments = ("--game", "progressive", "--rules", "hoyle", "--players", "5", *more)
    hand = json.loads(run(*arguments).stdout)
    assert (len(hand["players"]), hand["rules"]) == (5, "hoyle")
    assert hand["options"]["pots"]["stake"] == 2
    assert hand["options"]["pots"]["on_loss"] == "match"
    assert hand["options"]["idle_paid_on_loss"] is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "4"], "Frog is played by 3 at the table"),
        (["--rules", "x"], "no variant"),
        (["--option", "x"], "A house rule is written as RULE=VALUE, not x."),
        (["--option", "=1"], "A house rule is written as RULE=VALUE, not =1."),
        (["--option", "x=1"], "no house rule"),
        (["--option", "a=1", "--option", "a.b=1"], "a has a value already, so a.b has no place."),
        (["--hands", "-1"], "--hands"),
    ],
)
def test_a_game_that_is_not_played_so_is_refused(arguments: list[str], message: str) -> None:
    """Exit status 2, and nothing is printed."""
    result = run("--game", "frog", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
