"""What can be wrong with a hand record before any rule is asked."""

from collections.abc import Mapping

from engine.errors.catalogue.code import Code
from engine.errors.catalogue.hands import SIX, bid, call, crazy, six, without

CODES: Mapping[str, Code] = {
    "ill-typed": Code("A key holds another kind of thing than it should.", six(points="abc")),
    "unknown-key": Code("A key that no hand record has.", six(score=74)),
    "missing-key": Code("A key that every hand record needs.", without("dealer", SIX)),
    "unknown-format": Code("A version of the format that this program cannot read.", six(format=2)),
    "unknown-suit": Code("A text that is no suit.", bid(bidder="Ann", bid="solo", trump="X")),
    "unknown-card": Code("A text that is no card.", call(bidder="Ann", bid="solo", called="1S")),
    "players-count": Code("Fewer than 3 or more than 12 seats.", six(players=["Ann", "Bob"])),
    "name-blank": Code("A seat without a name.", six(players=["Ann", "Bob", " "])),
    "name-reserved": Code(
        "A seat named like cards laid aside.", six(players=["Ann", "Bob", "widow"])
    ),
    "name-twice": Code("Two seats of one name.", six(players=["Ann", "Bob", "Ann"])),
    "unknown-seat": Code("A name that has no seat at the table.", six(dealer="Zoe")),
    "unknown-game": Code("A game that there is no sheet for.", six(game="whist")),
    "unknown-variant": Code("A variant that the game does not have.", six(rules="goren")),
    "table-size": Code(
        "More or fewer at the table than the game is for.",
        six(players=["Dee", *"ABCDEFG"], contract={"bid": "pass"}),
    ),
    "unknown-option": Code(
        "A house rule that the game does not have.", six(options={"rounding": 5})
    ),
    "option-value": Code(
        "A value that the house rule does not take.", crazy(options={"rounding": 7})
    ),
    "not-in-this-game": Code("A key that only other games note down.", six(stopped=True)),
    "active-seats": Code(
        "The active seats are not as many different ones as play.", six(active=["Ann", "Bob"])
    ),
}
