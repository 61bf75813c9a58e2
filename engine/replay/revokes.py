"""Checks recorded tricks: their leaders and winners, and the cards that each seat must have held.

The deal may be unknown. Each leader follows from the winner before, whether legal or not; so each hand is
known from the cards played, and the play is then judged by the same code as one with a deal.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from engine.cards.card_sets import ALL, BITS, cards_of, mask_of
from engine.cards.cards import Card
from engine.cards.ranking import CardOrder
from engine.errors import Refused, Violation
from engine.phases.tricks import Play, place_of
from engine.record import Tricks
from engine.words.sentences import later, say

REVOKES = ("must-follow-suit", "must-trump", "must-play-called-card")


def play_tricks(play: Play, tricks: Tricks) -> Play:
    """Return the play after the tricks, up to the first unknown card.

    Raises `Refused` with the first recorded leader that is wrong, else with the illegal card; leaders after
    an illegal card are not checked.
    """
    refusal = None
    try:
        followed = play_cards(play, tricks)
    except Refused as refused:
        # The recorded leaders are checked before the cards, as far as these were legal.
        refusal, tricks_played = refused, int(refused.violations[0].where["trick"]) - 1
        followed = play_cards(play, tricks, tricks_played * len(play.seats))
    seats = play.seats
    leaders = tuple([seats[place] for place in followed.leaders[: len(tricks)]])
    if refusal is None and leaders == tricks.leaders:
        return followed
    for number, name, place in zip(count(1), tricks.leaders, followed.leaders, strict=False):
        if name is not None and name != seats[place]:
            leader = seats[place]
            first = later("Trick {number}: {leader} leads, not {name}.")
            then = later("Trick {number}: {leader} won trick {before} and leads, not {name}.")
            values = {"number": number, "leader": leader, "before": number - 1, "name": name}
            message = say(then if number > 1 else first, **values)
            where: dict[str, str | int] = {"trick": number, "seat": name}
            raise Refused([Violation("wrong-leader", message, where, (leader,))])
    if refusal is not None:
        raise refusal
    return followed


def play_cards(play: Play, tricks: Tricks, number: int | None = None) -> Play:
    """Return the play after the first `number` cards, by default all up to the first unknown one.

    Recorded leaders are ignored. Excused cards are played without duties; one that leads out of turn also
    changes the turn, already before it is played. Raises `Refused` as `Play.after`.
    """
    cards = tricks.played
    if not tricks.excused:
        return play.after(*cards[:number])
    excused, position = dict(tricks.excused), 0
    end = len(cards) if number is None else number
    for at, card in enumerate(cards[: end + 1]):
        if card not in excused:
            continue
        play, position, leader = play.after(*cards[position:at]), at, excused[card]
        if leader is not None and not play.trick:
            turn = play.seats.index(leader)
            play = play._replace(turn=turn, leaders=(*play.leaders[:-1], turn))
        if at < end:
            order, position = play.order, at + 1
            play = play._replace(order=_without_duties(order)).after(card)._replace(order=order)
    return play.after(*cards[position:end])


def missing_trick(play: Play, tricks: Tricks) -> Violation | None:
    """Return the violation that a trick is missing, if a recorded leader did not win the trick before.

    It is `None` if the leaders do not show it: they are not recorded, or the missing trick was won by its
    leader. Other violations of the play are ignored.
    """
    try:
        play_tricks(unbound(play), tricks)
    except Refused as refused:
        violation = refused.violations[0]
        if violation.code == "wrong-leader":
            number, leader = violation.where["trick"], violation.legal[0]
            message = say(
                "Trick {number} is missing: {leader} led it, and the next one recorded was led by {name}.",
                number=number,
                leader=leader,
                name=violation.where["seat"],
            )
            return Violation("tricks-missing", message, {"trick": number})
    return None


def unbound(play: Play) -> Play:
    """Return a new play before its first trick, in which each seat holds all 36 cards and may play any."""
    order = _without_duties(play.order)
    return Play.begin(order, play.seats, (ALL,) * len(play.seats), play.turn)


def _without_duties(order: CardOrder) -> CardOrder:
    """Return the order with every card legal, and the same winners."""
    return replace(order, laws=order.free, leads=BITS)


def cards_played(play: Play, tricks: Tricks, pack: int) -> tuple[int, ...]:
    """Return the set of cards (bits) that each seat played, up to the first unknown card.

    The hands of `play` and duties are ignored. Raises `Refused` if a card is not in `pack` (bits) or comes
    twice, or a recorded leader did not win the trick before.
    """
    cards = tricks.played
    free = unbound(play)
    foreign = mask_of(cards) & ~pack
    if foreign:
        at = next(place for place, card in enumerate(cards) if foreign & BITS[card])
        state, card = play_cards(free, tricks, at), cards[at]
        number, position, seat = len(state.leaders), len(state.trick) + 1, str(state.to_act)
        message = say(
            "{place}: {seat} played {card}, which is not in the pack.",
            place=place_of(number, position, capital=True),
            seat=seat,
            card=card,
        )
        where: dict[str, str | int] = {
            "trick": number,
            "position": position,
            "seat": seat,
            "card": str(card),
        }
        raise Refused([Violation("card-not-in-pack", message, where)])
    if len(set(cards)) < len(cards):
        repeated = next(place for place, card in enumerate(cards) if card in cards[:place])
        # The legal cards are unknown, as the hands are derived from the play alone.
        violation = play_cards(free, tricks, repeated).problem(cards[repeated])
        raise Refused([replace(violation, legal=())])
    return tuple(ALL ^ hand for hand in play_tricks(free, tricks).hands)


def check_after_gap(tricks: Tricks, pack: int) -> None:
    """Raise `Refused` for a card after the first unknown one that is not in `pack` (bits), or comes twice.

    It is not known who played it. Does nothing if all cards are known.
    """
    if tricks.gap is None:
        return
    played = mask_of(tricks.played)
    places = [
        (number, position)
        for number, size in enumerate(tricks.sizes, 1)
        for position in range(1, size + 1)
    ]
    rest = slice(tricks.gap, None)
    for (number, position), card in zip(places[rest], tricks.cards[rest], strict=True):
        if card is None:
            continue
        is_foreign = not BITS[card] & pack
        if is_foreign or BITS[card] & played:
            place = place_of(number, position, capital=True)
            message = say(_FOREIGN if is_foreign else _AGAIN, place=place, card=card)
            code = "card-not-in-pack" if is_foreign else "card-played-twice"
            where: dict[str, str | int] = {
                "trick": number,
                "position": position,
                "card": str(card),
            }
            raise Refused([Violation(code, message, where)])
        played |= BITS[card]


_FOREIGN = later("{place}: {card} was played, which is not in the pack.")
_AGAIN = later("{place}: {card} was played, which had already been played.")


def with_place(violation: Violation, discarded: int, widow: int) -> Violation:
    """Return the violation; for a card not held its message states if it was discarded or in the widow.

    Both are sets of cards as bits. Other violations are returned unchanged.
    """
    if violation.code != "card-not-held":
        return violation
    where = violation.where
    card = Card.parse(str(where["card"]))
    bit = BITS[card]
    if not bit & (discarded | widow):
        return violation
    message = say(
        _DISCARDED if bit & discarded else _IN_WIDOW,
        place=place_of(int(where["trick"]), int(where["position"]), capital=True),
        seat=where["seat"],
        card=card,
    )
    return replace(violation, message=message)


_DISCARDED = later("{place}: {seat} played {card}, which the bidder had discarded.")
_IN_WIDOW = later("{place}: {seat} played {card}, which lay in the widow.")


def with_proof(violation: Violation, play: Play, tricks: Tricks) -> Violation:
    """Return a revoke with the later card that proves it, as `proof_of` does.

    The later cards are those of its seat in later tricks. Other violations are returned unchanged.
    """
    if violation.code not in REVOKES:
        return violation
    number, name = int(violation.where["trick"]), violation.where["seat"]
    leaders = play_tricks(unbound(play), tricks).leaders
    later_cards = [
        LaterCard(proof, place + 1, card)
        for proof, (trick, leader) in enumerate(zip(tricks, leaders, strict=False), 1)
        for place, card in enumerate(trick.cards)
        if proof > number and play.seats[(leader + place) % len(play.seats)] == name
    ]
    return proof_of(violation, play.order.called, later_cards)


class LaterCard(NamedTuple):
    """A card with the number of its trick and its position there, both from 1."""

    trick: int
    position: int
    card: Card | None


def proof_of(violation: Violation, called: int, later_cards: Iterable[LaterCard]) -> Violation:
    """Return a revoke with the later card that proves it: the first that the seat could have played instead.

    `called` is the set with the card that must be played when its suit is led, `later_cards` the seat's later
    cards. A revoke without such a card is returned unchanged.
    """
    owed = violation.legal
    if violation.code == "must-play-called-card":
        owed = tuple(map(str, cards_of(called)))
    for trick, position, card in later_cards:
        if str(card) in owed:
            message = say(
                "{what} {card} was played in {place}.",
                what=violation.message,
                card=card,
                place=place_of(trick, position),
            )
            where = {
                **violation.where,
                "proof": str(card),
                "proof_trick": trick,
                "proof_position": position,
            }
            return Violation(violation.code, message, where, violation.legal)
    return violation
