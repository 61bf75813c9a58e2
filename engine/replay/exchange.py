"""A recorded exchange, checked against as much of the deal and the play as is known.

Where every card of the deal is known `engine.replay.holdings` carries the exchange out; here nothing is
known but some hands, or who played what.
"""

from collections.abc import Iterator

from engine.cards.card_sets import BITS, cards_of, mask_of
from engine.cards.dealing import WIDOW
from engine.errors import Refused, Violation
from engine.phases.exchange import Trade
from engine.replay.deal import KnownDeal
from engine.replay.holdings import NOTHING, PlayedContract, parted, together
from engine.words.sentences import say, word


def check_known(case: PlayedContract, known: KnownDeal, played: tuple[int, ...]) -> None:
    """Refuse an exchange that cannot have been; `played` is what each seat played, where it is noted."""
    for problem in (*_took(case, known), *_came(case, known, played), *_went(case, known)):
        raise Refused([problem])


def _took(case: PlayedContract, known: KnownDeal) -> Iterator[Violation]:
    """The cards taken up were nobody's, and the widow's where it is known."""
    took = mask_of((case.exchange or NOTHING).took or ())
    strange = took & together(known.hands) | (took ^ known.widow) * known.widow_sure
    if took and strange:
        message = say(
            "{card} shows that the bidder took other cards.", card=str(cards_of(strange)[0])
        )
        yield Violation("exchange-differs", message, {"field": "exchange.took"})


def _came(case: PlayedContract, known: KnownDeal, played: tuple[int, ...]) -> Iterator[Violation]:
    """The called card came from the widow or an opponent, and from nobody else who had it."""
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
        elsewhere = together(known.hands) | together(played)
        lacking = known.widow_sure and not known.widow & BITS[called]
    else:
        at = case.seats.index(giver)
        lacking = bool(known.sure >> at & 1) and not known.hands[at] & BITS[called]
        others = (hand for seat, hand in zip(case.seats, known.hands, strict=True) if seat != giver)
        elsewhere = known.widow | together(others)
    if lacking or elsewhere & BITS[called]:
        told = word(WIDOW) if giver == WIDOW else giver
        message = say("{card} did not come from {seat}.", card=str(called), seat=told)
        where = {"field": "exchange.from", "card": str(called)}
        yield Violation("exchange-differs", message, where)


def _went(case: PlayedContract, known: KnownDeal) -> Iterator[Violation]:
    """The bidder parted with cards of their own, or with some that had come to them."""
    stated, bidder = case.exchange or NOTHING, case.bidder
    came, lay = mask_of(stated.took or ()), known.widow
    sure = bool(known.sure >> bidder & 1)
    if case.bid.trade is Trade.WIDOW:
        came, lay, sure = came | known.widow, 0, sure and bool(came or known.widow_sure)
    elif case.called is not None:
        came = BITS[case.called]
    others = together(hand for place, hand in enumerate(known.hands) if place != bidder) | lay
    held = known.hands[bidder] | came
    for card in parted(case.exchange):
        bit = BITS[card]
        if not bit & came and (bit & others or (sure and not bit & held)):
            key = "discarded" if case.bid.trade is Trade.WIDOW else "returned"
            seat = case.seats[bidder]
            where = {"field": f"exchange.{key}", "seat": seat, "card": str(card)}
            message = say("{seat} gave {card}, but did not hold it.", seat=seat, card=str(card))
            legal = tuple(map(str, cards_of(held))) if sure else ()
            yield Violation("card-not-held", message, where, legal)
