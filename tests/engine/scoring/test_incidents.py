"""Spread hands, and irregularities that decide a hand: void, lost at full value, or settled by agreement."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Refused
from engine.record import HandRecord
from engine.rules.verdict import Verdict, verdict_in_words
from engine.scoring.canonical import canonical
from engine.scoring.score import score
from tests.engine.hands import crazy, hand, passed, refusal, scored, six, violations
from tests.engine.replay.test_revokes import HANDS, SOLO, changed
from tests.engine.strategies import hands, incidents

SPREAD = HANDS[4]
"""A spread misère of Bob's with every card; Cyd leads AD, KD and 8D follow."""

GERMAN = {"bidder": "Ann", "bid": "frage", "trump": "H", "called": "AS", "partner": "Cyd"}


def event(how: str, *payments: tuple[str, str, int], seat: str | None = "Ann") -> dict[str, Any]:
    """Write a revoke and its settlement; without a seat, a misdeal."""
    one: dict[str, Any] = {"what": "revoke", "seat": seat, "settled": how}
    if seat is None:
        one = {"what": "misdeal", "settled": how}
    if payments:
        keys = ("from", "to", "amount")
        one["transfers"] = [dict(zip(keys, payment, strict=True)) for payment in payments]
    return {"irregular": [one]}


def test_the_moment_of_a_spread_hand_is_noted() -> None:
    """After a card that was played, in a bid in which the hand is laid open; the verdict is the same."""
    for card in ("AD", "8D", "8H"):
        assert scored({**SPREAD, "spread": {"after": card}}) == scored(SPREAD)
    bare = six(3, "spread-misere", 0)
    assert scored({**bare, "spread": {"after": "AD"}}) == scored(bare)


@pytest.mark.parametrize(
    ("written", "code", "legal"),
    [
        ({**SPREAD, "spread": {"after": "JS"}}, "spread-elsewhere", ()),
        ({**SOLO, "spread": {"after": "JC"}}, "no-spread", ("spread-misere",)),
        (crazy(5, "go-alone", 74, spread={"after": "AH"}), "no-spread", ()),
        (crazy(5, "go-alone", 74, spread={"after": "6S"}), "spread-elsewhere", ()),
        (six(3, "nonsense", 74, spread={"after": "AH"}), "unknown-bid", None),
        (passed("six-bid", 3, spread={"after": "AH"}), "all-passed", ()),
    ],
)
def test_a_hand_is_spread_only_where_it_can_be(
    written: dict[str, Any], code: str, legal: tuple[str, ...] | None
) -> None:
    """After a card of the hand, and in a spread misère."""
    violation = refusal(written)
    assert violation.code == code
    assert legal is None or violation.legal == legal


@pytest.mark.parametrize(
    ("written", "seat", "outcome", "points", "deltas"),
    [
        (six(4, "solo"), "Ann", "lost", 0, [-180, 60, 60, 60]),
        (six(4, "solo"), "Bob", "won", 120, [120, -60, -60, 0]),
        (six(3, "misere"), "Ann", "lost", None, [-80, 40, 40]),
        (six(3, "misere"), "Bob", "won", None, [80, -40, -40]),
        (six(3, "guarantee", 50), "Bob", "won", None, [80, -40, -40]),
        (crazy(5, "solo", 90), "Bob", "lost", 0, [-240, -120, 120, 120, 120]),
        (crazy(5, "solo"), "Cyd", "won", 120, [240, 120, -120, -120, -120]),
    ],
)
def test_the_side_that_revoked_loses_the_contract_at_full_value(
    written: dict[str, Any], seat: str, outcome: str, points: int | None, deltas: list[int]
) -> None:
    """With no points; the other side has all of them, and a bid with one price is made or lost."""
    verdict = scored({**written, **event("lost", seat=seat)})
    assert (verdict.outcome, verdict.points) == (outcome, points)
    assert [*verdict.deltas.values()] == deltas
    assert verdict.explanation[0] == f"revoke by {seat}: lost at full value"


