"""Derives contract, partner and result from the cards of a record, and checks that they agree with it.

The auction, the exchange and the tricks are followed with the values that guide a hand step by step
(`engine.phases`); no call or card is judged here.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of, mask_of
from engine.cards.cards import Card
from engine.errors import Problems, Refused, Violation
from engine.phases.exchange import Trade
from engine.phases.tricks import Play
from engine.record import PASS, Contract, HandRecord, Trick, Tricks
from engine.replay.auction import check_auction
from engine.replay.deal import KnownDeal, holder_of, nothing_known, read_deal
from engine.replay.exchange import check_known
from engine.replay.holdings import (
    HeldCards,
    PlayedContract,
    check_shape,
    given_away,
    hands_after_exchange,
    hands_from_play,
    with_called,
)
from engine.replay.matadors import matador_facts
from engine.replay.obligations import blind_bid_owed, obligations
from engine.replay.revokes import cards_played, missing_trick, play_tricks, with_place, with_proof
from engine.replay.spit import read_spit
from engine.replay.stated_result import (
    asked_too_late,
    check_sizes,
    complete_contract,
    complete_result,
    played_out,
    side_of,
    side_takes,
)
from engine.rules.aims import Result
from engine.rules.bids import Bid
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Plan, Rules
from engine.words.sentences import say


class ReplayedHand(NamedTuple):
    """The contract and the result of a record, completed from its cards.

    `held` is the bidder's dealt hand if it is known and forbids the call. `followed` is false if the tricks
    could not be followed because their trump is wrong.
    """

    contract: Contract | None
    result: Result
    held: tuple[Card, ...] | None = None
    followed: bool = True


def replay(rules: Rules, plan: Plan, record: HandRecord, problems: Problems) -> ReplayedHand:
    """Read the cards of a record; the first violation of each phase is added to `problems`."""
    before, table = len(problems), plan.table
    seats = table.active
    deal = _known_deal(rules, table, record, problems)
    contract = record.contract
    if record.auction is not None:
        dealt = deal or nothing_known(len(seats))
        contract = check_auction(rules, plan, record.auction, contract, dealt, problems)
    reading = ReplayedHand(contract, Result.of(record))
    if contract is None or deal is None or len(problems) > before:
        return reading
    if contract.bid == PASS:
        if record.blind_round is not None:
            problems += blind_bid_owed(rules, seats, deal)
        return reading
    bid = rules.by_slug.get(contract.bid or "")
    if bid is None:
        return reading
    try:
        if record.tricks is not None:
            check_sizes(len(seats), Tricks.of(record.tricks), stopped=bool(record.stopped))
            if not bid.allows_trump(contract.trump):
                return reading._replace(followed=False)
        if contract.bidder is None and bid.slug == rules.all_pass:
            contract = _forced(rules, seats, record.tricks, contract, bid, deal)
            reading = reading._replace(contract=contract)
        if contract.bidder not in seats:
            return reading
        return _play_out(rules, plan, record, reading, bid, deal, problems)
    except Refused as refused:
        problems += refused.violations
        return reading


def _known_deal(
    rules: Rules, table: SeatingTable, record: HandRecord, problems: Problems
) -> KnownDeal | None:
    """Read the recorded part of the deal and of the spit deal."""
    deal: KnownDeal | None = nothing_known(len(table.active))
    if record.deal is not None:
        deal = read_deal(rules, table.active, record.deal, problems)
    if record.spit is not None and deal is not None:
        deal = read_spit(rules, table, record.spit, deal, problems)
    return deal


def _forced(
    rules: Rules,
    seats: tuple[str, ...],
    tricks: Sequence[Trick] | None,
    contract: Contract,
    bid: Bid,
    deal: KnownDeal,
) -> Contract:
    """Complete a contract after an all-pass: a certain card was dealt to its bidder, or played (003)."""
    hands = deal.hands
    if tricks:
        play = rules.play(bid, contract, seats, 0, hands)
        played = cards_played(play, Tricks.of(tricks), rules.pack.mask)
        hands = tuple([dealt | laid for dealt, laid in zip(hands, played, strict=True)])
    return contract._replace(bidder=holder_of(rules.forcing, seats, hands))


def _play_out(
    rules: Rules,
    plan: Plan,
    record: HandRecord,
    reading: ReplayedHand,
    bid: Bid,
    deal: KnownDeal,
    problems: Problems,
) -> ReplayedHand:
    """Read exchange and tricks; `Refused` names the first step that is impossible."""
    seats, stated = plan.table.active, reading.result
    tricks = None if record.tricks is None else Tricks.of(record.tricks)
    contract = reading.contract or Contract()
    bidder = seats.index(str(contract.bidder))
    case = PlayedContract(rules, seats, bid, bidder, contract.called, record.exchange)
    has_exchange = record.exchange is not None or deal.sure
    if bid.trade is Trade.CALLED and contract.called is None and has_exchange:
        message = say("Say which card was called: what changed hands depends on it.")
        raise Refused([Violation("called-missing", message, {"field": "contract.called"})])
    if record.exchange is not None and "exchange" in rules.keys:
        check_shape(case, record.exchange, len(rules.pack.cards) - rules.tricks * len(seats))
    if not bid.allows_trump(contract.trump):
        return reading  # refused elsewhere; nothing can be followed
    open_play = partial(rules.play, bid, contract, seats, bidder)
    ended = tricks is not None and played_out(
        rules, len(seats), tricks, record, lambda: missing_trick(open_play(deal.hands), tricks)
    )
    held = _hands_at_play(case, deal, tricks, open_play, ended=ended)
    contract = complete_contract(case, contract, held.dealt, problems)
    held = with_called(case, contract, held)
    if record.blind_round is not None and not bid.lead_only:
        problems += blind_bid_owed(rules, seats, held.dealt)
    before = len(problems)
    if record.auction is not None and held.dealt != deal:
        # The auction once more, now that the tricks have shown the hands.
        check_auction(rules, plan, record.auction, record.contract, held.dealt, problems)
    if len(problems) == before:
        declarer, trump = str(contract.bidder), contract.trump
        problems += obligations(rules, seats, bid, declarer, trump, held.dealt)
    hand = hand_forbidding_call(case, contract, held.dealt)
    if bid.has_partner and contract.partner is None and not contract.alone:
        return ReplayedHand(contract, stated, hand)
    if tricks is None:
        facts = matador_facts(case, contract, stated, held.dealt, problems)
        result = complete_result(stated, facts, problems)
        set_aside = mask_of(given_away(case.exchange)) if bid.trade is Trade.WIDOW else deal.widow
        if set_aside.bit_count() == len(rules.pack.cards) - rules.tricks * len(seats) > 0:
            problems += rules.tally.problems_aside(bid, result, set_aside)
        return ReplayedHand(contract, result, hand)
    play = open_play(held.hands)
    try:
        played_out_hand = play_tricks(play, tricks)
    except Refused as refused:
        took_widow = bid.trade is Trade.WIDOW
        discarded, widow = (
            mask_of(given_away(case.exchange)) * took_widow,
            deal.widow * (not took_widow),
        )
        violations = [with_place(violation, discarded, widow) for violation in refused.violations]
        if not deal.complete:
            violations = [with_proof(violation, play, tricks) for violation in violations]
        raise Refused(violations) from None
    if stated.asked_partner:
        problems += asked_too_late(contract, tricks)
    facts = rules.tally.from_cards(
        bid, side_takes(rules, side_of(contract, seats), played_out_hand, ended=ended)
    )
    facts |= matador_facts(case, contract, stated, held.dealt, problems, (played_out_hand, tricks))
    result = complete_result(stated, facts, problems)
    if not ended and bid.aim.counting.counts_all:
        # The widow of a hand that was given up is not turned up: its points are not a result.
        result = result._replace(points=stated.points)
    return ReplayedHand(contract, result, hand)


def hand_forbidding_call(
    case: PlayedContract, contract: Contract, dealt: KnownDeal
) -> tuple[Card, ...] | None:
    """Return the bidder's hand if it forbids the call: known in full, or known to hold the card."""
    calls = case.bid.calls
    if case.called is None or calls is None:
        return None
    hand = dealt.hands[case.bidder]
    if not (dealt.sure >> case.bidder & 1 or hand & BITS[case.called]):
        return None
    held = cards_of(hand)
    allowed = calls.allows(case.called, case.rules.pack.cards, contract.trump, held)
    return None if allowed else held


def _hands_at_play(
    case: PlayedContract,
    deal: KnownDeal,
    tricks: Tricks | None,
    open_play: Callable[[tuple[int, ...]], Play],
    *,
    ended: bool,
) -> HeldCards:
    """Return the hands as the play began."""

    def played() -> tuple[int, ...]:
        return cards_played(open_play(deal.hands), Tricks.of(tricks or ()), case.rules.pack.mask)

    if deal.complete:
        complete = hands_after_exchange(case, deal, played if ended else None)
        if complete is not None:
            return complete
    cards = (0,) * len(case.seats) if tricks is None else played()
    check_known(case, deal, cards)
    return HeldCards(deal, deal.hands) if tricks is None else hands_from_play(case, deal, cards)
