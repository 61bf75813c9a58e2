"""The record of a hand that is guided step by step, as far as it has gone."""

from engine.cards.card_sets import cards_of
from engine.cards.cards import Card
from engine.cards.dealing import WIDOW
from engine.guide.hand import GuidedHand
from engine.phases.actions import DealtCard, DrawnCard, HandPart
from engine.phases.exchange import NOBODY
from engine.phases.tricks import Play
from engine.record import Call, Deal, Exchange, HandRecord, Spit, Trick
from engine.replay.spit import SPIT
from engine.scoring.canonical import house_rules


def write_down(hand: GuidedHand, **more: object) -> HandRecord:
    """Return the record of a hand so far; `more` has further keys, or replaces some, such as `pots`.

    It holds the house rules that differ from the variant's, so that it is scored by the rules of the hand.
    """
    table = hand.table
    result: dict[str, object] = {
        announcement.key.name: True
        for announcement in hand.announcements
        if not announcement.key.in_contract
    }
    if hand.ended is not None:
        key = hand.ended.key
        result[key.name] = str(hand.ended) if key.words else True
    keys: dict[str, object] = {
        "game": hand.rules.game,
        "rules": hand.rules.variant,
        "options": house_rules(hand.rules),
        "players": table.players,
        "dealer": table.dealer,
        "active": table.active if table.idle else None,
        "deal": _deal(hand),
        "spit": _spit(hand),
        "auction": tuple(
            call for part, call in hand.steps if part is HandPart.AUCTION and isinstance(call, Call)
        )
        or None,
        "contract": hand.contract,
        "exchange": _exchange(hand),
        "tricks": _tricks(hand),
        **result,
    }
    return HandRecord(**{**keys, **more})  # type: ignore[arg-type]


def _deal(hand: GuidedHand) -> Deal | None:
    """Return the hands and widow as dealt; `None` while cards are still dealt."""
    if hand.dealt is None:
        return None
    hands = {
        seat: cards_of(mask) for seat, mask in zip(hand.table.active, hand.dealt.hands, strict=True)
    }
    return Deal(hands, cards_of(hand.dealt.widow) or None)


def _spit(hand: GuidedHand) -> Spit | None:
    """Return the cards of a spit deal in order, and those drawn; `None` for another deal."""
    order = tuple((step.place, step.card) for _, step in hand.steps if isinstance(step, DealtCard))
    drawn = tuple(
        (step.seat, step.shown, step.card) for _, step in hand.steps if isinstance(step, DrawnCard)
    )
    spat = drawn or any(place == SPIT for place, _ in order)
    return Spit(order, drawn) if spat else None


def _exchange(hand: GuidedHand) -> Exchange | None:
    """Return the finished exchange as a record has it; `None` without one."""
    swap, contract = hand.swap, hand.contract
    if swap is None or contract is None or hand.dealt is None:
        return None
    bid = hand.rules.by_slug[str(contract.bid)]
    if bid.takes_widow:
        return Exchange(took=cards_of(hand.dealt.widow), discarded=swap.parted)
    if not bid.takes_called:
        return None
    if swap.giver == NOBODY:
        in_widow = contract.called in cards_of(hand.dealt.widow)
        return Exchange(giver=WIDOW) if in_widow else None
    return Exchange(giver=swap.seats[swap.giver], returned=swap.parted[0])


def _tricks(hand: GuidedHand) -> tuple[Trick, ...] | None:
    """Return the tricks with their leaders, the last one perhaps unfinished; `None` before the play."""
    if not isinstance(hand.phase, Play):
        return None
    cards = tuple(
        card for part, card in hand.steps if part is HandPart.PLAY and isinstance(card, Card)
    )
    seats, count = hand.phase.seats, len(hand.phase.seats)
    return tuple(
        Trick(cards[at : at + count], seats[hand.phase.leaders[at // count]])
        for at in range(0, len(cards), count)
    )