def test_tricks_are_lost_at_full_value_too() -> None:
    """No trick for the side, or every one, and with it a slam unless the declarer asked for the partner."""
    complete = hand("german-solo", 4, GERMAN, matadors="declarers")
    for seat, more, deltas in (
        ("Cyd", {}, [-4, 0, -4, 0]),
        ("Bob", {}, [8, 0, 8, 0]),
        ("Dee", {"asked_partner": True}, [4, 0, 4, 0]),
    ):
        verdict = scored({**complete, **more, **event("lost", seat=seat)})
        assert [*verdict.deltas.values()] == deltas
    missing = refusal({**changed(complete, "matadors"), **event("lost", seat="Bob")})
    assert missing.code == "matadors-missing"


def test_what_is_stated_of_a_lost_hand_is_checked() -> None:
    """Its points need not be those of the settlement, but some hand has them."""
    assert scored({**six(3, "solo", 74), **event("lost")}).points == 0
    assert refusal({**six(3, "solo", 119), **event("lost")}).code == "miscount"
    german = hand("german-solo", 4, GERMAN, matadors="split", tricks_won=9)
    assert refusal({**german, **event("lost")}).code == "tricks-won-out-of-range"


def test_after_an_agreement_the_deal_moves_as_after_the_bid() -> None:
    """In a blind round without a heart the same dealer deals; after a blind bid the next."""
    payment = event("agreed", ("Bob", "Ann", 5), seat="Bob")
    for bid, dealer in (("go-alone", "Dee"), ("blind", "Ann")):
        assert scored({**crazy(4, bid, blind_round={}), **payment}).next.dealer == dealer
    assert scored({**passed("crazy-solo", 4), **payment}).next.dealer == "Dee"


def test_a_settlement_ends_a_hand_before_its_last_trick() -> None:
    """The tricks so far are still checked."""
    short = changed(SOLO, "points", tricks=SOLO["tricks"][:5])
    revoke = {"what": "exposed", "seat": "Bob", "card": "AC", "settled": "lost"}
    assert scored({**short, "irregular": [revoke]}).points == 0
    revoke["card"] = "TD"
    assert refusal({**short, "irregular": [revoke]}).code == "did-not-happen"


def test_all_passed_so_no_contract_is_lost() -> None:
    """Whether that is stated or follows from the auction."""
    lost = {"irregular": [{"what": "exposed", "seat": "Ann", "settled": "lost"}]}
    assert refusal(passed("six-bid", 3, **lost)).code == "nothing-to-lose"
    auction = [["Ann", "pass"], ["Bob", "pass"], ["Cyd", "pass"]]
    written = changed(passed("six-bid", 3, auction=auction), "contract")
    assert refusal({**written, **lost}).code == "nothing-to-lose"
    assert refusal({**changed(written, "auction"), **lost}).code == "contract-missing"


def check_void(verdict: Verdict, players: list[str], dealer: str) -> None:
    """Check that a hand moves nothing, and that the same dealer deals again."""
    assert (verdict.outcome, verdict.bidder, verdict.partner) == ("passed-out", None, None)
    assert (verdict.points, verdict.amount, verdict.transfers) == (None, 0, ())
    assert verdict.deltas == dict.fromkeys(players, 0)
    assert verdict.next.dealer == dealer


