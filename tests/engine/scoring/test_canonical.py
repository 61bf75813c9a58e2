"""The canonical record: the parts that follow from the rest are left out, and nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from engine.games import GAMES
from engine.guide.random_hands import random_hands
from engine.record import PASS, Deal, HandRecord, Tricks
from engine.record.parts import BlindRound
from engine.rules.plain_tricks import ASK_AFTER
from engine.scoring.canonical import canonical
from engine.scoring.score import score
from tests.engine.hands import crazy, hand, passed, six
from tests.engine.playing import HOUSES, House, dice, play, written


def kept(mapping: dict[str, object]) -> dict[str, Any]:
    """Return the keys of the canonical record of a hand."""
    return canonical(HandRecord.from_mapping(mapping)).to_mapping()


def spellings(record: HandRecord) -> Iterator[HandRecord]:
    """Yield records of the same hand: with less that follows from the rest, or with more."""
    sheet = GAMES[record.game]
    rules = sheet.rules(record.rules, record.options, len(record.players))
    table = rules.table(record.players, record.dealer)
    yield replace(record, active=table.active[::-1])
    if record.rules == sheet.default_variant:
        yield replace(record, rules=None)
    yield replace(
        record,
        options={slug: record.options.get(slug, value) for slug, value in rules.options.items()},
    )
    if record.auction and record.contract and record.contract.doubled:
        contract = record.contract._replace(doubled=record.contract.doubled[::-1])
        yield replace(record, contract=contract)
    if record.deal and record.deal.hands:
        hands = {seat: cards[::-1] for seat, cards in reversed([*record.deal.hands.items()])}
        yield replace(record, deal=Deal(hands, record.deal.widow))
        yield replace(record, deal=Deal(hands))
    if record.spit:
        yield replace(record, deal=None)
    if record.contract and record.contract.bid != PASS and record.deal:
        contract = record.contract._replace(partner=None, alone=None)
        yield replace(record, contract=contract)
    verdict = score(record)
    if record.tricks:
        tricks = Tricks.of(record.tricks)
        yield replace(record, tricks=replace(tricks, leaders=(None,) * len(tricks)))
        if record.conceded is None and not record.stopped and verdict.points is not None:
            yield replace(record, points=verdict.points)
            if record.game == "crazy-solo":
                others = rules.pack.total - verdict.points
                yield replace(record, points=verdict.points, points_against=others)
            if record.exchange is not None and record.exchange.giver is None:
                yield replace(record, deal=None)
                yield replace(record, exchange=record.exchange._replace(took=None))
            if record.exchange is None and record.contract and record.contract.bid != "call-solo":
                yield replace(record, deal=None)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_every_record_of_a_hand_has_the_same_canonical_record(house: House) -> None:
    """However much of what follows from the rest it states, and in any order."""
    rng = dice(f"canonical {house}")
    for _ in range(6):
        record = written(house, play(house, rng, speak=True))
        right = canonical(record)
        assert score(right) == score(record)
        assert canonical(right) == right
        for other in spellings(record):
            assert score(other) == score(record)
            assert canonical(other) == right, other.to_mapping()


def test_a_result_is_kept_unless_it_follows() -> None:
    """Points are counted; whether they made the contract follows, and so do the others' points."""
    assert kept(six(3, "guarantee", 90, points_against=30, made=True)) == kept(
        six(3, "guarantee", 90)
    )
    assert kept(six(3, "guarantee", made=True))["made"] is True
    assert kept(six(3, "misere", 0))["points"] == 0
    assert kept(six(3, "misere", conceded="bidder"))["conceded"] == "bidder"
    both = kept(six(3, "misere", 0, tricks_won=2, options={"misere_by_tricks": True}))
    assert (both["points"], both["tricks_won"]) == (0, 2)


def german(**keys: object) -> dict[str, object]:
    """Write a german-solo hand of which the result is stated."""
    contract = {"bidder": "Ann", "bid": "frage", "trump": "H", "called": "AS", "partner": "Bob"}
    return hand("german-solo", 4, contract, matadors="split", **keys)


