"""What hands pay, game by game, worked out from the rules sheet and from nothing else.

One line of ``GAMES`` is one game: how many may play it, by which house rules, and a way to make a
hand of it from chance.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.ledger.table import ALL_PASS

Said = Mapping[str, Any]
"""A hand as a scorer sends it."""

Pots = dict[str, int]
Paid = tuple[dict[str, int], Pots]
"""What each player gets, and what the pots hold afterwards."""


class Drawn(NamedTuple):
    """What chance says of a hand: who deals, bids and helps, which bid, who doubles, how it is counted."""

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
    st.integers(0, 1),
    st.sampled_from([0, 30, 54, 60, 61, 74, 90, 120]) | st.integers(2, 118),
    st.sampled_from([False] * 5 + [True]),
    st.integers(0, 10),
    st.tuples(*[st.sampled_from([0, 0, 1, 2])] * 2),
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


def _crazy(players: Sequence[str], drawn: Drawn) -> Said:
    """Alone, or with a partner where more than three play."""
    caller = players[drawn.bidder % len(players)]
    if len(players) == 3 or drawn.bid:
        return _said(caller, "go-alone", "C", drawn.points)
    others = [each for each in players if each != caller]
    said = _said(caller, "solo", "C", drawn.points)
    return {
        **said,
        "contract": {**said["contract"], "partner": others[drawn.partner % len(others)]},
    }


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


def _gang(players: Sequence[str], said: Said, pots: Pots) -> Paid:
    """Crazy Solo in clubs: two a point over or under 60, to the nearest 5, with each of the gang.

    The caller settles with the larger half of it, first from the left; a partner with the others.
    """
    if "points" not in said:
        return dict.fromkeys(players, 0), pots
    contract, over = said["contract"], said["points"] - 60
    caller, partner = contract["bidder"], contract.get("partner")
    amount = (abs(over) * 2 + 2) // 5 * 5 * (1 if over > 0 else -1)
    gang = [each for each in _turned(players, caller) if each not in (caller, partner)]
    callers = len(gang) if partner is None else (len(gang) + 1) // 2
    paid = _between(players, caller, gang[:callers], amount)
    if partner is not None:
        for name, chips in _between(players, partner, gang[callers:], amount).items():
            paid[name] += chips
    return paid, pots


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


def _progressive(players: Sequence[str], drawn: Drawn) -> Said:
    """One of three plays; each opponent may double, and be redoubled."""
    said = _one_of_three(("frog", "H"), ("club-solo", "C"))(players, drawn)
    contract = said["contract"]
    active = _turned(players, players[drawn.dealer % len(players)])[:3]
    others = [each for each in active if each != contract["bidder"]]
    doubled = [name for name, times in zip(others, drawn.doubles, strict=True) if times]
    again = [name for name, times in zip(others, drawn.doubles, strict=True) if times == 2]
    more = {"doubled": doubled} if doubled else {}
    more |= {"redoubled": again} if again else {}
    return {**said, "contract": {**contract, **more}}


def _doubling(idle: bool) -> Callable[[Sequence[str], Said, Pots], Paid]:
    """Each opponent settles apart: once, doubled twice, redoubled four times; an idle seat once."""

    def pay(players: Sequence[str], said: Said, pots: Pots) -> Paid:
        paid, pots = _three(_PROGRESSIVE, idle)(players, said, pots)
        contract = said["contract"] if "points" in said else {}
        for name in contract.get("doubled", ()):
            more = paid[name] * (3 if name in contract.get("redoubled", ()) else 1)
            paid[name] += more
            paid[contract["bidder"]] -= more
        return paid, pots

    return pay


def _for_pots(factor: int, match: bool) -> Callable[[Sequence[str], Said, Pots], Paid]:
    """Everybody antes to both pots; 60 and more takes the contract's, less leaves or matches it."""

    def pay(players: Sequence[str], said: Said, pots: Pots) -> Paid:
        paid, _ = _doubling(False)(players, said, pots)
        held = {
            name: chips + STAKE * len(players) * (factor if name == "solo" else 1)
            for name, chips in pots.items()
        }
        paid = {name: chips - STAKE * (1 + factor) for name, chips in paid.items()}
        if "points" in said:
            pot = "frog" if said["contract"]["bid"] == "frog" else "solo"
            won = said["points"] >= 60
            if won or match:
                paid[said["contract"]["bidder"]] += held[pot] if won else -held[pot]
                held[pot] = 0 if won else 2 * held[pot]
        return paid, held

    return pay


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
    Game("crazy-solo", range(3, 13), _crazy, _gang),
    Game("six-bid", range(3, 8), _one_of_three(("solo", "C")), _three({"solo": 1}, True)),
    Game("frog", range(3, 4), _one_of_three(("chico", "C")), _three({"chico": 2}, False)),
    Game(
        "straight-solo",
        range(3, 4),
        _one_of_three(("solo", "C"), ("heart-solo", "H")),
        _three({"solo": 2, "heart-solo": 3}, False),
    ),
    *(
        Game(
            "progressive",
            range(3, 8),
            _progressive,
            _for_pots(factor, on_loss == "match"),
            {"pots": {"stake": STAKE, "solo_factor": factor, "on_loss": on_loss}},
        )
        for factor, on_loss in ((1, "stay"), (2, "match"))
    ),
    Game("progressive", range(3, 8), _progressive, _doubling(True), {"idle_paid_on_loss": True}),
    Game("german-solo", range(4, 5), _german, _six),
]
"""Every game of the engine, with some of its house rules."""
