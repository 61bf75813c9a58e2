"""The codes of refusals with their meanings, by the chapters of the page that explains them."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

CHAPTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "Reading the record": {
        "ill-typed": "A key that holds the wrong kind of value.",
        "unknown-key": "A key that no hand record has.",
        "missing-key": "A key that every hand record needs.",
        "unknown-format": "A version of the format that this program cannot read.",
        "unknown-suit": "Text that is not a suit.",
        "unknown-card": "Text that is not a card.",
        "ambiguous-card": "Text that is one card in one language and another card in another.",
        "players-count": "Fewer than 3 or more than 12 seats.",
        "name-blank": "A seat without a name.",
        "name-too-long": "A name of more than 500 characters.",
        "name-reserved": "A seat named after cards laid aside.",
        "name-twice": (
            "Two seats with one name; capitals, spaces, invisible marks and Unicode forms make no difference."
        ),
        "name-looks-alike": "A name that looks like another one but has letters of another script.",
        "unknown-seat": "A name without a seat at the table.",
        "unknown-game": "A game that does not exist.",
        "unknown-variant": "A variant that the game does not have.",
        "table-size": "Too many or too few players for the game.",
        "unknown-option": "A house rule that the game does not have.",
        "option-value": "A value that the house rule does not take.",
        "not-in-this-game": "A key that only other games use.",
        "note-misplaced": "A note on a trick, card or call that the record does not have.",
        "evening-seats": "Players other than the evening's at this hand, or an impossible change of seats.",
        "too-many-mistakes": "More than 100 mistakes; the others are not listed.",
        "added-too-long": "Keys that begin with `x-` and are too long together.",
        "active-seats": "The active seats are not as many different seats as play.",
    },
    "The compact line": {
        "line-malformed": "A line that cannot be read at some character.",
        "line-check": "A line that does not fit its check characters, as it was changed on its way.",
        "line-spelling": "A line that is not in the one spelling that every program writes.",
    },
    "The contract": {
        "contract-missing": "Neither a contract nor an all-pass is stated.",
        "bid-missing": "A contract without its bid.",
        "unknown-bid": "A bid that the game does not offer to so many players.",
        "bidder-missing": "A contract without its bidder.",
        "bidder-sat-out": "The bidder did not play this hand.",
        "blind-round-over": (
            "A blind round that continues although the player on the lead has already been under."
        ),
        "not-on-the-lead": "A bid that only the player on the lead may make.",
        "trump-missing": "A bid that needs a trump suit, without one.",
        "trump-not-allowed": "A trump suit that the bid does not allow.",
        "calls-no-card": "A called card in a bid that does not call one.",
        "called-card-not-in-deck": "A called card that is out of the deck with so many players.",
        "partner-missing": "Neither a partner nor playing alone is stated.",
        "partner-is-caller": "The caller named as their own partner.",
        "partner-not-allowed": "A partner where the bidder plays alone.",
        "always-alone": "`alone = false` on a bid that is always played alone.",
        "all-passed": "All passed, but part of a played hand is stated.",
    },
    "The count": {
        "points-missing": "The card points are not stated.",
        "tricks-won-missing": "Not said how many tricks were won, where they count.",
        "first-tricks-missing": (
            "Not said whether the declarer's side won all the first tricks, where it counts."
        ),
        "matadors-missing": "Not said to whom the matadors were dealt.",
        "points-out-of-range": "More or fewer card points than a hand holds.",
        "miscount": "A number of points that no set of tricks can hold.",
        "points-do-not-add-up": "The two sides' points do not make all the points.",
        "tricks-won-out-of-range": "More tricks than a hand has.",
        "tricks-against-points": "More or fewer card points than so many tricks hold.",
        "not-concedable": "A hand given up in a bid that must be played to the end.",
        "concession-too-late": "A hand given up although the points had already decided it.",
        "must-be-counted": "Made or lost is all that is said, in a bid that pays by what was counted.",
        "made-differs": (
            "A contract that is made by what is stated, and lost by what was counted or given up."
        ),
        "cannot-be-doubled": "A doubler who is not an active opponent of the bidder.",
        "cannot-be-redoubled": "A redouble against somebody who did not double.",
        "named-twice": "One seat twice in a list that names each once.",
        "pots-missing": "A table with pots, without what they held.",
        "pots-negative": "A negative pot.",
        "pot-too-full": "A pot that would hold more after the hand than any hand can say it held before.",
        "name-of-a-pot": "A seat named like a pot, at a table with pots.",
        "points-against-aside": "Points that are impossible, given what the cards laid aside are worth.",
    },
    "German Solo": {
        "all-pass-is-played": "An all-pass where somebody must then play.",
        "called-card-not-allowed": "A called card that the bid does not let one call.",
        "called-own-card": "A called card that the bidder holds, where nobody may call their own.",
        "forced-elsewhere": "A forced bid by somebody who was not dealt the card that forces it.",
        "alone-not-allowed": "`alone = true` where nobody may call a card of their own.",
        "first-tricks-against-tricks": "Whether the first tricks were won contradicts the number of tricks.",
        "stopped-too-early": "Stopped without having won the first tricks.",
        "stopped-against-tricks": "Stopped, but with more or fewer tricks than those that let a side stop.",
        "stopped-after-tout": "Stopped although tout was announced.",
        "asked-after-tout": "Asked for the partner although tout was announced.",
        "asked-too-late": "Asked for the partner although the called card was played before the fifth trick.",
        "no-partner-to-ask": "Asked for the partner in a bid that is played alone.",
        "key-twice": "A key that appears twice in one table, so that nobody can say which was meant.",
    },
    "The cards": {
        # The deal.
        "deal-size": "More or fewer cards than are dealt there.",
        "card-dealt-twice": "A card that was dealt to two places.",
        "card-not-in-pack": "A dealt card that is out of the pack with so many players.",
        "dealt-to-idle": "Cards dealt to somebody who sat out.",
        "deal-order": "A card dealt where the next one could not go.",
        "spit-shown": "A card shown that its holder did not have to give up.",
        "spit-drawn": "A card drawn that does not lie in the pile.",
        "spit-unfinished": "A spit deal that stops before every card is where it belongs.",
        "no-spit": "A spit deal with so many players that no card is removed.",
        "deal-against-spit": "A deal that differs from the one the spit deal ends in.",
        # The auction.
        "out-of-turn": "A call out of turn.",
        "bid-too-low": "A bid that is not higher than the one to beat.",
        "call-not-allowed": "A call that was not possible at that point.",
        "not-now": "Something done too early or too late.",
        "auction-unfinished": "An auction that is not over.",
        "contract-against-auction": "A contract that is not the one the auction made.",
        "bid-owed": "A pass by somebody whose cards oblige them to bid.",
        "blind-without-heart": "A blind bid by somebody who held no heart.",
        # The exchange.
        "no-exchange": "An exchange in a bid that has none.",
        "exchange-count": "Too many or too few cards exchanged.",
        "called-missing": "An exchange for a called card that nobody named.",
        "exchange-differs": "An exchange of other cards than lay there.",
        # The tricks.
        "tricks-missing": "A hand that ends too early.",
        "tricks-too-many": "More tricks than a hand has.",
        "stopped-elsewhere": "Stopped, but with more or fewer tricks recorded than those before the stop.",
        "trick-size": "A trick of more or fewer cards than play.",
        "wrong-leader": "A trick led by somebody who had not won the one before.",
        "card-played-twice": "A card that was played before.",
        "card-not-held": "A card that the player did not hold.",
        "must-follow-suit": "A card of another suit from a hand that could follow.",
        "must-trump": "A card that is not a trump from a hand that could not follow suit but could trump.",
        "must-play-called-card": "Another card of the suit from the hand that held the called card.",
        "deal-against-tricks": "More cards of one seat, dealt and played, than a hand holds.",
        # The stated result against the cards.
        "partner-differs": "A partner who did not hold the called card.",
        "differs-from-cards": "A result that differs from what the cards show.",
        "stated-differs": "A stated result that differs from the verdict.",
    },
    "The events at the table": {
        "seat-sat-out": "A claim, a revoke or a loss by somebody who did not play this hand.",
        "ended-twice": "A claim in a hand that was given up, or in which the side stopped.",
        "claim-elsewhere": "A claim after another number of tricks than the record holds.",
        "claim-too-much": "A claim of more than was left, or of points that the claimed tricks can't have.",
        "claimed-cards": "Cards shown in a claim that the claimer cannot have held.",
        "no-spread": "A hand laid open in a bid in which it is not.",
        "spread-elsewhere": "A hand laid open after a card that was not played.",
        "irregularity-unclear": "An irregularity that does not say who did what.",
        "did-not-happen": "An irregularity that the cards exclude.",
        "settled-twice": "Two settlements that each decide the hand.",
        "agreed-payments": "Agreed payments that are missing, impossible or stated for another settlement.",
        "nothing-to-lose": "A contract settled as lost although all passed.",
    },
}

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {code: meaning for codes in CHAPTERS.values() for code, meaning in codes.items()}
)
"""The meaning of each code."""


def examples() -> Mapping[str, Any]:
    """Return for each code an example that is refused with it, loaded from `examples.json`.

    It is the keys of a hand record, or for errors in a text this text: JSON, or a compact line.
    """
    examples: dict[str, Any] = json.loads(
        (Path(__file__).parent / "examples.json").read_text("utf-8")
    )
    return examples
