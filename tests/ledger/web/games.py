"""Hands of every game as a phone sends them, and each player's payment, worked out by hand."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.ledger import table


class Game(NamedTuple):
    """A table, and its hands one after the other: the form, and each player's payment."""

    slug: str
    players: Sequence[str]
    hands: Sequence[tuple[Mapping[str, Any], Mapping[str, int]]]
    variant: str | None = None
    options: Mapping[str, Any] | None = None


THREE = table.FOUR[:3]
FRAGE = {"bidder": "Ann", "bid": "frage", "trump": "D", "called": "AH", "partner": "Bob"}
GROSS = {"bidder": "Cyd", "bid": "grossfrage", "trump": "S", "called": "AH", "partner": "Dee"}
SOLO = {"bidder": "Bob", "bid": "solo", "trump": "C"}


def ann(bid: str, points: int, trump: str = "") -> dict[str, str]:
    """Ann bids at three."""
    return {"bidder": "Ann", "bid": bid, "trump": trump, "points": str(points)}


def pays(*amounts: int) -> dict[str, int]:
    """The payments of Ann, Bob, Cyd and so on."""
    return dict(zip(table.SEVEN, amounts, strict=False))


GAMES = {
    # 1, 2, 3 for each point over or under 60, from and to each of the two others.
    "frog": Game(
        "frog",
        THREE,
        [
            (ann("frog", 74), pays(28, -14, -14)),
            (ann("chico", 50, "S"), pays(-40, 20, 20)),
            (ann("grand", 83), pays(138, -69, -69)),
            (ann("grand", 60), pays(0, 0, 0)),
        ],
    ),
    "straight-solo": Game(
        "straight-solo",
        THREE,
        [
            (ann("solo", 71, "C"), pays(44, -22, -22)),
            (ann("solo", 64, "H"), pays(16, -8, -8)),
            (ann("heart-solo", 45), pays(-90, 45, 45)),
        ],
    ),
    # 15 × 2 = 30, from Bob doubled; 8 × 5 = 40, to Ann doubled and to Cyd redoubled; 1 × 3; 60 is won.
    "progressive": Game(
        "progressive",
        table.FOUR,
        [
            ({**ann("spade-solo", 75), "doubled": "Bob"}, pays(90, -60, -30, 0)),
            (
                {
                    **ann("heart-solo", 52),
                    "bidder": "Bob",
                    "doubled": ["Ann", "Cyd"],
                    "redoubled": "Cyd",
                },
                pays(80, -240, 160, 0),
            ),
            ({**ann("club-solo", 59), "bidder": "Cyd"}, pays(3, 3, -6, 0)),
            (ann("frog", 60), pays(0, 0, 0, 0)),
        ],
    ),
    # Antes of 5 and 10 each. Ann's 5 × 2 and the solo pot of 80; Bob's 8 lost to three, the frog pot stays.
    "progressive with pots": Game(
        "progressive",
        table.FOUR,
        [
            ({"bidder": "<nobody>"}, pays(-15, -15, -15, -15)),
            (ann("spade-solo", 65), pays(20 - 15 + 80, -10 - 15, -10 - 15, -15)),
            ({**ann("frog", 52), "bidder": "Bob"}, pays(8 - 15, -24 - 15, 8 - 15, 8 - 15)),
        ],
        "hoyle",
        {"pots": {"stake": 5, "solo_factor": 2, "on_loss": "stay"}},
    ),
    # 2 for a frage, 3, 1, 6; prime 2, tout 4, announced 6; matadors 2. Declarer and partner alike.
    "german-solo": Game(
        "german-solo",
        table.FOUR,
        [
            (
                {**FRAGE, "tricks_won": "5", "first_tricks_won": "lost", "matadors": "split"},
                pays(2, 2, 0, 0),
            ),
            (
                {**FRAGE, "tricks_won": "5", "first_tricks_won": "stopped", "matadors": "split"},
                pays(4, 4, 0, 0),
            ),
            (
                {**GROSS, "tricks_won": "7", "first_tricks_won": "on", "matadors": "split"},
                pays(0, 0, -7, -7),
            ),
            ({**GROSS, "tricks_won": "8", "matadors": "split"}, pays(0, 0, 7, 7)),
            (
                {**GROSS, "bid": "force", "tricks_won": "4", "matadors": "defenders"},
                pays(0, 0, -3, -3),
            ),
            (
                {**FRAGE, "tricks_won": "6", "asked_partner": "yes", "matadors": "split"},
                pays(2, 2, 0, 0),
            ),
            (
                {**SOLO, "tricks_won": "8", "announced_tout": "yes", "matadors": "declarers"},
                pays(0, 14, 0, 0),
            ),
            (
                {**SOLO, "tricks_won": "7", "announced_tout": "yes", "matadors": "split"},
                pays(0, -12, 0, 0),
            ),
            (
                {**FRAGE, "called": "KH", "tricks_won": "3", "matadors": "split"},
                pays(-2, -2, 0, 0),
            ),
        ],
    ),
    "sollo": Game(
        "german-solo",
        table.FOUR,
        [
            (
                {**FRAGE, "tricks_won": "4", "first_tricks_won": "stopped", "matadors": "split"},
                pays(4, 4, 0, 0),
            ),
            ({**SOLO, "tricks_won": "3", "matadors": "split"}, pays(0, -2, 0, 0)),
        ],
        "sollo",
        {"solo_base": 2},
    ),
    # 14 × 3 = 42, to the nearest 5 = 40: Ann settles with three of the five, Bob with two.
    "crazy-solo, blind": Game(
        "crazy-solo",
        table.SEVEN,
        [
            (
                {
                    "bidder": "Ann",
                    "bid": "blind",
                    "called": "AH",
                    "partner": "Bob",
                    "points": "74",
                },
                pays(120, 80, *[-40] * 5),
            )
        ],
    ),
    # 40 from both active players; to all three at the table when a worthless trick breaks it.
    "six-bid, misère by tricks": Game(
        "six-bid",
        table.FOUR,
        [
            ({"bidder": "Ann", "bid": "misere", "made": "made"}, pays(80, -40, -40, 0)),
            ({"bidder": "Ann", "bid": "misere", "made": "lost"}, pays(-120, 40, 40, 40)),
        ],
        "hoyle",
        {"misere_by_tricks": True},
    ),
}
