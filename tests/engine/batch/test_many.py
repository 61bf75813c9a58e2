"""`score_many`: a hand like an earlier one is answered as by itself, word for word, and among others.

The smaller form of a comparison with the engine as it was before: 20,280 hands of every game and depth and
45,258 spoiled ones, each answered and refused in the same words.
"""

import copy
import dataclasses
import json
import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

import pytest

from engine.batch import many, score_many
from engine.cards.card_sets import mask_of
from engine.cards.cards import SUITS, Card, Suit, write_cards
from engine.errors import Refused
from engine.games import GAMES, find
from engine.notation.json_text import read_jsonl
from engine.record import Contract, HandRecord
from engine.record.reading import KeysTwice
from engine.rules.changes import VERSION
from engine.rules.options import OptionKind
from engine.rules.sheet import Rules, Sheet
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from tests.engine.hands import NAMES, crazy, hand, six
from tests.engine.playing import HOUSES, House, dice, play, written
from tests.engine.test_kept import answer, records
from tests.engine.test_random_changes import CHANGES
from tests.engine.test_spoiled_hands import spoil

TABLE = House("six-bid", 4)
CARDS = ("deal", "tricks", "auction", "exchange")


def forget() -> None:
    """Forget the agreed contracts of all hands."""
    many._tables.clear()
    many._contracts.clear()


def by_mapping(mapping: object) -> dict[str, object]:
    """Score a table of plain values, and return the answer or the refusal."""
    (scored,) = score_many([mapping])
    return scored.to_mapping()


def by_record(mapping: object) -> dict[str, object]:
    """Score it as a record."""
    try:
        return score(HandRecord.from_mapping(mapping)).to_mapping()
    except Refused as refused:
        return refused.to_mapping()


@cache
def whole() -> dict[str, Any]:
    """A hand of six-bid with all its cards, which show no more than the takers of the tricks."""
    every = map(json.loads, map(json.dumps, records(TABLE, dice("whole"))))
    played = (each for each in every if each.keys() >= {"tricks"} and "conceded" not in each)
    return next(each for each in played if each["contract"]["bid"] != "call-solo")


WAYS: dict[str, tuple[House, Callable[[dict[str, Any], str | None], bool]]] = {
    "given": (TABLE, lambda swap, called: swap.get("returned", called) != called),
    "given back": (TABLE, lambda swap, called: swap.get("returned") == called),
    "in the widow": (TABLE, lambda swap, _: swap["from"] == "widow"),
    "laid away": (House("frog", 3), lambda swap, _: "discarded" in swap),
}
"""The ways in which cards change hands."""


@cache
def exchanged(way: str) -> dict[str, Any]:
    """A hand with all its cards, of which some changed hands in a certain way."""
    house, fits = WAYS[way]
    rng = dice(f"exchanged at {house}")
    while True:
        told = json.loads(json.dumps(written(house, play(house, rng)).to_mapping()))
        swap, called = told.get("exchange"), told.get("contract", {}).get("called")
        if swap and "conceded" not in told and fits(swap, called):
            return told  # type: ignore[no-any-return]


def bare() -> dict[str, Any]:
    """A hand of which nobody noted the cards."""
    return json.loads(json.dumps(six(4, "solo", 70)))  # type: ignore[no-any-return]


def series(house: House) -> Iterator[dict[str, Any]]:
    """Hands of a table and others alike: less deep, with other points, changed or spoiled somewhere."""
    rng = dice(f"alike at {house}")
    for number, record in enumerate(records(house, rng)):
        yield record
        if number % (len(CHANGES) + 1) == 0:
            scored = by_record(record)
            for points in (scored.get("points"), 60, 61, 1, True, "60"):
                yield {**record, "points": points}
                yield {key: record[key] for key in record if key not in CARDS} | {"points": points}
        for _ in range(3):
            spoiled = copy.deepcopy(record)
            spoil(spoiled, rng)
            yield spoiled


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_hand_like_one_before_is_answered_as_by_itself(house: House) -> None:
    """In every unusual form, after any other hand, and together with any other."""
    forget()
    every = [json.loads(json.dumps(mapping)) for mapping in series(house)]
    told = [*map(by_record, every)]
    assert [*map(by_mapping, every)] == told
    assert [each.to_mapping() for each in score_many(every)] == told


