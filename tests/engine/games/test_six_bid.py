"""Six-Bid Solo, rule by rule."""

from typing import Any

import pytest

from engine.games import GAMES
from tests.engine.hands import NAMES, deltas, passed, refusal, scored, six

SHEET = GAMES["six-bid"]


def test_three_to_seven_sit_at_the_table() -> None:
    """The sources name 3, 4, 5 and 7."""
    assert SHEET.seats == (3, 4, 5, 6, 7)
    assert refusal(six(8, "solo", 74)).code == "table-size"


def test_the_six_bids_rise_from_solo_to_call_solo() -> None:
    """In ascending order, in both variants."""
    for variant in ("hoyle", "pagat"):
        bids = [bid.slug for bid in SHEET.rules(variant, {}, 3).bids]
        assert bids == ["solo", "heart-solo", "misere", "guarantee", "spread-misere", "call-solo"]


@pytest.mark.parametrize(
    ("bid", "points", "hoyle", "pagat"),
    [
        ("solo", 74, 14, 28),
        ("solo", 46, 14, 28),
        ("heart-solo", 74, 28, 42),
        ("heart-solo", 46, 28, 42),
        ("misere", 0, 40, 30),
        ("guarantee", 80, 40, 40),
        ("spread-misere", 0, 60, 60),
        ("call-solo", 120, 100, 100),
    ],
)
def test_the_two_tariffs(bid: str, points: int, hoyle: int, pagat: int) -> None:
    """Each bid's price in each variant; hoyle is the default."""
    assert scored(six(3, bid, points)).amount == hoyle
    assert scored(six(3, bid, points, rules="hoyle")).amount == hoyle
    assert scored(six(3, bid, points, rules="pagat")).amount == pagat


def test_call_solo_in_hearts_pays_150() -> None:
    """In every variant."""
    for variant in ("hoyle", "pagat"):
        assert scored(six(3, "call-solo", 120, trump="H", rules=variant)).amount == 150


@pytest.mark.parametrize("bid", ["solo", "heart-solo"])
def test_exactly_60_moves_nothing(bid: str) -> None:
    """Hoyle calls it won, pagat tied."""
    won, tied = scored(six(4, bid, 60)), scored(six(4, bid, 60, rules="pagat"))
    assert (won.outcome, won.amount, won.transfers) == ("won", 0, ())
    assert (tied.outcome, tied.amount, tied.transfers) == ("tied", 0, ())
    assert won.explanation == ("60 card points, exactly half", "nothing is paid: won")


def test_points_are_not_rounded() -> None:
    """61 wins one point."""
    assert scored(six(3, "solo", 61)).amount == 1
    assert scored(six(3, "solo", 59)).explanation == (
        "59 card points, 1 under 60",
        "× 1 a point = 1",
        "Ann pays Bob and Cyd",
    )


@pytest.mark.parametrize(
    ("trump", "points", "outcome"),
    [("H", 74, "won"), ("H", 73, "lost"), ("S", 80, "won"), ("S", 79, "lost"), ("C", 120, "won")],
)
def test_guarantee_needs_74_in_hearts_and_80_in_another_suit(
    trump: str, points: int, outcome: str
) -> None:
    """The price is the same however many points it is made or missed by."""
    verdict = scored(six(3, "guarantee", points, trump=trump))
    assert (verdict.outcome, verdict.amount) == (outcome, 40)


def test_a_missed_guarantee_says_by_how_much() -> None:
    """The needed number stands in the explanation."""
    first = scored(six(3, "guarantee", 79, trump="D")).explanation[0]
    assert first == "79 card points of the 80 needed in diamonds: 1 short"


@pytest.mark.parametrize("bid", ["misere", "spread-misere"])
def test_a_misere_is_lost_by_any_card_point(bid: str) -> None:
    """And won without any."""
    assert scored(six(3, bid, 0)).outcome == "won"
    assert scored(six(3, bid, 2)).outcome == "lost"
    assert scored(six(3, bid, 2)).explanation[0] == "2 card points in tricks: broken"


