"""Checks a recorded auction call by call, its contract against it, and both against the cards dealt.

Certain cards oblige their holder to bid (003), a heart the player under to bid blind (002).
"""

from collections.abc import Iterator, Mapping

from engine.cards.card_sets import BITS, suit_mask
from engine.cards.cards import Suit
from engine.errors import Problems, Refused, Violation, printable, refuse_any
from engine.phases.bidding.auction import Auction, Bidding
from engine.record import PASS, Call, Contract
from engine.replay.deal import KnownDeal, holder_of
from engine.replay.holdings import PlayedContract
from engine.replay.naming import can_name
from engine.rules.bids import Bid
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Plan, Rules
from engine.words.language import CallCode
from engine.words.sentences import later, say, word

Calls = tuple[Call, ...]


def check_auction(
    rules: Rules,
    plan: Plan,
    calls: Calls,
    stated: Contract | None,
    deal: KnownDeal,
    problems: Problems,
) -> Contract | None:
    """Follow every call, and return the stated contract completed by the auction.

    Violations are added to `problems`: an illegal or missing call, after which the stated contract is
    returned unchanged, or a stated value that contradicts the auction. A valid auction that does not depend
    on the cards is cached in `plan`.
    """
    key = () if rules.cards_bind else (calls, stated)
    contract = plan.auctions.get(key)
    if contract is None:
        before = len(problems)
        contract = _check_calls(rules, plan.table, calls, stated, deal, problems)
        if key and contract is not None and len(problems) == before:
            plan.auctions.keep(key, contract)
    return contract


def _check_calls(
    rules: Rules,
    table: SeatingTable,
    calls: Calls,
    stated: Contract | None,
    deal: KnownDeal,
    problems: Problems,
) -> Contract | None:
    """Check the calls and the stated contract as `check_auction` does, without its cache."""
    auction = rules.auction(table.active)
    words = {call.call for call in calls}
    try:
        if _cards_matter(rules, words, deal):
            for call in calls:
                auction = make_call(rules, auction, call, deal)
        else:
            auction = auction.after(*calls)
    except Refused as refused:
        problems += refused.violations
        return stated
    speaker = auction.to_act
    if speaker is not None:
        message = say("The auction is not over: it is {speaker}'s turn.", speaker=speaker)
        where: dict[str, str | int] = {"field": "auction", "seat": speaker}
        problems.append(Violation("auction-unfinished", message, where, (speaker,)))
        return stated
    messages = (
        _MESSAGES | _SUIT_MESSAGE
        if auction.ladder.bid_reaching(auction.high) in words
        else _MESSAGES
    )
    contract = _completed(
        rules, table, auction.outcome, stated or Contract(), deal, messages, problems
    )
    if contract.bid == auction.outcome.bid:
        problems += cannot_name(rules, auction, deal)
    return contract


def _cards_matter(rules: Rules, words: set[str], deal: KnownDeal) -> bool:
    """Return whether the calls must be checked against cards.

    They must if a known hand requires a bid, or if one of these words is a bid for the player on the lead.
    """
    if rules.duty is not None and any(map(rules.duty.owed_by, deal.hands)):
        return True
    return any(rules.by_slug[bid].lead_only for bid in words & rules.by_slug.keys())


def make_call(rules: Rules, auction: Auction, call: Call, deal: KnownDeal) -> Auction:
    """Return the auction after one call. Raises `Refused` for an illegal call.

    A call is also illegal if the known cards of its seat require a higher one, or if it bids blind (002) and
    the hand is known in full to hold no heart.
    """
    following = auction.after(call)
    if following.over and (bid := rules.by_slug.get(call.call)) and bid.lead_only:
        refuse_any(lacks_trump(bid, auction.seats, auction.turn, deal))
    owed = owed_calls(rules, auction, deal)
    if owed and rules.duty is not None and call.call not in owed:
        message = say(
            "Call {number}: {seat}'s cards require {owed}; {call} is not enough.",
            number=auction.calls_made + 1,
            seat=call.seat,
            owed=CallCode(rules.duty.bid),
            call=CallCode(call.call),
        )
        where: dict[str, str | int] = {
            "field": f"auction.{auction.calls_made + 1}",
            "seat": call.seat,
        }
        raise Refused([Violation("bid-owed", message, where, owed)])
    return following


