"""The auction of a record, call by call, checked against its contract."""

from collections.abc import Mapping

from engine.cards.card_sets import suit_mask
from engine.cards.cards import Suit
from engine.errors import Problems, Refused, Violation, printable, refuse_any
from engine.phases.bidding.auction import Auction, Bidding
from engine.record import PASS, Call, Contract
from engine.replay.deal import KnownDeal, holder_of
from engine.replay.naming import can_name
from engine.rules.bids import Bid
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Plan, Rules
from engine.words.sentences import later, say, word

Calls = tuple[Call, ...]


def check_auction(
    rules: Rules,
    plan: Plan,
    calls: Calls,
    stated: Contract | None,
    known: KnownDeal,
    problems: Problems,
) -> Contract | None:
    """Make every call; give the contract with what the auction says of it filled in.

    What is wrong is added to `problems`: an illegal call, one that is missing, or a contract that says
    otherwise. An auction in which the cards have no say is heard once.
    """
    if rules.cards_bind:
        return _check_calls(rules, plan.table, calls, stated, known, problems)
    key = (calls, stated)
    contract = plan.auctions.get(key)
    if contract is None:
        before = len(problems)
        contract = _check_calls(rules, plan.table, calls, stated, known, problems)
        if contract is not None and len(problems) == before:
            plan.auctions.keep(key, contract)
    return contract


def _check_calls(
    rules: Rules,
    table: SeatingTable,
    calls: Calls,
    stated: Contract | None,
    known: KnownDeal,
    problems: Problems,
) -> Contract | None:
    auction = rules.auction(table.active)
    try:
        if rules.cards_bind:
            for call in calls:
                auction = make_call(rules, auction, call, known)
        else:
            for call in calls:
                auction = auction.after(call)
    except Refused as refused:
        problems += refused.violations
        return stated
    speaker = auction.to_act
    if speaker is not None:
        message = say("The auction is not over: it is {speaker}'s turn.", speaker=speaker)
        where: dict[str, str | int] = {"field": "auction", "seat": speaker}
        problems.append(Violation("auction-unfinished", message, where, (speaker,)))
        return stated
    spoken = {call.call for call in calls}
    why = _WHY | _SUIT_SAID if auction.ladder.said(auction.high) in spoken else _WHY
    contract = _agreed(rules, table, auction.outcome, stated or Contract(), known, why, problems)
    if contract.bid == auction.outcome.bid:
        problems += cannot_name(rules, auction, known)
    return contract


def make_call(rules: Rules, auction: Auction, call: Call, known: KnownDeal) -> Auction:
    """Make one call; `Refused` also if the caller's cards oblige to more, or forbid it.

    Nobody bids blind without a heart (002).
    """
    following = auction.after(call)
    if following.over and (bid := rules.by_slug.get(call.call)) and bid.lead_only:
        refuse_any(lacks_trump(bid, auction.seats, auction.turn, known))
    due = owed_calls(rules, auction, known)
    if due and rules.duty is not None and call.call not in due:
        message = say(
            "Call {number}: {seat}'s cards require {owed}; {call} is not enough.",
            number=auction.made + 1,
            seat=call.seat,
            owed=rules.duty.bid,
            call=call.call,
        )
        where: dict[str, str | int] = {"field": f"auction.{auction.made + 1}", "seat": call.seat}
        raise Refused([Violation("bid-owed", message, where, due)])
    return following


def cannot_name(rules: Rules, auction: Auction, known: KnownDeal) -> tuple[Violation, ...]:
    """Name it when the suit that the bid which stands is bound to leaves no card to call.

    Nobody can play so (our reading; the sources are silent). A bid that was overcalled binds nobody.
    """
    made, place = auction.outcome, auction.bidder
    if made.trump is None or not known.sure >> place & 1:
        return ()
    bid = rules.by_slug[made.bid]
    if can_name(rules, auction.seats, known, bid, place, made.trump):
        return ()
    message = say(
        "{bidder} could call no card in {bid:term} with {trump:term} as trumps, and had to declare more.",
        bidder=made.bidder,
        bid=bid.title,
        trump=made.trump.word,
    )
    where: dict[str, str | int] = {"field": "contract.bid", "seat": str(made.bidder)}
    return (Violation("call-not-allowed", message, where),)