def test_a_worthless_trick_does_not_break_a_misere() -> None:
    """Unless `misere_by_tricks` is on."""
    assert scored(six(3, "misere", 0, tricks_won=2)).outcome == "won"
    strict = {"misere_by_tricks": True}
    assert scored(six(3, "misere", 0, tricks_won=2, options=strict)).outcome == "lost"
    won = scored(six(3, "misere", 0, tricks_won=0, options=strict))
    assert (won.outcome, won.explanation[0]) == ("won", "no tricks won: made")
    assert scored(six(3, "misere", 4, options=strict)).outcome == "lost"


def test_a_misere_by_tricks_needs_the_number_of_tricks() -> None:
    """No points may still be a trick worth nothing."""
    strict = {"misere_by_tricks": True}
    assert refusal(six(3, "misere", 0, options=strict)).field == "tricks_won"
    assert "tricks_won" in SHEET.rules(None, strict, 3).by_slug["misere"].result_keys
    assert "tricks_won" not in SHEET.rules(None, {}, 3).by_slug["misere"].result_keys


def test_points_and_tricks_won_fit_each_other() -> None:
    """Three cards a trick, and the widow where it counts: so many tricks hold no more, and no less."""
    for bid, points, tricks in (("solo", 65, 0), ("solo", 70, 11), ("misere", 60, 1)):
        violation = refusal(six(3, bid, points, tricks_won=tricks))
        assert (violation.code, violation.field) == ("tricks-against-points", "tricks_won")
    assert refusal(six(3, "misere", 34, tricks_won=1)).message == (
        "With 1 trick the bidder has 0 to 33 card points in tricks, so it cannot be 34."
    )
    assert scored(six(3, "misere", 33, tricks_won=1)).outcome == "lost"
    assert scored(six(3, "solo", 33, tricks_won=0)).amount == 27
    assert scored(six(3, "solo", 120, tricks_won=11)).amount == 60


def test_card_points_lie_in_a_trick() -> None:
    """Four points and no trick cannot both be true; nor twelve tricks of eleven."""
    assert refusal(six(3, "misere", 4, tricks_won=0)).code == "tricks-against-points"
    assert refusal(six(3, "misere", 4, tricks_won=12)).code == "tricks-won-out-of-range"
    assert refusal(six(3, "misere", 4, tricks_won=-1)).code == "tricks-won-out-of-range"


def test_the_widow_counts_for_the_bidder_except_in_the_miseres() -> None:
    """The message names the points to count."""
    bids = SHEET.rules(None, {}, 3).by_slug
    for slug in ("solo", "heart-solo", "guarantee", "call-solo"):
        assert bids[slug].counts == "card points in tricks and widow"
    for slug in ("misere", "spread-misere"):
        assert bids[slug].counts == "card points in tricks"
    assert all("points" in bid.result_keys for bid in bids.values())


def test_in_a_misere_the_widow_takes_up_the_rest() -> None:
    """Three cards can be worth 4 or 33, but not 1, 29 or 60."""
    assert scored(six(3, "misere", 0, points_against=116)).outcome == "won"
    assert scored(six(3, "misere", 0, points_against=87)).outcome == "won"
    assert scored(six(3, "misere", 0, points_against=120)).outcome == "won"
    for against in (91, 60):
        violation = refusal(six(3, "misere", 0, points_against=against))
        assert (violation.code, violation.field) == ("points-do-not-add-up", "points_against")
        assert "widow" in violation.message


def test_call_solo_needs_every_point() -> None:
    """118 are two short."""
    verdict = scored(six(3, "call-solo", 118))
    assert (verdict.outcome, verdict.amount) == ("lost", 100)
    assert verdict.explanation[0] == "118 card points of 120: 2 short"