@pytest.mark.parametrize(
    "keys",
    [
        {"contract": None},
        {"contract": {"bid": "pass"}},
        {"contract": {"bidder": "Ann", "bid": "solo"}},
        {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S", "called": "AH"}},
        {
            "contract": {"bidder": "Ann", "bid": "solo", "trump": "S", "partner": "Bob"},
            "points": 74,
        },
    ],
)
def test_a_void_hand_counts_nothing(keys: dict[str, Any]) -> None:
    """It needs no contract, partner or result."""
    written = {**crazy(5, "solo"), **keys}
    verdict = scored({**written, **event("void", seat=None)})
    check_void(verdict, ["Ann", "Bob", "Cyd", "Dee", "Eve"], "Eve")
    assert verdict.explanation == ("misdeal: the hand does not count",)


def test_a_void_hand_leaves_the_pots_as_they_were() -> None:
    """Nobody antes."""
    keys = {"options": {"pots": {"stake": 1}}, "pots": {"frog": 3, "solo": 6}}
    contract = {"bidder": "Ann", "bid": "frog"}
    verdict = scored(hand("progressive", 3, contract, **keys, **event("void", seat=None)))
    check_void(verdict, ["Ann", "Bob", "Cyd"], "Cyd")
    assert verdict.pots == (3, 6)
    without = hand("progressive", 3, contract, options=keys["options"], **event("void"))
    assert refusal(without).code == "pots-missing"


@pytest.mark.parametrize("how", ["void", "agreed"])
def test_what_is_stated_of_a_hand_without_a_price_is_checked(how: str) -> None:
    """Its numbers, its contract, its seats."""
    payments = [("Ann", "Bob", 5)] if how == "agreed" else []
    happening = event(how, *payments, seat=None)
    for written, code in (
        (six(3, "solo", 119), "miscount"),
        (six(3, "solo", 74, trump="H"), "trump-not-allowed"),
        (six(3, "solo", 74, bidder="Zoe"), "unknown-seat"),
        (six(3, "solo", 74, active=["Ann", "Bob"]), "active-seats"),
        (passed("six-bid", 3, points=74), "all-passed"),
    ):
        assert refusal({**written, **happening}).code == code


def test_agreed_payments_replace_the_settlement() -> None:
    """The outcome is that for the bidding side, the points are those on record."""
    for payments, outcome, deltas in (
        ([("Ann", "Bob", 7), ("Ann", "Cyd", 3)], "lost", [-10, 7, 3]),
        ([("Bob", "Ann", 7)], "won", [7, -7, 0]),
        ([("Bob", "Ann", 1)], "won", [1, -1, 0]),
        ([("Ann", "Bob", 1)], "lost", [-1, 1, 0]),
        ([("Ann", "Bob", 10**9)], "lost", [-(10**9), 10**9, 0]),
        ([("Bob", "Cyd", 7)], "tied", [0, -7, 7]),
    ):
        verdict = scored({**six(3, "solo", 74), **event("agreed", *payments, seat="Bob")})
        assert (verdict.outcome, verdict.bidder, verdict.points) == (outcome, "Ann", 74)
        assert verdict.amount == 0
        assert [*verdict.deltas.values()] == deltas
        assert verdict.transfers == tuple(payments)
        assert verdict.next.dealer == "Ann"
    assert verdict.explanation == ("revoke by Bob: settled by agreement", "Bob pays Cyd 7")


def test_payments_are_agreed_without_a_contract_too() -> None:
    """After a misdeal nobody played."""
    happening = event("agreed", ("Cyd", "Ann", 5), ("Cyd", "Bob", 5), seat=None)
    verdict = scored(hand("six-bid", 3, None, **happening))
    assert (verdict.outcome, verdict.bidder) == ("passed-out", None)
    assert [*verdict.deltas.values()] == [5, 5, -10]


def test_agreed_payments_leave_the_pots_with_their_antes() -> None:
    """As if all passed."""
    keys = {"options": {"pots": {"stake": 1}}, "pots": {"frog": 3, "solo": 6}}
    happening = event("agreed", ("Bob", "Ann", 9), seat="Bob")
    verdict = scored(hand("progressive", 3, {"bidder": "Ann", "bid": "frog"}, **keys, **happening))
    assert verdict.pots == (6, 9)
    assert [*verdict.deltas.values()] == [7, -11, -2]


def test_agreed_points_of_a_game_of_scores_go_from_seat_to_seat() -> None:
    """They sum to zero, also where scores do not."""
    happening = event("agreed", ("Bob", "Ann", 3), seat="Bob")
    verdict = scored(hand("german-solo", 4, GERMAN, **happening))
    assert (verdict.outcome, [*verdict.deltas.values()]) == ("won", [3, -3, 0, 0])


def test_the_events_of_a_hand_are_explained_in_the_order_of_the_record() -> None:
    """The claim first; stored verdicts are explained alike."""
    events = [
        {"what": "exposed", "seat": "Bob", "trick": 2, "card": "AH", "settled": "play-on"},
        {"what": "out-of-turn", "seat": "Cyd", "settled": "replayed"},
    ]
    claim = {"by": "opponents", "after": 9}
    verdict = scored(six(3, "solo", 74, irregular=events, claimed=claim))
    lines = verdict.explanation
    assert lines[:3] == (
        "the opponents claimed the rest after 9 tricks",
        "exposed card by Bob in trick 2: played on",
        "play out of turn by Cyd: replayed",
    )
    assert lines[3:] == scored(six(3, "solo", 74)).explanation
    assert verdict_in_words(verdict.to_stored())["explanation"] == [*lines]


def test_an_empty_list_of_irregularities_changes_nothing() -> None:
    """It is kept as it is."""
    written = six(3, "solo", 74, irregular=[])
    assert scored(written) == scored(six(3, "solo", 74))
    assert HandRecord.from_mapping(written).to_mapping()["irregular"] == []


@pytest.mark.parametrize("how", ["void", "lost", "agreed"])
def test_a_decided_hand_is_canonical_as_it_is_stated(how: str) -> None:
    """Its verdict does not depend on the rest, so nothing is known to follow from anything."""
    payments = [("Cyd", "Ann", 5)] if how == "agreed" else []
    record = HandRecord.from_mapping({**changed(SOLO, "rules"), **exposed(how, *payments)})
    assert replace(canonical(record), deal=record.deal) == record  # the deal is put in order


def exposed(how: str, *payments: tuple[str, str, int]) -> dict[str, Any]:
    """Write an exposed card of Cyd's and its settlement."""
    one = event(how, *payments, seat="Cyd")["irregular"][0]
    return {"irregular": [{**one, "what": "exposed"}]}


def test_all_that_is_wrong_with_the_events_is_named_at_once() -> None:
    """And nothing that follows from them."""
    claim = {"by": "Ann", "after": 12}
    written = six(3, "solo", claimed=claim, spread={"after": "AH"}, **event("lost", seat=None))
    codes = [violation.code for violation in violations(written)]
    assert codes == ["claim-too-much", "irregularity-unclear"]


@settings(max_examples=200)
@given(st.data())
def test_whatever_the_events_a_hand_is_scored_or_refused(data: st.DataObject) -> None:
    """With a verdict that pays as it should, and a canonical record with the same one."""
    record = data.draw(hands())
    events = data.draw(st.fixed_dictionaries(incidents(st.sampled_from(record.players))))
    changed_record = replace(record, **events)
    try:
        verdict = score(changed_record)
    except Refused:
        return
    repeated = score(canonical(changed_record))
    # A record may name the seats that doubled in any order, the canonical one in that of the auction.
    assert sorted(map(repr, repeated.steps)) == sorted(map(repr, verdict.steps))
    assert repeated._replace(steps=verdict.steps) == verdict
    if record.pots is None and record.game != "german-solo":
        assert sum(verdict.deltas.values()) == 0


def test_a_seat_may_be_called_none() -> None:
    """It is no partner of a bidder without one."""
    written = changed(six(3, "solo", 74), players=["Ann", "Bob", "None"], dealer="None")
    assert scored({**written, **event("agreed", ("Ann", "None", 5), seat="Bob")}).outcome == "lost"
