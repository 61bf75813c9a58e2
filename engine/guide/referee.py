"""Referees the play of a hand from the cards so far; the hand may be unfinished and its deal unknown.

`ledger/static/cards/referee.js` does the same on a page; one file of positions tests both.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of
from engine.cards.cards import Card, Pack
from engine.cards.ranking import CardOrder
from engine.errors import Problems, Violation
from engine.phases.tricks import Play, place_of
from engine.replay.revokes import REVOKES, LaterCard, proof_of
from engine.words.sentences import later, say

TRUMPS = "trumps"
"""The suit of trumps from several suits, as in German Solo (003)."""


class PlaySetup(NamedTuple):
    """The play of a contract before its first card, with the known cards.

    `seats` are in order from eldest hand, `leader` is the place that leads, `size` the number of cards of a
    hand. `hands` are the known cards of each seat, a set for each: with `size` cards the hand is known in
    full. `aside` are cards known to be in no hand, like the widow's.
    """

    order: CardOrder
    pack: Pack
    seats: tuple[str, ...]
    leader: int
    size: int
    hands: tuple[int, ...]
    aside: int = 0


class RefereedTrick(NamedTuple):
    """A trick by its leader's place, its cards in the order played, its winner's place and its card points.

    A trick in progress has the winner so far.
    """

    leader: int
    cards: tuple[Card, ...]
    winner: int
    points: int


class Position(NamedTuple):
    """The state of the play after some cards; seats are places from eldest hand.

    `turn` is the seat to play, `None` if the hand is over. It holds every card of `legal` and may play it. It
    may also play a card of `possible`, unless it doesn't hold it, which is unknown. Any other card is played
    or proven illegal. `points` and `tricks_won` are those of each seat from complete tricks. `trumps_left` is
    the number of trumps neither played nor known to be aside. `voids` are, for each seat, the suits that
    it has shown it doesn't hold: letters, or `trumps` in German Solo.

    `violations` are in the order of play. After a card that nobody can play (played before, not in the pack,
    after the last trick) the rest is ignored.
    """

    tricks: tuple[RefereedTrick, ...]
    turn: int | None
    legal: tuple[Card, ...]
    possible: tuple[Card, ...]
    points: tuple[int, ...]
    tricks_won: tuple[int, ...]
    trumps_left: int
    voids: tuple[tuple[str, ...], ...]
    violations: tuple[Violation, ...]

    @property
    def over(self) -> bool:
        """Whether every card of the hand has been played."""
        return self.turn is None


class _PlayedCard(NamedTuple):
    """A card with its place in the play: the trick's number from 1 and its cards before this one.

    `must` is the set of cards of which the seat may hold no other one when it plays this card.
    """

    seat: int
    card: Card
    number: int
    before: tuple[Card, ...]
    must: int


def referee(setup: PlaySetup, cards: Sequence[Card]) -> Position:
    """Return the state of the play after the cards, with every violation that they or the known cards prove.

    Nothing is raised. A revoke is reported as soon as its seat plays a card that it should have played
    instead; its violation names the card and trick that prove it, unless the known hands do.
    """
    count, order, pack = len(setup.seats), setup.order, setup.pack
    tricks: list[RefereedTrick] = []
    played: list[_PlayedCard] = []
    problems: Problems = []
    laid, leader = 0, setup.leader
    for card in cards:
        trick = tricks[-1].cards if tricks and len(tricks[-1].cards) < count else ()
        seat = (leader + len(trick)) % count
        number = len(tricks) + (not trick)
        must = order.laws[trick[0]][card][1] if trick else order.leads[card]
        play = _PlayedCard(seat, card, number, trick, must)
        if number > setup.size or BITS[card] & (laid | ~pack.mask):
            problems.append(_impossible(setup, play, laid))
            break
        played.append(play)
        laid |= BITS[card]
        if trick:
            tricks.pop()
        trick = (*trick, card)
        strengths = [order.laws[trick[0]][other][2] for other in trick]
        winner = (leader + strengths.index(max(strengths))) % count
        tricks.append(RefereedTrick(leader, trick, winner, sum(map(pack.points, trick))))
        if len(trick) == count:
            leader = winner
    revoked, violations = _violations(setup, played)
    missing = [_missing(played, seat, revoked) for seat in range(count)]
    complete = [trick for trick in tricks if len(trick.cards) == count]
    turn = None
    legal = possible = 0
    if len(complete) < setup.size:
        unfinished = tricks[-1].cards if len(complete) < len(tricks) else ()
        turn = (leader + len(unfinished)) % count
        legal, possible = _choices(setup, played, turn, missing[turn], unfinished)
    return Position(
        tricks=tuple(tricks),
        turn=turn,
        legal=cards_of(legal),
        possible=cards_of(possible),
        points=tuple(
            sum(trick.points for trick in complete if trick.winner == seat) for seat in range(count)
        ),
        tricks_won=tuple(sum(trick.winner == seat for trick in complete) for seat in range(count)),
        trumps_left=(order.trumps & pack.mask & ~laid & ~setup.aside).bit_count(),
        voids=tuple(_void_suits(setup, cards) for cards in missing),
        violations=(*violations, *problems),
    )


def _impossible(setup: PlaySetup, play: _PlayedCard, laid: int) -> Violation:
    """Return the violation for a card after the last trick, played before or not in the pack."""
    card, position = play.card, len(play.before) + 1
    if play.number > setup.size:
        message = say(
            "The hand has {of} tricks; {card} comes after the last.", of=setup.size, card=card
        )
        return Violation("tricks-too-many", message, {"field": "tricks", "card": str(card)})
    seat, is_repeated = setup.seats[play.seat], BITS[card] & laid
    place = place_of(play.number, position, capital=True)
    message = say(_REPEATED if is_repeated else _FOREIGN, place=place, seat=seat, card=card)
    where: dict[str, str | int] = {
        "trick": play.number,
        "position": position,
        "seat": seat,
        "card": str(card),
    }
    code = "card-played-twice" if is_repeated else "card-not-in-pack"
    return Violation(code, message, where)


_REPEATED = later("{place}: {seat} played {card}, which had already been played.")
_FOREIGN = later("{place}: {seat} played {card}, which is not in the pack.")


def _violations(
    setup: PlaySetup, played: Sequence[_PlayedCard]
) -> tuple[set[_PlayedCard], list[Violation]]:
    """Return the cards that broke a duty, and all violations in the order of play.

    They are found from the last card back: a seat held its known cards and all that it played later.
    """
    is_complete = all(hand.bit_count() == setup.size for hand in setup.hands)
    hands = list(setup.hands)
    for play in played:
        hands[play.seat] &= ~BITS[play.card]
    revoked: set[_PlayedCard] = set()
    violations: list[Violation] = []
    for at in range(len(played) - 1, -1, -1):
        play = played[at]
        bit, dealt = BITS[play.card], setup.hands[play.seat]
        misplaced = setup.aside | sum(
            hand for seat, hand in enumerate(setup.hands) if seat != play.seat
        )
        if bit & misplaced or (dealt.bit_count() == setup.size and not bit & dealt):
            violations.append(_problem(setup, play, hands))
            hands[play.seat] |= bit
            continue
        hands[play.seat] |= bit
        if hands[play.seat] & play.must == bit:
            continue
        revoked.add(play)
        violation = _problem(setup, play, hands)
        if violation.code in REVOKES and not is_complete:
            later_cards = [
                LaterCard(other.number, len(other.before) + 1, other.card)
                for other in played[at + 1 :]
                if other.seat == play.seat
            ]
            violation = proof_of(violation, setup.order.called, later_cards)
        violations.append(violation)
    return revoked, violations[::-1]


def _problem(setup: PlaySetup, play: _PlayedCard, hands: Sequence[int]) -> Violation:
    """Return the violation of a card played by a seat with these hands, worded as in a guided hand."""
    state = Play.begin(setup.order, setup.seats, tuple(hands), play.seat)
    state = state._replace(leaders=(0,) * play.number, trick=play.before)
    return state.problem(play.card)


def _missing(played: Sequence[_PlayedCard], seat: int, revoked: set[_PlayedCard]) -> int:
    """Return the set (bits) of cards that a seat showed it didn't hold, apart from proven revokes."""
    missing = 0
    for play in played:
        if play.seat == seat and play not in revoked:
            missing |= play.must & ~BITS[play.card]
    return missing


