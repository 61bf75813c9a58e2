"""Derives contract, partner and result from the cards of a record, and checks that they agree with it.

The auction, the exchange and the tricks are followed with the values that guide a hand step by step
(`engine.phases`); no call or card is judged here.
"""

from operator import or_
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of, mask_of
from engine.cards.cards import Card
from engine.errors import Problems, Refused, Violation
from engine.phases.tricks import Play
from engine.record import PASS, Contract, HandRecord, Tricks
from engine.replay.auction import blind_bid_owed, check_auction, obligations
from engine.replay.claims import check_shown, claim_facts, shown_cards
from engine.replay.deal import KnownDeal, holder_of, nothing_known, read_deal
from engine.replay.holdings import (
    NOTHING,
    HeldCards,
    PlayedContract,
    check_known,
    check_shape,
    hands_after_exchange,
    hands_from_play,
    with_called,
)
from engine.replay.irregularities import FollowedPlay, disproved, recorded_tricks, tricks_won
from engine.replay.matadors import matador_facts
from engine.replay.revokes import cards_played, check_after_gap, play_tricks, with_place, with_proof
from engine.replay.spit import read_spit
from engine.replay.stated_result import (
    asked_too_late,
    check_sizes,
    complete_contract,
    complete_result,
    lasting_facts,
    played_out,
    side_takes,
)
from engine.rules.aims import Result
from engine.rules.sheet import Plan, Rules
from engine.words.sentences import say


class ReplayedHand(NamedTuple):
    """The contract and the result of a record, completed from its cards.

    `held` are the bidder's known dealt cards if they forbid calling the called card, else `None`. `followed`
    is false if the tricks could not be followed because their trump is wrong.
    """

    contract: Contract | None
    result: Result
    held: tuple[Card, ...] | None = None
    followed: bool = True


class ReadContract(NamedTuple):
    """A record's contract after its auction, and how its cards can be followed.

    `case` is `None` if nothing can be followed: the contract is incomplete, or a violation was found.
    """

    stated: ReplayedHand
    deal: KnownDeal
    tricks: Tricks | None
    case: PlayedContract | None


def replay(rules: Rules, plan: Plan, record: HandRecord, problems: Problems) -> ReplayedHand:
    """Return a record's contract and result as far as its cards show them, else as they are stated.

    The first violation of each phase is added to `problems`; nothing is raised. After a refused deal or
    auction the play is not followed.
    """
    stated, deal, tricks, case = read_contract(rules, plan, record, problems)
    if case is None:
        return stated
    try:
        return _play_out(case, plan, record, tricks, stated, deal, problems)
    except Refused as refused:
        problems += refused.violations
        return stated


def read_contract(rules: Rules, plan: Plan, record: HandRecord, problems: Problems) -> ReadContract:
    """Read a record's deal, auction and contract, but not its tricks; add violations to `problems`.

    Its `case` is `None` if all passed, the contract is incomplete, or there is a violation.
    """
    before, seats = len(problems), plan.table.active
    unknown = nothing_known(len(seats))
    deal: KnownDeal | None = unknown
    if record.deal is not None:
        deal = read_deal(rules, seats, record.deal, problems)
    if record.spit is not None and deal is not None:
        deal = read_spit(rules, plan.table, record.spit, deal, problems)
    contract = record.contract
    if record.auction is not None:
        contract = check_auction(rules, plan, record.auction, contract, deal or unknown, problems)
    stated = ReplayedHand(contract, Result.of(record))
    tricks = recorded_tricks(record, seats)
    reading = ReadContract(stated, deal or unknown, tricks, None)
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
        if tricks is not None:
            check_sizes(len(seats), tricks, stopped=bool(record.stopped))
            check_after_gap(tricks, rules.pack.mask)
            if not bid.allows_trump(contract.trump):
                return reading._replace(stated=stated._replace(followed=False))
        if contract.bidder is None and bid.slug == rules.all_pass:
            contract = _forced(PlayedContract(rules, seats, bid, 0, contract), deal, tricks)
            reading = reading._replace(stated=stated._replace(contract=contract))
    except Refused as refused:
        problems += refused.violations
        return reading
    if contract.bidder not in seats:
        return reading
    # An exchange in another game is refused by its key, and not read.
    exchange = record.exchange if "exchange" in rules.keys else None
    bidder = seats.index(contract.bidder)
    case = PlayedContract(rules, seats, bid, bidder, contract, exchange or NOTHING)
    return reading._replace(case=case)


def _forced(case: PlayedContract, deal: KnownDeal, tricks: Tricks | None) -> Contract:
    """Return the contract with the holder of a certain card as bidder, who must play if all pass (003).

    The card is looked for in the deal and the tricks; the bidder is `None` if it is unknown. Raises `Refused`
    for tricks that cannot have been played.
    """
    hands = deal.hands
    if tricks:
        played = cards_played(case.play(hands), tricks, case.rules.pack.mask)
        hands = tuple([dealt | laid for dealt, laid in zip(hands, played, strict=True)])
    return case.contract._replace(bidder=holder_of(case.rules.forcing, case.seats, hands))


