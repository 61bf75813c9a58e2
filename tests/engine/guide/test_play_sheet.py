"""The data about a table's rules with which pages set up a play; the browser tests compare the setups."""

import pytest

from engine.games import find
from engine.guide.play_sheet import BidSheet, play_sheet
from engine.guide.play_sheets import play_sheets
from engine.guide.random_hands import NAMES
from tests.engine.playing import HOUSES, House


def bid_sheet(game: str, seats: int, bid: str) -> BidSheet:
    """Return the sheet of one bid of a game's first variant."""
    return play_sheet(find(game).rules(None, {}, seats))["bids"][bid]


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_sheet_deals_out_the_whole_pack_and_has_every_bid(house: House) -> None:
    """Hands and widow add up to the pack, and every bid has a goal for each of its trumps."""
    rules = find(house.game).rules(house.variant, house.options, house.seats)
    sheet = play_sheet(rules)
    active = len(rules.table(NAMES[: house.seats], NAMES[0]).active)
    assert len(sheet["pack"].split()) == sheet["size"] * active + sheet["widow"]
    assert {slug: list(bid["needs"]) for slug, bid in sheet["bids"].items()} == {
        bid.slug: [suit.value for suit in bid.trumps] or [""] for bid in rules.bids
    }


def test_a_goal_is_the_card_points_or_tricks_that_make_the_contract() -> None:
    """Call solo takes all the points (002), a misère none; German Solo counts tricks (003)."""
    assert bid_sheet("crazy-solo", 4, "solo-in-hearts")["needs"] == {"H": 60}
    assert set(bid_sheet("six-bid", 3, "call-solo")["needs"].values()) == {120}
    assert bid_sheet("six-bid", 3, "misere")["needs"] == {"": 0}
    frage = bid_sheet("german-solo", 4, "frage")
    assert frage["needs"]["C"] == 5
    assert frage["counts"] == "tricks"


def test_a_sheet_tells_how_the_called_card_and_the_widow_are_used() -> None:
    """Frog takes the widow, call solo the called card; German Solo's called card must be led (003)."""
    assert bid_sheet("frog", 3, "frog")["takes"] == "widow"
    assert bid_sheet("six-bid", 3, "call-solo")["takes"] == "called"
    assert bid_sheet("six-bid", 3, "solo")["takes"] == ""
    frage = bid_sheet("german-solo", 4, "frage")
    assert (frage["partner"], frage["must_play"], frage["must_lead"]) == (True, True, True)
    assert bid_sheet("six-bid", 3, "spread-misere")["spread"]


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_the_sheet_of_a_table_is_among_all_sheets(house: House) -> None:
    """By variant, number of seats and the house rules that change it."""
    every, rules = play_sheets(), find(house.game).rules(house.variant, house.options, house.seats)
    game, variant = every["games"][house.game], rules.variant or ""
    values = [str(rules.options[slug]).lower() for slug in game["options"][variant]]
    number = game["tables"]["/".join([variant, str(house.seats), *values])]
    assert every["sheets"][number] == play_sheet(rules)
    assert game["default"] == (find(house.game).default_variant or "")
