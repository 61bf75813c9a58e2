"""What can be wrong with a hand record before any rule is asked."""

from collections.abc import Mapping

from engine.errors.catalogue.hands import SIX, Code, bid, call, crazy, six, without

CODES: Mapping[str, Code] = {
    "ill-typed": Code("A key that holds the wrong kind of value.", six(points="abc")),
    "unknown-key": Code("A key that no hand record has.", six(score=74)),
    "missing-key": Code("A key that every hand record needs.", without("dealer", SIX)),
    "unknown-format": Code("A version of the format that this program cannot read.", six(format=2)),
    "unknown-suit": Code("Text that is not a suit.", bid(bidder="Ann", bid="solo", trump="X")),
    "unknown-card": Code("Text that is not a card.", call(bidder="Ann", bid="solo", called="1S")),
    "players-count": Code("Fewer than 3 or more than 12 seats.", six(players=["Ann", "Bob"])),
    "name-blank": Code("A seat without a name.", six(players=["Ann", "Bob", " "])),
    "name-too-long": Code(
        "A name of more than 500 characters.", six(players=["Ann", "Bob", "C" * 501])
    ),
    "name-reserved": Code(
        "A seat named after cards laid aside.", six(players=["Ann", "Bob", "widow"])
    ),
    "name-twice": Code(
        "Two seats with one name; capitals, spaces, invisible marks and Unicode forms make no difference.",
        six(players=["Ann", "Bob", "ann"]),
    ),
    "name-looks-alike": Code(
        "A name that looks like another one but has letters of another script.",
        six(players=["Ann", "Bob", "Cyd", "\u0410nn"], dealer="Cyd"),
    ),
    "unknown-seat": Code("A name without a seat at the table.", six(dealer="Zoe")),
    "unknown-game": Code("A game that does not exist.", six(game="whist")),
    "unknown-variant": Code("A variant that the game does not have.", six(rules="goren")),
    "table-size": Code(
        "Too many or too few players for the game.",
        six(players=["Dee", *"ABCDEFG"], contract={"bid": "pass"}),
    ),
    "unknown-option": Code(
        "A house rule that the game does not have.", six(options={"rounding": 5})
    ),
    "option-value": Code(
        "A value that the house rule does not take.", crazy(options={"rounding": 7})
    ),
    "not-in-this-game": Code("A key that only other games use.", six(stopped=True)),
    "active-seats": Code(
        "The active seats are not as many different seats as play.", six(active=["Ann", "Bob"])
    ),
}
