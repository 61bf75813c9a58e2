"""Legal hands played at random, each with one impossible change: the referee finds it.

The choices that the refusal calls legal are tried in the hand: each is a value that a record may hold,
differs from the refused one and, put in its place, makes the hand whole again.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from engine.cards.cards import SUITS, Card
from engine.errors import Refused, Violation
from engine.record import Call, Contract, HandRecord, Trick
from engine.record.results import RESULT
from engine.scoring.score import score
from tests.engine.playing import HOUSES, House, dice, play, written

HANDS = 6
ROUNDS = 3

Change = Callable[[HandRecord, random.Random], HandRecord | None]
"""Changes a record so that it cannot have been, or gives nothing where it has nothing to change."""


def _tricks(record: HandRecord) -> list[list[Card]]:
    return [[card for card in trick.cards if card is not None] for trick in record.tricks or ()]


def _with(record: HandRecord, tricks: list[list[Card]]) -> HandRecord:
    leaders = [trick.leader for trick in record.tricks or ()]
    changed = [Trick(tuple(cards), who) for cards, who in zip(tricks, leaders, strict=True)]
    return replace(record, tricks=tuple(changed))


def cards_of_two_seats(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """Two cards of one trick change hands."""
    tricks = _tricks(record)
    long = [trick for trick in tricks if len(trick) > 1]
    if not long:
        return None
    trick = rng.choice(long)
    one, other = rng.sample(range(len(trick)), 2)
    trick[one], trick[other] = trick[other], trick[one]
    return _with(record, tricks)


def a_card_again(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """A card is played a second time, for another."""
    tricks = _tricks(record)
    places = [(at, place) for at, trick in enumerate(tricks) for place in range(len(trick))]
    if len(places) < 2:
        return None
    (at, place), (other, there) = rng.sample(places, 2)
    tricks[at][place] = tricks[other][there]
    return _with(record, tricks)


def a_card_more_or_less(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """A trick in the middle has another size."""
    tricks = _tricks(record)
    if len(tricks) < 2:
        return None
    trick = rng.choice(tricks[:-1])
    trick.append(trick[0]) if rng.random() < 0.5 else trick.pop()
    return _with(record, tricks)


def a_trick_less(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """A trick is left out of a hand that was played to its end."""
    tricks = list(record.tricks or ())
    if len(tricks) < 2 or record.conceded or record.stopped:
        return None
    del tricks[rng.randrange(len(tricks))]
    return replace(record, tricks=tuple(tricks))


def another_leader(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """Let a seat lead that had not won."""
    tricks = list(record.tricks or ())
    if not tricks:
        return None
    at = rng.randrange(len(tricks))
    others = [seat for seat in record.active or record.players if seat != tricks[at].leader]
    tricks[at] = tricks[at]._replace(leader=rng.choice(others))
    return replace(record, tricks=tuple(tricks))


def another_caller(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """A call is somebody else's."""
    calls = list(record.auction or ())
    at = rng.randrange(len(calls))
    others = [seat for seat in record.active or record.players if seat != calls[at].seat]
    calls[at] = Call(rng.choice(others), calls[at].call, calls[at].doubler)
    return replace(record, auction=tuple(calls))