def lacks_trump(
    bid: Bid, seats: tuple[str, ...], place: int, known: KnownDeal
) -> tuple[Violation, ...]:
    """Name it when who bids blind is known to hold no heart: then the bidding is open to all (002)."""
    suit = bid.trumps[0]
    if not known.sure >> place & 1 or known.hands[place] & suit_mask(suit):
        return ()
    seat = seats[place]
    message = say(
        "{seat} held no {suit:term}, so {bid:term} could not be bid: the bidding was open to all.",
        seat=seat,
        suit=suit.word,
        bid=bid.title,
    )
    where = {"field": "contract.bid", "seat": seat}
    return (Violation("blind-without-heart", message, where),)


def owed_calls(rules: Rules, auction: Auction, known: KnownDeal) -> tuple[str, ...]:
    """Return the calls of which the seat to speak must make one; none if its cards leave it free.

    Certain cards oblige to a bid (003) as long as a bid or a hold that the seat could play honours it
    (decided in the rules sheet). A seat that may not bid that much yet must bid as much as it may.
    """
    duty, turn = rules.duty, auction.turn
    if duty is None or auction.over or not duty.owed_by(known.hands[turn]):
        return ()
    rungs = auction.ladder.above[0]
    owed, waived = rungs[duty.bid], rungs[duty.waived_by]
    if duty.ends_when_bid and auction.high >= owed:
        return ()
    after = {call.call: auction.after(call) for call in auction.legal if call.call != PASS}
    enough = tuple(call for call, then in after.items() if then.high >= owed)
    bid = rules.by_slug[duty.bid]
    for following in after.values():
        if owed <= following.high < waived:
            suit = following.outcome.trump
            if suit is None or can_name(rules, auction.seats, known, bid, turn, suit):
                return enough
    return tuple(after) if auction.high < owed else ()


def _agreed(
    rules: Rules,
    table: SeatingTable,
    made: Bidding,
    stated: Contract,
    known: KnownDeal,
    why: Mapping[str, str],
    problems: Problems,
) -> Contract:
    """Check the contract against the auction's outcome, and fill it in; `why` says what contradicts it.

    Where whoever won the bidding may declare more than they bid, nothing binds them that the bid did.
    """
    made = outcome_of(rules, table.active, made, known)
    rungs = rules.ladder.above[0]
    more = made.bid in rungs and rungs.get(str(stated.bid), 0) > rungs[made.bid]
    if rules.may_declare_more and more:
        made = made._replace(bid=str(stated.bid), trump=None)
    changes: dict[str, object] = {}
    for key in why:
        value, said = getattr(made, key), getattr(stated, key)
        names = isinstance(value, tuple)
        if value is None or value == said or (names and said and set(said) == set(value)):
            continue
        if said is None:
            changes |= {key: value} if value else {}
        else:
            message = say(
                why[key],
                bid=made.bid,
                bidder=made.bidder,
                trump="" if made.trump is None else made.trump.word,
                right=_told(value),
                said=_told(said),
            )
            where, legal = {"field": f"contract.{key}"}, value if names else (str(value),)
            problems.append(Violation("contract-against-auction", message, where, legal))
    return stated._replace(**changes) if changes else stated  # type: ignore[arg-type]


def outcome_of(rules: Rules, seats: tuple[str, ...], made: Bidding, known: KnownDeal) -> Bidding:
    """Say what an auction comes to: where all passed, a certain card's holder may have to play (003).

    The bidder is `None` when the hand is thrown in, or nobody knows who holds the card.
    """
    if made.bid != PASS or rules.all_pass is None:
        return made
    return Bidding(holder_of(rules.forcing, seats, known.hands), rules.all_pass)


_WHY = {
    "bid": later("The auction ended in {bid}, not in {said}."),
    "bidder": later("By the auction {bid} is played by {bidder}, not by {said}."),
    "trump": later(
        "One {bid} went over another, which only {trump:term} can: they are trumps, not {said}."
    ),
    "doubled": later("By the auction {right} doubled; the record says {said}."),
    "redoubled": later("By the auction {bidder} redoubled {right}; the record says {said}."),
}
"""What a sentence says of each key of the contract that the auction contradicts."""

_SUIT_SAID = {"trump": later("The bid was {bid} in {trump:term}: they are trumps, not {said}.")}
"""What it says of the trump where the bid itself named the suit."""


def _told(said: object) -> str:
    if isinstance(said, tuple):
        return say("{names:and}", names=said) if said else say("nobody")
    return word(said.word) if isinstance(said, Suit) else printable(said)
