"""Sheets and the rules they put together."""

from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.games import GAMES, find
from engine.rules.sheet import Sheet


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
