"""Checks a recorded exchange against the known part of the deal and the play.

If the whole deal is known, `engine.replay.holdings` carries the exchange out instead.
"""

from collections.abc import Iterator

from engine.cards.card_sets import BITS, cards_of, mask_of
from engine.cards.dealing import WIDOW
from engine.errors import Refused, Violation
from engine.phases.exchange import Trade
from engine.replay.deal import KnownDeal
from engine.replay.holdings import NOTHING, PlayedContract, given_away, union
from engine.words.sentences import say, word


def check_known(case: PlayedContract, deal: KnownDeal, played: tuple[int, ...]) -> None:
    """Refuse an exchange that contradicts the known cards; `played` are the cards each seat played."""
    for problem in (
        *_widow_problems(case, deal),
        *_giver_problems(case, deal, played),
        *_discard_problems(case, deal),
    ):
        raise Refused([problem])


def _widow_problems(case: PlayedContract, deal: KnownDeal) -> Iterator[Violation]:
    """Yield a violation if the cards taken up were in a hand, or are not the known widow."""
    took = mask_of((case.exchange or NOTHING).took or ())
    contradiction = took & union(deal.hands) | (took ^ deal.widow) * deal.widow_sure
    if took and contradiction:
        message = say(
            "{card} shows that the bidder took other cards.", card=str(cards_of(contradiction)[0])
        )
        yield Violation("exchange-differs", message, {"field": "exchange.took"})


def _giver_problems(
    case: PlayedContract, deal: KnownDeal, played: tuple[int, ...]
) -> Iterator[Violation]:
    """Yield a violation if the called card cannot have come from its recorded place."""
    giver, called, bidder = (case.exchange or NOTHING).giver, case.called, case.seats[case.bidder]
    if giver is None or called is None:
        return
    givers = (*(seat for seat in case.seats if seat != bidder), WIDOW)
    if giver not in givers:
        message = say(
            "{seat} cannot have given {card}; it came from {others:list} or the widow.",
            seat=giver,
            card=str(called),
            others=givers[:-1],
        )
        where = {"field": "exchange.from", "seat": giver}
        yield Violation("exchange-differs", message, where, givers)
        return
    if giver == WIDOW:
        elsewhere = union(deal.hands) | union(played)
        is_missing = deal.widow_sure and not deal.widow & BITS[called]
    else:
        at = case.seats.index(giver)
        is_missing = bool(deal.sure >> at & 1) and not deal.hands[at] & BITS[called]
        others = (hand for seat, hand in zip(case.seats, deal.hands, strict=True) if seat != giver)
        elsewhere = deal.widow | union(others)
    if is_missing or elsewhere & BITS[called]:
        source = word(WIDOW) if giver == WIDOW else giver
        message = say("{card} did not come from {seat}.", card=str(called), seat=source)
        where = {"field": "exchange.from", "card": str(called)}
        yield Violation("exchange-differs", message, where)


def _discard_problems(case: PlayedContract, deal: KnownDeal) -> Iterator[Violation]:
    """Yield a violation for each card the bidder gave away without having held it."""
    stated, bidder = case.exchange or NOTHING, case.bidder
    came, lay = mask_of(stated.took or ()), deal.widow
    sure = bool(deal.sure >> bidder & 1)
    if case.bid.trade is Trade.WIDOW:
        came, lay, sure = came | deal.widow, 0, sure and bool(came or deal.widow_sure)
    elif case.called is not None:
        came = BITS[case.called]
    others = union(hand for place, hand in enumerate(deal.hands) if place != bidder) | lay
    hand = deal.hands[bidder] | came
    for card in given_away(case.exchange):
        bit = BITS[card]
        if not bit & came and (bit & others or (sure and not bit & hand)):
            key = "discarded" if case.bid.trade is Trade.WIDOW else "returned"
            seat = case.seats[bidder]
            where = {"field": f"exchange.{key}", "seat": seat, "card": str(card)}
            message = say("{seat} gave {card}, but did not hold it.", seat=seat, card=str(card))
            legal = tuple(map(str, cards_of(hand))) if sure else ()
            yield Violation("card-not-held", message, where, legal)
