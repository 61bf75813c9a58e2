"""Crazy Solo, rule by rule."""

import pytest

from engine.cards.cards import Card
from engine.games import GAMES
from tests.engine.hands import NAMES, crazy, deltas, passed, refusal, scored

SHEET = GAMES["crazy-solo"]


def test_three_to_twelve_players_sit_at_the_table() -> None:
    """Every number from 3 to 12 has rules."""
    assert SHEET.seats == (3, 4, 5, 6, 7, 8, 9, 10, 11, 12)


@pytest.mark.parametrize(
    ("seats", "size", "out"),
    [
        (3, 36, ""),
        (4, 36, ""),
        (5, 35, "6S"),
        (6, 36, ""),
        (7, 35, "6S"),
        (8, 32, "6S 6H 6D 6C"),
        (9, 36, ""),
        (10, 30, "6S 6H 6D 6C 7S 7C"),
        (11, 33, "6S 6C 6D"),
        (12, 36, ""),
    ],
)
def test_cards_are_removed_so_that_all_are_dealt_out(seats: int, size: int, out: str) -> None:
    """The deck in play is shared out evenly, and the cards left out are worth nothing."""
    rules = SHEET.rules(None, {}, seats)
    assert len(rules.pack.cards) == size
    assert size % seats == 0
    assert rules.tricks == size // seats
    assert rules.pack.total == 120
    assert not {Card.parse(text) for text in out.split()} & set(rules.pack.cards)


def test_the_short_deck_leaves_three_players_24_cards() -> None:
    """`short_deck` leaves out 6, 7 and 8, but with three players only."""
    assert len(SHEET.rules(None, {"short_deck": True}, 3).pack.cards) == 24
    assert SHEET.rules(None, {"short_deck": True}, 3).tricks == 8
    assert len(SHEET.rules(None, {"short_deck": True}, 4).pack.cards) == 36


def test_the_bids_rise_from_solo_to_go_alone_in_hearts() -> None:
    """Four bids in ascending order, then the blind one, which nobody bids over."""
    bids = [bid.slug for bid in SHEET.rules(None, {}, 4).bids]
    assert bids == ["solo", "solo-in-hearts", "go-alone", "go-alone-in-hearts", "blind"]


def test_three_players_have_only_the_two_go_alones() -> None:
    """With three there is no partner to call."""
    assert [bid.slug for bid in SHEET.rules(None, {}, 3).bids] == [
        "go-alone",
        "go-alone-in-hearts",
        "blind",
    ]
    violation = refusal(crazy(3, "solo", 74))
    assert violation.code == "unknown-bid"
    assert violation.legal == ("go-alone", "go-alone-in-hearts", "blind")


def test_points_count_double_in_a_plain_suit() -> None:
    """(84 − 60) × 2 = 48, to the nearest 5 = 50."""
    assert deltas(crazy(4, "solo", 84)) == [50, 50, -50, -50]


@pytest.mark.parametrize(
    "bid", ["solo", "solo-in-hearts", "go-alone", "go-alone-in-hearts", "blind"]
)
def test_points_count_triple_whenever_hearts_are_trumps(bid: str) -> None:
    """(74 − 60) × 3 = 42, to the nearest 5 = 40, for both bids."""
    written = (
        crazy(5, bid, 74) if "hearts" in bid or bid == "blind" else crazy(5, bid, 74, trump="H")
    )
    assert scored(written).amount == 40


def test_the_worked_example_of_seven_players() -> None:
    """002: hearts, 74: the caller has 120, the partner 80, five pay 40 each."""
    verdict = scored(crazy(7, "solo-in-hearts", 74, called="AH"))
    assert list(verdict.deltas.values()) == [120, 80, -40, -40, -40, -40, -40]
    assert verdict.explanation == (
        "74 card points, 14 over 60",
        "× 3 for hearts = 42",
        "to the nearest 5 = 40",
        "Ann is paid by Cyd, Dee and Eve; Bob by Fay and Gus",
    )


def test_the_sign_is_kept_apart_when_rounding() -> None:
    """33 under 60 in diamonds is 66 and rounds to 65, as 33 over would."""
    assert deltas(crazy(5, "solo", 27, trump="D")) == [-130, -65, 65, 65, 65]
    assert scored(crazy(5, "solo", 93, trump="D")).amount == 65


def test_a_loss_is_explained_by_who_pays_whom() -> None:
    """The payments to the caller and to the partner are separate."""
    last = scored(crazy(5, "solo", 27, trump="D")).explanation[-1]
    assert last == "Ann pays Cyd and Dee; Bob pays Eve"