def test_what_happened_is_kept_although_it_changes_nothing() -> None:
    """Asking for the partner, stopping; only `false`, their default, is left out."""
    lost = kept(german(tricks_won=3, asked_partner=True, stopped=False))
    assert lost["asked_partner"] is True
    assert "stopped" not in lost
    stopped = kept(german(tricks_won=5, stopped=True, first_tricks_won=True))
    assert stopped["stopped"] is True
    assert "first_tricks_won" not in stopped
    assert kept(german(tricks_won=8, first_tricks_won=True))["tricks_won"] == 8
    assert "first_tricks_won" not in kept(german(tricks_won=8, first_tricks_won=True))
    assert kept(german(tricks_won=6, first_tricks_won=True))["first_tricks_won"] is True
    assert ASK_AFTER == 4


def test_the_contract_is_complete() -> None:
    """With the only suit that can be trumps, and without denials of what is rare."""
    assert kept(six(3, "heart-solo", 74))["contract"]["trump"] == "H"
    assert "trump" not in kept(six(3, "misere", 0))["contract"]
    plain = kept(crazy(4, "solo", 74))
    assert plain == kept(crazy(4, "solo", 74, alone=False))
    auction = [["Ann", "heart-solo"], ["Bob", "pass"], ["Cyd", "pass"]]
    bid = hand("frog", 3, None, auction=[["Ann", "grand"], *auction[1:]], points=80)
    assert kept(bid)["contract"] == {"bidder": "Ann", "bid": "grand", "trump": "H"}
    all_pass = [["Ann", "pass"], ["Bob", "pass"], ["Cyd", "pass"]]
    assert kept(hand("frog", 3, None, auction=all_pass))["contract"] == {"bid": "pass"}
    assert kept(passed("frog", 3))["contract"] == {"bid": "pass"}


def test_a_contract_is_completed_in_whatever_order_its_doubles_are_stated() -> None:
    """Only the order of two steps of the explanation differs."""
    contract = {"bidder": "Bob", "bid": "spade-solo"}
    players = {"game": "progressive", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}
    for stated in (
        {**contract, "doubled": ["Ann", "Cyd"]},
        {**contract, "doubled": ["Cyd", "Ann"]},
        {**contract, "doubled": ["Ann", "Cyd"], "trump": "S"},
    ):
        complete = kept({**players, "contract": stated, "points": 70})["contract"]
        assert complete == {**contract, "trump": "S", "doubled": ["Cyd", "Ann"]}


def test_empty_remarks_are_left_out() -> None:
    """They say nothing."""
    empty: dict[str, object] = {"stated": {}, "evening": {}, "notes": [], "irregular": []}
    assert kept({**six(3, "solo", 74), **empty}) == kept(six(3, "solo", 74))


@pytest.mark.parametrize(
    ("stated", "empty"),
    [
        ({}, {"stated": {"deltas": {}}}),
        ({}, {"evening": {"seats": [], "seated": [], "left": [], "club": ""}}),
        (
            {"stated": {"amount": 0, "deltas": {"Ann": 0}}, "contract": {"bid": "pass"}},
            {"stated": {"amount": 0, "deltas": {"Ann": 0}}, "evening": {"title": ""}},
        ),
        (
            {"irregular": [{"what": "exposed", "settled": "play-on"}]},
            {"irregular": [{"what": "exposed", "settled": "play-on", "transfers": []}]},
        ),
        (
            {"claimed": {"by": "Ann", "after": 0}, "points": 120},
            {"claimed": {"by": "Ann", "after": 0, "shown": ""}, "points": 120},
        ),
        (
            {"claimed": {"by": "Ann", "after": 9, "shown": "6S AS"}},
            {"claimed": {"by": "Ann", "after": 9, "shown": "AS 6S"}},
        ),
    ],
)
def test_records_that_differ_in_something_empty_or_unordered_have_one_canonical_record(
    stated: dict[str, Any], empty: dict[str, Any]
) -> None:
    """A result of nothing is not empty."""
    plain: dict[str, Any] = {**six(3, "solo", 74), **stated}
    if plain["contract"]["bid"] == PASS:
        del plain["points"]
    once, again = kept(plain), kept({**plain, **empty})
    assert once == again
    assert once.get("stated") == stated.get("stated")


def test_a_spit_deal_in_which_nobody_drew_is_stated_in_one_way() -> None:
    """No card of the deal had to go, or none is stated."""
    records = random_hands("crazy-solo", seed="fresh", players=5)
    record = next(each for each in records if each.spit is not None and not each.spit.drawn)
    assert record.spit is not None
    absent, empty = (
        canonical(replace(record, spit=record.spit._replace(drawn=drawn))) for drawn in (None, ())
    )
    assert absent == empty
    assert absent.spit is not None


