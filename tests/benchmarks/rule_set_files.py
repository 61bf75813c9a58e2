"""Files of random hands of one game, for one rule set, twenty of them, or new rules for every hand."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engine.errors import Refused
from engine.games import find
from engine.guide.random_hands import NAMES
from engine.record import HandRecord, Pots
from engine.replay.replay import replay
from engine.rules.options import Option, OptionKind, OptionValue
from engine.scoring.score import score
from tests.engine.playing import House, dice, play, written

GAMES = ("six-bid", "frog", "progressive", "crazy-solo", "german-solo")


def random_value(option: Option, rng: random.Random) -> OptionValue:
    """Choose a value of a house rule; a group of rules is on half of the time, with all of its members."""
    if option.kind is OptionKind.AMOUNT:
        return rng.randint(option.least, min(option.most, 50))
    if option.members and rng.random() < 0.5:
        members: dict[str, Any] = {part.slug: random_value(part, rng) for part in option.members}
        return members
    return rng.choice(option.choices)


def random_house(game: str, rng: random.Random) -> House:
    """Choose seats, variant and house rules of a game that go together."""
    sheet = find(game)
    while True:
        seats = rng.choice(sheet.seats)
        variant = rng.choice([None, *(variant.slug for variant in sheet.variants)])
        options = {option.slug: random_value(option, rng) for option in sheet.options}
        with suppress(Refused):
            sheet.rules(variant, options, seats)
            return House(game, seats, variant, options, bool(options.get("pots")))


def houses(game: str, tables: int | None, rng: random.Random) -> Iterator[tuple[House, list[str]]]:
    """Yield the rules and players of each hand: of one of so many tables, or of a new table each time."""
    names = [name + mark for name in NAMES for mark in ("", "a", "b", "c")]

    def new_table() -> tuple[House, list[str]]:
        house = House(game, find(game).seats[0]) if tables == 1 else random_house(game, rng)
        return house, rng.sample(names, house.seats)

    if tables is None:
        while True:
            yield new_table()
    seated = [new_table() for _ in range(tables)]
    while True:
        yield rng.choice(seated)


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Return a written record with other names."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def result_only(record: HandRecord) -> HandRecord:
    """Return a record without its cards, with the contract and the result that they show."""
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    read = replay(rules, rules.plan(record.players, record.dealer, record.active), record, [])
    result = read.result._asdict()
    del result["announced_tout"]
    for key in ("tricks_won", "points_against"):
        if key not in rules.keys and rules.pack.total:
            del result[key]
    bare = replace(record, deal=None, spit=None, auction=None, exchange=None, tricks=None)
    return replace(bare, contract=read.contract, **result)


def hands(game: str, tables: int | None, number: int) -> Iterator[tuple[str, str]]:
    """Yield so many hands, each as a line with all cards and as a line with contract and result."""
    rng = dice(f"{game} at {tables} tables")
    for house, players in houses(game, tables, rng):
        if not number:
            return
        record = replace(written(house, play(house, rng, speak=True)))
        if house.pots:
            record = replace(record, pots=Pots(rng.randrange(90), rng.randrange(90)))
        names = dict(zip(NAMES, players, strict=False))
        lines = []
        for depth in (record, result_only(record)):
            score(depth)
            lines.append(json.dumps(renamed(depth.to_mapping(), names), ensure_ascii=False))
        yield lines[0], lines[1]
        number -= 1