def test_hearts_in_solo_hangs_on_the_variant() -> None:
    """Off in hoyle, on in pagat, at the solo rate; each can be switched."""
    assert refusal(six(3, "solo", 74, trump="H")).code == "trump-not-allowed"
    assert scored(six(3, "solo", 74, trump="H", options={"hearts_in_solo": True})).amount == 14
    assert scored(six(3, "solo", 74, trump="H", rules="pagat")).amount == 28
    off = {"hearts_in_solo": False}
    assert refusal(six(3, "solo", 74, trump="H", rules="pagat", options=off)).legal == (
        "S",
        "D",
        "C",
    )


def test_a_misere_has_no_trumps() -> None:
    """And calls no card."""
    assert refusal(six(3, "misere", 0, trump="S")).code == "trump-not-allowed"
    assert refusal(six(3, "misere", 0, called="AS")).code == "calls-no-card"


def test_call_solo_calls_a_card() -> None:
    """Any of the 36; it does not touch the result."""
    assert scored(six(3, "call-solo", 120, called="AD")).amount == 100
    exchange = {"from": "Bob", "returned": "6D"}
    assert scored(six(3, "call-solo", 120, called="AD", exchange=exchange)).amount == 100


@pytest.mark.parametrize("bid", ["misere", "spread-misere", "call-solo"])
def test_a_lost_misere_or_call_solo_may_be_conceded_at_the_same_price(bid: str) -> None:
    """Without a count."""
    verdict = scored(six(4, bid, conceded="bidder"))
    full = scored(six(4, bid, 4))
    assert (verdict.outcome, verdict.amount, verdict.points) == ("lost", full.amount, None)
    assert verdict.deltas == full.deltas
    assert verdict.explanation[0] == "conceded by the bidder"


@pytest.mark.parametrize("bid", ["solo", "heart-solo", "guarantee"])
def test_other_bids_are_not_conceded_by_the_bidder(bid: str) -> None:
    """They are played to the end."""
    assert refusal(six(4, bid, 40, conceded="bidder")).code == "not-concedable"
    assert "bidder" not in SHEET.rules(None, {}, 3).by_slug[bid].concessions


@pytest.mark.parametrize("bid", ["misere", "guarantee", "spread-misere", "call-solo"])
def test_opponents_may_concede_what_has_one_price(bid: str) -> None:
    """It counts as won; a bid by the point cannot be priced so."""
    assert scored(six(4, bid, conceded="opponents")).outcome == "won"
    assert refusal(six(4, "solo", 70, conceded="opponents")).legal == ()


@pytest.mark.parametrize(
    ("bid", "points", "by"),
    [
        ("misere", 4, "opponents"),
        ("call-solo", 120, "bidder"),
    ],
)
def test_nobody_concedes_what_is_decided_the_other_way(bid: str, points: int, by: str) -> None:
    """Points so far only grow."""
    assert refusal(six(4, bid, points, conceded=by)).code == "concession-too-late"


def test_opponents_do_not_give_up_what_they_have_beaten() -> None:
    """A point of theirs beats a call solo, more than is left a guarantee, by tricks a trick a misère."""
    by_tricks = {"options": {"misere_by_tricks": True}}
    cases: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("call-solo", {"points_against": 11}, "With 11 card points on the other side the hand"),
        ("guarantee", {"points_against": 41}, "With 41 card points on the other side the hand"),
        ("misere", {"tricks_won": 1, **by_tricks}, "With 1 trick of the bidder's the hand"),
    )
    for bid, more, message in cases:
        violation = refusal(six(4, bid, conceded="opponents", **more))
        assert violation.code == "concession-too-late"
        assert violation.message.startswith(message)
    hearts: dict[str, Any] = {"trump": "H", "conceded": "opponents"}
    assert scored(six(4, "guarantee", points_against=46, **hearts)).outcome == "won"
    assert refusal(six(4, "guarantee", points_against=47, **hearts)).code == "concession-too-late"
    assert scored(six(4, "call-solo", points_against=11, conceded="bidder")).outcome == "lost"