def test_a_closing_pass_is_left_out() -> None:
    """It is allowed, and says nothing."""
    for calls in (
        [["Ann", "frog"], ["Bob", "pass"], ["Cyd", "pass"]],
        [["Ann", "frog"], ["Bob", "pass"], ["Cyd", "double"], ["Ann", "pass"], ["Cyd", "pass"]],
    ):
        closed = hand("progressive", 3, None, auction=[*calls, ["Ann", "pass"]], points=80)
        assert kept(closed)["auction"] == calls
    stands = [["Ann", "frog"], ["Bob", "double"], ["Cyd", "pass"], ["Ann", "pass"]]
    assert kept(hand("progressive", 3, None, auction=stands, points=80))["auction"] == stands


def test_default_house_rules_are_left_out() -> None:
    """Also those of the variant, and the variant itself if it is the first."""
    assert "rules" not in kept(six(3, "solo", 74, rules="hoyle"))
    assert kept(six(3, "solo", 74, rules="pagat"))["rules"] == "pagat"
    stated = kept(six(3, "solo", 74, rules="pagat", options={"hearts_in_solo": True}))
    assert "options" not in stated
    pots = {"options": {"pots": {"stake": 2}}, "pots": {"frog": 3, "solo": 5}}
    full = kept(hand("progressive", 3, {"bidder": "Ann", "bid": "frog"}, points=80, **pots))
    assert full["options"]["pots"]["stake"] == 2
    assert full["pots"] == {"frog": 3, "solo": 5}


def test_the_players_who_have_been_under_are_in_the_order_of_the_seats() -> None:
    """The order in which they were under follows from the deals."""
    record = HandRecord.from_mapping(crazy(5, "blind", 74))
    hand_of = replace(record, blind_round=BlindRound(("Dee", "Bob"), 0))
    assert canonical(hand_of).blind_round == BlindRound(("Bob", "Dee"), 0)


def test_a_known_part_of_a_deal_is_kept_in_order() -> None:
    """Unknown cards come last, a widow that follows is left out, and a place without a card, too."""
    hands = {"Bob": "? AS " + "? " * 9, "Ann": "? " * 11}
    deal = kept(six(3, "solo", 74, deal={"hands": hands, "widow": "? 7H ?"}))["deal"]
    assert deal == {"hands": {"Bob": "AS " + "? " * 9 + "?"}, "widow": "7H ? ?"}
    assert "deal" not in kept(six(3, "solo", 74, deal={"hands": {"Ann": "? " * 11}}))
    assert "deal" not in kept(six(3, "solo", 74, deal={}))


def test_a_refused_record_keeps_what_it_states() -> None:
    """Only defaults are left out; with an unknown game or house rule not even these."""
    stated = six(3, "solo", 74, rules="hoyle", points_against=40)
    assert kept(stated) == HandRecord.from_mapping(stated | {"rules": None}).to_mapping()
    for wrong in ({"game": "x"}, {"options": {"x": 1}}, {"active": ["Ann"]}):
        record = HandRecord.from_mapping(stated | wrong)
        assert canonical(record) == record


def test_time_and_note_are_kept() -> None:
    """They belong to the hand, and follow from nothing."""
    record = HandRecord.from_mapping(six(3, "solo", 74, note="late"))
    record = replace(record, played_at=datetime(2026, 1, 31, 20, 15, tzinfo=UTC))
    assert canonical(record).note == "late"
    assert canonical(record).played_at == record.played_at


def test_the_exchange_of_a_call_solo_is_completed_and_shows_the_deal() -> None:
    """The card that came back follows from deal and tricks; a called card in the widow was not exchanged."""
    house = House("six-bid", 3)
    rng = dice("call solo")
    results: set[bool] = set()
    while len(results) < 2:
        game = play(house, rng)
        record = written(house, game)
        if record.contract is None or record.contract.bid != "call-solo" or record.conceded:
            continue
        assert record.exchange is not None
        results.add(record.exchange.giver == "widow")
        right = canonical(record)
        assert right.deal is None
        assert right.exchange == record.exchange
        assert canonical(replace(record, exchange=None)) == right
        alone = canonical(replace(record, exchange=None, deal=None))
        assert (alone == right) is (record.exchange.giver == "widow")


