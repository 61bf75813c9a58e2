"""Properties of every hand, for thousands of random hands played through the phases."""

from dataclasses import replace

import pytest

from engine.cards.cards import CARDS
from engine.guide.hand import GuidedHand
from engine.notation.json_text import read_json, write_json
from engine.notation.toml_stream import read_toml
from engine.notation.toml_text import write_toml
from engine.phases.actions import HandPart
from engine.record import HandRecord
from engine.rules.verdict import Outcome, Verdict
from engine.scoring.score import score
from tests.engine.playing import HOUSES, House, dice, play, written

HANDS = 100
ZERO_SUM = ("six-bid", "frog", "straight-solo", "crazy-solo")


def hands_of(house: House, count: int = HANDS) -> list[tuple[GuidedHand, HandRecord]]:
    """Play hands that are the same at each run."""
    rng = dice(str(house))
    played = (play(house, rng, step_deal=number % 20 == 0) for number in range(count))
    return [(hand, written(house, hand)) for hand in played]


@pytest.fixture(params=HOUSES, ids=str, scope="module")
def house(request: pytest.FixtureRequest) -> House:
    """Every table in turn."""
    found = request.param
    assert isinstance(found, House)
    return found


@pytest.fixture(scope="module")
def played(house: House) -> list[tuple[GuidedHand, HandRecord, Verdict]]:
    """Hands of the table with their verdicts."""
    return [(hand, record, score(record)) for hand, record in hands_of(house)]


Played = list[tuple[GuidedHand, HandRecord, Verdict]]


def test_every_bid_is_played(house: House, played: Played) -> None:
    """The hands below cover the game: each bid that the auction offers, and the all-pass."""
    del house
    rules = played[0][0].rules
    bids = {record.contract.bid for _, record, _ in played if record.contract}
    assert {bid.slug for bid in rules.bids if bid.biddable} <= bids
    if rules.seats < 8:  # with more at the table somebody nearly always bids
        assert ("pass" if rules.all_pass is None else rules.all_pass) in bids


def test_what_is_won_is_lost_by_others(house: House, played: Played) -> None:
    """Between seats the deltas sum to zero; with pots they sum to the pots' loss."""
    for hand, record, verdict in played:
        total = sum(verdict.deltas.values())
        if house.game in ZERO_SUM or (house.game == "progressive" and not house.pots):
            assert total == 0
        if record.pots is not None and verdict.pots is not None:
            before = record.pots.frog + record.pots.solo
            assert total == before - verdict.pots.frog - verdict.pots.solo
        if house.game == "german-solo":
            gainers = {seat for seat, delta in verdict.deltas.items() if delta}
            assert gainers <= {verdict.bidder, verdict.partner}
        assert set(verdict.deltas) == set(hand.table.players)


def test_transfers_add_up_to_deltas(played: Played) -> None:
    """Each payment once; only seats have a delta."""
    for hand, _, verdict in played:
        if hand.rules.game == "german-solo":
            assert not verdict.transfers
            continue
        deltas = dict.fromkeys(hand.table.players, 0)
        for payer, payee, amount in verdict.transfers:
            assert amount >= 0
            for seat, change in ((payer, -amount), (payee, amount)):
                if seat in deltas:
                    deltas[seat] += change
        assert deltas == dict(verdict.deltas)


def test_the_two_sides_points_make_all_of_them(played: Played) -> None:
    """All the pack's points lie in tricks and widow; stating the other side's changes nothing."""
    for hand, record, verdict in played:
        bid = hand.rules.by_slug.get(str(record.contract.bid)) if record.contract else None
        ends_early = record.conceded or hand.rules.pack.total == 0
        if verdict.points is None or bid is None or ends_early:
            continue
        if bid.aim.counting.outside == {0}:
            against = hand.rules.pack.total - verdict.points
            assert score(replace(record, points_against=against)) == verdict


def test_json_and_toml_and_values_are_the_same_hand(played: Played) -> None:
    """Each way round gives the record back, and so the verdict."""
    for _, record, verdict in played[:20]:
        (from_json,) = read_json(write_json([record]))
        (from_toml,) = read_toml(write_toml([record]))
        assert from_json == from_toml == record
        assert score(from_json if isinstance(from_json, HandRecord) else record) == verdict


def test_leaving_the_deal_out_changes_nothing(played: Played) -> None:
    """The deal follows from the tricks; only after a stop the holder of the matadors may be open."""
    for _, record, verdict in played:
        if verdict.outcome is Outcome.PASSED_OUT:
            continue
        bare = replace(record, deal=None, spit=None, matadors=_matadors(verdict, record))
        assert score(bare)._replace(points=verdict.points) == verdict


def _matadors(verdict: Verdict, record: HandRecord) -> str | None:
    """State the values that do not follow from a stopped hand's tricks."""
    if not record.stopped:
        return None
    keys = {step.values.get("feat") for step in verdict.steps}
    sides = [side for side in ("declarers", "defenders") if f"matadors-{side}" in keys]
    return sides[0] if sides else "split"


def test_stating_what_the_cards_tell_changes_nothing(played: Played) -> None:
    """Derived points may be stated; the contract may lack all that follows from the auction."""
    for _, record, verdict in played:
        assert score(replace(record, points=verdict.points)) == verdict
        if record.contract is not None and record.auction is not None and record.contract.bidder:
            told = record.contract._replace(
                bidder=None, bid=None, partner=None, doubled=None, redoubled=None
            )
            assert score(replace(record, contract=told)) == verdict


def test_every_card_is_dealt_once_and_every_trick_is_won(played: Played) -> None:
    """The hands themselves are whole: the pack is dealt, and each trick has a card a seat."""
    for hand, record, _ in played:
        assert record.deal is not None
        assert record.deal.hands is not None
        dealt = [card for cards in record.deal.hands.values() for card in cards]
        complete = [card for card in (*dealt, *(record.deal.widow or ())) if card is not None]
        assert sorted(complete) == sorted(hand.rules.pack.cards)
        for trick in record.tricks or ():
            assert len(set(trick.cards)) == len(trick.cards) <= len(hand.table.active)
        assert all(card in CARDS for card in dealt)


def test_a_hand_tells_its_steps(played: Played) -> None:
    """The actions are stored, part by part in their order."""
    order = list(HandPart)
    for hand, _, _ in played:
        parts = [order.index(part) for part, _ in hand.steps]
        assert parts == sorted(parts)
        assert hand.over
        assert (hand.to_act, hand.legal, hand.endings) == (None, (), ())
