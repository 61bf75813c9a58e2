"""A hand that was legal, changed in one place, is refused at that place."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.cards.card_sets import cards_of
from engine.cards.cards import Card
from engine.errors import Refused, Violation
from engine.guide.hand import GuidedHand
from engine.phases.tricks import Play
from engine.record import Call, HandRecord, Trick
from engine.scoring.score import score
from tests.engine.guide.test_hand import hands_of
from tests.engine.playing import HOUSES, House, dice

SOME = 30


@pytest.fixture(params=HOUSES, ids=str, scope="module")
def played(request: pytest.FixtureRequest) -> list[tuple[GuidedHand, HandRecord]]:
    """Hands of each table."""
    house = request.param
    assert isinstance(house, House)
    return hands_of(house, SOME)


Played = list[tuple[GuidedHand, HandRecord]]


def why(record: HandRecord) -> Violation:
    """Score a hand that must be refused, for one reason alone."""
    with pytest.raises(Refused) as refused:
        score(record)
    (violation,) = refused.value.violations
    return violation


def with_tricks(record: HandRecord) -> Iterator[tuple[HandRecord, tuple[Trick, ...]]]:
    """Give the record once with its deal, if it has tricks."""
    if record.tricks:
        yield record, tuple(record.tricks)


def known(trick: Trick) -> tuple[Card, ...]:
    """Return the cards of a trick."""
    return tuple(card for card in trick.cards if card is not None)


def states(hand: GuidedHand, record: HandRecord) -> Iterator[tuple[int, int, Play]]:
    """Walk through the play again: each trick and place with the state before its card."""
    play = hand.rules.play(
        hand.rules.by_slug[str(record.contract and record.contract.bid)],
        record.contract or pytest.fail("no contract"),
        hand.table.active,
        hand.table.active.index(str(record.contract and record.contract.bidder)),
        hand.swap.hands if hand.swap else pytest.fail("no hands"),
    )
    for number, trick in enumerate(record.tricks or (), 1):
        for place, card in enumerate(known(trick)):
            yield number, place, play
            play = play.after(card)


def exchanged(tricks: tuple[Trick, ...], one: Card, other: Card) -> tuple[Trick, ...]:
    """Put two cards in each other's places."""
    swap = {one: other, other: one}
    return tuple(
        Trick(tuple(swap.get(card, card) for card in known(trick)), trick.leader)
        for trick in tricks
    )


def test_a_revoke_is_refused_at_its_card(played: Played) -> None:
    """Playing a card too early that had to wait: trick, seat, card and the legal ones are named."""
    rng = dice(1)
    found = 0
    for hand, record in played:
        for _, tricks in with_tricks(record):
            for number, place, play in states(hand, record):
                wrong = play.hands[play.turn] & ~play.choices
                if not wrong or rng.random() > 0.2:
                    continue
                card = rng.choice(cards_of(wrong))
                due = known(tricks[number - 1])[place]
                violation = why(replace(record, tricks=exchanged(tricks, card, due), points=None))
                assert violation.code in ("must-follow-suit", "must-trump", "must-play-called-card")
                assert dict(violation.where) == {
                    "trick": number,
                    "position": place + 1,
                    "seat": play.seats[play.turn],
                    "card": str(card),
                }
                assert violation.legal == tuple(map(str, play.legal))
                found += 1
    assert found > SOME // 4


def test_a_revoke_is_proven_without_the_deal(played: Played) -> None:
    """The first card that shows it is named with its trick; the seat is the one that revoked."""
    found = 0
    for hand, record in played:
        for _, tricks in with_tricks(record):
            if record.conceded or (record.contract and record.exchange):
                continue
            for number, place, play in states(hand, record):
                wrong = play.hands[play.turn] & ~play.choices
                if not wrong:
                    continue
                card, due = cards_of(wrong)[0], known(tricks[number - 1])[place]
                changed = exchanged(tricks, card, due)
                if card not in [each for trick in tricks for each in trick.cards]:
                    break
                violation = why(replace(record, tricks=changed, deal=None, spit=None, stopped=None))
                if violation.where.get("trick") == number and "proof" in violation.where:
                    proof = Card.parse(str(violation.where["proof"]))
                    assert violation.where["seat"] == play.seats[play.turn]
                    cards = changed[int(violation.where["proof_trick"]) - 1].cards
                    assert cards.index(proof) + 1 == violation.where["proof_position"]
                    assert str(proof) in violation.legal
                    assert violation.message.endswith(
                        f"{proof} was played in trick {violation.where['proof_trick']}."
                    )
                    found += 1
                break
    assert found


