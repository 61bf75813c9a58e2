"""What the cards dealt obliged to: a bid that is owed (003), going under in a blind round (002)."""

from collections.abc import Iterator

from engine.cards.card_sets import BITS, suit_mask
from engine.errors import Violation
from engine.replay.deal import Known
from engine.rules.bids import Bid
from engine.rules.sheet import Rules
from engine.words.sentences import say


def obligations(
    rules: Rules, seats: tuple[str, ...], bid: Bid, bidder: str, dealt: Known
) -> Iterator[Violation]:
    """Name what the cards forbid: a forced bid of somebody else's, or one below what a hand owes."""
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
    if not forced and rungs[bid.slug] >= rungs[duty.bid]:
        return
    for seat, hand in zip(seats, dealt.hands, strict=True):
        if duty.owed_by(hand):
            message = say(
                "{seat} was dealt cards that require {owed}, so the bidding could not end in {bid}.",
                seat=seat,
                owed=duty.bid,
                bid=bid.slug,
            )
            where = {"field": "contract.bid", "seat": seat}
            yield Violation("bid-owed", message, where, (duty.bid, duty.waived_by))


def goes_under(rules: Rules, seats: tuple[str, ...], dealt: Known) -> Iterator[Violation]:
    """Name it when whoever was under held a heart in a blind round, and yet the bidding was open."""
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
