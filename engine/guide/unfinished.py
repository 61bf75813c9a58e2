"""The answer to a record, which may end before its hand does: a verdict, or the state of the play."""

from typing import NamedTuple

from engine.cards.card_sets import BITS, mask_of
from engine.cards.cards import write_cards
from engine.errors import Problems, Refused, refuse_any
from engine.games import find
from engine.guide.referee import PlaySetup, Position, referee
from engine.record import Contract, HandRecord, Tricks
from engine.record.fields import to_mapping
from engine.record.incidents import OUT_OF_TURN, REPLAYED
from engine.replay.deal import KnownDeal, nothing_known
from engine.replay.holdings import (
    PlayedContract,
    check_known,
    check_shape,
    hands_after_exchange,
    hands_from_play,
    side_of,
    with_called,
)
from engine.replay.replay import cards_aside, read_contract
from engine.replay.stated_result import complete_contract
from engine.rules.verdict import Verdict
from engine.scoring.score import score

UNFINISHED = "unfinished"
"""The outcome of a hand whose last tricks are not recorded."""


class UnfinishedHand(NamedTuple):
    """The state of a hand that is still played; the contract has the partner once the cards show it."""

    seats: tuple[str, ...]
    contract: Contract
    position: Position

    def to_mapping(self) -> dict[str, object]:
        """Return the response as JSON values: seats by name, cards as text, `points` of the bidding side."""
        seats, position = self.seats, self.position
        side = side_of(self.contract, seats)
        ours = [side >> place & 1 for place in range(len(seats))]
        return {
            "ok": True,
            "outcome": UNFINISHED,
            "contract": to_mapping(self.contract),
            "to_play": None if position.turn is None else seats[position.turn],
            "legal": write_cards(position.legal),
            "possible": write_cards(position.possible),
            "points": sum(points for points, own in zip(position.points, ours, strict=True) if own),
            "tricks_won": dict(zip(seats, position.tricks_won, strict=True)),
            "trumps_left": position.trumps_left,
            "voids": {
                seat: list(suits)
                for seat, suits in zip(seats, position.voids, strict=True)
                if suits
            },
            "tricks": [
                {
                    "leader": seats[trick.leader],
                    "cards": write_cards(trick.cards),
                    "winner": seats[trick.winner],
                    "points": trick.points,
                }
                for trick in position.tricks
            ],
        }


def answer(record: HandRecord) -> Verdict | UnfinishedHand:
    """Return a record's verdict, or the state of the play if its last tricks are all that is missing.

    Raises `Refused` as `score` does, for a violation among the cards played so far, and for missing tricks if
    a card before them is unknown or a lead out of turn stood.
    """
    try:
        return score(record)
    except Refused as refused:
        if not lacks_its_end(refused) or not _is_in_turn(record):
            raise
    return unfinished(record)


def _is_in_turn(record: HandRecord) -> bool:
    """Return whether the cards alone show who played each: none is unknown, and no lead out of turn stood."""
    stood = [one.what for one in record.irregular or () if one.settled != REPLAYED]
    return OUT_OF_TURN not in stood and Tricks.of(record.tricks or ()).gap is None


def lacks_its_end(refused: Refused) -> bool:
    """Return whether the only violation is that the last tricks of a record are missing."""
    first, *others = refused.violations
    return not others and first.code == "tricks-missing" and first.field == "tricks"


def unfinished(record: HandRecord) -> UnfinishedHand:
    """Return the state after the tricks of a record that lacks only its last ones.

    Raises `Refused` for every violation that the cards so far prove, except of excused cards, and
    `ValueError` for a record that lacks more, such as its contract.
    """
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    plan = rules.plan(record.players, record.dealer, record.active)
    problems: Problems = []
    _, deal, tricks, case = read_contract(rules, plan, record, problems)
    refuse_any(problems)
    if case is None or tricks is None:
        raise ValueError("the record lacks more than its last tricks")
    setup = setup_of(case, deal)
    position = referee(setup, tricks.played)
    contract = complete_contract(case, _cards_so_far(setup, position), problems)
    refuse_any(problems)  # before those of the play, which depend on the partner
    excused = {str(card) for card, _ in tricks.excused}
    refuse_any(
        violation for violation in position.violations if violation.where.get("card") not in excused
    )
    return UnfinishedHand(case.seats, contract, position)


def _cards_so_far(setup: PlaySetup, position: Position) -> KnownDeal:
    """Return for each seat the cards that it played, and those known in its hand that nobody has played."""
    laid = mask_of(card for trick in position.tricks for card in trick.cards)
    hands = [hand & ~laid for hand in setup.hands]
    for trick in position.tricks:
        for place, card in enumerate(trick.cards, trick.leader):
            hands[place % len(hands)] |= BITS[card]
    return nothing_known(len(hands))._replace(hands=tuple(hands))


def setup_of(case: PlayedContract, deal: KnownDeal) -> PlaySetup:
    """Return the play of a contract before its first card, with the cards known from deal and exchange.

    Raises `Refused` if these contradict each other.
    """
    check_shape(case)
    order, leader = case.rules.opening(case.bid, case.contract, len(case.seats), case.bidder)
    holdings = hands_after_exchange(case, deal, None) if deal.complete else None
    if holdings is None:
        nothing_played = (0,) * len(case.seats)
        check_known(case, deal, nothing_played)
        holdings = with_called(case, hands_from_play(case, deal, nothing_played))
    rules, aside = case.rules, cards_aside(case, deal)
    return PlaySetup(order, rules.pack, case.seats, leader, rules.tricks, holdings.hands, aside)