def test_a_card_of_another_hand_is_refused_where_it_was_played(played: Played) -> None:
    """Two seats' cards in each other's places: the first of them was not held."""
    rng = dice(2)
    for _, record in played:
        for _, tricks in with_tricks(record):
            number = rng.randrange(len(tricks))
            if len(tricks[number].cards) < 2:
                continue
            one, other = known(tricks[number])[:2]
            violation = why(replace(record, tricks=exchanged(tricks, one, other)))
            assert violation.code == "card-not-held"
            assert (violation.where["trick"], violation.where["card"]) == (number + 1, str(other))
            assert violation.where["position"] == 1


def test_a_card_cannot_be_played_twice(played: Played) -> None:
    """With or without the deal, at the second time."""
    for _, record in played:
        for _, tricks in with_tricks(record):
            if len(tricks) < 2 or record.stopped:
                continue
            card = tricks[0].cards[0]
            last = Trick((*tricks[1].cards[:-1], card), tricks[1].leader)
            changed = (tricks[0], last, *tricks[2:])
            for deal in (record.deal, None):
                violation = why(replace(record, tricks=changed, deal=deal, spit=None))
                assert violation.code == "card-played-twice"
                assert (violation.where["trick"], violation.where["card"]) == (2, str(card))


def test_a_trick_cannot_be_dropped(played: Played) -> None:
    """Unless somebody gave the hand up."""
    for _, record in played:
        for _, tricks in with_tricks(record):
            if record.conceded is None and not record.stopped:
                assert why(replace(record, tricks=tricks[:-1])).code == "tricks-missing"
                shorter = Trick(tricks[-1].cards[:-1], tricks[-1].leader)
                assert why(replace(record, tricks=(*tricks[:-1], shorter))).code == "tricks-missing"


def test_another_leader_is_refused(played: Played) -> None:
    """At the trick, with the winner of the one before."""
    for hand, record in played:
        for _, tricks in with_tricks(record):
            leader = tricks[-1].leader
            other = next(seat for seat in hand.table.active if seat != leader)
            violation = why(replace(record, tricks=(*tricks[:-1], Trick(tricks[-1].cards, other))))
            assert (violation.code, violation.legal) == ("wrong-leader", (leader,))
            assert violation.where["trick"] == len(tricks)


def test_a_point_cannot_be_added(played: Played) -> None:
    """A stated number must equal the cards' one; both are named."""
    for _, record in played:
        points = score(record).points
        if points is None:
            continue
        more = 120 if points == 118 else points + 2 if points in (0, 119) else points + 1
        violation = why(replace(record, points=more))
        assert violation.code in ("differs-from-cards", "points-out-of-range")
        if violation.code == "differs-from-cards":
            assert violation.legal == (str(points),)
            assert str(more) in violation.message


def test_a_seat_cannot_be_skipped_in_the_auction(played: Played) -> None:
    """The next call is out of turn; after the last one somebody is still to speak."""
    rng = dice(3)
    for _, record in played:
        calls = record.auction or ()
        skipped = rng.randrange(len(calls))
        before = calls[skipped - 1] if skipped else None
        if calls[skipped].call == "redouble" or (before and before.call == "redouble"):
            continue  # nobody need redouble, and who has may leave unsaid that they stand
        changed = (*calls[:skipped], *calls[skipped + 1 :])
        violation = why_first(replace(record, auction=changed))
        if skipped == len(calls) - 1:
            assert violation.code == "auction-unfinished"
        else:
            assert (violation.code, violation.field) == ("out-of-turn", f"auction.{skipped + 1}")
            assert violation.legal == (calls[skipped].seat,)


def why_first(record: HandRecord) -> Violation:
    """Score a hand that must be refused; the first reason."""
    with pytest.raises(Refused) as refused:
        score(record)
    return refused.value.violations[0]


def test_a_bid_cannot_be_lowered(played: Played) -> None:
    """To one below the bid that stands: refused at the call, with the choices there were."""
    for hand, record in played:
        ladder = hand.rules.ladder.rungs
        standing = ""
        for number, call in enumerate(record.auction or (), 1):
            if call.call not in ladder:
                continue
            lower = ladder[1]
            if standing and ladder.index(lower) < ladder.index(standing):
                calls = list(record.auction or ())
                calls[number - 1] = Call(call.seat, lower)
                violation = why_first(replace(record, auction=tuple(calls)))
                assert (violation.code, violation.field) == ("bid-too-low", f"auction.{number}")
                assert lower not in violation.legal
            standing = call.call


def test_another_contract_than_the_auction_made_is_refused(played: Played) -> None:
    """At the bid, with the one that was made; a lower one in German Solo, where more may be declared."""
    for hand, record in played:
        if record.contract is None or record.contract.bid == "pass":
            continue
        other = next(bid.slug for bid in hand.rules.bids if bid.slug != record.contract.bid)
        contract = record.contract._replace(bid=other)
        with pytest.raises(Refused) as refused:
            score(replace(record, contract=contract))
        violation = refused.value.violations[0]
        assert violation.code == "contract-against-auction"
        assert violation.legal == (record.contract.bid,)