def test_points_so_far_may_stand_beside_a_concession() -> None:
    """As long as they do not contradict it; both sides' make no more than there are."""
    assert scored(six(4, "guarantee", 50, points_against=20, conceded="opponents")).amount == 40
    over = six(4, "guarantee", 90, points_against=40, conceded="opponents")
    assert refusal(over).code == "points-do-not-add-up"
    assert scored(six(4, "misere", 0, conceded="bidder")).points == 0
    assert scored(six(4, "misere", 4, conceded="bidder")).outcome == "lost"
    assert scored(six(4, "guarantee", 50, conceded="opponents")).outcome == "won"
    assert scored(six(4, "guarantee", 90, conceded="opponents")).outcome == "won"
    assert refusal(six(4, "call-solo", 121, conceded="bidder")).code == "points-out-of-range"


@pytest.mark.parametrize("bid", ["misere", "guarantee", "spread-misere", "call-solo"])
def test_what_has_one_price_need_only_be_made_or_lost(bid: str) -> None:
    """Nobody counts how clearly: the price is the same."""
    for made, counted in ((True, 0), (False, 4)) if "misere" in bid else ((True, 120), (False, 40)):
        said = scored(six(4, bid, None, made=made))
        by_points = scored(six(4, bid, counted))
        assert (said.outcome, said.deltas) == (by_points.outcome, by_points.deltas)
        assert said.explanation[0] == f"the contract was {'made' if made else 'lost'}"
        both = scored(six(4, bid, counted, made=made))
        assert both.explanation == by_points.explanation


def test_a_misere_by_tricks_need_only_be_made_or_lost() -> None:
    """Then the number of tricks need not be stated."""
    by_tricks = {"misere_by_tricks": True}
    assert scored(six(3, "misere", None, made=True, options=by_tricks)).outcome == "won"
    assert scored(six(3, "misere", None, made=False, tricks_won=1, options=by_tricks)).amount == 40


@pytest.mark.parametrize(
    ("bid", "said", "code"),
    [
        ("solo", {"made": True}, "must-be-counted"),
        ("misere", {"made": True, "points": 4}, "made-differs"),
        ("misere", {"made": True, "conceded": "bidder"}, "made-differs"),
        ("guarantee", {"made": False, "points": 80}, "made-differs"),
        ("call-solo", {"made": True, "points_against": 11}, "made-differs"),
    ],
)
def test_made_or_lost_is_held_against_all_else_that_is_said(
    bid: str, said: dict[str, Any], code: str
) -> None:
    """It is not shown if points are paid."""
    assert refusal(six(3, bid, said.pop("points", None), **said)).code == code


def test_a_win_is_paid_by_the_active_opponents_only() -> None:
    """Four at the table: +2 to win."""
    assert deltas(six(4, "solo", 70)) == [20, -10, -10, 0]


def test_a_loss_is_paid_to_everyone_at_the_table() -> None:
    """Four at the table: −3 to lose, the king included; seven: −6."""
    verdict = scored(six(4, "solo", 50))
    assert list(verdict.deltas.values()) == [-30, 10, 10, 10]
    assert verdict.explanation[-1] == "Dee sits out and is paid too"
    assert deltas(six(7, "misere", 4)) == [-240, 40, 40, 40, 40, 40, 40]
    assert scored(six(5, "misere", 4)).explanation[-1] == "Dee and Eve sit out and are paid too"


def test_those_who_sit_out_need_not_be_paid() -> None:
    """`idle_paid_on_loss = false`."""
    assert deltas(six(4, "solo", 50, options={"idle_paid_on_loss": False})) == [-20, 10, 10, 0]


def test_the_three_seats_after_the_dealer_are_active() -> None:
    """The rest sit out, the dealer among them."""
    table = SHEET.rules(None, {}, 5).table(NAMES[:5], "Bob")
    assert (table.active, table.idle, table.lead) == (("Cyd", "Dee", "Eve"), ("Ann", "Bob"), "Cyd")


def test_a_record_may_name_another_active_trio() -> None:
    """In any order; eldest is still the first clockwise from the dealer."""
    assert deltas(six(5, "solo", 70, active=["Eve", "Ann", "Cyd"])) == [20, 0, -10, 0, -10]
    table = SHEET.rules(None, {}, 5).table(NAMES[:5], "Bob", ("Bob", "Ann", "Dee"))
    assert (table.active, table.idle) == (("Dee", "Ann", "Bob"), ("Cyd", "Eve"))