def another_result(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """State a number or a word that contradicts the cards."""
    if not record.tricks:
        return None
    key = rng.choice(["points", "points_against", "tricks_won", "matadors", "first_tricks_won"])
    german = record.game == "german-solo"
    own = ("matadors", "first_tricks_won", "tricks_won") if german else ("points", "points_against")
    if key not in own:
        return None
    values: list[object] = list(RESULT[key].words) or [True, False]
    if key in ("points", "points_against", "tricks_won"):
        values = list(range(12 if key == "tricks_won" else 121))
    return HandRecord.from_mapping({**record.to_mapping(), key: rng.choice(values)})


def another_partner(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """Name a partner that did not hold the called card."""
    contract = record.contract or Contract()
    if contract.partner is None:
        return None
    out = (contract.partner, contract.bidder)
    others = [seat for seat in record.players if seat not in out]
    return replace(record, contract=contract._replace(partner=rng.choice(others)))


def another_bidder(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """Name a bidder that did not win the bidding."""
    contract = record.contract or Contract()
    if contract.bidder is None:
        return None
    others = [seat for seat in record.players if seat not in (contract.bidder, contract.partner)]
    return replace(record, contract=contract._replace(bidder=rng.choice(others)))


def two_cards_dealt_otherwise(record: HandRecord, rng: random.Random) -> HandRecord | None:
    """Two seats were dealt each other's card, which both then played."""
    deal = record.deal
    if deal is None or deal.hands is None or not record.tricks or record.exchange or record.spit:
        return None
    played = {card for trick in record.tricks for card in trick.cards}
    one, other = rng.sample(sorted(deal.hands), 2)
    mine, theirs = ([card for card in deal.hands[seat] if card in played] for seat in (one, other))
    if not mine or not theirs:
        return None
    swap = {(a := rng.choice(mine)): (b := rng.choice(theirs)), b: a}
    hands = {
        seat: tuple(swap.get(card, card) if card else None for card in cards)
        for seat, cards in deal.hands.items()
    }
    return replace(record, deal=deal._replace(hands=hands))


CHANGES: tuple[Change, ...] = (
    cards_of_two_seats,
    a_card_again,
    a_card_more_or_less,
    a_trick_less,
    another_leader,
    another_caller,
    another_result,
    another_partner,
    another_bidder,
    two_cards_dealt_otherwise,
)


@cache
def hands_at(house: House) -> tuple[HandRecord, ...]:
    """Play hands at random, once for all changes."""
    rng = dice(f"hands to change at {house}")
    return tuple(written(house, play(house, rng, speak=True)) for _ in range(HANDS))


def changed(house: House, change: Change) -> Iterator[tuple[HandRecord, HandRecord]]:
    """Yield random hands, each with a changed copy."""
    rng = dice(f"{change.__name__} at {house}")
    for record in hands_at(house):
        for _ in range(ROUNDS):
            other = change(record, rng)
            if other is not None and other != record:
                yield record, other


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_random_change_that_cannot_be_is_refused(change: Change) -> None:
    """Another result that is not refused changes no payment; the choices named as legal are legal."""
    refusals = 0
    for house in HOUSES:
        for record, other in changed(house, change):
            right = score(record)
            try:
                repeated = score(other)
            except Refused as refused:
                refusals += 1
                for violation in refused.violations:
                    check_legal(violation)
                if change is another_result:
                    put_right(other, refused.violations, right.deltas)
            else:
                assert change is another_result, f"{other.to_mapping()}"
                assert repeated.deltas == right.deltas
    assert refusals > HANDS


def check_legal(violation: Violation) -> None:
    """Check that the choices named as legal are valid in a record, and not the refused one."""
    for value in violation.legal:
        assert not set(value) & set("\"'"), violation
        assert value != "nobody", violation
        assert value == value.strip(), violation
        assert value != violation.where.get("card"), violation
    assert violation.message[0].isupper() or violation.where
    assert violation.message.endswith(".")


def put_right(record: HandRecord, found: tuple[Violation, ...], deltas: object) -> None:
    """State the legal value instead: then the hand is scored as before."""
    for violation in found:
        if violation.code == "differs-from-cards":
            said = violation.legal[0]
            value = {"true": True, "false": False}.get(said, int(said) if said.isdigit() else said)
            stated = {**record.to_mapping(), violation.field: value}
            record = HandRecord.from_mapping(stated)
    assert all(violation.code == "differs-from-cards" for violation in found), found
    assert score(record).deltas == deltas


def test_another_trump_is_nearly_always_refused_and_no_points_are_asked_for() -> None:
    """Only where every trick happens to have gone the same way under it is the hand scored."""
    told = refused = 0
    for house in HOUSES:
        rng = dice(f"trumps at {house}")
        for record in hands_at(house):
            contract = record.contract or Contract()
            if contract.trump is None or not record.tricks:
                continue
            trump = rng.choice([suit for suit in SUITS if suit is not contract.trump])
            other = replace(record, contract=contract._replace(trump=trump), auction=None)
            found = refusals_of(other)
            refused += bool(found)
            told += not found
            assert "points-missing" not in {each.code for each in found}
    assert refused > 10 * told


def refusals_of(record: HandRecord) -> tuple[Violation, ...]:
    """Score a hand and give why it is refused, if it is."""
    try:
        score(record)
    except Refused as refused:
        return refused.violations
    return ()
