"""What a page needs to know of a table's rules to set up the play of a contract, as plain values."""

from typing import TypedDict

from engine.cards.card_sets import cards_of
from engine.cards.cards import write_cards
from engine.guide.card_orders import RANKINGS
from engine.rules.bids import Bid
from engine.rules.sheet import Rules


class BidSheet(TypedDict):
    """The play of one bid.

    `needs` has the card points or tricks that make the contract, 0 in a misère, for each trump suit that may
    be named, or for none (""). `counts` is `points` or `tricks`. With `partner` the holder of the called card
    joins the bidder. With `must_play` the called card must be played when its suit is led, and with
    `must_lead` led when its holder leads the suit. In a `spread` bid the seat left of the bidder leads. The
    bidder `takes` the `widow` or the `called` card before the play, or nothing ("").
    """

    needs: dict[str, int]
    counts: str
    partner: bool
    must_play: bool
    must_lead: bool
    spread: bool
    takes: str


class PlaySheet(TypedDict):
    """The cards and bids of a table.

    `ranking` names a table of `card_orders`, `pack` are the cards from high to low, `worth` the card points
    by rank, `size` the cards of a hand and `widow` the cards in no hand.
    """

    ranking: str
    pack: str
    worth: dict[str, int]
    size: int
    widow: int
    bids: dict[str, BidSheet]


def play_sheet(rules: Rules) -> PlaySheet:
    """Return the cards and bids of a table's rules, as plain values for a page.

    >>> from engine.games import find
    >>> sheet = play_sheet(find("crazy-solo").rules(None, {}, 4))
    >>> sheet["size"], sheet["widow"], sheet["bids"]["solo-in-hearts"]["needs"]
    (9, 0, {'H': 60})
    """
    return {
        "ranking": next(name for name, ranking in RANKINGS.items() if ranking is rules.ranking),
        "pack": write_cards(cards_of(rules.pack.mask)),
        "worth": dict(rules.pack.worth),
        "size": rules.tricks,
        "widow": rules.widow_size,
        "bids": {bid.slug: _bid_sheet(bid) for bid in rules.bids},
    }


def _bid_sheet(bid: Bid) -> BidSheet:
    binding = bid.calls if bid.calls is not None and bid.calls.must_play else None
    return {
        "needs": {
            trump.value if trump else "": bid.aim.needed_in(trump)
            for trump in bid.trumps or (None,)
        },
        "counts": "points" if "points" in bid.result_keys else "tricks",
        "partner": bid.has_partner,
        "must_play": binding is not None,
        "must_lead": binding is not None and binding.must_lead,
        "spread": bid.is_spread,
        "takes": str(bid.trade or ""),
    }