@pytest.mark.parametrize("points", [60, 61, 59])
def test_what_rounds_to_nothing_is_tied(points: int) -> None:
    """2 rounds to 0: nobody pays, and 61 is no win."""
    verdict = scored(crazy(4, "solo", points))
    assert (verdict.outcome, verdict.amount, verdict.transfers) == ("tied", 0, ())
    assert verdict.explanation[-1] == "nothing is paid: tied"


def test_61_in_hearts_rounds_up_and_is_won() -> None:
    """3 is nearer to 5 than to 0."""
    verdict = scored(crazy(4, "solo-in-hearts", 61))
    assert (verdict.outcome, verdict.amount) == ("won", 5)


def test_rounding_can_be_switched_off() -> None:
    """`rounding = 0` pays the exact difference, and then only 60 is tied."""
    exact = {"rounding": 0}
    assert scored(crazy(4, "solo", 61, options=exact)).amount == 2
    assert scored(crazy(4, "solo", 61, options=exact)).outcome == "won"
    assert scored(crazy(4, "solo", 60, options=exact)).outcome == "tied"
    assert "to the nearest" not in " ".join(scored(crazy(4, "solo", 74, options=exact)).explanation)


def test_a_table_that_does_not_round_reads_nothing_of_the_nearest_5() -> None:
    """The sentence on its report states the table's way, and no other."""
    (rounding,) = (option for option in SHEET.options if option.slug == "rounding")
    assert rounding.sentence(0).endswith(": not rounded.")
    assert "5" not in rounding.sentence(0)
    assert rounding.sentence(5).endswith(": to the nearest 5.")


