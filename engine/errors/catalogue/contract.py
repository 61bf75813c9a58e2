"""What can be wrong with a contract."""

from collections.abc import Mapping

from engine.errors.catalogue.hands import SIX, Code, bid, call, crazy, six, without

CODES: Mapping[str, Code] = {
    "contract-missing": Code(
        "Neither a contract nor an all-pass is stated.", without("contract", SIX)
    ),
    "bid-missing": Code("A contract without its bid.", bid(bidder="Ann")),
    "unknown-bid": Code(
        "A bid that the game does not offer to so many players.", bid(bidder="Ann", bid="frog")
    ),
    "bidder-missing": Code("A contract without its bidder.", bid(bid="misere")),
    "bidder-sat-out": Code("The bidder did not play this hand.", bid(bidder="Dee", bid="misere")),
    "blind-round-over": Code(
        "A blind round that continues although the player on the lead has already been under.",
        crazy(blind_round={"done": ["Ann", "Gus"]}),
    ),
    "not-on-the-lead": Code(
        "A bid that only the player on the lead may make.",
        call(bidder="Bob", bid="blind", partner="Cyd"),
    ),
    "trump-missing": Code(
        "A bid that needs a trump suit, without one.", bid(bidder="Ann", bid="solo")
    ),
    "trump-not-allowed": Code(
        "A trump suit that the bid does not allow.", bid(bidder="Ann", bid="solo", trump="H")
    ),
    "calls-no-card": Code(
        "A called card in a bid that does not call one.",
        call(bidder="Ann", bid="go-alone", trump="S", called="AH"),
    ),
    "called-card-not-in-deck": Code(
        "A called card that is out of the deck with so many players.",
        call(bidder="Ann", bid="solo", trump="S", called="6S", partner="Bob"),
    ),
    "partner-missing": Code(
        "Neither a partner nor playing alone is stated.",
        call(bidder="Ann", bid="solo", trump="S"),
    ),
    "partner-is-caller": Code(
        "The caller named as their own partner.",
        call(bidder="Ann", bid="solo", trump="S", partner="Ann"),
    ),
    "partner-not-allowed": Code(
        "A partner where the bidder plays alone.",
        call(bidder="Ann", bid="go-alone", trump="S", partner="Bob"),
    ),
    "always-alone": Code(
        "`alone = false` on a bid that is always played alone.",
        call(bidder="Ann", bid="go-alone", trump="S", alone=False),
    ),
    "all-passed": Code(
        "All passed, but part of a played hand is stated.",
        six(contract={"bid": "pass"}),
    ),
}
