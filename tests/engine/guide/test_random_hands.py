"""Random hands: complete, legal, of every kind, and the same for the same seed."""

from collections.abc import Callable
from itertools import islice

import pytest

from engine.errors import Refused
from engine.games import GAMES
from engine.guide.random_hands import Chance, random_hands
from engine.notation.compact import write
from engine.record import HandRecord
from engine.scoring.score import score

FIRST = {
    "crazy-solo": ("85gl", "1ehe", "rs57"),
    "six-bid": ("5ch2", "0zvz", "2mp6"),
    "frog": ("cn0h", "3sgc", "xpmy"),
    "progressive": ("07x2", "72iw", "6j5x"),
    "german-solo": ("e54i", "d2ew", "75jl"),
    "straight-solo": ("mu8v", "ipk6", "a8jg"),
}
"""The check characters of the first hands with the seed `one`. Programs compare results by the hands of a
seed, so these never change."""


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_hands_in_every_version_of_python(game: str) -> None:
    """Another seed gives others, and each hand depends on its number only."""
    hands = list(islice(random_hands(game, seed="one"), 3))
    assert tuple(write(hand)[-4:] for hand in hands) == FIRST[game]
    assert list(islice(random_hands(game, seed="one"), 3)) == hands
    assert next(random_hands(game, seed="two")) != hands[0]
    assert len({write(hand) for hand in hands}) == 3


def _bid(slug: str) -> Callable[[HandRecord], bool]:
    return lambda hand: hand.contract is not None and hand.contract.bid == slug


def _has(*keys: str) -> Callable[[HandRecord], bool]:
    return lambda hand: bool(
        all(getattr(hand, key, None) or getattr(hand.contract, key, None) for key in keys)
    )


KINDS: dict[str, dict[str, Callable[[HandRecord], bool]]] = {
    "crazy-solo": {
        "spit": _has("spit"),
        "drawn again": lambda hand: hand.spit is not None and len(hand.spit.drawn or ()) > 3,
        "partner": _has("partner"),
        "own card": _has("alone"),
        "blind": _bid("blind"),
    },
    "six-bid": {
        "given by the bidder": lambda hand: hand.conceded == "bidder",
        "given by the opponents": lambda hand: hand.conceded == "opponents",
        "called card in the widow": lambda hand: (
            hand.exchange is not None and hand.exchange.giver == "widow"
        ),
        "called card exchanged": lambda hand: (
            hand.exchange is not None and hand.exchange.returned is not None
        ),
    },
    "frog": {"widow taken": _has("exchange")},
    "progressive": {"doubled": _has("doubled"), "redoubled": _has("redoubled")},
    "german-solo": {
        "force": _bid("force"),
        "stopped": _has("stopped"),
        "announced": _has("announced_tout"),
        "asked": _has("asked_partner"),
        "declared more": lambda hand: (
            hand.contract is not None
            and hand.contract.bid == "solo"
            and not any(call.call.startswith("solo") for call in hand.auction or ())
        ),
    },
    "straight-solo": {},
}
"""What happens in some of a game's hands."""


@pytest.mark.parametrize("game", GAMES)
def test_random_hands_are_scored_and_of_every_kind(game: str) -> None:
    """Every bid at every table size, an overcall, an all-pass, and the rarer events of each game."""
    sheet = GAMES[game]
    missing: set[object] = {*KINDS[game], "overcall", *sheet.seats}
    if game != "german-solo":
        missing.add("pass")
    for size in sheet.seats:
        missing |= {f"bid {bid.slug}" for bid in sheet.rules(None, {}, size).bids}
    for record in islice(random_hands(game, seed="kinds"), 1500):
        score(record)
        assert record.deal is not None
        assert record.contract is not None
        assert (record.tricks is None) is (record.contract.bid == "pass")
        bids = [call.call for call in record.auction or () if call.call not in ("pass", "double")]
        missing -= {f"bid {record.contract.bid}", record.contract.bid, len(record.players)}
        missing -= {"overcall"} if len(bids) > 1 else set()
        missing -= {kind for kind, happened in KINDS[game].items() if happened(record)}
        if not missing:
            break
    assert not missing


def test_house_rules_and_table_size_can_be_chosen() -> None:
    """With pots the record states what they held."""
    options = {"pots": {"stake": 2}}
    for record in islice(random_hands("progressive", "hoyle", options, players=5), 20):
        assert len(record.players) == 5
        assert record.rules == "hoyle"
        assert record.pots is not None
        assert score(record).pots is not None


def test_an_unknown_game_rule_or_size_is_refused_before_the_first_hand() -> None:
    """As when a hand is scored."""
    for arguments in (("x",), ("frog", "x"), ("frog", None, {"x": 1})):
        with pytest.raises(Refused):
            random_hands(*arguments)
    with pytest.raises(Refused):
        random_hands("frog", players=4)


def test_every_order_of_a_few_cards_comes_up() -> None:
    """And nothing is lost or repeated."""
    chance = Chance.seeded("orders")
    orders = {tuple(chance.shuffled("abc")) for _ in range(100)}
    assert len(orders) == 6
    assert {chance.pick("abc") for _ in range(50)} == {*"abc"}
    assert 0 < sum(chance.happens(0.1) for _ in range(1000)) < 200
