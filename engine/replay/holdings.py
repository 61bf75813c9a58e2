"""Who held what when the play began: from the deal and the exchange, or from what was played.

What is not known is worked out as far as it follows, never guessed: a hand of which some cards are
unknown holds the known ones and those its seat played, unless somebody else is known to have held them.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of, mask_of
from engine.cards.cards import Card
from engine.cards.dealing import WIDOW
from engine.errors import Refused, Violation
from engine.phases.exchange import NOBODY, Exchanging, Trade
from engine.record import Contract, Exchange
from engine.replay.deal import KnownDeal
from engine.rules.bids import Bid
from engine.rules.sheet import Rules
from engine.words.sentences import later, say, word

NOTHING = Exchange()
_COUNTS = {
    "took": later("The bidder took {n} different cards; it must be {right}."),
    "discarded": later("The bidder discarded {n} different cards; it must be {right}."),
}


class HeldCards(NamedTuple):
    """The cards as dealt, as far as they are known, and each hand as the play began."""

    dealt: KnownDeal
    hands: tuple[int, ...]


class PlayedContract(NamedTuple):
    """What the cards have to be read by: the bid, who plays it, which card was called."""

    rules: Rules
    seats: tuple[str, ...]
    bid: Bid
    bidder: int
    called: Card | None
    exchange: Exchange | None


def hold_whole(
    case: PlayedContract, known: KnownDeal, played: Callable[[], tuple[int, ...]] | None
) -> HeldCards | None:
    """The hands of a deal that is known in full; `None` when nobody noted what was parted with.

    `played` gives what each seat played, where the hand was played out: it tells what the bidder no longer
    had. `Refused` where the exchange cannot have been so.
    """
    if case.bid.trade is None and case.exchange is None:
        return HeldCards(known, known.hands)
    stated = case.exchange or NOTHING
    swap = Exchanging.begin(
        case.bid.trade,
        case.seats,
        known.hands,
        case.bidder,
        widow=known.widow,
        called=case.called,
    )
    if case.exchange is not None:
        _check_stated(case, known, swap, stated)
    gone = parted(case.exchange)
    if not gone and swap.owed and played is not None:
        rest = swap.hands[case.bidder] & ~played()[case.bidder]
        gone = cards_of(rest) if rest.bit_count() == swap.owed else ()
    if len(gone) != swap.owed:
        return None
    return HeldCards(known, swap.after(*gone).hands if gone else swap.hands)


def parted(stated: Exchange | None) -> tuple[Card, ...]:
    """The cards that the bidder is noted to have parted with."""
    if stated is None:
        return ()
    if stated.discarded is not None:
        return stated.discarded
    return () if stated.returned is None else (stated.returned,)


def check_shape(case: PlayedContract, stated: Exchange, spare: int) -> None:
    """Refuse an exchange that the bid does not have, or of which a part is missing."""
    bid = case.bid
    calls = stated.giver is not None or stated.returned is not None
    frogs = stated.took is not None or stated.discarded is not None
    if (calls and bid.trade is not Trade.CALLED) or (frogs and bid.trade is not Trade.WIDOW):
        message = say(
            later("In {bid:term} the widow is not taken up; leave the exchange out.")
            if frogs
            else later("In {bid:term} no called card is given; leave the exchange out."),
            bid=bid.title,
        )
        raise Refused([Violation("no-exchange", message, {"field": "exchange"})])
    for key, cards in (("took", stated.took), ("discarded", stated.discarded)):
        if cards is not None and len(set(cards)) != spare:
            message = say(_COUNTS[key], n=len(set(cards)), right=spare)
            raise Refused([Violation("exchange-count", message, {"field": f"exchange.{key}"})])
    if calls and (stated.giver == WIDOW) is not (stated.returned is None):
        message = say("Nothing is exchanged with the widow, so no card is returned.")
        if stated.returned is None:
            message = say(
                "Say which card was returned to {seat} for the called one.", seat=stated.giver
            )
        raise Refused([Violation("exchange-count", message, {"field": "exchange.returned"})])


def _check_stated(
    case: PlayedContract, known: KnownDeal, swap: Exchanging, stated: Exchange
) -> None:
    """Check a stated exchange against a deal that is known in full."""
    if stated.took is not None and mask_of(stated.took) != known.widow:
        took = " ".join(map(str, cards_of(known.widow)))
        message = say("The widow held {cards}; that is what the bidder took.", cards=took)
        where = {"field": "exchange.took"}
        raise Refused([Violation("exchange-differs", message, where, tuple(took.split()))])
    if stated.giver is None and stated.returned is None:
        return
    giver = WIDOW if swap.giver == NOBODY else case.seats[swap.giver]
    if stated.giver not in (None, giver):
        lay = later("{card} was in the widow, so it did not come from {seat}.")
        held = later("{card} was held by {holder}, so it did not come from {seat}.")
        said = word(WIDOW) if stated.giver == WIDOW else stated.giver
        why = lay if giver == WIDOW else held
        message = say(why, card=str(case.called), holder=giver, seat=said)
        where = {"field": "exchange.from", "seat": str(stated.giver)}
        raise Refused([Violation("exchange-differs", message, where, (giver,))])


def hold_partly(case: PlayedContract, known: KnownDeal, played: tuple[int, ...]) -> HeldCards:
    """The hands as far as they are known, each seat having held what it played.

    `Refused` where a seat would have held more cards than a hand has.
    """
    hands, sure, laid = _moved(case, known, played)
    held = []
    astray = any(
        gone & hand
        for place, gone in enumerate(played)
        for other, hand in enumerate(hands)
        if place != other
    )
    for place, seat in enumerate(case.seats):
        others = laid
        for other, hand in enumerate(hands):
            others |= hand if other != place else 0
        mask = hands[place] if sure >> place & 1 else hands[place] | played[place] & ~others
        # A card known to be another's is refused where it was played, and says more.
        if mask.bit_count() > case.rules.tricks and not astray:
            message = say(
                "The cards dealt to {seat} and those {seat} played come to {n}; a hand holds {size}.",
                seat=seat,
                n=mask.bit_count(),
                size=case.rules.tricks,
            )
            where = {"field": f"deal.hands.{seat}", "seat": seat}
            raise Refused([Violation("deal-against-tricks", message, where)])
        held.append(mask)
    return HeldCards(_dealt(case, known, played, held), tuple(held))


def together(hands: Iterable[int]) -> int:
    """Put sets of cards together."""
    return reduce(or_, hands, 0)


def with_called(case: PlayedContract, contract: Contract, held: HeldCards) -> HeldCards:
    """Give the called card that nobody is seen to hold to the partner whom the record names."""
    called, dealt = case.called, held.dealt
    if called is None or not case.bid.has_partner or contract.partner not in case.seats:
        return held
    at, bit = case.seats.index(contract.partner), BITS[called]
    if bit & (together(dealt.hands) | together(held.hands)) or dealt.sure >> at & 1:
        return held
    hands, before = list(held.hands), list(dealt.hands)
    hands[at] |= bit
    before[at] |= bit
    return HeldCards(dealt._replace(hands=tuple(before)), tuple(hands))


def _swap(case: PlayedContract, known: KnownDeal, played: tuple[int, ...]) -> tuple[int, int]:
    """Find who gave the called card (`NOBODY` when not known) and what went back (empty when not known).

    As stated, as known from the deal, or as the play shows it: who plays a card that was dealt to the
    bidder was given it for the called one, which may itself have gone back.
    """
    stated, mine = case.exchange or NOTHING, known.hands[case.bidder]
    if case.bid.trade is not Trade.CALLED or case.called is None or stated.giver == WIDOW:
        return NOBODY, 0
    bit = BITS[case.called]
    if stated.giver is not None:
        givers = [at for at, seat in enumerate(case.seats) if seat == stated.giver]
    elif bit & (together(known.hands) | known.widow):
        givers = [at for at, hand in enumerate(known.hands) if hand & bit and at != case.bidder]
    else:
        givers = [at for at, laid in enumerate(played) if laid & mine and at != case.bidder]
    if len(givers) != 1:
        return NOBODY, 0
    if stated.returned is not None:
        return givers[0], BITS[stated.returned]
    back = (mine | bit) & played[givers[0]]
    return givers[0], back if back.bit_count() == 1 else 0


def _moved(
    case: PlayedContract, known: KnownDeal, played: tuple[int, ...]
) -> tuple[list[int], int, int]:
    """Carry out on the known cards what is known of the exchange.

    Gives the known cards a seat, the seats of which every card is known, and the cards known to be in
    nobody's hand.
    """
    stated = case.exchange or NOTHING
    bidder, hands, sure = case.bidder, list(known.hands), known.sure
    if case.bid.trade is Trade.WIDOW:
        up = hands[bidder] | known.widow | mask_of(stated.took or ())
        laid = mask_of(stated.discarded or ())
        hands[bidder] = up & ~laid if laid else up & together(played)
        if not (laid and (known.widow_sure or stated.took)):
            sure &= ~(1 << bidder)
        return hands, sure, laid
    giver, back = _swap(case, known, played)
    bit = 0 if case.called is None or case.bid.trade is not Trade.CALLED else BITS[case.called]
    if giver != NOBODY:
        hands[giver] = hands[giver] & ~bit | back
    if giver != NOBODY or played[bidder] & bit & ~together(known.hands):
        hands[bidder] = (hands[bidder] | bit) & ~back
        if not back:
            # Some card went back, maybe the called one, but none that the bidder or the third seat played.
            hands[bidder] &= together(played)
            sure &= ~(1 << bidder | (0 if giver == NOBODY else 1 << giver))
    return hands, sure, known.widow


def _dealt(
    case: PlayedContract, known: KnownDeal, played: tuple[int, ...], held: list[int]
) -> KnownDeal:
    """Reverse the exchange, to say what was dealt."""
    hands = [was | now for was, now in zip(known.hands, held, strict=True)]
    bidder, (giver, back) = case.bidder, _swap(case, known, played)
    if case.bid.trade is Trade.WIDOW:
        hands[bidder] = known.hands[bidder]
    elif giver == NOBODY and case.bid.trade is Trade.CALLED and case.called is not None:
        # Somebody gave it, unless the bidder was seen to be dealt it.
        hands[bidder] &= ~BITS[case.called] | known.hands[bidder]
    elif case.called is not None and giver != NOBODY:
        hands[bidder] = (hands[bidder] | back) & ~BITS[case.called]
        hands[giver] = hands[giver] & ~back | BITS[case.called]
    sure = sum((hand.bit_count() == case.rules.tricks) << at for at, hand in enumerate(hands))
    return KnownDeal(tuple(hands), known.widow, sure | known.sure, known.widow_sure)
