"""What can be wrong with a hand's cards and calls: deal, auction, exchange and tricks."""

from collections.abc import Mapping

from engine.errors.catalogue.dealt import SPIT_CARDS, alone, calling, hands, spat
from engine.errors.catalogue.hands import Code, bid, call, crazy, frage, frog, six

CODES: Mapping[str, Code] = {
    # The deal.
    "deal-size": Code("More or fewer cards than are dealt there.", alone(deal=hands(Ann="AS TS"))),
    "card-dealt-twice": Code(
        "A card that was dealt to two places.",
        alone(deal=hands(Ann="AH TS KS QS JS 9S 8S 7S 6S")),
    ),
    "card-not-in-pack": Code(
        "A dealt card that is out of the pack with so many players.",
        crazy(deal={"hands": {"Bob": "AH 6S ? ? ?"}}),
    ),
    "dealt-to-idle": Code(
        "Cards dealt to somebody who sat out.",
        six(deal={"hands": {"Dee": "AH ? ? ? ? ? ? ? ? ? ?"}}),
    ),
    "deal-order": Code(
        "A card dealt where the next one could not go.",
        spat(order=[["Bob", card] for card in SPIT_CARDS]),
    ),
    "spit-shown": Code(
        "A card shown that its holder did not have to give up.", spat(drawn=[["Ann", "7S", "AC"]])
    ),
    "spit-drawn": Code(
        "A card drawn that does not lie in the pile.", spat(drawn=[["Ann", "6S", "TC"]])
    ),
    "spit-unfinished": Code(
        "A spit deal that stops before every card is where it belongs.", spat(drawn=[])
    ),
    "no-spit": Code(
        "A spit deal with so many players that no card is removed.",
        alone(spit={"order": [["Ann", "AS"]]}),
    ),
    "deal-against-spit": Code(
        "A deal that differs from the one the spit deal ends in.",
        spat(deal={"hands": {"Ann": "7S ? ? ? ? ? ?"}}),
    ),
    # The auction.
    "out-of-turn": Code("A call out of turn.", six(auction=[["Bob", "pass"]])),
    "bid-too-low": Code(
        "A bid that is not higher than the one to beat.",
        six(auction=[["Ann", "heart-solo"], ["Bob", "solo"]]),
    ),
    "call-not-allowed": Code(
        "A call that was not possible at that point.", six(auction=[["Ann", "double"]])
    ),
    "not-now": Code(
        "Something done too early or too late.",
        six(auction=[["Ann", "solo"], ["Bob", "pass"], ["Cyd", "pass"], ["Bob", "misere"]]),
    ),
    "auction-unfinished": Code(
        "An auction that is not over.", six(auction=[["Ann", "solo"], ["Bob", "pass"]])
    ),
    "contract-against-auction": Code(
        "A contract that is not the one the auction made.",
        six(auction=[["Ann", "heart-solo"], ["Bob", "pass"], ["Cyd", "pass"]]),
    ),
    "bid-owed": Code(
        "A pass by somebody whose cards oblige them to bid.",
        frage(deal={"hands": {"Ann": "QC QS ? ? ? ? ? ?"}}, auction=[["Ann", "pass"]]),
    ),
    "blind-without-heart": Code(
        "A blind bid by somebody who held no heart.",
        call(bidder="Ann", bid="blind", called="AH", partner="Bob")
        | {"deal": {"hands": {"Ann": "AS KS QS JS TS"}}},
    ),
    # The exchange.
    "no-exchange": Code("An exchange in a bid that has none.", six(exchange={"took": "AS TS KS"})),
    "exchange-count": Code(
        "Too many or too few cards exchanged.", frog() | {"exchange": {"discarded": "AS TS"}}
    ),
    "called-missing": Code(
        "An exchange for a called card that nobody named.",
        bid(bidder="Ann", bid="call-solo", trump="S") | {"exchange": {"from": "Bob"}},
    ),
    "exchange-differs": Code(
        "An exchange of other cards than lay there.",
        frog() | {"deal": {"widow": "8H 7H 6H"}, "exchange": {"took": "8H 7H AS"}},
    ),
    # The tricks.
    "tricks-missing": Code("A hand that ends too early.", alone(tricks=[])),
    "tricks-too-many": Code(
        "More tricks than a hand has.", alone(tricks=[{"cards": "AS AH AD AC"}] * 10)
    ),
    "stopped-elsewhere": Code(
        "Stopped, but with more or fewer tricks recorded than those before the stop.",
        frage(tricks=[{"cards": "AS AH AD AC"}] * 6, stopped=True),
    ),
    "trick-size": Code("A trick of more or fewer cards than play.", alone(first="AS AH AD")),
    "wrong-leader": Code(
        "A trick led by somebody who had not won the one before.",
        alone(tricks=[{"leader": "Bob", "cards": "AS AH AD AC"}] * 9),
    ),
    "card-played-twice": Code("A card that was played before.", alone(first="AS AH AD AS")),
    "card-not-held": Code("A card that the player did not hold.", alone(first="AS AH AC AD")),
    "must-follow-suit": Code(
        "A card of another suit from a hand that could follow.",
        alone(("6S", "6H"), first="AS AH AD AC"),
    ),
    "must-trump": Code(
        "A card that is not a trump from a hand that could not follow suit but could trump.",
        alone(("6S", "6H"), ("6H", "6D"), first="6D AH AD AC"),
    ),
    "must-play-called-card": Code(
        "Another card of the suit from the hand that held the called card.",
        frage(
            deal={
                "hands": {
                    "Ann": "AS KS JS TS 9S 8S 7S 7H",
                    "Bob": "AH KH QH JH TH 9H 8H QS",
                    "Cyd": "AD KD QD JD TD 9D 8D 7D",
                    "Dee": "AC KC QC JC TC 9C 8C 7C",
                }
            },
            tricks=[{"cards": "7H KH AD AC"}] * 8,
        ),
    ),
    "deal-against-tricks": Code(
        "More cards of one seat, dealt and played, than a hand holds.",
        six(
            deal={"hands": {"Ann": "AS TS KS QS JS 9S 8S 7S 6S AH ?"}},
            contract={"bidder": "Ann", "bid": "misere"},
            points=None,
            tricks=[{"cards": "6D AD KD"}, {"cards": "QD JD 7D"}],
            conceded="bidder",
        ),
    ),
    # What was stated against what the cards tell.
    "partner-differs": Code("A partner who did not hold the called card.", calling(partner="Cyd")),
    "differs-from-cards": Code(
        "A result that differs from what the cards show.", alone(points=118)
    ),
}
