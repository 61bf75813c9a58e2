"""Holds what a record states against what its cards tell, and fills in what it left out."""

from dataclasses import replace

from engine.calling import Own
from engine.cards import Suit
from engine.contracts import Bid
from engine.counts import Result, Taken
from engine.deal import Known
from engine.errors import Refused, Violation, show
from engine.holdings import Situation
from engine.masks import BITS, suit_mask
from engine.play import Play
from engine.record import Contract, HandRecord
from engine.sheet import Rules

Found = list[Violation]


def played_out(rules: Rules, count: int, record: HandRecord) -> bool:
    """Whether every trick was played; `Refused` where some are missing and nothing says why.

    A hand ends early when it is conceded, and in German Solo when the side stops after its first tricks
    (003). `count` seats play a card each to a trick.
    """
    tricks = record.tricks or ()
    number, stop = len(tricks), rules.tally.stops_after
    where = {"field": "tricks"}
    if number > rules.tricks:
        message = f"A hand has {rules.tricks} tricks; the record holds {number}."
        raise Refused([Violation("tricks-too-many", message, where)])
    if record.stopped and stop and number != stop:
        message = f"Who stops does so after {stop} tricks; the record holds {number}."
        raise Refused([Violation("stopped-elsewhere", message, where)])
    if number == rules.tricks and len(tricks[-1].cards) >= count:
        return True
    if record.conceded is None and not record.stopped:
        message = (
            f"A hand has {rules.tricks} tricks of {count} cards, and the record ends before; write the"
            " rest down, or who gave the hand up."
        )
        raise Refused([Violation("tricks-missing", message, where)])
    return False


def fill(case: Situation, contract: Contract, dealt: Known, problems: Found) -> Contract:
    """Name the partner by the called card's holder; check what the bidder had to hold."""
    bid, called = case.bid, case.called
    if bid.lead_only and dealt.sure >> case.bidder & 1 and bid.trumps:
        suit = bid.trumps[0]
        if not dealt.hands[case.bidder] & suit_mask(suit):
            seat = case.seats[case.bidder]
            message = f"{seat} held no {suit.word}, so the bidding was open to all (no {bid.slug})."
            where = {"field": "contract.bid", "seat": seat}
            problems.append(Violation("blind-without-heart", message, where))
    if called is None or not bid.has_partner:
        return contract
    bit = BITS[called]
    holder = next((at for at, hand in enumerate(dealt.hands) if hand & bit), None)
    if holder is None:
        return contract
    alone = holder == case.bidder
    if alone and bid.calls is not None and bid.calls.own is Own.REFUSED:
        return contract  # refused with the call
    partner = None if alone else case.seats[holder]
    if contract.partner == partner and bool(contract.alone) is alone:
        return contract
    if contract.partner not in (None, partner) or contract.alone not in (None, alone):
        said = (
            "the caller played alone" if contract.alone else f"{contract.partner} was the partner"
        )
        message = f"{called} was held by {case.seats[holder]}; the record says that {said}."
        field = "contract.alone" if contract.partner in (None, partner) else "contract.partner"
        legal = () if partner is None else (partner,)
        problems.append(Violation("partner-differs", message, {"field": field}, legal))
    return replace(contract, partner=partner, alone=alone or None)


def side_takes(
    case: Situation,
    contract: Contract,
    dealt: Known,
    done: Play,
    trump: Suit | None,
    *,
    ended: bool,
) -> Taken:
    """Sort the tricks into the bidding side's and the opponents'."""
    seats = case.seats
    side = 1 << case.bidder
    if contract.partner in seats:
        side |= 1 << seats.index(str(contract.partner))
    ours = theirs = 0
    for place, cards in enumerate(done.taken):
        if side >> place & 1:
            ours |= cards
        else:
            theirs |= cards
    return Taken(
        ours,
        theirs,
        case.rules.pack.mask & ~ours & ~theirs if ended else None,
        tuple([side >> winner & 1 == 1 for winner in done.leaders[1:]]),
        _matadors(case, dealt, side, trump),
    )


def _matadors(case: Situation, dealt: Known, side: int, trump: Suit | None) -> str | None:
    """Say which side was dealt all the matadors; nothing where that is not known (003)."""
    wanted = 0 if trump is None else case.rules.ranking.matadors(trump)
    if not wanted:
        return None
    ours = theirs = 0
    for place, hand in enumerate(dealt.hands):
        if side >> place & 1:
            ours |= hand & wanted
        else:
            theirs |= hand & wanted
    if ours and theirs:
        return "split"
    if wanted in (ours, theirs):
        return "declarers" if ours else "defenders"
    return None


def agree(rules: Rules, bid: Bid, record: HandRecord, taken: Taken, problems: Found) -> Result:
    """Give the result that the cards tell; a stated number that differs is refused with both."""
    stated = Result.of(record)
    told = rules.tally.tell(bid, taken)
    for key, value in told.items():
        said = getattr(stated, key)
        if said is not None and said != value:
            message = f"By the cards {key} is {show(value)}, not {show(said)}."
            where = {"field": key}
            problems.append(Violation("differs-from-cards", message, where, (show(value),)))
    return stated._replace(**told)  # type: ignore[arg-type]
