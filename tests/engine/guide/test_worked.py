"""Worked examples are scored as any hand is, and end as they state."""

from typing import Any

import pytest

from engine.cards.cards import Suit
from engine.games import GAMES
from engine.guide.worked import WorkedExample, examples
from engine.rules.aims import Result
from engine.rules.options import OptionValue
from engine.rules.sheet import Rules
from engine.rules.verdict import Outcome
from tests.engine.hands import NAMES

POTS: dict[str, OptionValue] = {"pots": {"stake": 2}}


def tables() -> list[Rules]:
    """Every variant of every game, for each number at the table and with each value of each house rule."""
    return [
        sheet.rules(variant.slug if variant else None, options, seats)
        for sheet in GAMES.values()
        for variant in sheet.variants or (None,)
        for seats in sheet.seats
        for options in (
            {},
            *({option.slug: value} for option in sheet.options for value in option.choices),
            *([POTS] if sheet.slug == "progressive" else []),
        )
    ]


def of(rules: Rules) -> dict[tuple[str, bool], WorkedExample]:
    """Work the examples, by bid and whether it was made."""
    worked = examples(rules, NAMES[: rules.seats])
    return {(each.bid.slug, each.made): each for each in worked}


def test_each_bid_of_every_table_is_made_once_and_missed_once() -> None:
    """By every house rule, also with pots; nothing is refused, and something is paid."""
    for rules in tables():
        worked = of(rules)
        assert {slug for slug, _ in worked} == set(rules.by_slug)
        for (slug, made), each in worked.items():
            assert each.verdict.outcome is (Outcome.WON if made else Outcome.LOST), (rules, slug)
            assert each.verdict.deltas[NAMES[0]] != 0


def test_seventy_four_in_hearts_is_the_example_of_the_source() -> None:
    """Seven at the table: 42 is rounded to 40, caller +120, partner +80 (002)."""
    verdict = of(GAMES["crazy-solo"].rules(None, {}, 7))["solo-in-hearts", True].verdict
    assert list(verdict.deltas.values()) == [120, -40, 80, -40, -40, -40, -40]


@pytest.mark.parametrize(
    ("game", "options", "bid", "goal", "costs"),
    [
        ("six-bid", {}, "solo", "60 card points or more", "1 a point"),
        ("six-bid", {}, "guarantee", "80 card points or more, 74 in hearts", "40"),
        ("six-bid", {}, "misere", "no card points in tricks", "40"),
        ("six-bid", {"misere_by_tricks": True}, "misere", "no trick", "40"),
        ("six-bid", {}, "call-solo", "all 120 card points", "100, in hearts 150"),
        ("crazy-solo", {}, "solo", "60 card points or more", "2 a point, 3 in hearts"),
        ("crazy-solo", {}, "blind", "60 card points or more", "3 a point"),
        ("german-solo", {}, "solo", "5 of 8 tricks", "6 points"),
    ],
)
def test_a_tariff_card_says_what_a_bid_needs_and_pays(
    game: str, options: dict[str, OptionValue], bid: str, goal: str, costs: str
) -> None:
    """Six-Bid, Crazy Solo and German Solo (RULES.md): in hearts only where that makes a difference."""
    found = GAMES[game].rules(None, options, 4).by_slug[bid]
    assert (found.aim.goal, found.tariff.costs(found.trumps)) == (goal, costs)


def test_an_example_is_in_the_first_trump_that_a_bid_allows() -> None:
    """None in a misère."""
    worked = of(GAMES["six-bid"].rules(None, {}, 3))
    assert worked["heart-solo", True].trump is Suit.HEARTS
    assert worked["misere", False].trump is None


@pytest.mark.parametrize(
    ("game", "bid", "made", "missed"),
    [
        ("six-bid", "solo", {"points": 74}, {"points": 47}),
        ("six-bid", "call-solo", {"points": 120}, {"points": 107}),
        ("six-bid", "misere", {"points": 0, "tricks_won": 0}, {"points": 14, "tricks_won": 1}),
        ("german-solo", "solo", {"tricks_won": 5}, {"tricks_won": 4}),
    ],
)
def test_an_example_is_a_little_over_or_under_what_is_needed(
    game: str, bid: str, made: dict[str, Any], missed: dict[str, Any]
) -> None:
    """At most all points; in German Solo without the first tricks and the matadors."""
    options = {"misere_by_tricks": True} if bid == "misere" else {}
    rest: dict[str, Any] = (
        {"first_tricks_won": False, "matadors": "split"} if game == "german-solo" else {}
    )
    aim = GAMES[game].rules(None, options, 4).by_slug[bid].aim
    for is_made, keys in ((True, made), (False, missed)):
        assert aim.example(made=is_made, trump=Suit.SPADES) == Result(**keys, **rest)