def _choices(
    setup: PlaySetup,
    played: Sequence[_PlayedCard],
    seat: int,
    missing: int,
    trick: tuple[Card, ...],
) -> tuple[int, int]:
    """Return two sets (bits): cards the seat holds and may play, and those it may play if it holds them.

    `missing` are those it showed it doesn't hold, `trick` the cards played to this trick. Cards that must be
    its own by elimination count as held.
    """
    order, laid = setup.order, sum(BITS[play.card] for play in played)
    left = setup.size - sum(play.seat == seat for play in played)
    others = sum(hand for place, hand in enumerate(setup.hands) if place != seat)
    own_cards = setup.hands[seat] & ~laid
    candidates = own_cards | setup.pack.mask & ~(laid | others | setup.aside | missing)
    if own_cards.bit_count() >= left:
        candidates = own_cards
    elif candidates.bit_count() <= left:
        own_cards = candidates
    musts = [law[1] for law in order.laws[trick[0]]] if trick else order.leads
    playable = sum(
        bit for bit, must in zip(BITS, musts, strict=True) if own_cards & must & ~bit == 0
    )
    return own_cards & playable, candidates & playable & ~own_cards


def _void_suits(setup: PlaySetup, missing: int) -> tuple[str, ...]:
    """Return the suits, as letters or `trumps`, of which all cards of the pack are in a set (bits)."""
    order, pack = setup.order, setup.pack.mask
    suits = {
        order.follows[card] & pack: TRUMPS if order.words[card] == TRUMPS else card.suit.value
        for card in setup.pack.cards
    }
    return tuple(suit for cards, suit in suits.items() if cards & ~missing == 0)