def cannot_name(rules: Rules, auction: Auction, deal: KnownDeal) -> tuple[Violation, ...]:
    """Return a violation if the leading bid is bound to a trump suit that leaves its bidder no card to call.

    That bid cannot be played (our reading; the sources are silent). A bid that was overcalled binds nobody,
    and a hand that is not known in full is not checked. Without a violation the tuple is empty.
    """
    outcome, place = auction.outcome, auction.bidder
    if outcome.trump is None or not deal.sure >> place & 1:
        return ()
    bid = rules.by_slug[outcome.bid]
    if can_name(rules, auction.seats, deal, bid, place, outcome.trump):
        return ()
    message = say(
        "{bidder} could call no card in {bid:term} with {trump:term} as trumps, and had to declare more.",
        bidder=outcome.bidder,
        bid=bid.title,
        trump=outcome.trump.word,
    )
    where: dict[str, str | int] = {"field": "contract.bid", "seat": str(outcome.bidder)}
    return (Violation("call-not-allowed", message, where),)


def lacks_trump(
    bid: Bid, seats: tuple[str, ...], place: int, deal: KnownDeal
) -> tuple[Violation, ...]:
    """Return a violation if the seat at `place` is known to hold no card of a blind bid's suit, hearts.

    Then all may bid (002). A hand that is not known in full is not checked: the tuple is then empty.
    """
    suit = bid.trumps[0]
    if not deal.sure >> place & 1 or deal.hands[place] & suit_mask(suit):
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


def owed_calls(rules: Rules, auction: Auction, deal: KnownDeal) -> tuple[str, ...]:
    """Return the calls of which the next seat must make one, as its known cards require; empty if none do.

    Certain cards require a bid (003), which any bid or hold honours that the seat could play (decided in the
    rules sheet). A seat that may not bid that much yet must bid as much as it may.
    """
    duty, turn = rules.duty, auction.turn
    if duty is None or auction.over or not duty.owed_by(deal.hands[turn]):
        return ()
    rungs = auction.ladder.above[0]
    owed, waived = rungs[duty.bid], rungs[duty.waived_by]
    if auction.high >= (owed if duty.ends_when_bid else waived):
        return ()
    following = {call.call: after for call, after in auction.following.items() if call.call != PASS}
    bid = rules.by_slug[duty.bid]
    for after in following.values():
        if owed <= after.high < waived:
            suit = after.outcome.trump
            if suit is None or can_name(rules, auction.seats, deal, bid, turn, suit):
                return tuple(call for call, after in following.items() if after.high >= owed)
    return tuple(following) if auction.high < owed else ()


def _completed(
    rules: Rules,
    table: SeatingTable,
    outcome: Bidding,
    stated: Contract,
    deal: KnownDeal,
    messages: Mapping[str, str],
    problems: Problems,
) -> Contract:
    """Return the stated contract with the missing keys filled in from the auction's outcome.

    A stated value is never replaced; one that contradicts the auction adds a violation, with the sentence of
    its key in `messages`. If the winner may declare more than the bid, a higher contract is not bound by it.
    """
    outcome = outcome_of(rules, table.active, outcome, deal)
    rungs = rules.ladder.above[0]
    more = outcome.bid in rungs and rungs.get(str(stated.bid), 0) > rungs[outcome.bid]
    if rules.may_declare_more and more:
        outcome = outcome._replace(bid=str(stated.bid), trump=None)
    changes: dict[str, object] = {}
    for key in messages:
        value, stated_value = getattr(outcome, key), getattr(stated, key)
        names = isinstance(value, tuple)
        if (
            value is None
            or value == stated_value
            or (names and stated_value and set(stated_value) == set(value))
        ):
            continue
        if stated_value is None:
            changes |= {key: value} if value else {}
        else:
            message = say(
                messages[key],
                bid=CallCode(outcome.bid),
                bidder=outcome.bidder,
                trump="" if outcome.trump is None else outcome.trump.word,
                right=_written(key, value),
                said=_written(key, stated_value),
            )
            where, legal = {"field": f"contract.{key}"}, value if names else (str(value),)
            problems.append(Violation("contract-against-auction", message, where, legal))
    return stated._replace(**changes) if changes else stated  # type: ignore[arg-type]


