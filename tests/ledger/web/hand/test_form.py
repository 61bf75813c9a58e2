"""The hand form as a value: its choices, and the resulting draft."""

import pytest
from werkzeug.datastructures import MultiDict

from engine.games import find
from engine.record.parts import BlindRound
from engine.rules.seating import Turn
from engine.rules.sheet import Rules
from ledger.web.hand.form import HandForm
from ledger.web.hand.questions import ALONE, NOBODY
from tests.ledger.table import FOUR, SEVEN

CRAZY = find("crazy-solo").rules(None, {}, 7)
SIX = find("six-bid").rules("hoyle", {}, 4)


def due(rules: Rules, names: tuple[str, ...], dealer: str, blind: BlindRound | None = None) -> Turn:
    """Return the turn with the dealer who is due."""
    return Turn(rules.seating, rules.table(names, dealer), blind)


def crazy(**chosen: str) -> HandForm:
    """A Crazy Solo hand at seven; Gus deals, so Ann leads."""
    return HandForm.read(CRAZY, SEVEN, due(CRAZY, SEVEN, "Gus"), MultiDict(chosen))


def six(**chosen: str) -> HandForm:
    """A Six-Bid hand at four; Dee deals and sits out."""
    return HandForm.read(SIX, FOUR, due(SIX, FOUR, "Dee"), MultiDict(chosen))


def test_only_who_plays_can_be_the_bidder() -> None:
    """The king is not offered."""
    assert six().table.active == ("Ann", "Bob", "Cyd")
    assert six(bidder="Dee").fitted.chosen == {}


def test_a_bid_of_the_lead_is_offered_to_the_lead_only() -> None:
    """Blind is the player's on the lead."""
    assert "blind" in crazy(bidder="Ann").offered("bid")
    assert "blind" not in crazy(bidder="Bob").offered("bid")
    assert "bid" not in crazy(bidder="Bob", bid="blind").fitted.chosen


def test_an_implied_trump_is_stated_and_written_down_not_asked() -> None:
    """Hearts follow from the bid."""
    form = crazy(bidder="Ann", bid="solo-in-hearts")
    assert not form.asks("trump")
    assert form.draft["contract"]["trump"] == "H"


def test_only_the_trumps_a_bid_allows_are_offered() -> None:
    """No hearts in hoyle's plain solo; none at all in a misère."""
    assert six(bidder="Ann", bid="solo").offered("trump") == ("S", "D", "C")
    assert six(bidder="Ann", bid="misere", trump="S").fitted.chosen == {
        "bidder": "Ann",
        "bid": "misere",
    }


def test_called_cards_begin_with_the_trump_suit_and_come_from_the_deck_in_play() -> None:
    """With seven the six of spades is out."""
    form = crazy(bidder="Ann", bid="solo", trump="S")
    (called,) = [each for each in form.description.questions if each.name == "called"]
    near = [row for row in called.rows if form.now.near(row.near)]
    assert [(row.cards[:2], len(row.cards)) for row in near] == [(("AS", "TS"), 8)]
    others = [row for row in called.rows if row not in near]
    assert {row.words for row in others} == {"Another suit"}
    assert [len(row.cards) for row in others] == [9, 9, 9]
    assert "6S" not in form.offered("called")


def test_the_caller_is_not_offered_as_their_own_partner() -> None:
    """Partners are in the order of seats, for any caller; in the caller's place is the card of their own."""
    form = crazy(bidder="Fay", bid="solo", partner="Fay")
    assert form.offered("partner") == ("Ann", "Bob", "Cyd", "Dee", "Eve", "Gus", ALONE)
    assert "partner" not in form.fitted.chosen


def test_nothing_of_a_partner_is_asked_where_the_bid_has_none() -> None:
    """Go alone is alone."""
    form = crazy(bidder="Ann", bid="go-alone", trump="S", called="AS", partner="Bob")
    assert not form.asks("partner")
    assert not form.asks("called")
    assert form.fitted.draft["contract"] == {"bidder": "Ann", "bid": "go-alone", "trump": "S"}


def test_all_passed_is_one_choice() -> None:
    """It leaves nothing else to ask."""
    form = crazy(bidder=NOBODY, bid="solo", trump="S", points="74").fitted
    assert not form.asks("bid")
    assert form.draft == {"dealer": "Gus", "contract": {"bid": "pass"}}


def test_calling_an_own_card_is_playing_alone() -> None:
    """The partner's place holds the choice."""
    draft = crazy(bidder="Ann", bid="solo", trump="S", called="AS", partner=ALONE).draft
    assert draft["contract"]["alone"] is True
    assert "partner" not in draft["contract"]


