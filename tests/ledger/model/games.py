"""What hands pay, game by game, worked out from the rules sheet and from nothing else.

One line of ``GAMES`` is one game: how many may play it, by which house rules, and a way to make a
hand of it from chance. A game that the engine does not have yet is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import strategies as st

from engine import games
from tests.ledger.table import ALL_PASS

Said = Mapping[str, Any]
"""A hand as a scorer sends it."""

Pots = dict[str, int]
Paid = tuple[dict[str, int], Pots]
"""What each player gets, and what the pots hold afterwards."""


class Drawn(NamedTuple):
    """What chance says of a hand: who deals, who bids, which bid, how it is counted, or that all pass."""

    dealer: int
    bidder: int
    bid: int
    points: int
    passed: bool


DRAWN = st.builds(
    Drawn,
    st.integers(0, 6),
    st.integers(0, 5),
    st.integers(0, 1),
    st.sampled_from([0, 30, 54, 60, 61, 74, 90, 120]) | st.integers(2, 118),
    st.sampled_from([False] * 5 + [True]),
)


@dataclass(frozen=True)
class Game:
    """A game: ``say`` makes a hand of what chance says, ``pay`` says what it pays."""

    slug: str
    seats: range
    say: Callable[[Sequence[str], Drawn], Said]
    pay: Callable[[Sequence[str], Said, Pots], Paid]
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


STAKE = 5


def _turned(players: Sequence[str], dealer: str) -> list[str]:
    first = players.index(dealer) + 1
    return [*players[first:], *players[:first]]


def _said(bidder: str, bid: str, trump: str, points: int) -> Said:
    return {"contract": {"bidder": bidder, "bid": bid, "trump": trump}, "points": points}


def _anybody(bid: str) -> Callable[[Sequence[str], Drawn], Said]:
    return lambda players, drawn: _said(
        players[drawn.bidder % len(players)], bid, "C", drawn.points
    )


def _one_of_three(*bids: tuple[str, str]) -> Callable[[Sequence[str], Drawn], Said]:
    def say(players: Sequence[str], drawn: Drawn) -> Said:
        active = _turned(players, players[drawn.dealer % len(players)])[:3]
        bid, trump = bids[drawn.bid % len(bids)]
        return _said(active[drawn.bidder % 3], bid, trump, drawn.points)

    return say


def _between(
    players: Sequence[str], bidder: str, others: Sequence[str], amount: int
) -> dict[str, int]:
    """Let each of ``others`` pay the bidder an amount, or be paid it if that is negative."""
    paid = dict.fromkeys(players, 0)
    for other in others:
        paid[other] -= amount
        paid[bidder] += amount
    return paid


def _alone(players: Sequence[str], said: Said, pots: Pots) -> Paid:
    """Crazy Solo, alone in clubs: two a point over or under 60, to the nearest 5, with each other player."""
    if "points" not in said:
        return dict.fromkeys(players, 0), pots
    bidder, over = said["contract"]["bidder"], said["points"] - 60
    amount = (abs(over) * 2 + 2) // 5 * 5 * (1 if over > 0 else -1)
    return _between(players, bidder, [each for each in players if each != bidder], amount), pots


def _three(
    rates: Mapping[str, int], idle_paid_on_loss: bool
) -> Callable[[Sequence[str], Said, Pots], Paid]:
    """So much a point, won from the two other active players; lost to them or to everybody."""

    def pay(players: Sequence[str], said: Said, pots: Pots) -> Paid:
        if "points" not in said:
            return dict.fromkeys(players, 0), pots
        contract, over = said["contract"], said["points"] - 60
        active = _turned(players, said["dealer"])[:3]
        paying = players if over < 0 and idle_paid_on_loss else active
        others = [each for each in paying if each != contract["bidder"]]
        return _between(players, contract["bidder"], others, over * rates[contract["bid"]]), pots

    return pay


_PROGRESSIVE = {"frog": 1, "club-solo": 3}


def _for_pots(players: Sequence[str], said: Said, pots: Pots) -> Paid:
    """Progressive after Pennycook: everybody antes to both pots; 60 and more takes the contract's."""
    paid, _ = _three(_PROGRESSIVE, False)(players, said, pots)
    held = {name: chips + STAKE * len(players) for name, chips in pots.items()}
    paid = {name: chips - 2 * STAKE for name, chips in paid.items()}
    if said.get("points", 0) >= 60:
        pot = "frog" if said["contract"]["bid"] == "frog" else "solo"
        paid[said["contract"]["bidder"]] += held[pot]
        held[pot] = 0
    return paid, held


def _german(players: Sequence[str], drawn: Drawn) -> Said:
    return {
        "contract": {"bidder": players[drawn.bidder % 4], "bid": "solo", "trump": "C"},
        "tricks_won": 1 + drawn.points % 7,
        "matadors": "split",
        "first_tricks_won": False,
    }


def _six(players: Sequence[str], said: Said, pots: Pots) -> Paid:
    """German Solo after Altenburg: a solo made with 5 of 8 tricks or not is a score of 6; nobody pays."""
    made = said["tricks_won"] >= 5
    bidder = said["contract"]["bidder"]
    return {**dict.fromkeys(players, 0), bidder: 6 if made else -6}, pots


GAMES = [
    game
    for game in (
        Game("crazy-solo", range(3, 13), _anybody("go-alone"), _alone),
        Game("six-bid", range(3, 8), _one_of_three(("solo", "C")), _three({"solo": 1}, True)),
        Game("frog", range(3, 4), _one_of_three(("chico", "C")), _three({"chico": 2}, False)),
        Game(
            "progressive",
            range(3, 8),
            _one_of_three(("frog", "H"), ("club-solo", "C")),
            _for_pots,
            {"pots": {"stake": STAKE}},
        ),
        Game(
            "progressive",
            range(3, 8),
            _one_of_three(("frog", "H"), ("club-solo", "C")),
            _three(_PROGRESSIVE, False),
        ),
        Game("german-solo", range(4, 5), _german, _six),
    )
    if game.slug in games.GAMES
]
"""Every game that the engine has and this model knows."""
