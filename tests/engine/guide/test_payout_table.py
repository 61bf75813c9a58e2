"""The payout table: each entry gives the verdict that scoring gives."""

import os
import random

import pytest

from engine.games import GAMES
from engine.guide.payout_table import payout_table
from engine.record import HandRecord
from engine.rules.sheet import Rules, Sheet
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


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_gives_the_verdict_of_scoring(game: str) -> None:
    """Every price once, and every group of seats with every dealer, doubles, pots and blind rounds."""
    entries = 0
    for rules in checked(GAMES[game]):
        table = payout_table(rules)
        for keys, answers in hands(rules, table):
            record = HandRecord.from_mapping(keys)
            assert look_up(rules, table, record, answers) == TableVerdict.of(score(record)), keys
            entries += 1
    print(f"{game}: {entries:,} hands")
    assert entries > len(checked(GAMES[game])) * 100
