"""Every code a refusal can carry: what it means, and a hand that draws it.

The documentation of the codes is made from here; a test scores each example and finds its code.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Code(NamedTuple):
    """What a code means, and a hand record (plain tables, or JSON text) refused with it."""

    meaning: str
    example: Mapping[str, object] | str


def _without(key: str, hand: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in hand.items() if name != key}


_CRAZY: Mapping[str, object] = {
    "format": 1,
    "game": "crazy-solo",
    "players": ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus"],
    "dealer": "Gus",
    "contract": {"bidder": "Ann", "bid": "solo", "trump": "S", "called": "AH", "partner": "Bob"},
    "points": 74,
}
_SIX: Mapping[str, object] = {
    "format": 1,
    "game": "six-bid",
    "players": ["Ann", "Bob", "Cyd", "Dee"],
    "dealer": "Dee",
    "contract": {"bidder": "Ann", "bid": "solo", "trump": "S"},
    "points": 74,
}


def _crazy(**changes: object) -> dict[str, object]:
    return {**_CRAZY, **changes}


def _six(**changes: object) -> dict[str, object]:
    return {**_SIX, **changes}


def _call(**contract: object) -> dict[str, object]:
    return _crazy(contract=contract)


def _bid(**contract: object) -> dict[str, object]:
    return _six(contract=contract)


CATALOGUE: Mapping[str, Code] = MappingProxyType(
    {
        # Reading a record.
        "ill-typed": Code("A key holds another kind of thing than it should.", _six(points="abc")),
        "unknown-key": Code("A key that no hand record has.", _six(score=74)),
        "missing-key": Code("A key that every hand record needs.", _without("dealer", _SIX)),
        "unknown-format": Code(
            "A version of the format that this program cannot read.", _six(format=2)
        ),
        "unknown-suit": Code("A text that is no suit.", _bid(bidder="Ann", bid="solo", trump="X")),
        "unknown-card": Code(
            "A text that is no card.", _call(bidder="Ann", bid="solo", called="1S")
        ),
        "players-count": Code("Fewer than 3 or more than 12 seats.", _six(players=["Ann", "Bob"])),
        "name-blank": Code("A seat without a name.", _six(players=["Ann", "Bob", " "])),
        "name-reserved": Code(
            "A seat named like cards laid aside.", _six(players=["Ann", "Bob", "widow"])
        ),
        "name-twice": Code("Two seats of one name.", _six(players=["Ann", "Bob", "Ann"])),
        "unknown-seat": Code("A name that has no seat at the table.", _six(dealer="Zoe")),
        # Putting the rules together.
        "unknown-game": Code("A game that there is no sheet for.", _six(game="whist")),
        "unknown-variant": Code("A variant that the game does not have.", _six(rules="goren")),
        "table-size": Code(
            "More or fewer at the table than the game is for.",
            _six(players=["Dee", *"ABCDEFG"], contract={"bid": "pass"}),
        ),
        "unknown-option": Code(
            "A house rule that the game does not have.", _six(options={"rounding": 5})
        ),
        "option-value": Code(
            "A value that the house rule does not take.", _crazy(options={"rounding": 7})
        ),
        "not-in-this-game": Code("A key that only other games note down.", _six(stopped=True)),
        "active-seats": Code(
            "The active seats are not as many different ones as play.", _six(active=["Ann", "Bob"])
        ),
        # The contract.
        "contract-missing": Code(
            "Neither a contract nor an all-pass is stated.", _without("contract", _SIX)
        ),
        "bid-missing": Code("A contract without its bid.", _bid(bidder="Ann")),
        "unknown-bid": Code(
            "A bid that the game does not offer to so many players.", _bid(bidder="Ann", bid="frog")
        ),
        "bidder-missing": Code("A contract without its bidder.", _bid(bid="misere")),
        "bidder-sat-out": Code(
            "The bidder did not play this hand.", _bid(bidder="Dee", bid="misere")
        ),
        "not-on-the-lead": Code(
            "A bid that only the player on the lead may make.",
            _call(bidder="Bob", bid="blind", partner="Cyd"),
        ),
        "trump-missing": Code(
            "A bid that needs a trump suit, without one.", _bid(bidder="Ann", bid="solo")
        ),
        "trump-not-allowed": Code(
            "A trump suit that the bid does not allow.", _bid(bidder="Ann", bid="solo", trump="H")
        ),
        "calls-no-card": Code(
            "A called card in a bid that calls none.",
            _call(bidder="Ann", bid="go-alone", trump="S", called="AH"),
        ),
        "called-card-not-in-deck": Code(
            "A called card that is out of the deck with so many players.",
            _call(bidder="Ann", bid="solo", trump="S", called="6S", partner="Bob"),
        ),
        "partner-missing": Code(
            "Neither the partner is stated nor that the caller played alone.",
            _call(bidder="Ann", bid="solo", trump="S"),
        ),
        "partner-is-caller": Code(
            "The caller named as their own partner.",
            _call(bidder="Ann", bid="solo", trump="S", partner="Ann"),
        ),
        "partner-not-allowed": Code(
            "A partner where the bidder plays alone.",
            _call(bidder="Ann", bid="go-alone", trump="S", partner="Bob"),
        ),
        "always-alone": Code(
            "`alone = false` on a bid that is always played alone.",
            _call(bidder="Ann", bid="go-alone", trump="S", alone=False),
        ),
        "all-passed": Code(
            "All passed, and yet something of a played hand is stated.",
            _six(contract={"bid": "pass"}),
        ),
        # The count.
        "points-missing": Code("The card points are not stated.", _without("points", _SIX)),
        "points-out-of-range": Code(
            "More or fewer card points than a hand holds.", _six(points=121)
        ),
        "miscount": Code("A number of points that no set of tricks can hold.", _six(points=119)),
        "points-do-not-add-up": Code(
            "The two sides' points do not make all the points.", _six(points_against=45)
        ),
        "tricks-won-out-of-range": Code("More tricks than a hand has.", _six(tricks_won=12)),
        "tricks-won-missing": Code(
            "A misère by tricks without points needs the number of tricks.",
            _six(
                contract={"bidder": "Ann", "bid": "misere"},
                points=0,
                options={"misere_by_tricks": True},
            ),
        ),
        "tricks-against-points": Code(
            "Card points in tricks, and yet no trick.",
            _six(contract={"bidder": "Ann", "bid": "misere"}, points=4, tricks_won=0),
        ),
        "not-concedable": Code(
            "A hand given up in a bid that is played to the end.", _six(conceded="bidder")
        ),
        "concession-too-late": Code(
            "A hand given up although the points had decided it the other way.",
            _six(contract={"bidder": "Ann", "bid": "misere"}, points=4, conceded="opponents"),
        ),
        "key-twice": Code(
            "A key that stands twice in one table, so that nobody can say which was meant.",
            '{"game": "six-bid", "points": 74, "points": 47}',
        ),
    }
)