@pytest.mark.parametrize("way", ["cards", *WAYS])
def test_of_a_hand_like_one_before_no_record_is_made(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only its new parts are checked, and its words are read."""
    first = exchanged(way) if way in WAYS else whole()
    forget()
    (told,) = score_many([first])
    assert isinstance(told, Verdict)
    monkeypatch.setattr(HandRecord, "from_mapping", None)
    more = {"note": "the same again", "played_at": "2026-01-31T20:15:00Z", "points": told.points}
    assert score_many([{**first, **more}]) == [told]


@pytest.mark.parametrize("way", WAYS)
def test_an_exchange_is_held_against_the_cards_each_time(way: str) -> None:
    """The giver, the returned card or the discard, and whether all of that is recorded."""
    first = exchanged(way)
    forget()
    exchange, deal, seat = first["exchange"], first["deal"], first["contract"]["bidder"]
    (own, *_), widow = deal["hands"][seat].split(), deal["widow"]
    for changed in (
        *(None, {}, 7, {"from": "widow"}, {"took": own}, [*exchange.items()], widow),
        {"took": widow, "discarded": widow},
        *({**exchange, "returned": card} for card in ("?", own, widow[:2], 7)),
        *({**exchange, "from": giver} for giver in (None, seat, "Zoe", "widow", ["Ann"])),
        *({**exchange, key: f"{own} {own} {own}"} for key in ("took", "discarded")),
    ):
        told = {**first, "exchange": changed}
        assert by_mapping(told) == by_record(told)


def test_a_called_card_is_held_against_the_cards_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its holder, and whether it may be called at all."""
    forget()
    first = exchanged("given")
    contract, exchange, deal = first["contract"], first["exchange"], first["deal"]
    own = deal["hands"][contract["bidder"]][:2]
    for called in (None, own, "7 of hearts", ["7H"], 7):
        told = {**first, "contract": {**contract, "called": called}}
        assert by_mapping(told) == by_record(told)
    (given, back), hands = (contract["called"], exchange["returned"]), dict(deal["hands"])
    for seat, removed, come in ((contract["bidder"], back, given), (exchange["from"], given, back)):
        hands[seat] = hands[seat].replace(removed, come)
    dealt = {**first, "deal": {**deal, "hands": hands}}
    told = {key: dealt[key] for key in dealt if key != "exchange"}
    assert by_mapping(told) == by_record(told)
    assert by_mapping(told)["ok"] is False  # a card of one's own was called
    bare = {key: first[key] for key in first if key not in CARDS} | {"points": 120}
    told = by_record(first)
    for changed in ({}, {"contract": {**contract, "called": own}}):
        assert by_mapping(bare | changed) == by_record(bare | changed)
    monkeypatch.setattr(HandRecord, "from_mapping", None)
    assert by_mapping(first) == told


def test_what_was_agreed_at_one_table_is_known_at_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """By any players: names stand for places, if everything else is spelled the same."""
    forget()
    first, names = whole(), {"Ann": "Dee", "Bob": "guarantee", "Cyd": "Ann", "Dee": "C"}
    text = re.sub(r'"(Ann|Bob|Cyd|Dee)"', lambda name: f'"{names[name[1]]}"', json.dumps(first))
    other = json.loads(text)
    told = by_record(other)
    seated = {key: other[key] for key in ("players", "dealer", "active")}
    contract = {"bidder": seated["active"][0], "bid": "solo", "trump": "C"}
    for known in (first, {**bare(), **seated, "contract": contract}):
        assert by_mapping(known)["ok"]
    for unusual in ({"bidder": "C"}, {"bidder": "Zoe"}, {"bidder": None}, {"partner": "C"}):
        spoiled = {**other, "contract": {**other["contract"], **unusual}}
        assert by_mapping(spoiled) == by_record(spoiled)
    monkeypatch.setattr(HandRecord, "from_mapping", None)
    assert by_mapping(other) == told


ODD: list[dict[str, Any]] = [
    {"format": True},
    {"format": 1.0},
    {"format": 2},
    {"game": ["six-bid"]},
    {"game": "bridge"},
    {"dealer": "Zoe"},
    {"players": "AnnBobCydDee"},
    {"players": {"Ann": 1, "Bob": 1, "Cyd": 1, "Dee": 1}},
    {"players": ["Ann", "Bob", "Cyd", ["Dee"]]},
    {"active": "AnnBobCyd"},
    {"active": []},
    {"auction": "AS"},
    {"auction": ["AS", ["Ann", "solo"]]},
    {"auction": []},
    {"contract": {}},
    {"contract": [["bidder", "Ann"]]},
    {"contract": None},
    {"options": False},
    {"options": {}},
    {"options": {"idle_paid_on_loss": 1}},
    {"options": {"idle_paid_on_loss": True}},
    {"options": KeysTwice([("idle_paid_on_loss", True)], "idle_paid_on_loss")},
    {"note": 7},
    {"note": None},
    {"played_at": "yesterday"},
    {"points": True},
    {"points": 10**10},
    {"deal": "AS"},
    {"deal": {"hands": []}},
    {"deal": {"hands": {}, "widow": "AS"}},
    {"deal": None},
    {"tricks": None},
    {"tricks": []},
    {"tricks": "AS"},
    {"deal": None, "tricks": None},
    {"conceded": "bidder"},
    {"stopped": False},
]


@pytest.mark.parametrize("odd", ODD, ids=str)
@pytest.mark.parametrize("make", [whole, bare], ids=["cards", "points"])
def test_what_is_odd_is_told_from_what_it_is_equal_to(
    make: Callable[[], dict[str, Any]], odd: dict[str, Any]
) -> None:
    """True is not 1, nor a text a list of its letters; a second time as well."""
    forget()
    first = make()
    options = {"options": {"idle_paid_on_loss": True}}
    for mapping in (first, first | options, first | odd, first | odd, first):
        assert by_mapping(mapping) == by_record(mapping)


def test_cards_in_another_spelling_are_read_all_the_same() -> None:
    """As a list, in words, with blanks, in a trick of another length; or not in the order of the deal."""
    first = whole()
    score_many([first])
    (seat, holding), *rest = first["deal"]["hands"].items()
    for hands in (
        {seat: holding.split(), **dict(rest)},
        {seat: holding.lower(), **dict(rest)},
        {seat: holding.replace(" ", "  "), **dict(rest)},
        {seat: holding.replace(holding[:2], "?"), **dict(rest)},
        {seat: holding[3:], **dict(rest)},
        dict([*rest, (seat, holding)]),
        dict(rest),
        {**first["deal"]["hands"], "Zoe": holding},
    ):
        for deal in (
            {**first["deal"], "hands": hands},
            {"hands": hands},
            {"hands": hands, "to": 1},
            {"hands": hands, "widow": holding},
        ):
            told = {**first, "deal": deal}
            assert by_mapping(told) == by_record(told)
    tricks = [{"cards": trick["cards"]} for trick in first["tricks"]]
    for changed in (tricks, tricks[:-1], [*first["tricks"][:-1], tricks[-1]], [tricks[0]] * 11):
        assert by_mapping({**first, "tricks": changed}) == by_record({**first, "tricks": changed})


def test_tricks_of_another_size_are_not_taken_for_usual_ones() -> None:
    """Though as many, all of one size, and led by the right seats as far as the cards go."""
    first = whole()
    score_many([first])
    cards = " ".join(trick["cards"] for trick in first["tricks"]).split()
    pairs = [
        {**trick, "cards": " ".join(cards[2 * at : 2 * at + 2])}
        for at, trick in enumerate(first["tricks"])
    ]
    told = {**first, "tricks": pairs}
    assert by_mapping(told) == by_record(told)


def test_a_blind_hand_is_held_against_the_cards_each_time() -> None:
    """Nobody without a heart bids blind."""
    rules = find("crazy-solo").rules(None, {}, 3)
    contract = {"bidder": "Ann", "bid": "blind"}
    deck = sorted(rules.pack.cards, key=lambda card: (card.suit is Suit.HEARTS, card))
    for cards in (deck[::-1], deck):
        hands = {seat: cards[at * 12 : at * 12 + 12] for at, seat in enumerate(NAMES[:3])}
        masks = tuple(map(mask_of, hands.values()))
        play = rules.play(rules.by_slug["blind"], Contract("Ann", "blind"), NAMES[:3], 0, masks)
        laid: list[Card] = []
        while not play.over:
            laid.append(play.legal[0])
            play = play.after(laid[-1])
        tricks = [
            {"leader": NAMES[leader], "cards": write_cards(laid[at * 3 : at * 3 + 3])}
            for at, leader in enumerate(play.leaders[:-1])
        ]
        deal = {"hands": {seat: write_cards(holding) for seat, holding in hands.items()}}
        told = hand("crazy-solo", 3, contract, deal=deal, tricks=tricks)
        assert by_mapping(told) == by_mapping(told) == by_record(told)
    assert by_mapping(told)["ok"] is False


def test_where_cards_tell_more_they_are_read_as_a_record() -> None:
    """A called card's holder is the partner; but the same hand without cards is soon scored again."""
    told = crazy(7, "solo", 74)
    first = {**told, "contract": {**told["contract"], "called": "AH"}}  # type: ignore[dict-item]
    assert by_mapping(first) == by_mapping(first) == by_record(first)
    dealt = {**first, "deal": {"hands": {"Cyd": "AH ? ? ? ?"}}}
    assert by_mapping(dealt) == by_record(dealt)
    assert by_mapping(dealt)["ok"] is False


def test_pots_that_were_not_noted_are_missed_each_time() -> None:
    """Nothing is kept of a table where they are played for."""
    contract = {"bidder": "Ann", "bid": "frog"}
    first = hand("progressive", 3, contract, points=70, options={"pots": {"stake": 5}})
    for told in (first, first, {**first, "pots": {"frog": 3, "solo": 5}}, first):
        assert by_mapping(told) == by_record(told)
    assert by_mapping(first)["ok"] is False


def test_a_contract_that_only_true_tells_is_never_kept() -> None:
    """As a key 1 is equal to it, and is no answer to whether the caller plays alone."""
    first = hand("crazy-solo", 7, {"bidder": "Ann", "bid": "solo", "trump": "S", "called": "AS"})
    for alone in (True, 1, True):
        told = {**first, "contract": {**first["contract"], "alone": alone}, "points": 70}  # type: ignore[dict-item]
        assert by_mapping(told) == by_record(told)


def test_a_line_is_answered_as_the_engine_reads_it() -> None:
    """Two hands of one table in a row, as a file has them."""
    lines = [json.dumps(whole())] * 2
    assert [by_mapping(json.loads(line)) for line in lines] == list(map(answer, read_jsonl(lines)))


def agreements(sheet: Sheet) -> Iterator[dict[str, object]]:
    """Every choice of house rules; a group of them is left out."""
    plain = [option for option in sheet.options if option.kind is not OptionKind.GROUP]
    slugs = [option.slug for option in plain]
    choices = [option.choices or (option.default, option.least) for option in plain]
    for values in product(*choices):
        yield dict(zip(slugs, values, strict=True))


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_one_name_differ_in_nothing_but_who_sits_out(game: str) -> None:
    """With any house rules: the facts known of a contract at one table hold at the other."""
    forget()
    sheet = find(game)
    shared: dict[Hashable, Rules] = {}
    variants: list[str | None] = [each.slug for each in sheet.variants]
    for variant in variants or [None]:
        for options in agreements(sheet):
            for seats in sheet.seats:
                with suppress(Refused):  # not every choice goes with every other
                    table = hand(game, seats, {}, rules=variant, options=options)
                    seated = many._seat(table, VERSION)
                    if seated is None:
                        continue  # the cards decide more than the tricks
                    rules, name = seated.rules, seated.rules_key
                    assert rules.all_pass is None
                    assert not any(bid.has_partner for bid in rules.bids)
                    assert not any(map(rules.ranking.matadors, SUITS))
                    first = shared.setdefault(name, rules)
                    assert dataclasses.replace(first, seats=seats) == rules
    assert bool(shared) is (game not in ("crazy-solo", "german-solo"))


def test_another_rule_set_is_compared_with_none_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a file with hundreds of them costs no more for each than one with few."""
    forget()
    compared: list[object] = []

    def equal(_: Rules, other: object) -> bool:
        compared.append(other)
        return False

    monkeypatch.setattr(Rules, "__eq__", equal)
    every = [*agreements(find("six-bid"))]
    assert len(every) > 100
    for options in every:
        told = six(5, "solo", 70, options=options)
        assert by_mapping(told) == by_record(told)
    assert compared == []
