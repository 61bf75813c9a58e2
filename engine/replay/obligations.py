"""Checks the obligations from the cards dealt: a bid that is owed (003), the blind bid (002)."""

from collections.abc import Iterator

from engine.cards.card_sets import BITS, suit_mask
from engine.cards.cards import Suit
from engine.errors import Violation
from engine.replay.deal import KnownDeal
from engine.replay.naming import can_name
from engine.rules.bids import Bid
from engine.rules.sheet import Rules
from engine.words.sentences import say


def obligations(
    rules: Rules,
    seats: tuple[str, ...],
    bid: Bid,
    bidder: str,
    trump: Suit | None,
    dealt: KnownDeal,
) -> Iterator[Violation]:
    """Yield a violation if the force belonged to another seat, or a seat passed that owed a bid."""
    forced = bid.slug == rules.all_pass
    if forced and rules.forcing is not None:
        bit = BITS[rules.forcing]
        for seat, hand in zip(seats, dealt.hands, strict=True):
            if hand & bit and seat != bidder:
                message = say(
                    "{bid:term} is played by whoever was dealt {card}: {seat}, not {bidder}.",
                    bid=bid.title,
                    card=str(rules.forcing),
                    seat=seat,
                    bidder=bidder,
                )
                where = {"field": "contract.bidder", "seat": bidder, "card": str(rules.forcing)}
                yield Violation("forced-elsewhere", message, where, (seat,))
    duty = rules.duty
    if duty is None:
        return
    rungs = rules.ladder.above[0]
    sufficient = not forced and rungs[bid.slug] >= rungs[duty.bid]
    if sufficient and (bid.slug != duty.bid or duty.ends_when_bid):
        return
    for place, (seat, hand) in enumerate(zip(seats, dealt.hands, strict=True)):
        if duty.owed_by(hand) and not (
            sufficient
            and (seat == bidder or _may_pass(rules, seats, bid, bidder, trump, dealt, place))
        ):
            message = say(
                "{seat} was dealt cards that require {owed}, so the bidding could not end in {bid}.",
                seat=seat,
                owed=duty.bid,
                bid=bid.slug,
            )
            where = {"field": "contract.bid", "seat": seat}
            yield Violation("bid-owed", message, where, (duty.bid, duty.waived_by))


def _may_pass(
    rules: Rules,
    seats: tuple[str, ...],
    bid: Bid,
    bidder: str,
    trump: Suit | None,
    dealt: KnownDeal,
    place: int,
) -> bool:
    """Return whether a seat that owes a bid may have passed after another seat had bid the same.

    A seat before the bidder could hold that bid, and any seat could outbid it in the preferred suit. In the
    preferred suit neither is possible for a seat that had no card to call there.
    """
    suit, is_earlier = rules.ladder.preferred, place < seats.index(bidder)
    if suit is None:
        return not is_earlier
    if is_earlier is (trump is not suit):
        return not is_earlier
    return not can_name(rules, seats, dealt, bid, place, suit)


def blind_bid_owed(rules: Rules, seats: tuple[str, ...], dealt: KnownDeal) -> Iterator[Violation]:
    """Yield a violation if the seat under held a heart in a blind round, yet the bidding was open."""
    for under in rules.bids:
        suit = under.trumps[0] if under.lead_only else None
        if suit is not None and dealt.hands[0] & suit_mask(suit):
            message = say(
                "{seat} was under and held {suit:term}, so the bid is {bid}.",
                seat=seats[0],
                suit=suit.word,
                bid=under.slug,
            )
            where = {"field": "contract.bid", "seat": seats[0]}
            yield Violation("bid-owed", message, where, (under.slug,))
