"""The hands as the play began: from the deal and the exchange, or from the cards played.

If the whole deal is known, the exchange is carried out; otherwise it is checked against the known cards.
Unknown cards are derived as far as they follow, never guessed: a hand with unknown cards holds the known ones
and those its seat played, unless another seat is known to have held them.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of, mask_of
from engine.cards.cards import Card
from engine.cards.dealing import WIDOW
from engine.errors import Refused, Violation
from engine.phases.exchange import NOBODY, Exchanging
from engine.phases.tricks import Play
from engine.record import Contract, Exchange
from engine.replay.deal import KnownDeal
from engine.rules.bids import Bid
from engine.rules.sheet import Rules
from engine.words.sentences import later, say, word

NOTHING = Exchange()
"""The exchange of a record that states none."""

_COUNTS = {
    "took": later("The bidder took {n} different cards; it must be {right}."),
    "discarded": later("The bidder discarded {n} different cards; it must be {right}."),
}


class HeldCards(NamedTuple):
    """The known cards of each hand (sets as bits), as dealt and as the play began after the exchange."""

    dealt: KnownDeal
    hands: tuple[int, ...]


class PlayedContract(NamedTuple):
    """A contract by which cards are read, with the place of its bidder and the recorded exchange.

    `seats` are the active ones from eldest hand; `bidder` is a place among them.
    """

    rules: Rules
    seats: tuple[str, ...]
    bid: Bid
    bidder: int
    contract: Contract
    exchange: Exchange = NOTHING

    @property
    def called(self) -> Card | None:
        """The called card, or `None`."""
        return self.contract.called

    @property
    def given_away(self) -> tuple[Card, ...]:
        """The cards the bidder is recorded to have discarded or returned; `()` if that is not recorded."""
        _, discarded, _, returned = self.exchange
        if discarded is not None:
            return discarded
        return () if returned is None else (returned,)

    @property
    def side(self) -> int:
        """The places of the bidder and the partner, if known, as bits."""
        return side_of(self.contract, self.seats)

    def play(self, hands: tuple[int, ...]) -> Play:
        """Return the play of the contract before its first card, with these hands (bits)."""
        return self.rules.play(self.bid, self.contract, self.seats, self.bidder, hands)


def side_of(contract: Contract, seats: tuple[str, ...]) -> int:
    """Return the places among `seats` of the bidder and, if known, of the partner, as bits."""
    side = 1 << seats.index(str(contract.bidder))
    if contract.partner in seats:
        side |= 1 << seats.index(str(contract.partner))
    return side


def hands_after_exchange(
    case: PlayedContract, deal: KnownDeal, played: Callable[[], tuple[int, ...]] | None
) -> HeldCards | None:
    """Return the hands as dealt and after the exchange; `None` if the cards given away are unknown.

    The deal must be complete. `played` returns the cards each seat played, if the hand was played out: they
    show which cards the bidder no longer had. Without an exchange both are as dealt. Raises `Refused` if the
    exchange is impossible.
    """
    if case.bid.trade is None:
        return HeldCards(deal, deal.hands)
    exchanging = Exchanging.begin(
        case.bid.trade, case.seats, deal.hands, case.bidder, widow=deal.widow, called=case.called
    )
    _check_stated(case, deal, exchanging)
    cards = case.given_away
    if not cards and exchanging.owed and played is not None:
        rest = exchanging.hands[case.bidder] & ~played()[case.bidder]
        cards = cards_of(rest) if rest.bit_count() == exchanging.owed else ()
    if len(cards) != exchanging.owed:
        return None
    return HeldCards(deal, exchanging.after(*cards).hands if cards else exchanging.hands)


def check_shape(case: PlayedContract) -> None:
    """Raise `Refused` for a recorded exchange that has the wrong form for its bid; no cards are compared.

    That is a key the bid does not have, a wrong number of cards taken or discarded, and a card returned to
    the widow, or none to a seat.
    """
    bid, stated, spare = case.bid, case.exchange, case.rules.widow_size
    calls = stated.giver is not None or stated.returned is not None
    frogs = stated.took is not None or stated.discarded is not None
    if (calls and not bid.takes_called) or (frogs and not bid.takes_widow):
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


def _check_stated(case: PlayedContract, deal: KnownDeal, swap: Exchanging) -> None:
    """Raise `Refused` if the cards recorded as taken are not the widow's, in a complete deal.

    It is also raised if another place is recorded to have given the called card than the one that held it.
    """
    stated = case.exchange
    if stated.took is not None and mask_of(stated.took) != deal.widow:
        cards = cards_of(deal.widow)
        message = say("The widow held {cards:row}; that is what the bidder took.", cards=cards)
        where = {"field": "exchange.took"}
        raise Refused([Violation("exchange-differs", message, where, tuple(map(str, cards)))])
    giver = WIDOW if swap.giver == NOBODY else case.seats[swap.giver]
    if stated.giver not in (None, giver):
        in_widow = later("{card} was in the widow, so it did not come from {seat}.")
        elsewhere = later("{card} was held by {holder}, so it did not come from {seat}.")
        stated_giver = word(WIDOW) if stated.giver == WIDOW else stated.giver
        reason = in_widow if giver == WIDOW else elsewhere
        message = say(reason, card=case.called, holder=giver, seat=stated_giver)
        where = {"field": "exchange.from", "seat": str(stated.giver)}
        raise Refused([Violation("exchange-differs", message, where, (giver,))])


def hands_from_play(case: PlayedContract, deal: KnownDeal, played: tuple[int, ...]) -> HeldCards:
    """Return the known hands, dealt and after the exchange, completed by the cards that each seat played.

    Both arguments may have unknown cards. A card known to be another seat's is not added. Raises `Refused` if
    a seat would have held more cards than a hand has.
    """
    hands, sure, laid = _after_exchange(case, deal, played)
    known_hands = []
    is_misplaced = any(
        cards & hand
        for place, cards in enumerate(played)
        for other, hand in enumerate(hands)
        if place != other
    )
    for place, seat in enumerate(case.seats):
        others = laid
        for other, hand in enumerate(hands):
            others |= hand if other != place else 0
        mask = hands[place] if sure >> place & 1 else hands[place] | played[place] & ~others
        # A card known to be another's is refused where it was played, and says more.
        if mask.bit_count() > case.rules.tricks and not is_misplaced:
            message = say(
                "The cards dealt to {seat} and those {seat} played come to {n}; a hand holds {size}.",
                seat=seat,
                n=mask.bit_count(),
                size=case.rules.tricks,
            )
            where = {"field": f"deal.hands.{seat}", "seat": seat}
            raise Refused([Violation("deal-against-tricks", message, where)])
        known_hands.append(mask)
    return HeldCards(_before_exchange(case, deal, played, known_hands), tuple(known_hands))


def union(hands: Iterable[int]) -> int:
    """Return the union of sets of cards (bits); 0 for none."""
    return reduce(or_, hands, 0)


def with_called(case: PlayedContract, holdings: HeldCards) -> HeldCards:
    """Return the hands with the called card added to the stated partner's, if it is in no known hand.

    They are returned unchanged if no partner is stated, or the partner's hand is known in full.
    """
    called, dealt, partner = case.called, holdings.dealt, case.contract.partner
    if called is None or not case.bid.has_partner or partner not in case.seats:
        return holdings
    at, bit = case.seats.index(partner), BITS[called]
    if bit & union(dealt.hands) or dealt.sure >> at & 1:
        return holdings
    # In a bid with a partner no cards are exchanged: the hands are as dealt.
    hands = list(dealt.hands)
    hands[at] |= bit
    return HeldCards(dealt._replace(hands=tuple(hands)), tuple(hands))


def called_exchange(
    case: PlayedContract, deal: KnownDeal, played: tuple[int, ...]
) -> tuple[int, int]:
    """Return the place that gave the called card, and the set (bits) of the card returned for it.

    They are `NOBODY` and 0 if unknown. They are as recorded, as they follow from the deal, or as the play
    shows: a seat that plays a card dealt to the bidder received it for the called one, which may itself have
    been returned.
    """
    stated, mine = case.exchange, deal.hands[case.bidder]
    if not case.bid.takes_called or case.called is None or stated.giver == WIDOW:
        return NOBODY, 0
    bit = BITS[case.called]
    if stated.giver is not None:
        givers = [at for at, seat in enumerate(case.seats) if seat == stated.giver]
    elif bit & (union(deal.hands) | deal.widow):
        givers = [at for at, hand in enumerate(deal.hands) if hand & bit and at != case.bidder]
    else:
        givers = [at for at, laid in enumerate(played) if laid & mine and at != case.bidder]
    if len(givers) != 1:
        return NOBODY, 0
    if stated.returned is not None:
        return givers[0], BITS[stated.returned]
    back = (mine | bit) & played[givers[0]]
    return givers[0], back if back.bit_count() == 1 else 0


def _after_exchange(
    case: PlayedContract, deal: KnownDeal, played: tuple[int, ...]
) -> tuple[list[int], int, int]:
    """Return three facts after the known part of the exchange, all as bits.

    They are the known cards of each seat, the places whose cards are all known, and the cards known to be in
    no hand.
    """
    stated, bidder = case.exchange, case.bidder
    hands, sure = list(deal.hands), deal.sure
    if case.bid.takes_widow:
        up = hands[bidder] | deal.widow | mask_of(stated.took or ())
        discarded = mask_of(stated.discarded or ())
        hands[bidder] = up & ~discarded if discarded else up & union(played)
        if not (discarded and (deal.widow_sure or stated.took)):
            sure &= ~(1 << bidder)
        return hands, sure, discarded
    giver, back = called_exchange(case, deal, played)
    bit = 0 if case.called is None or not case.bid.takes_called else BITS[case.called]
    if giver != NOBODY:
        hands[giver] = hands[giver] & ~bit | back
    if giver != NOBODY or played[bidder] & bit & ~union(deal.hands):
        hands[bidder] = (hands[bidder] | bit) & ~back
        if not back:
            # Some card went back, maybe the called one, but none that the bidder or the third seat played.
            hands[bidder] &= union(played)
            sure &= ~(1 << bidder | (0 if giver == NOBODY else 1 << giver))
    return hands, sure, deal.widow


def _before_exchange(
    case: PlayedContract, deal: KnownDeal, played: tuple[int, ...], hands_at_play: list[int]
) -> KnownDeal:
    """Return the cards as dealt, from the hands at the play, by reversing the known exchange."""
    hands = [before | after for before, after in zip(deal.hands, hands_at_play, strict=True)]
    bidder, (giver, back) = case.bidder, called_exchange(case, deal, played)
    if case.bid.takes_widow:
        hands[bidder] = deal.hands[bidder]
    elif giver == NOBODY and case.bid.takes_called and case.called is not None:
        # Somebody gave it, unless the bidder was seen to be dealt it.
        hands[bidder] &= ~BITS[case.called] | deal.hands[bidder]
    elif case.called is not None and giver != NOBODY:
        hands[bidder] = (hands[bidder] | back) & ~BITS[case.called]
        hands[giver] = hands[giver] & ~back | BITS[case.called]
    sure = sum((hand.bit_count() == case.rules.tricks) << at for at, hand in enumerate(hands))
    return KnownDeal(tuple(hands), deal.widow, sure | deal.sure, deal.widow_sure)


def check_known(case: PlayedContract, deal: KnownDeal, played: tuple[int, ...]) -> None:
    """Raise `Refused` with the first contradiction between the recorded exchange and the known cards.

    Checked are the cards taken up, the place that gave the called card (also against the cards `played`), and
    the cards that the bidder gave away.
    """
    for problem in (
        *_widow_problems(case, deal),
        *_giver_problems(case, deal, played),
        *_discard_problems(case, deal),
    ):
        raise Refused([problem])


def _widow_problems(case: PlayedContract, deal: KnownDeal) -> Iterator[Violation]:
    """Yield a violation if the cards recorded as taken up are not the known widow, or one was in a hand."""
    took = mask_of(case.exchange.took or ())
    contradiction = took & union(deal.hands) | (took ^ deal.widow) * deal.widow_sure
    if took and contradiction:
        message = say(
            "{card} shows that the bidder took other cards.", card=cards_of(contradiction)[0]
        )
        yield Violation("exchange-differs", message, {"field": "exchange.took"})


def _giver_problems(
    case: PlayedContract, deal: KnownDeal, played: tuple[int, ...]
) -> Iterator[Violation]:
    """Yield a violation if the called card cannot have come from its recorded place, a seat or the widow.

    None if the place is not recorded.
    """
    giver, called, bidder = case.exchange.giver, case.called, case.seats[case.bidder]
    if giver is None or called is None:
        return
    givers = (*(seat for seat in case.seats if seat != bidder), WIDOW)
    if giver not in givers:
        message = say(
            "{seat} cannot have given {card}; it came from {others:list} or the widow.",
            seat=giver,
            card=called,
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
        message = say("{card} did not come from {seat}.", card=called, seat=source)
        where = {"field": "exchange.from", "card": str(called)}
        yield Violation("exchange-differs", message, where)


def _discard_problems(case: PlayedContract, deal: KnownDeal) -> Iterator[Violation]:
    """Yield a violation for each card the bidder gave away without having held it."""
    stated, bidder = case.exchange, case.bidder
    came, lay = mask_of(stated.took or ()), deal.widow
    sure = bool(deal.sure >> bidder & 1)
    if case.bid.takes_widow:
        came, lay, sure = came | deal.widow, 0, sure and bool(came or deal.widow_sure)
    elif case.called is not None:
        came = BITS[case.called]
    others = union(hand for place, hand in enumerate(deal.hands) if place != bidder) | lay
    hand = deal.hands[bidder] | came
    for card in case.given_away:
        bit = BITS[card]
        if not bit & came and (bit & others or (sure and not bit & hand)):
            key = "discarded" if case.bid.takes_widow else "returned"
            seat = case.seats[bidder]
            where = {"field": f"exchange.{key}", "seat": seat, "card": str(card)}
            message = say("{seat} gave {card}, but did not hold it.", seat=seat, card=card)
            legal = tuple(map(str, cards_of(hand))) if sure else ()
            yield Violation("card-not-held", message, where, legal)
