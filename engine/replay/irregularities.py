"""Irregularities of a hand: the cards that they excuse, and checks of the events and their settlement."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from engine.cards.card_sets import BITS
from engine.cards.cards import Card
from engine.errors import LARGEST, Violation
from engine.phases.tricks import Play, place_of
from engine.record import HandRecord, Tricks
from engine.record.incidents import (
    AGREED,
    DECIDING,
    EXPOSED,
    LOST,
    OUT_OF_TURN,
    REPLAYED,
    REVOKE,
    Irregularity,
    decision,
)
from engine.replay.deal import KnownDeal
from engine.replay.holdings import union
from engine.replay.revokes import play_cards
from engine.words.sentences import later, say

Irregularities = tuple[Irregularity, ...]


def settlement_problems(irregular: Irregularities, active: tuple[str, ...]) -> Iterator[Violation]:
    """Yield violations of irregularities and their settlements that show without the cards.

    They are a second settlement that decides the hand, a revoke or loss without an active seat, and agreed
    payments that are missing, impossible, or stated for another settlement.
    """
    for number, one in enumerate(irregular, 1):
        if one.settled in DECIDING and decision(irregular[: number - 1]) is not None:
            message = say("The hand is settled once; keep one of void, lost and agreed.")
            yield _violation("settled-twice", number, one, message)
        if one.what == REVOKE or one.settled == LOST:
            if one.seat is None:
                message = say("Say who did it.")
                yield _violation("irregularity-unclear", number, one, message)
            elif one.seat not in active:
                message = say(
                    "{name} sat out this hand; {players:and} played.",
                    name=one.seat,
                    players=active,
                )
                yield _violation("seat-sat-out", number, one, message, active)
        if fault := _payment_fault(one):
            yield _violation("agreed-payments", number, one, fault)


def _payment_fault(one: Irregularity) -> str | None:
    """Return a message about the agreed payments if they are wrong, else `None`."""
    if one.settled != AGREED:
        return say(_NOT_AGREED) if one.transfers else None
    if not one.transfers:
        return say("Say who pays whom by the agreement.")
    for payer, payee, _ in one.transfers:
        if payer == payee:
            return say("{name} cannot pay themself.", name=payer)
    if sum(amount for _, _, amount in one.transfers) > LARGEST:
        return say("The agreed payments come to more than {most:,}.", most=LARGEST)
    return None


_NOT_AGREED = later("Payments belong to a settlement by agreement; leave transfers out.")


def _violation(
    code: str,
    number: int,
    one: Irregularity,
    message: str,
    legal: tuple[str, ...] = (),
    position: int | None = None,
) -> Violation:
    """Return a violation at the place of irregularity `number`, from 1, with its trick, seat and card."""
    where: dict[str, str | int] = {"field": f"irregular.{number}"}
    where |= {} if one.trick is None else {"trick": one.trick}
    where |= {} if position is None else {"position": position}
    where |= {} if one.seat is None else {"seat": one.seat}
    where |= {} if one.card is None else {"card": str(one.card)}
    return Violation(code, message, where, legal)


def recorded_tricks(record: HandRecord, seats: tuple[str, ...]) -> Tricks | None:
    """Return the tricks of a record, `None` if it has none, with the cards that the table let stand.

    These, in `excused`, are the cards of revokes that were not replayed, and the first card of a trick whose
    recorded leader led out of turn.
    """
    tricks = None if record.tricks is None else Tricks.of(record.tricks)
    if tricks is None or not record.irregular:
        return tricks
    excused: dict[Card, str | None] = {}
    for one in record.irregular:
        if one.settled == REPLAYED or one.seat not in seats:
            continue
        if one.what == REVOKE and one.card is not None:
            excused.setdefault(one.card, None)
        elif one.what == OUT_OF_TURN and one.trick is not None and one.trick <= len(tricks):
            trick = tricks[one.trick - 1]
            if trick.leader == one.seat and trick.cards and trick.cards[0] is not None:
                excused[trick.cards[0]] = one.seat
    return replace(tricks, excused=tuple(excused.items()))


def tricks_won(play: Play, tricks: Tricks, side: int) -> tuple[bool, ...]:
    """Return for each complete trick whether the `side` (places as bits) won it.

    That is read from the cards won, as after a lead out of turn the winner does not lead next.
    """
    own = sum(cards for place, cards in enumerate(play.won_cards) if side >> place & 1)
    firsts = tricks.played[:: len(play.seats)][: play.tricks]
    return tuple([own & BITS[card] != 0 for card in firsts])


class FollowedPlay(NamedTuple):
    """The tricks of a hand with the play at their start and end, and the dealt cards as far as known.

    `size` is the number of cards in a dealt hand.
    """

    tricks: Tricks
    start: Play
    end: Play
    dealt: KnownDeal
    size: int


def disproved(hand: FollowedPlay, irregular: Irregularities) -> Iterator[Violation]:
    """Yield a violation for each irregularity that the cards exclude, and each revoke without trick or card.

    Misdeals, and irregularities without an active seat, are not checked.
    """
    checks = {REVOKE: _not_revoked, EXPOSED: _not_exposed, OUT_OF_TURN: _not_out_of_turn}
    for number, one in enumerate(irregular, 1):
        check = checks.get(one.what)
        if check is None or one.seat not in hand.start.seats:
            continue
        if one.what == REVOKE and (one.trick is None or one.card is None):
            message = say("Say in which trick {seat} revoked, and with which card.", seat=one.seat)
            yield _violation("irregularity-unclear", number, one, message)
        elif fault := check(hand, one, hand.start.seats.index(one.seat)):
            yield _violation("did-not-happen", number, one, fault[0], position=fault[1])


Fault = tuple[str, int | None]
"""The message of an excluded irregularity, and the position of its card in the trick, if it has one."""


def _not_revoked(hand: FollowedPlay, one: Irregularity, seat: int) -> Fault | None:
    """Return the fault of a revoke that the cards exclude, or `None`.

    They do if the card was not played there, was not held, or was legal; unknown hands exclude less.
    """
    trick, card = int(one.trick or 0), one.card
    tricks, seats = hand.tricks, len(hand.start.seats)
    first = (trick - 1) * seats
    at = first
    if first < len(tricks.played):
        at += (seat - hand.end.leaders[trick - 1]) % seats
    if at >= len(tricks.played) or card is None:
        # After an unknown card nobody knows who played which.
        message = say(_NOT_PLAYED, number=trick, seat=one.seat)
        return None if tricks.gap is not None else (message, None)
    position = at - first + 1
    place = place_of(trick, position, capital=True)
    values = {"place": place, "seat": one.seat, "card": card}
    if one.settled != REPLAYED and tricks.played[at] != card:
        return say(_OTHER_CARD, **values, other=tricks.played[at]), position
    state = play_cards(hand.start, tricks, at)._replace(turn=seat)
    cards, bit = state.hands[seat], BITS[card]
    is_known = cards.bit_count() == hand.size - trick + 1
    if not cards & bit:
        is_elsewhere = bit & (union(state.hands) | union(state.won_cards) | state.pile)
        return (say(_NOT_HELD, **values), position) if is_known or is_elsewhere else None
    is_legal = is_known and state.choices & bit
    return (say(_ALLOWED, **values), position) if is_legal else None


def _not_exposed(hand: FollowedPlay, one: Irregularity, seat: int) -> Fault | None:
    """Return the fault of an exposed card that its seat is known not to have held, or `None`."""
    if one.card is None:
        return None
    bit, hands = BITS[one.card], hand.start.hands
    if bit & (hands[seat] | hand.dealt.hands[seat]):
        return None
    is_known = hands[seat].bit_count() == hand.size
    is_elsewhere = any(bit & other for other in hands)
    message = say("{seat} did not hold {card}.", seat=one.seat, card=one.card)
    return (message, None) if is_known or is_elsewhere else None


def _not_out_of_turn(hand: FollowedPlay, one: Irregularity, seat: int) -> Fault | None:
    """Return the fault of a play out of turn if its seat was to lead the trick, or `None`."""
    first, played = ((one.trick or 0) - 1) * len(hand.start.seats), hand.tricks.played
    if not 0 <= first < len(played):
        return None
    if first and not hand.end.won_cards[seat] & BITS[played[first - 1]]:
        return None
    if not first and seat != hand.start.turn:
        return None
    message = say("Trick {number}: it was {seat}'s turn to lead.", number=one.trick, seat=one.seat)
    return message, None


_NOT_PLAYED = later("Trick {number}: {seat} played no card in it.")
_OTHER_CARD = later("{place}: {seat} played {other}, not {card}.")
_NOT_HELD = later("{place}: {seat} did not hold {card}.")
_ALLOWED = later("{place}: {seat} was allowed to play {card}, so this is not a revoke.")