@pytest.mark.parametrize("active", [["Ann", "Bob"], ["Ann", "Ann", "Bob"], list(NAMES[:4]), []])
def test_an_active_trio_is_three_different_seats(active: list[str]) -> None:
    """Two, four, none, or one of them twice are refused."""
    violation = refusal(six(4, "solo", 70, active=active))
    assert (violation.code, violation.field) == ("active-seats", "active")


def test_a_bidder_who_sat_out_is_refused() -> None:
    """With the active seats as choices."""
    violation = refusal(six(4, "solo", 70, bidder="Dee"))
    assert violation.code == "bidder-sat-out"
    assert violation.where == {"field": "contract.bidder", "seat": "Dee"}
    assert violation.legal == ("Ann", "Bob", "Cyd")


def test_a_bidder_of_six_bid_has_no_partner() -> None:
    """Everybody plays alone."""
    assert refusal(six(4, "solo", 70, partner="Bob")).code == "partner-not-allowed"


def test_the_deal_moves_left_after_a_played_hand() -> None:
    """And eldest leads; with four the new dealer sits out."""
    assert scored(six(4, "solo", 70)).next == ("Ann", "Bob")


def test_after_an_all_pass_the_deal_moves_left() -> None:
    """`all_pass = "same-dealer"` keeps it."""
    assert scored(passed("six-bid", 4)).next == ("Ann", "Bob")
    assert scored(passed("six-bid", 4, options={"all_pass": "same-dealer"})).next == ("Dee", "Ann")


def test_every_house_rule_of_the_sheet_is_declared_with_its_default() -> None:
    """By the slugs and defaults of the rules sheet, in both variants."""
    hoyle = {option.slug: option.default for option in SHEET.options_of("hoyle")}
    assert hoyle == {
        "hearts_in_solo": False,
        "idle_paid_on_loss": True,
        "misere_by_tricks": False,
        "call_own_card": False,
        "all_pass": "next-dealer",
        "auction": "duel",
        "deal_pattern": "4-3-(3)-4",
    }
    pagat = {option.slug: option.default for option in SHEET.options_of("pagat")}
    assert pagat == hoyle | {"hearts_in_solo": True}


@pytest.mark.parametrize(
    ("slug", "value"),
    [("auction", "rotation"), ("deal_pattern", "4-(3)-3-4"), ("call_own_card", True)],
)
def test_house_rules_of_deal_and_auction_leave_the_result_alone(slug: str, value: object) -> None:
    """They are typed all the same."""
    assert scored(six(3, "solo", 70, options={slug: value})).amount == 10
    assert refusal(six(3, "solo", 70, options={slug: 3})).field == f"options.{slug}"


def test_the_hoyle_variant_is_played_by_default() -> None:
    """A record without `rules` is hoyle's; another name is refused."""
    assert SHEET.rules(None, {}, 3).variant == "hoyle"
    violation = refusal(six(3, "solo", 70, rules="goren"))
    assert (violation.code, violation.legal) == ("unknown-variant", ("hoyle", "pagat"))


def test_in_a_misere_the_points_must_agree_with_the_widow_that_nobody_counts() -> None:
    """33 points lie there, so 87 are in the tricks."""
    deal = {"widow": "AS AD AC"}
    broken = six(3, "misere", 4, deal=deal)
    assert scored(broken | {"points_against": 83}).outcome == "lost"
    against = refusal(broken | {"points_against": 86})
    assert (against.code, against.legal) == ("points-against-aside", ("83",))
    assert refusal(six(3, "misere", 90, deal=deal)).code == "points-against-aside"
    assert scored(six(3, "misere", deal=deal, conceded="bidder")).outcome == "lost"
    given_up = six(3, "misere", 90, deal=deal, conceded="bidder")
    assert scored(given_up).outcome == "lost"