@pytest.mark.parametrize("seats", range(4, 13))
def test_the_caller_settles_with_the_larger_half_of_the_gang(seats: int) -> None:
    """Of g gang players ⌈g/2⌉ are the caller's and ⌊g/2⌋ the partner's."""
    gang = seats - 2
    got = deltas(crazy(seats, "solo", 65))
    assert got[:2] == [10 * ((gang + 1) // 2), 10 * (gang // 2)]
    assert got[2:] == [-10] * gang


def test_the_caller_takes_the_first_gang_seats_clockwise() -> None:
    """From Gus clockwise past the partner Cyd: Ann, Bob and Dee are the caller's."""
    verdict = scored(crazy(7, "solo-in-hearts", 74, bidder="Gus", partner="Cyd"))
    assert [pay.payer for pay in verdict.transfers if pay.payee == "Gus"] == ["Ann", "Bob", "Dee"]
    assert [pay.payer for pay in verdict.transfers if pay.payee == "Cyd"] == ["Eve", "Fay"]


@pytest.mark.parametrize("seats", range(3, 13))
def test_who_goes_alone_settles_with_everybody(seats: int) -> None:
    """N − 1 in the gang all pay the caller."""
    assert deltas(crazy(seats, "go-alone", 65)) == [10 * (seats - 1)] + [-10] * (seats - 1)


def test_a_caller_of_an_own_card_plays_alone() -> None:
    """`alone` takes the partner's place in both solos."""
    verdict = scored(crazy(8, "solo", 92, trump="C", called="AC", partner=None, alone=True))
    assert list(verdict.deltas.values()) == [455] + [-65] * 7
    assert verdict.partner is None


def test_a_solo_needs_its_partner() -> None:
    """Without partner and `alone` the record is refused with the possible partners."""
    violation = refusal(crazy(4, "solo", 74, partner=None))
    assert (violation.code, violation.field) == ("partner-missing", "contract.partner")
    assert violation.message == "Say who held the called card, or that the caller played alone."
    assert violation.legal == ("Bob", "Cyd", "Dee")


def test_the_caller_cannot_be_the_partner() -> None:
    """Refused at the partner, with the others as choices."""
    violation = refusal(crazy(4, "solo", 74, partner="Ann"))
    assert (violation.code, violation.field) == ("partner-is-caller", "contract.partner")
    assert violation.legal == ("Bob", "Cyd", "Dee")


def test_nobody_is_partner_of_a_caller_who_plays_alone() -> None:
    """Neither in a go-alone nor with `alone`; and a go-alone cannot be denied."""
    assert refusal(crazy(4, "go-alone", 74, partner="Bob")).code == "partner-not-allowed"
    assert refusal(crazy(4, "solo", 74, alone=True)).code == "partner-not-allowed"
    assert refusal(crazy(4, "go-alone", 74, alone=False)).code == "always-alone"
    assert scored(crazy(4, "go-alone", 74, alone=True)).amount == 30


def test_the_called_card_must_be_in_the_deck_in_play() -> None:
    """With seven players the six of spades is out."""
    violation = refusal(crazy(7, "solo", 74, called="6S"))
    assert violation.code == "called-card-not-in-deck"
    assert violation.where == {"field": "contract.called", "card": "6S"}
    assert scored(crazy(4, "solo", 74, called="6S")).outcome == "won"


def test_a_go_alone_calls_no_card() -> None:
    """A called card is refused."""
    assert refusal(crazy(4, "go-alone", 74, called="AH")).code == "calls-no-card"


def test_hearts_may_be_trumps_in_the_plain_bids() -> None:
    """By default in solo and go-alone; `hearts_in_solo = false` forbids it."""
    off = {"hearts_in_solo": False}
    assert scored(crazy(4, "solo", 74, trump="H")).amount == 40
    for bid in ("solo", "go-alone"):
        violation = refusal(crazy(4, bid, 74, trump="H", options=off))
        assert (violation.code, violation.legal) == ("trump-not-allowed", ("S", "D", "C"))
    assert scored(crazy(4, "solo-in-hearts", 74, options=off)).amount == 40


def test_hearts_follow_from_the_bid() -> None:
    """In the bids in hearts the trump may be left out, and no other be named."""
    assert scored(crazy(4, "solo-in-hearts", 74, trump="H")).amount == 40
    assert refusal(crazy(4, "go-alone-in-hearts", 74, trump="S")).code == "trump-not-allowed"


def test_a_plain_bid_needs_its_trump() -> None:
    """Refused with the four suits."""
    violation = refusal(crazy(4, "solo", 74, trump=None))
    assert (violation.code, violation.legal) == ("trump-missing", ("S", "H", "D", "C"))


def test_blind_is_played_in_hearts_by_the_player_on_the_lead() -> None:
    """They call a card as usual; nobody else may."""
    assert deltas(crazy(5, "blind", 120, partner="Cyd", called="AH")) == [
        360,
        -180,
        180,
        -180,
        -180,
    ]
    violation = refusal(crazy(5, "blind", 120, bidder="Bob", partner="Cyd"))
    assert (violation.code, violation.legal) == ("not-on-the-lead", ("Ann",))


def test_blind_with_three_players_is_played_alone() -> None:
    """No partner with three."""
    assert deltas(crazy(3, "blind", 70)) == [60, -30, -30]
    assert refusal(crazy(3, "blind", 70, partner="Bob")).code == "partner-not-allowed"


def test_the_lead_moves_one_seat_left_and_the_old_lead_deals() -> None:
    """Ann led, so Ann deals and Bob leads."""
    assert scored(crazy(5, "solo", 74)).next == ("Ann", "Bob")


def test_after_an_all_pass_the_same_dealer_deals_to_the_same_lead() -> None:
    """The cards are thrown in and nothing is paid."""
    verdict = scored(passed("crazy-solo", 5))
    assert verdict.next == ("Eve", "Ann")
    assert (verdict.outcome, verdict.amount) == ("passed-out", 0)
    assert set(verdict.deltas.values()) == {0}
    assert verdict.explanation == ("all passed: the hand is thrown in",)


def test_everyone_at_the_table_plays() -> None:
    """Nobody sits out; naming all as active changes nothing, naming fewer is refused."""
    table = SHEET.rules(None, {}, 5).table(NAMES[:5], "Eve")
    assert (table.active, table.idle, table.lead) == (NAMES[:5], (), "Ann")
    assert scored(crazy(4, "solo", 74, active=list(NAMES[:4]))).amount == 30
    assert refusal(crazy(4, "solo", 74, active=list(NAMES[:3]))).code == "active-seats"


def test_a_hand_is_played_to_the_end() -> None:
    """Nobody may give up a hand that is paid by the point."""
    assert refusal(crazy(4, "solo", 74, conceded="opponents")).code == "not-concedable"


def test_crazy_solo_has_no_variants() -> None:
    """Naming one is refused."""
    assert SHEET.default_variant is None
    assert refusal(crazy(4, "solo", 74, rules="pagat")).code == "unknown-variant"


def test_points_are_those_of_caller_and_partner() -> None:
    """The message names the points to count."""
    bids = SHEET.rules(None, {}, 4).by_slug
    assert bids["solo"].counts == "card points of caller and partner"
    assert bids["go-alone"].counts == "card points of the caller"
    assert (bids["solo"].calls_card, bids["solo"].has_partner) == (True, True)
    assert (bids["go-alone"].calls_card, bids["go-alone"].has_partner) == (False, False)
