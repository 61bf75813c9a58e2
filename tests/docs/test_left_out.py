"""The page on hand records: the house rules, and the keys that a record may leave out."""

import re
from typing import Any

import pytest

from engine.games import GAMES
from tests.engine.hands import scored
from tests.engine.replay.test_revokes import HANDS, changed
from tests.house_rules_page import PAGE, SECTION, section

TEXT = PAGE.read_text(encoding="utf-8")
(TABLE,) = re.findall(r"^## What may be left out\n(.*?)^## ", TEXT, re.MULTILINE | re.DOTALL)
RESULT = ("points", "points_against", "tricks_won", "first_tricks_won", "matadors")
OMITTED: dict[str, tuple[str, ...]] = {
    "format": ("format",),
    "rules": ("rules",),
    "points": RESULT,
    "deal": ("deal", "auction", "exchange", "spit"),
    "active": ("active",),
}


def test_the_house_rules_on_the_page_are_those_of_the_sheets() -> None:
    """If this fails: `python -m tests.house_rules_page`."""
    assert SECTION.findall(TEXT) == [section()]
    for sheet in GAMES.values():
        for option in (*sheet.options, *(part for rule in sheet.options for part in rule.members)):
            assert option.description in section()
        for variant in sheet.variants:
            assert f"| `{variant.slug}` | {variant.summary} |" in section()


def without(hand: dict[str, Any], left_out: str) -> dict[str, Any]:
    """Return a hand without some keys, as far as the page allows leaving them out."""
    if left_out == "rules" and hand.get("rules") != _first_variant(hand["game"]):
        return hand
    if left_out == "leader":
        return {**hand, "tricks": [{"cards": trick["cards"]} for trick in hand["tricks"]]}
    if left_out == "widow":
        return {**hand, "deal": {"hands": hand["deal"]["hands"]}}
    if left_out == "partner":
        told = ("partner", "alone")
        contract = {key: value for key, value in hand["contract"].items() if key not in told}
        return {**hand, "contract": contract}
    return changed(hand, *OMITTED[left_out])


def _first_variant(game: str) -> str | None:
    variants = GAMES[game].variants
    return variants[0].slug if variants else None


@pytest.mark.parametrize("left_out", [*OMITTED, "leader", "widow", "partner"])
def test_what_may_be_left_out_changes_no_verdict(left_out: str) -> None:
    """Of complete hands of all games; and the page lists it."""
    assert f"`{left_out}`" in TABLE
    shorter = 0
    for hand in HANDS:
        if hand.get("tricks") and "deal" in hand and hand.get("contract", {}).get("bid") != "pass":
            if "conceded" in hand or "stopped" in hand:
                continue
            short = without(hand, left_out)
            shorter += short != hand
            assert scored(short) == scored(hand), hand
    assert shorter or left_out in ("active", "rules")