def outcome_of(rules: Rules, seats: tuple[str, ...], outcome: Bidding, deal: KnownDeal) -> Bidding:
    """Return the result of an auction, or if all passed and somebody must then play, that forced bid (003).

    The forced bidder is the known holder of a certain card, `None` if unknown. A hand that is thrown in has
    the bidder `None` and the bid `pass`.
    """
    if outcome.bid != PASS or rules.all_pass is None:
        return outcome
    return Bidding(holder_of(rules.forcing, seats, deal.hands), rules.all_pass)


_MESSAGES = {
    "bid": later("The auction ended in {bid}, not in {said}."),
    "bidder": later("By the auction {bid} is played by {bidder}, not by {said}."),
    "trump": later(
        "One {bid} went over another, which only {trump:term} can: they are trumps, not {said}."
    ),
    "doubled": later("By the auction {right} doubled; the record says {said}."),
    "redoubled": later("By the auction {bidder} redoubled {right}; the record says {said}."),
}
"""The message for each key of the contract that contradicts the auction."""

_SUIT_MESSAGE = {"trump": later("The bid was {bid} in {trump:term}: they are trumps, not {said}.")}
"""The message for the trump suit if the bid itself named it."""


def _written(key: str, value: object) -> str:
    """Return a value of the contract for a message: names joined, a suit as a word, a bid as a call."""
    if isinstance(value, tuple):
        return say("{names:and}", names=value) if value else say("nobody")
    if isinstance(value, Suit):
        return word(value.word)
    return CallCode(printable(value)) if key == "bid" else printable(value)


def obligations(case: PlayedContract, dealt: KnownDeal) -> Iterator[Violation]:
    """Yield a violation for each seat whose known dealt cards contradict the contract.

    If the bid was forced by an all-pass, this is another holder of the card that forces; also every seat
    whose cards oblige it to bid more than was bid, unless it was allowed to pass.
    """
    rules, seats, bid, bidder = case.rules, case.seats, case.bid, case.seats[case.bidder]
    forced = bid.slug == rules.all_pass
    if forced and rules.forcing is not None:
        bit = BITS[rules.forcing]
        for seat, hand in zip(seats, dealt.hands, strict=True):
            if hand & bit and seat != bidder:
                message = say(
                    "{bid:term} is played by whoever was dealt {card}: {seat}, not {bidder}.",
                    bid=bid.title,
                    card=rules.forcing,
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
            sufficient and (place == case.bidder or _may_pass(case, dealt, place))
        ):
            message = say(
                "{seat} was dealt cards that require {owed}, so the bidding could not end in {bid}.",
                seat=seat,
                owed=CallCode(duty.bid),
                bid=CallCode(bid.slug),
            )
            where = {"field": "contract.bid", "seat": seat}
            yield Violation("bid-owed", message, where, (duty.bid, duty.waived_by))


def _may_pass(case: PlayedContract, dealt: KnownDeal, place: int) -> bool:
    """Return whether a seat that owes a bid may have passed after another seat had bid the same.

    It may unless it could have held that bid, as a seat before the bidder, or outbid it in the preferred
    suit, as a seat after. To do either in the preferred suit it needs a card to call with that trump.
    """
    suit, is_earlier = case.rules.ladder.preferred, place < case.bidder
    if suit is None:
        return not is_earlier
    if is_earlier is (case.contract.trump is not suit):
        return not is_earlier
    return not can_name(case.rules, case.seats, dealt, case.bid, place, suit)


def blind_bid_owed(rules: Rules, seats: tuple[str, ...], dealt: KnownDeal) -> Iterator[Violation]:
    """Yield a violation if the first seat is known to hold a heart, in games with a blind bid.

    For hands of a blind round with another bid: with a heart, the player under must bid blind.
    """
    for under in rules.bids:
        suit = under.trumps[0] if under.lead_only else None
        if suit is not None and dealt.hands[0] & suit_mask(suit):
            message = say(
                "{seat} was under and held {suit:term}, so the bid is {bid}.",
                seat=seats[0],
                suit=suit.word,
                bid=CallCode(under.slug),
            )
            where = {"field": "contract.bid", "seat": seats[0]}
            yield Violation("bid-owed", message, where, (under.slug,))
