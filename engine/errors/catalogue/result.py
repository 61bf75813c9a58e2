"""What can be wrong with what was counted at the end."""

from collections.abc import Mapping

from engine.errors.catalogue.hands import FRAGE, POTS, SIX, Code, frog, six, without

CODES: Mapping[str, Code] = {
    "points-missing": Code("The card points are not stated.", without("points", SIX)),
    "tricks-won-missing": Code(
        "Not said how many tricks were won, where they count.", without("tricks_won", FRAGE)
    ),
    "first-tricks-missing": Code(
        "Not said whether the declarer's side won all the first tricks, where it counts.",
        without("first_tricks_won", FRAGE),
    ),
    "matadors-missing": Code(
        "Not said to whom the matadors were dealt.", without("matadors", FRAGE)
    ),
    "points-out-of-range": Code("More or fewer card points than a hand holds.", six(points=121)),
    "miscount": Code("A number of points that no set of tricks can hold.", six(points=119)),
    "points-do-not-add-up": Code(
        "The two sides' points do not make all the points.", six(points_against=45)
    ),
    "tricks-won-out-of-range": Code("More tricks than a hand has.", six(tricks_won=12)),
    "tricks-against-points": Code(
        "More or fewer card points than so many tricks hold.",
        six(contract={"bidder": "Ann", "bid": "misere"}, points=4, tricks_won=0),
    ),
    "not-concedable": Code(
        "A hand given up in a bid that must be played to the end.", six(conceded="bidder")
    ),
    "concession-too-late": Code(
        "A hand given up although the points had already decided it.",
        six(contract={"bidder": "Ann", "bid": "misere"}, points=4, conceded="opponents"),
    ),
    "must-be-counted": Code(
        "Made or lost is all that is said, in a bid that pays by what was counted.",
        without("points", six(made=True)),
    ),
    "made-differs": Code(
        "A contract that is made by what is stated, and lost by what was counted or given up.",
        six(contract={"bidder": "Ann", "bid": "misere"}, points=4, made=True),
    ),
    "cannot-be-doubled": Code(
        "A doubler who is not an active opponent of the bidder.", frog(doubled=["Ann"])
    ),
    "cannot-be-redoubled": Code(
        "A redouble against somebody who did not double.", frog(redoubled=["Bob"])
    ),
    "named-twice": Code(
        "One seat twice in a list that names each once.", frog(doubled=["Bob", "Bob"])
    ),
    "pots-missing": Code("A table with pots, without what they held.", without("pots", POTS)),
    "pots-negative": Code("A negative pot.", {**POTS, "pots": {"frog": -1, "solo": 0}}),
    "pot-too-full": Code(
        "A pot that would hold more after the hand than any hand can say it held before.",
        {**POTS, "pots": {"frog": 4, "solo": 10**9}},
    ),
    "name-of-a-pot": Code(
        "A seat named like a pot, at a table with pots.",
        {**POTS, "players": ["Ann", "Bob", "frog pot"], "dealer": "Bob"},
    ),
    "points-against-aside": Code(
        "Points that are impossible, given what the cards laid aside are worth.",
        frog() | {"points": 20, "exchange": {"took": "AS AD AC", "discarded": "AS AD AC"}},
    ),
}
