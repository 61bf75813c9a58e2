"""An accepted claim: its checks, and the results that it leaves possible."""

from collections.abc import Iterator
from itertools import product
from typing import NoReturn

from engine.cards.card_sets import BITS, cards_of, mask_of
from engine.cards.cards import Card
from engine.errors import Problems, Refused, Violation
from engine.phases.tricks import Play
from engine.record import HandRecord, Tricks
from engine.record.incidents import SIDES, Claim
from engine.record.results import RESULT
from engine.replay.holdings import PlayedContract
from engine.rules.aims import Result
from engine.rules.bids import BY_BIDDER, BY_OPPONENTS
from engine.rules.card_points import ResultValues, TrickPoints
from engine.rules.sheet import Rules
from engine.words.sentences import later, say


def claim_problems(
    rules: Rules, active: tuple[str, ...], record: HandRecord, claim: Claim
) -> Iterator[Violation]:
    """Yield the violations of a claim that show without following the cards.

    They are a seat that sat out, another end of the hand, another number of tricks than recorded, more than
    is left to claim, card points in a game without, and cards shown by an unnamed opponent.
    """
    if claim.by not in (*SIDES, *active):
        message = say(
            "{name} sat out this hand; {players:and} played.", name=claim.by, players=active
        )
        yield Violation("seat-sat-out", message, {"field": "claimed.by", "seat": claim.by}, active)
    if record.conceded is not None or record.stopped:
        message = say(
            "A hand ends once: keep the claim, or that the hand was given up or the side stopped."
        )
        yield Violation("ended-twice", message, {"field": "claimed"})
    played = claim.after
    if record.tricks is not None:
        played = Tricks.of(record.tricks).sizes.count(len(active))
    if claim.after != played:
        message = say(
            "The claim came after {after:trick|tricks}, but the record holds {played} complete ones.",
            after=claim.after,
            played=played,
        )
        yield Violation("claim-elsewhere", message, {"field": "claimed.after"}, (str(played),))
        return
    left = rules.tricks - played
    if left < max(1, claim.tricks or 0, len(set(claim.shown or ()))):
        field = "claimed.tricks" if (claim.tricks or 0) > left else "claimed"
        message = say(
            "A hand has {of} tricks, so after {after:trick|tricks} {left:0=none is|is|are} left to claim.",
            of=rules.tricks,
            after=played,
            left=left,
        )
        yield Violation("claim-too-much", message, {"field": field})
    if claim.points is not None and not rules.pack.total:
        message = say(
            "Card points do not count in this game; leave {key} out.", key="claimed.points"
        )
        yield Violation("not-in-this-game", message, {"field": "claimed.points"})
    elif (claim.points or 0) > rules.pack.total:
        message = say(
            "A hand has {of:card point|card points}, so {points} can't be claimed.",
            of=rules.pack.total,
            points=claim.points,
        )
        yield Violation("claim-too-much", message, {"field": "claimed.points"})
    if claim.shown is not None and claim.by == BY_OPPONENTS:
        message = say("Say which of them showed the cards.")
        yield Violation("claimed-cards", message, {"field": "claimed.by"}, active)


def shown_cards(case: PlayedContract, claim: Claim | None, tricks: Tricks) -> tuple[int, ...]:
    """Return for each seat the set of cards (bits) that it showed in a claim, 0 for all without a claim.

    Raises `Refused` for a card that had been played, or is not in the pack.
    """
    shown = [0] * len(case.seats)
    place = None if claim is None else _claimer(case, claim)
    if claim is not None and claim.shown is not None and place is not None:
        played = mask_of(card for card in tricks.cards if card is not None)
        for card in claim.shown:
            template = _PLAYED if BITS[card] & played else _NOT_IN_PACK
            if BITS[card] & (played | ~case.rules.pack.mask):
                _refuse(case.seats[place], card, template)
        shown[place] = mask_of(claim.shown)
    return tuple(shown)


def check_shown(play: Play, shown: tuple[int, ...]) -> None:
    """Raise `Refused` for the first card of the sets `shown` (bits) that its seat does not hold in `play`."""
    for seat, hand, cards in zip(play.seats, play.hands, shown, strict=True):
        for card in cards_of(cards & ~hand):
            _refuse(seat, card, _NOT_HELD)


def _refuse(seat: str, card: Card, template: str) -> NoReturn:
    """Raise `Refused` for a card shown in a claim, with a message from the template."""
    message = say(template, seat=seat, card=card)
    where = {"field": "claimed.shown", "seat": seat, "card": str(card)}
    raise Refused([Violation("claimed-cards", message, where)])


_PLAYED = later("{seat} showed {card}, which had been played.")
_NOT_IN_PACK = later("{seat} showed {card}, which is not in the pack.")
_NOT_HELD = later("{seat} showed {card}, but did not hold it.")


