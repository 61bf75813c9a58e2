"""The course of a recorded hand for display: its contract, its known deal, and the winner of each trick."""

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of
from engine.cards.cards import Card
from engine.errors import Refused
from engine.phases.tricks import Play
from engine.record import Contract, HandRecord, Tricks
from engine.replay.holdings import side_of
from engine.replay.irregularities import recorded_tricks
from engine.replay.replay import replay
from engine.replay.revokes import play_tricks, unbound
from engine.replay.spit import deal_of
from engine.rules.sheet import Rules


class PlayedTrick(NamedTuple):
    """A trick in the order played, `None` for an unknown card, with everything that is known of it.

    `best` is the position of the winning card in the trick, from 0; `points` are the card points of the
    trick. `side_points` and `side_tricks` are those of the bidding side after it. All of these are `None` for
    an unfinished trick, and from the first unknown card on.
    """

    leader: str | None
    cards: tuple[Card | None, ...]
    winner: str | None = None
    best: int | None = None
    points: int | None = None
    side_points: int | None = None
    side_tricks: int | None = None


class HandOverview(NamedTuple):
    """A hand for display: `hands` and `widow` are the cards known to have been dealt, sorted.

    The seats are in order from eldest hand; a seat without known cards has no hand.
    """

    seats: tuple[str, ...]
    contract: Contract | None
    hands: dict[str, tuple[Card, ...]]
    widow: tuple[Card, ...]
    tricks: tuple[PlayedTrick, ...]


def overview(rules: Rules, record: HandRecord) -> HandOverview:
    """Return the course of a scored hand for display; its contract is completed from the cards.

    Violations are ignored. The winners of tricks are `None` if the contract leaves them open, as it may in a
    hand that the table settled, or if the tricks could not be followed.
    """
    plan = rules.plan(record.players, record.dealer, record.active)
    seats = plan.table.active
    replayed = replay(rules, plan, record, [])
    deal = deal_of(rules, plan.table, record)
    hands = {seat: cards_of(mask) for seat, mask in zip(seats, deal.hands, strict=True) if mask}
    tricks = recorded_tricks(record, seats) or Tricks.of(())
    played = tuple(PlayedTrick(trick.leader, trick.cards) for trick in tricks)
    contract = replayed.contract
    bid = rules.by_slug.get(contract.bid or "") if contract is not None else None
    if contract is not None and bid is not None and contract.bidder in seats and replayed.followed:
        start = rules.play(bid, contract, seats, seats.index(contract.bidder), (0,) * len(seats))
        with suppress(Refused):  # then the tricks stay as recorded
            play = play_tricks(unbound(start), tricks)
            played = tuple(_followed(rules, play, played, side_of(contract, seats)))
    return HandOverview(seats, contract, hands, cards_of(deal.widow), played)


def _followed(
    rules: Rules, play: Play, tricks: tuple[PlayedTrick, ...], side: int
) -> Iterator[PlayedTrick]:
    """Yield the tricks, with winner and points as far as `play` followed them, and the rest unchanged.

    `side` are the bidding side's places, as bits.
    """
    seats, points, won = play.seats, 0, 0
    for number, (trick, leader) in enumerate(zip(tricks, play.leaders, strict=False)):
        if number == play.tricks:  # it is unfinished, or has the first unknown card
            yield trick._replace(leader=seats[leader])
            break
        cards = [card for card in trick.cards if card is not None]
        winner = next(at for at, pile in enumerate(play.won_cards) if pile & BITS[cards[0]])
        worth = sum(map(rules.pack.points, cards))
        if side >> winner & 1:
            points, won = points + worth, won + 1
        best = (winner - leader) % len(seats)
        yield PlayedTrick(seats[leader], trick.cards, seats[winner], best, worth, points, won)
    yield from tricks[len(play.leaders) :]