def test_a_hand_of_a_partial_deal_is_left_out_if_the_tricks_show_it() -> None:
    """With the bidder's hand the exchange is known, too, and so is the whole deal."""
    rng = dice("partial deals")
    missing = {"frog", "call-solo"}
    while missing:
        house = House(rng.choice(["frog", "six-bid"]), 3)
        record = written(house, play(house, rng))
        assert record.deal is not None
        assert record.contract is not None
        if record.contract.bid not in missing or record.conceded or record.exchange is None:
            continue
        if record.exchange.giver == "widow":
            continue
        missing.remove(str(record.contract.bid))
        bidder = record.contract.bidder
        assert record.deal.hands is not None
        for seat, cards in record.deal.hands.items():
            deal = Deal({seat: cards})
            right = canonical(replace(record, deal=deal, exchange=None))
            if record.contract.bid == "frog":
                assert right.deal is None
                assert (right == canonical(record)) is (seat == bidder)
            else:
                assert right.deal is not None or right == canonical(record)


VOID: list[dict[str, object]] = [
    {},
    {"contract": {"bidder": "Ann"}},
    {"contract": {"bid": "solo"}},
    {"contract": {"bid": "solo"}, "tricks": ["AS ? ?"]},
    {"deal": {"hands": {"Ann": "AS" + " ?" * 10}}},
]


@pytest.mark.parametrize("stated", VOID)
def test_a_voided_hand_may_lack_bid_and_bidder(stated: dict[str, object]) -> None:
    """Nothing is completed in a hand that the settlement decided."""
    irregular = [{"what": "misdeal", "seat": "Ann", "settled": "void"}]
    mapping = {**hand("six-bid", 3, None), "format": 1.1, "irregular": irregular, **stated}
    right = kept(mapping)
    assert right["irregular"] == irregular
    for key in stated:
        assert key in right
    assert score(HandRecord.from_mapping(right)) == score(HandRecord.from_mapping(mapping))


def test_part_of_a_widow_is_kept_if_the_bidders_hand_is_unknown() -> None:
    """The bidder took it up, and nobody noted which three cards it had."""
    every = random_hands("frog", seed="widow")
    record = next(hand for hand in every if hand.contract and hand.contract.bid == "frog")
    assert record.deal is not None
    assert record.deal.widow is not None
    deal = Deal(None, (*record.deal.widow[:1], None, None))
    assert canonical(replace(record, deal=deal, exchange=None)).deal == deal
    known = replace(record, deal=Deal(None, record.deal.widow), exchange=None)
    assert canonical(known) == canonical(record)


def test_a_spit_deal_shows_the_deal_of_a_hand_that_all_passed() -> None:
    """There are no tricks that could show it."""
    every = random_hands("crazy-solo", seed="spit", players=5)
    record = next(
        hand for hand in every if hand.spit and hand.contract and hand.contract.bid == PASS
    )
    assert record.deal is not None
    assert canonical(record).deal is None
    assert canonical(record) == canonical(replace(record, deal=None))


def test_a_closing_pass_with_a_note_is_kept() -> None:
    """The note needs its call, also if all passed."""
    calls = [["Ann", "frog"], ["Bob", "pass"], ["Cyd", "pass"], ["Ann", "pass"]]
    closed = hand("progressive", 3, None, auction=calls, points=80)
    assert kept({**closed, "notes": [{"text": "!", "call": 4}]})["auction"] == calls
    assert kept({**closed, "notes": [{"text": "!", "call": 3}]})["auction"] == calls[:3]
    calls = [[seat, "pass"] for seat in ("Ann", "Bob", "Cyd")]
    noted = passed("six-bid", 3, auction=calls, notes=[{"text": "!", "call": 3}])
    assert kept(noted)["auction"] == calls


def test_the_cards_of_a_refused_record_are_in_order() -> None:
    """Their order means nothing, so such records of one hand are the same, too."""
    exchange = {"took": "TD 6C AH", "discarded": "9D AD TC"}
    deal = {"hands": {"Ann": "? 6S AS"}, "widow": "6C TD AH"}
    stated = six(3, "solo", 74, exchange=exchange, deal=deal)
    in_order = kept(stated)
    assert in_order["exchange"] == {"took": "AH TD 6C", "discarded": "AD 9D TC"}
    assert in_order["deal"] == {"hands": {"Ann": "AS 6S ?"}, "widow": "AH TD 6C"}