def _claimer(case: PlayedContract, claim: Claim) -> int | None:
    """Return the place of the seat that claimed, the bidder's for the bidder's side.

    `None` stands for the opponents' side and for an idle seat.
    """
    if claim.by == BY_BIDDER:
        return case.bidder
    return case.seats.index(claim.by) if claim.by in case.seats else None


def claim_facts(
    case: PlayedContract,
    claim: Claim,
    takes: TrickPoints,
    aside: int | None,
    stated: Result,
    problems: Problems,
) -> ResultValues:
    """Return the result keys that have one possible value after the tricks before a claim and the claim.

    `takes` are those tricks, `aside` the points of the cards that no seat holds, `None` if unknown. A stated
    number outside the possible range adds a violation to `problems`. Raises `Refused` if the claimed tricks
    can't have the claimed points.
    """
    possible = [
        case.rules.tally.from_cards(case.bid, end)
        for end in _possible_takes(case, claim, takes, aside)
    ]
    facts: ResultValues = {}
    for key in possible[0]:
        values = sorted({result[key] for result in possible})
        number = getattr(stated, key)
        if len(values) == 1:
            facts[key] = values[0]
        elif number is not None and not values[0] <= number <= values[-1]:
            message = say(
                "{what:term}: the cards and the claim leave {least} to {most}, so it cannot be {number}.",
                what=RESULT[key].label,
                least=values[0],
                most=values[-1],
                number=number,
            )
            problems.append(Violation("differs-from-cards", message, {"field": key}))
    return facts


def _possible_takes(
    case: PlayedContract, claim: Claim, takes: TrickPoints, aside: int | None
) -> list[TrickPoints]:
    """Return the extremes of both sides' tricks and points at the end, for which a claim leaves room.

    They have the fewest and most points, tricks and points aside, with the tricks left won first or last.
    Raises `Refused` if the claimed tricks can't have the claimed points.
    """
    tricks_left = case.rules.tricks - len(takes.won)
    points_left = case.rules.pack.total - takes.ours - takes.theirs
    asides = case.rules.pack.least_most[case.rules.widow_size] if aside is None else (aside,)
    place = _claimer(case, claim)
    is_ours = place is not None and bool(case.side >> place & 1)
    possible = []
    for tricks, points, aside_points in _shares(claim, tricks_left, points_left, asides):
        rest = points_left - aside_points
        ours, won = (points, tricks) if is_ours else (rest - points, tricks_left - tricks)
        wins, losses = [True] * won, [False] * (tricks_left - won)
        possible += [
            TrickPoints(
                takes.ours + ours, takes.theirs + rest - ours, aside_points, (*takes.won, *order)
            )
            for order in (wins + losses, losses + wins)
        ]
    if not possible:
        raise Refused(
            [_impossible_points(claim, points_left - max(asides), points_left - min(asides))]
        )
    return possible


def _shares(
    claim: Claim, tricks_left: int, points_left: int, asides: tuple[int, ...]
) -> Iterator[tuple[int, int, int]]:
    """Yield possible tricks and points of the claimer's side, and points aside: only the extremes of each.

    All the tricks that are left bring all the points that are left, and no tricks bring none.
    """
    if claim.tricks is not None:
        numbers = {claim.tricks}
    elif claim.points is None:
        numbers = {tricks_left}
    else:
        numbers = {0, 1, tricks_left - 1, tricks_left}
    least, most = min(asides), min(max(asides), points_left)
    besides = {least, most}
    if claim.points is not None:
        besides |= {points_left - claim.points} & {*range(least, most + 1)}
    for tricks, aside_points in product(sorted(numbers), sorted(besides)):
        fewest = points_left - aside_points if tricks == tricks_left else 0
        greatest = points_left - aside_points if tricks else 0
        if claim.points is None:
            yield from ((tricks, points, aside_points) for points in sorted({fewest, greatest}))
        elif fewest <= claim.points <= greatest:
            yield tricks, claim.points, aside_points


def _impossible_points(claim: Claim, fewest: int, most: int) -> Violation:
    """Return the violation of claimed points that the claimed tricks can't have.

    `fewest` and `most` are the points that all the tricks which were left may have.
    """
    if (claim.points or 0) > most:
        message = say("Only {left:card point|card points} were left to claim.", left=most)
    elif claim.tricks == 0:
        message = say(
            "Without a trick there are no card points to claim; leave {key} out.",
            key="claimed.points",
        )
    else:
        message = say(
            "All the tricks that were left were claimed; they hold at least {least:card point|card points}.",
            least=fewest,
        )
    return Violation("claim-too-much", message, {"field": "claimed.points"})