def test_the_others_points_say_as_much_as_ours() -> None:
    """46 of theirs are 74 of ours; both are kept when both are typed."""
    form = crazy(bidder="Ann", bid="solo", trump="S", points_against="46")
    assert (form.draft["points"], form.draft["points_against"]) == (74, 46)
    both = crazy(bidder="Ann", bid="solo", trump="S", points="70", points_against="46")
    assert both.draft["points"] == 70


@pytest.mark.parametrize("bid", ["misere", "guarantee", "spread-misere", "call-solo"])
@pytest.mark.parametrize("by_tricks", [False, True])
def test_what_has_one_price_is_made_or_lost_and_never_counted(bid: str, by_tricks: bool) -> None:
    """Neither points nor tricks are asked for, also where any trick breaks a misère."""
    rules = find("six-bid").rules("hoyle", {"misere_by_tricks": by_tricks}, 4)
    form = HandForm.read(
        rules,
        FOUR,
        due(rules, FOUR, "Dee"),
        MultiDict({"bidder": "Ann", "bid": bid, "trump": "S", "points": "5", "made": "lost"}),
    ).fitted
    assert not any(form.asks(name) for name in ("points", "points_against", "tricks_won"))
    assert form.offered("made") == ("made", "lost")
    assert form.draft["made"] is False
    assert "points" not in form.draft


def test_a_conceded_hand_is_neither_made_nor_lost() -> None:
    """That is no question any more."""
    form = six(bidder="Ann", bid="misere", made="made", conceded="bidder").fitted
    assert not form.asks("made")
    assert form.draft["conceded"] == "bidder"
    assert "made" not in form.draft


def test_who_cannot_concede_is_not_offered() -> None:
    """A plain solo is played to the end."""
    assert "conceded" not in six(bidder="Ann", bid="solo", conceded="bidder").fitted.chosen


@pytest.mark.parametrize(
    ("typed", "draft"),
    [("74", 74), (" 74 ", 74), ("-3", -3), ("−3", -3), ("abc", "abc"), ("7.5", "7.5")],
)
def test_what_is_no_number_is_passed_on_as_it_was_typed(typed: str, draft: object) -> None:
    """The engine refuses it in its own words."""
    assert crazy(bidder="Ann", bid="solo", trump="S", points=typed).draft["points"] == draft


def test_a_dealer_nobody_touched_follows_the_proposal() -> None:
    """Unless the form is to be taken as it was sent."""
    body = MultiDict({"dealer": "Gus", "dealer_proposed": "Gus"})
    assert HandForm.read(CRAZY, SEVEN, due(CRAZY, SEVEN, "Ann"), body).dealer == "Ann"
    assert HandForm.read(CRAZY, SEVEN, due(CRAZY, SEVEN, "Ann"), body, as_sent=True).dealer == "Gus"
    other = MultiDict({"dealer": "Cyd", "dealer_proposed": "Gus"})
    assert HandForm.read(CRAZY, SEVEN, due(CRAZY, SEVEN, "Ann"), other).dealer == "Cyd"


def test_a_trio_nobody_touched_follows_the_dealer() -> None:
    """One that was changed stays."""
    shown = [("active_of", "Dee"), ("dealer", "Ann"), ("dealer_proposed", "Dee")]
    untouched = MultiDict([*shown, *(("active", name) for name in ("Ann", "Bob", "Cyd"))])
    assert HandForm.read(SIX, FOUR, due(SIX, FOUR, "Dee"), untouched).table.active == (
        "Bob",
        "Cyd",
        "Dee",
    )
    touched = MultiDict([*shown, *(("active", name) for name in ("Ann", "Bob", "Dee"))])
    form = HandForm.read(SIX, FOUR, due(SIX, FOUR, "Dee"), touched)
    assert form.table.active == ("Bob", "Dee", "Ann")
    assert form.draft["active"] == ["Ann", "Bob", "Dee"]


def test_a_trio_of_two_is_passed_on_to_be_refused() -> None:
    """The seats shown in the meantime are the ones that follow from the dealer."""
    body = MultiDict([("active_of", "Dee"), ("active", "Ann"), ("active", "Bob")])
    form = HandForm.read(SIX, FOUR, due(SIX, FOUR, "Dee"), body)
    assert form.draft["active"] == ["Ann", "Bob"]
    assert form.table.active == ("Ann", "Bob", "Cyd")


