"""Every game of the engine, with some of its house rules: its numbers of players, and random hands.

The payments of a hand are in ``paying``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.ledger.model import paying
from tests.ledger.model.paying import PROGRESSIVE, STAKE, Said, turned
from tests.ledger.table import ALL_PASS


class Drawn(NamedTuple):
    """The random parts of a hand: dealer, bidder and partner, the bid, the doublers, the result."""

    dealer: int
    bidder: int
    bid: int
    points: int
    passed: bool
    partner: int = 0
    doubles: tuple[int, int] = (0, 0)


DRAWN = st.builds(
    Drawn,
    st.integers(0, 6),
    st.integers(0, 5),
    st.integers(0, 59),
    st.sampled_from([0, 30, 54, 60, 61, 74, 90, 120]) | st.integers(2, 118),
    st.sampled_from([False] * 5 + [True]),
    st.integers(0, 10),
    st.tuples(*[st.sampled_from([0, 0, 1, 2])] * 2),
)


@dataclass(frozen=True)
class Game:
    """A game: ``say`` makes a hand of the random parts, ``pay`` returns its payments."""

    slug: str
    seats: range
    say: Callable[[Sequence[str], Drawn], Said]
    pay: paying.Pay
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def with_pots(self) -> bool:
        """Whether it is played for pots."""
        return "pots" in self.options

    def hand(self, players: Sequence[str], drawn: Drawn) -> Said:
        """Return a hand of these players, clockwise."""
        dealer = players[drawn.dealer % len(players)]
        passes = drawn.passed and self.slug != "german-solo"  # there, somebody is forced to play
        return {"dealer": dealer, **(ALL_PASS if passes else self.say(players, drawn))}

    def sides(self, players: Sequence[str], said: Said) -> dict[str, str]:
        """Return everybody's side in a hand: three have cards in most games, else all."""
        everybody = self.slug in ("crazy-solo", "german-solo")
        active = players if everybody else turned(players, said["dealer"])[:3]
        sides = {name: "opponent" if name in active else "idle" for name in players}
        for side in ("partner", "bidder"):
            if said["contract"].get(side):
                sides[said["contract"][side]] = side
        return sides

    def next_dealer(self, players: Sequence[str], said: Said, heartless: int | None = None) -> str:
        """Return the next dealer: the next on the left; in Crazy Solo the same again if all passed.

        In a blind round it is the same again if the player under held no heart, twice at most;
        ``heartless`` counts such deals before this one.
        """
        bid = said["contract"]["bid"]
        again = bid == "pass" if heartless is None else bid != "blind" and heartless < 2
        stays = self.slug == "crazy-solo" and again
        return str(said["dealer"]) if stays else turned(players, said["dealer"])[0]


def _said(bidder: str, bid: str, trump: str, points: int) -> Said:
    return {"contract": {"bidder": bidder, "bid": bid, "trump": trump}, "points": points}


_ALONE = (("go-alone", "C"), ("go-alone", "H"), ("go-alone-in-hearts", "H"))
_PARTNERED = (("solo", "C"), ("solo", "H"), ("solo-in-hearts", "H"), ("blind", "H"))
_CALLED = (None, "AS", "KD")


def _crazy(players: Sequence[str], drawn: Drawn) -> Said:
    """Alone, or with a partner where more than three play; the one on the lead may play blind."""
    caller = players[drawn.bidder % len(players)]
    alone = len(players) == 3 or drawn.bid % 3 == 0
    bids = _ALONE if alone else _PARTNERED
    bid, trump = bids[drawn.bid // 3 % len(bids)]
    if bid == "blind":
        caller = turned(players, players[drawn.dealer % len(players)])[0]
    said = _said(caller, bid, trump, drawn.points)
    if alone:
        return said
    others = [each for each in players if each != caller]
    called = _CALLED[drawn.partner % len(_CALLED)]
    more: dict[str, Any] = {"called": called} if called else {}
    more |= {"partner": others[drawn.partner % len(others)]}
    if called and drawn.bid % 3 == 1:
        more = {"called": called, "alone": True}
    return {**said, "contract": {**said["contract"], **more}}


def _one_of_three(*bids: tuple[str, str]) -> Callable[[Sequence[str], Drawn], Said]:
    def say(players: Sequence[str], drawn: Drawn) -> Said:
        active = turned(players, players[drawn.dealer % len(players)])[:3]
        bid, trump = bids[drawn.bid % len(bids)]
        return _said(active[drawn.bidder % 3], bid, trump, drawn.points)

    return say


_SUITS = dict(zip(PROGRESSIVE, "HSCDH", strict=True))


def _progressive(players: Sequence[str], drawn: Drawn) -> Said:
    """One of three plays; each opponent may double, and be redoubled."""
    said = _one_of_three(*_SUITS.items())(players, drawn)
    contract = said["contract"]
    active = turned(players, players[drawn.dealer % len(players)])[:3]
    others = [each for each in active if each != contract["bidder"]]
    doubled = [name for name, times in zip(others, drawn.doubles, strict=True) if times]
    again = [name for name, times in zip(others, drawn.doubles, strict=True) if times == 2]
    more = {"doubled": doubled} if doubled else {}
    more |= {"redoubled": again} if again else {}
    return {**said, "contract": {**contract, **more}}


def _with_pots(factor: int, on_loss: str, idle: bool) -> Game:
    options: dict[str, Any] = {
        "pots": {"stake": STAKE, "solo_factor": factor, "on_loss": on_loss},
        **({"idle_paid_on_loss": True} if idle else {}),
    }
    pay = paying.for_pots(factor, on_loss == "match", idle)
    return Game("progressive", range(3, 8), _progressive, pay, options)


def _german(players: Sequence[str], drawn: Drawn) -> Said:
    return {
        "contract": {"bidder": players[drawn.bidder % 4], "bid": "solo", "trump": "C"},
        "tricks_won": 1 + drawn.points % 7,
        "matadors": "split",
        "first_tricks_won": False,
    }


_SIX = {"solo": 1, "heart-solo": 2}
_FROG = {"frog": 1, "chico": 2, "grand": 3}
_STRAIGHT = {"solo": 2, "heart-solo": 3}

GAMES = [
    Game("crazy-solo", range(3, 13), _crazy, paying.gang),
    Game(
        "six-bid",
        range(3, 8),
        _one_of_three(("solo", "C"), ("heart-solo", "H")),
        paying.three(_SIX, idle=True),
    ),
    Game(
        "frog",
        range(3, 4),
        _one_of_three(("frog", "H"), ("chico", "C"), ("grand", "H")),
        paying.three(_FROG, False, "tied"),
    ),
    Game(
        "straight-solo",
        range(3, 4),
        _one_of_three(("solo", "C"), ("heart-solo", "H")),
        paying.three(_STRAIGHT, False, "tied"),
    ),
    _with_pots(1, "stay", idle=False),
    _with_pots(2, "match", idle=False),
    _with_pots(1, "match", idle=True),
    _with_pots(2, "stay", idle=True),
    Game(
        "progressive", range(3, 8), _progressive, paying.doubling(True), {"idle_paid_on_loss": True}
    ),
    Game("german-solo", range(4, 5), _german, paying.six),
]
"""Every game of the engine, with some of its house rules."""
