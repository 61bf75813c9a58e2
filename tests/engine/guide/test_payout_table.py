"""The payout table: each entry gives the verdict that scoring gives."""

import os
import random
from collections.abc import Mapping

import pytest

from engine.games import GAMES
from engine.guide.payout_table import payout_table
from engine.record import PASS, HandRecord
from engine.rules.sheet import Rules, Sheet
from engine.rules.verdict import Outcome
from engine.scoring.score import score
from tests.engine.payouts import TableVerdict, hands, look_up, tables

EVERY_TABLE = "LEDGER_TEST_EVERY_TABLE"
"""The environment variable that checks all tables, which takes minutes, and not a few of each game."""

A_FEW, SEED = 2, 7


def checked(sheet: Sheet) -> list[Rules]:
    """Return all tables of a game if the environment asks for it, else a few, the same in each run."""
    every = list(tables(sheet))
    if os.environ.get(EVERY_TABLE):
        return every
    chosen = random.Random(SEED)  # noqa: S311 - no secret hangs on it
    return chosen.sample(every, min(A_FEW, len(every)))


def is_of_the_highest_stake(rules: Rules) -> bool:
    """Return whether a hand can bring more chips than a pot can hold into an empty one."""
    pots = rules.options["pots"]
    return isinstance(pots, Mapping) and (pots["stake"], pots["solo_factor"]) == (1_000_000, 100)


def test_an_outcome_that_no_pot_can_hold_is_left_out_of_the_table() -> None:
    """At the highest stake of five, a lost solo brings a thousand million into the solo pot, and 2 more."""
    pots = {"stake": 1_000_000, "solo_factor": 100, "on_loss": "match"}
    rules = GAMES["progressive"].rules(None, {"pots": pots}, 5)
    kept = {(bid, outcome) for bid, outcome in payout_table(rules).pots if bid != PASS}
    solos = {bid.slug for bid in rules.bids} - {"frog"}
    assert kept == {
        *((solo, Outcome.WON) for solo in solos),
        *(("frog", outcome) for outcome in (Outcome.WON, Outcome.LOST, Outcome.TIED)),
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_gives_the_verdict_of_scoring(game: str) -> None:
    """Every price once, and every group of seats with every dealer, doubles, pots and blind rounds."""
    entries = 0
    for rules in checked(GAMES[game]):
        table = payout_table(rules)
        for keys, answers in hands(rules, table):
            record = HandRecord.from_mapping(keys)
            verdict = look_up(rules, table, record, answers)
            if verdict is None:
                assert is_of_the_highest_stake(rules), keys
                continue
            assert verdict == TableVerdict.of(score(record)), keys
            entries += 1
    print(f"{game}: {entries:,} hands")
    assert entries > len(checked(GAMES[game])) * 100
