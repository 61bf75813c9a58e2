"""What the cards dealt obliged to, where no auction is noted to show that it was heeded (003)."""

from collections.abc import Iterator

from engine.cards.card_sets import BITS
from engine.errors import Violation
from engine.replay.deal import Known
from engine.rules.bids import Bid
from engine.rules.sheet import Rules


def obligations(
    rules: Rules, seats: tuple[str, ...], bid: Bid, bidder: str, dealt: Known
) -> Iterator[Violation]:
    """Name what the cards forbid: a forced bid of somebody else's, or one below what a hand owes."""
    forced = bid.slug == rules.all_pass
    if forced and rules.forcing is not None:
        bit = BITS[rules.forcing]
        for seat, hand in zip(seats, dealt.hands, strict=True):
            if hand & bit and seat != bidder:
                message = (
                    f"{bid.title} is played by whoever was dealt {rules.forcing}: {seat}, not"
                    f" {bidder}."
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
            message = (
                f"{seat} was dealt cards that oblige to {duty.bid}, so the bidding could not end in"
                f" {bid.slug}."
            )
            where = {"field": "contract.bid", "seat": seat}
            yield Violation("bid-owed", message, where, (duty.bid, duty.waived_by))