def test_the_form_of_a_record_is_the_record() -> None:
    """Correcting begins with the record, under the names of today."""
    record = {
        "players": ["Old", *SEVEN[1:]],
        "dealer": "Gus",
        "contract": {
            "bidder": "Old",
            "bid": "solo",
            "trump": "S",
            "called": "AS",
            "partner": "Bob",
        },
        "points": 74,
        "note": "close",
    }
    form = HandForm.of_record(CRAZY, SEVEN, record)
    assert form.draft == {
        "dealer": "Gus",
        "contract": {
            "bidder": "Ann",
            "bid": "solo",
            "trump": "S",
            "called": "AS",
            "partner": "Bob",
        },
        "points": 74,
        "note": "close",
    }


def test_the_seal_changes_with_what_is_said() -> None:
    """A payout shown for 74 is not one for 47."""
    seals = {crazy(bidder="Ann", bid="solo", trump="S", points=p).seal for p in ("74", "47", " 74")}
    assert len(seals) == 2


def test_another_lead_brings_its_dealer_with_it() -> None:
    """Dee was shown as the dealer, Ann on the lead; Cyd leads: Bob deals, and the active players follow."""
    for lead, dealer in zip(FOUR, ("Dee", *FOUR), strict=False):
        form = six(dealer="Dee", active_of="Dee", lead_of="Ann", lead=lead)
        assert (form.dealer, form.table.lead) == (dealer, lead)
        assert form.draft == {"dealer": dealer}


def test_another_dealer_brings_its_lead_with_it() -> None:
    """The lead that the page had ticked was Ann's by the rules, and nobody's choice."""
    form = six(dealer="Bob", active_of="Dee", lead_of="Ann", lead="Ann")
    assert (form.dealer, form.table.lead) == ("Bob", "Cyd")
    assert form.draft == {"dealer": "Bob"}


def test_a_trio_said_before_stays_where_the_new_lead_plays_in_it() -> None:
    """Else it gives way to the one that the lead begins."""
    said = MultiDict(
        [("dealer", "Dee"), ("active_of", "Dee"), ("lead_of", "Bob"), ("lead", "Cyd")]
        + [("active", name) for name in ("Bob", "Cyd", "Dee")]
    )
    form = HandForm.read(SIX, FOUR, due(SIX, FOUR, "Dee"), said)
    assert (form.dealer, form.table.lead, form.active) == ("Bob", "Cyd", ("Bob", "Cyd", "Dee"))
    said["lead"] = "Ann"
    form = HandForm.read(SIX, FOUR, due(SIX, FOUR, "Dee"), said)
    assert (form.dealer, form.table.lead, form.active) == ("Dee", "Ann", None)


def test_dealer_and_lead_both_said_are_both_passed_on() -> None:
    """So that impossible ones are refused in words instead of one of them being dropped."""
    form = six(dealer="Ann", active_of="Dee", lead_of="Ann", lead="Dee")
    assert form.draft == {"dealer": "Ann", "lead": "Dee"}
    agreed = six(dealer="Cyd", active_of="Dee", lead_of="Ann", lead="Dee")
    assert agreed.draft == {"dealer": "Cyd"}


def test_a_blind_round_is_begun_or_broken_off_by_one_tap() -> None:
    """Untouched it states nothing: then it goes on, or none is played."""
    assert crazy(blind_round="no", blind_shown="no").draft == {"dealer": "Gus"}
    begun = crazy(blind_round="yes", blind_shown="no")
    assert (begun.under, begun.draft) == ("Ann", {"dealer": "Gus", "blind_round": {}})
    on = due(CRAZY, SEVEN, "Gus", BlindRound(("Fay", "Gus"), 1))
    untouched = HandForm.read(
        CRAZY, SEVEN, on, MultiDict({"blind_round": "yes", "blind_shown": "yes"})
    )
    assert (untouched.under, untouched.draft) == ("Ann", {"dealer": "Gus"})
    broken = HandForm.read(CRAZY, SEVEN, on, MultiDict({"blind_round": "no", "blind_shown": "yes"}))
    assert (broken.under, broken.draft) == (None, {"dealer": "Gus", "blind_round": False})
    assert not six().may_be_blind
    assert "blind_round" not in six(blind_round="yes", blind_shown="no").draft


def test_a_blind_round_follows_the_table_until_somebody_touches_it() -> None:
    """None was played when the page was made, and now one is; another dealer can end it."""
    on = due(CRAZY, SEVEN, "Gus", BlindRound(("Fay", "Gus")))
    stale = MultiDict({"blind_round": "no", "blind_shown": "no"})
    assert HandForm.read(CRAZY, SEVEN, on, stale).under == "Ann"
    assert HandForm.read(CRAZY, SEVEN, on, MultiDict({"dealer": "Ann"})).under == "Bob"
    assert HandForm.read(CRAZY, SEVEN, on, MultiDict({"dealer": "Eve"})).under is None