def _play_out(
    case: PlayedContract,
    plan: Plan,
    record: HandRecord,
    tricks: Tricks | None,
    reading: ReplayedHand,
    deal: KnownDeal,
    problems: Problems,
) -> ReplayedHand:
    """Return contract and result, completed from the exchange and the tricks.

    Raises `Refused` at the first impossible step. Contradictions of the contract, the auction or the result
    are added to `problems` instead.
    """
    rules, bid, stated = case.rules, case.bid, reading.result
    has_exchange = record.exchange is not None or deal.sure
    if bid.takes_called and case.called is None and has_exchange:
        message = say("Say which card was called: what changed hands depends on it.")
        raise Refused([Violation("called-missing", message, {"field": "contract.called"})])
    check_shape(case)
    if not bid.allows_trump(case.contract.trump):
        return reading  # refused elsewhere; nothing can be followed
    ended = tricks is not None and played_out(case, deal, tricks, record)
    shown = None
    if tricks is not None and record.claimed is not None:
        shown = shown_cards(case, record.claimed, tricks)
    holdings = _hands_at_play(case, deal, tricks, shown, ended=ended)
    contract = complete_contract(case, holdings.dealt, problems)
    case = case._replace(contract=contract)
    holdings = with_called(case, holdings)
    if record.blind_round is not None and not bid.lead_only:
        problems += blind_bid_owed(rules, case.seats, holdings.dealt)
    before = len(problems)
    if record.auction is not None and holdings.dealt != deal:
        # The auction once more, now that the tricks have shown the hands.
        check_auction(rules, plan, record.auction, record.contract, holdings.dealt, problems)
    if len(problems) == before:
        problems += obligations(case, holdings.dealt)
    hand = _hand_forbidding_call(case, holdings.dealt)
    if bid.has_partner and contract.partner is None and not contract.alone:
        return ReplayedHand(contract, stated, hand)
    if tricks is None:
        facts = matador_facts(case, stated, holdings.dealt, problems)
        result = complete_result(stated, facts, problems)
        set_aside = cards_aside(case, deal)
        if set_aside.bit_count() == rules.widow_size > 0:
            problems += rules.tally.problems_aside(bid, result, set_aside)
        return ReplayedHand(contract, result, hand)
    play = _follow(case, deal, holdings, tricks)
    if stated.asked_partner:
        problems += asked_too_late(contract, tricks)
    counted = side_takes(rules, case.side, play, ended=ended)
    if record.irregular:
        counted = counted._replace(won=tricks_won(play, tricks, case.side))
        followed = FollowedPlay(
            tricks, case.play(holdings.hands), play, holdings.dealt, rules.tricks
        )
        problems += disproved(followed, record.irregular)
    facts = rules.tally.from_cards(bid, counted)
    if tricks.gap is not None:
        facts = lasting_facts(stated, facts, problems)
    elif record.claimed is not None and shown is not None and not ended:
        check_shown(play, shown)
        set_aside = cards_aside(case, deal)
        is_known = set_aside.bit_count() == rules.widow_size
        aside = rules.pack.count(set_aside) if is_known else None
        facts = claim_facts(case, record.claimed, counted, aside, stated, problems)
    facts |= matador_facts(case, stated, holdings.dealt, problems, (play, tricks))
    result = complete_result(stated, facts, problems)
    if not ended and record.claimed is None and bid.aim.counting.counts_all:
        # The widow of a hand that was given up is not turned up: its points are not a result.
        result = result._replace(points=stated.points)
    return ReplayedHand(contract, result, hand)


def cards_aside(case: PlayedContract, deal: KnownDeal) -> int:
    """Return the known set (bits) of cards that no seat held in play; 0 if none is known.

    These are the recorded discard if the bidder takes the widow, else the widow.
    """
    return mask_of(case.given_away) if case.bid.takes_widow else deal.widow


def _follow(case: PlayedContract, deal: KnownDeal, holdings: HeldCards, tricks: Tricks) -> Play:
    """Return the play after all tricks, up to the first unknown card.

    Raises `Refused` with the first illegal card and the reason, which names the later card that proves it if
    hands are unknown, or that it was discarded or in the widow.
    """
    play = case.play(holdings.hands)
    try:
        return play_tricks(play, tricks)
    except Refused as refused:
        took_widow = case.bid.takes_widow
        discarded, widow = mask_of(case.given_away) * took_widow, deal.widow * (not took_widow)
        violations = [with_place(violation, discarded, widow) for violation in refused.violations]
        if not deal.complete:
            violations = [with_proof(violation, play, tricks) for violation in violations]
        raise Refused(violations) from None


def _hand_forbidding_call(case: PlayedContract, dealt: KnownDeal) -> tuple[Card, ...] | None:
    """Return the bidder's known dealt cards if they forbid calling the called card, else `None`.

    They are checked only if the hand is known in full, or known to hold the called card.
    """
    calls = case.bid.calls
    if case.called is None or calls is None:
        return None
    hand = dealt.hands[case.bidder]
    if not (dealt.sure >> case.bidder & 1 or hand & BITS[case.called]):
        return None
    hand_cards = cards_of(hand)
    allowed = calls.allows(case.called, case.rules.pack.cards, case.contract.trump, hand_cards)
    return None if allowed else hand_cards


def _hands_at_play(
    case: PlayedContract,
    deal: KnownDeal,
    tricks: Tricks | None,
    shown: tuple[int, ...] | None,
    *,
    ended: bool,
) -> HeldCards:
    """Return the known hands, as dealt and as the play began; a seat held the cards it played or showed.

    Without tricks both are as dealt unless deal and exchange are known in full. Raises `Refused` for an
    impossible exchange, impossible tricks, or known cards that contradict each other.
    """

    def played() -> tuple[int, ...]:
        if tricks is None:
            return (0,) * len(case.seats)
        played = cards_played(case.play(deal.hands), tricks, case.rules.pack.mask)
        return played if shown is None else tuple(map(or_, played, shown))

    if deal.complete:
        complete = hands_after_exchange(case, deal, played if ended else None)
        if complete is not None:
            return complete
    cards = played()
    check_known(case, deal, cards)
    return HeldCards(deal, deal.hands) if tricks is None else hands_from_play(case, deal, cards)
