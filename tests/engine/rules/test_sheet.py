"""Sheets and the rules they put together."""

from dataclasses import replace

import pytest

from engine.cards.card_sets import BITS
from engine.cards.cards import Card, Suit
from engine.errors import Refused
from engine.games import GAMES, find
from engine.record import Contract
from engine.rules.sheet import Sheet
from tests.engine.hands import refusal, six


def test_a_game_is_found_by_its_slug() -> None:
    """An unknown one is refused with those there are."""
    assert find("six-bid") is GAMES["six-bid"]
    with pytest.raises(Refused) as refused:
        find("whist")
    (violation,) = refused.value.violations
    assert (violation.code, violation.field, violation.legal) == (
        "unknown-game",
        "game",
        tuple(GAMES),
    )


@pytest.mark.parametrize("sheet", GAMES.values())
def test_a_sheet_says_what_a_page_offers(sheet: Sheet) -> None:
    """Titles, summaries, and rules for every number of seats and every variant."""
    assert sheet.title
    assert sheet.summary.endswith(".")
    assert sheet.experimental == ("Experimental" in sheet.summary)
    for variant in sheet.variants:
        assert variant.title
        assert variant.summary.endswith(".")
    for seats in sheet.seats:
        for slug in [None, *(variant.slug for variant in sheet.variants)]:
            rules = sheet.rules(slug, {}, seats)
            assert (rules.game, rules.seats) == (sheet.slug, seats)
            assert set(rules.options) == {option.slug for option in sheet.options}
            assert all(bid.title for bid in rules.bids)


def test_rules_are_put_together_once() -> None:
    """The same agreement gives the same rules; another type of value does not slip through."""
    sheet = GAMES["crazy-solo"]
    rules = sheet.rules(None, {"hearts_in_solo": True}, 4)
    assert sheet.rules(None, {"hearts_in_solo": True}, 4) is rules
    with pytest.raises(Refused):
        sheet.rules(None, {"hearts_in_solo": 1}, 4)
    assert sheet.rules(None, {"rounding": 5}, 4).options["rounding"] == 5
    with pytest.raises(Refused):
        sheet.rules(None, {"rounding": "5"}, 4)


def test_the_store_of_rules_does_not_grow_without_end() -> None:
    """It is emptied when full, and answers as before."""
    sheet = replace(GAMES["crazy-solo"])
    sheet._built.update({number: sheet.rules(None, {}, 4) for number in range(1024)})
    assert sheet.rules(None, {"rounding": 0}, 12).seats == 12
    assert len(sheet._built) == 1


def test_only_crazy_solo_gives_each_player_chips_to_start_with() -> None:
    """Six of 5 and six of 20 (002)."""
    assert {slug: sheet.stack for slug, sheet in GAMES.items() if sheet.stack} == {
        "crazy-solo": 150
    }


@pytest.mark.parametrize("sheet", GAMES.values())
def test_cards_bind_the_bidding_in_crazy_and_german_solo_alone(sheet: Sheet) -> None:
    """A blind bid needs a heart (002); black queens, a bid in clubs and the force depend on cards (003)."""
    for seats in sheet.seats:
        binds = sheet.rules(None, {}, seats).cards_bind
        assert binds is (sheet.slug in ("crazy-solo", "german-solo"))


@pytest.mark.parametrize("sheet", GAMES.values())
def test_german_solo_alone_binds_the_called_card_and_lets_the_winner_declare_more(
    sheet: Sheet,
) -> None:
    """In the other games a called card is played like any other, and the last bid is the contract."""
    is_german = sheet.slug == "german-solo"
    ace = Card.parse("AH")
    for seats in sheet.seats:
        rules = sheet.rules(None, {}, seats)
        assert rules.may_declare_more is is_german
        for bid in rules.bids:
            if bid.calls is not None:
                contract = Contract("Ann", bid.slug, Suit.SPADES, called=ace)
                order, _ = rules.opening(bid, contract, 4, 0)
                assert order.called == (BITS[ace] if is_german else 0)


def test_a_higher_contract_than_the_last_bid_is_refused_in_six_bid() -> None:
    """Only German Solo lets the winner declare more."""
    calls = [["Ann", "solo"], ["Bob", "pass"], ["Cyd", "pass"]]
    violation = refusal(six(3, "heart-solo", 64, auction=calls))
    assert (violation.code, violation.legal) == ("contract-against-auction", ("solo",))


def test_german_solo_scores_a_declarer_where_the_others_pay_a_bidder() -> None:
    """The values that a page needs for its text and its questions."""
    games = {slug: sheet.rules(None, {}, max(sheet.seats)) for slug, sheet in GAMES.items()}
    assert [slug for slug, rules in games.items() if not rules.settlement.pays] == ["german-solo"]
    assert [slug for slug, sheet in GAMES.items() if sheet.unit == "score"] == ["german-solo"]
    called = {slug: sheet.bidder for slug, sheet in GAMES.items() if sheet.bidder != "bidder"}
    assert called == {"german-solo": "declarer", "crazy-solo": "caller"}
    for slug, rules in games.items():
        for bid in rules.bids:
            assert ("points" in bid.result_keys) != (slug == "german-solo")
