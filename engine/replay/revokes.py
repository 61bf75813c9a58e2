"""The tricks looked at afterwards: who won and led them, and what each seat must have held.

Nobody need have noted the deal. Who leads follows from who won, whatever was legal; so each hand is
known from what was played, and the play is then judged by the same code as one with a deal.
"""

from dataclasses import replace
from itertools import count

from engine.cards.card_sets import ALL, BITS, cards_of, mask_of
from engine.cards.cards import Card
from engine.errors import Refused, Violation
from engine.phases.tricks import Play
from engine.record import Tricks
from engine.words.sentences import later, say

REVOKES = ("must-follow-suit", "must-trump", "must-play-called-card")


def walk(play: Play, tricks: Tricks) -> Play:
    """Play the tricks; `Refused` names the first place where one cannot have gone so."""
    wrong = None
    try:
        done = play.after(*tricks.cards)
    except Refused as refused:
        # Who is said to have led is looked at before the cards, as far as they went.
        wrong, complete = refused, int(refused.violations[0].where["trick"]) - 1
        done = play.after(*tricks.cards[: complete * len(play.seats)])
    seats = play.seats
    led = tuple([seats[place] for place in done.leaders[: len(tricks)]])
    if wrong is None and led == tricks.leaders:
        return done
    for number, name, place in zip(count(1), tricks.leaders, done.leaders, strict=False):
        if name is not None and name != seats[place]:
            leader = seats[place]
            first = later("Trick {number}: {leader} leads, not {name}.")
            then = later("Trick {number}: {leader} won trick {before} and leads, not {name}.")
            told = {"number": number, "leader": leader, "before": number - 1, "name": name}
            message = say(then if number > 1 else first, **told)
            where: dict[str, str | int] = {"trick": number, "seat": name}
            raise Refused([Violation("wrong-leader", message, where, (leader,))])
    if wrong is not None:
        raise wrong
    return done


def lost_trick(play: Play, tricks: Tricks) -> Violation | None:
    """Name the trick left out where there are too few: the first one that its leader had not won.

    Nothing where the leaders do not tell: they are not noted, or whoever led the lost one won it.
    """
    try:
        walk(unbound(play), tricks)
    except Refused as refused:
        wrong = refused.violations[0]
        if wrong.code == "wrong-leader":
            number, leader = wrong.where["trick"], wrong.legal[0]
            message = say(
                "Trick {number} is missing: {leader} led it, and the next one recorded was led by {name}.",
                number=number,
                leader=leader,
                name=wrong.where["seat"],
            )
            return Violation("tricks-missing", message, {"trick": number})
    return None


def unbound(play: Play) -> Play:
    """Free a play of every duty, each seat holding any card: to see who won what."""
    order = replace(play.order, laws=play.order.free, leads=BITS)
    return Play.begin(order, play.seats, (ALL,) * len(play.seats), play.turn)


def played_by(play: Play, tricks: Tricks, pack: int) -> tuple[int, ...]:
    """Gather what each seat played, as sets.

    `Refused` where a card is strange to the pack, came twice, or a leader is wrong.
    """
    cards = tricks.cards
    free = unbound(play)
    strange = mask_of(cards) & ~pack
    if strange:
        at = next(place for place, card in enumerate(cards) if strange & BITS[card])
        state, card = free.after(*cards[:at]), cards[at]
        number, seat = len(state.leaders), str(state.to_act)
        message = say(
            "Trick {number}: {seat} played {card}, which is not in the pack.",
            number=number,
            seat=seat,
            card=str(card),
        )
        where: dict[str, str | int] = {"trick": number, "seat": seat, "card": str(card)}
        raise Refused([Violation("card-not-in-pack", message, where)])
    if len(set(cards)) < len(cards):
        again = next(place for place, card in enumerate(cards) if card in cards[:place])
        # What might have been played instead nobody knows: the hands are read from the play alone.
        twice = free.after(*cards[:again]).problem(cards[again])
        raise Refused([replace(twice, legal=())])
    return tuple(ALL ^ hand for hand in walk(free, tricks).hands)


def with_place(violation: Violation, discarded: int, widow: int) -> Violation:
    """Return the violation; if its card was not held but discarded or in the widow, its message says so."""
    if violation.code != "card-not-held":
        return violation
    where = violation.where
    bit = BITS[Card.parse(str(where["card"]))]
    if not bit & (discarded | widow):
        return violation
    message = say(
        _DISCARDED if bit & discarded else _IN_WIDOW,
        number=where["trick"],
        seat=where["seat"],
        card=where["card"],
    )
    return replace(violation, message=message)


_DISCARDED = later("Trick {number}: {seat} played {card}, which the bidder had discarded.")
_IN_WIDOW = later("Trick {number}: {seat} played {card}, which lay in the widow.")


def with_proof(violation: Violation, play: Play, tricks: Tricks) -> Violation:
    """Add to a revoke the later card that proves it: the first the seat might have played instead."""
    if violation.code not in REVOKES:
        return violation
    number, seat = int(violation.where["trick"]), violation.where["seat"]
    due = violation.legal
    if violation.code == "must-play-called-card":
        due = tuple(map(str, cards_of(play.order.called)))
    leaders = walk(unbound(play), tricks).leaders
    for proof, (trick, leader) in enumerate(zip(tricks, leaders, strict=False), 1):
        for place, card in enumerate(trick.cards):
            name = play.seats[(leader + place) % len(play.seats)]
            if proof > number and name == seat and str(card) in due:
                message = say(
                    "{what} {card} was played in trick {number}.",
                    what=violation.message,
                    card=str(card),
                    number=proof,
                )
                where = {**violation.where, "proof": str(card), "proof_trick": proof}
                return Violation(violation.code, message, where, violation.legal)
    return violation
