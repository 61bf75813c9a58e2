"""`score`: its results for every game, and its violations."""

from typing import Any

import pytest

from engine.games import GAMES
from engine.rules.aims import Result
from engine.rules.bids import Bid
from engine.rules.tariffs import ByTrump, PerPoint
from engine.rules.verdict import Outcome
from tests.engine.hands import crazy, hand, passed, refusal, scored, six, violations


@pytest.mark.parametrize("points", [1, 119])
def test_a_miscount_is_refused_with_that_word(points: int) -> None:
    """No set of tricks holds 1 or 119."""
    for written in (crazy(4, "solo", points), six(4, "solo", points), six(4, "misere", points)):
        violation = refusal(written)
        assert (violation.code, violation.field) == ("miscount", "points")
        assert "miscount" in violation.message


@pytest.mark.parametrize("points", [-3, -4, -(10**9), 121, 10**9])
def test_points_lie_between_0_and_120(points: int) -> None:
    """Outside they are refused at their field."""
    violation = refusal(crazy(4, "solo", points))
    assert (violation.code, violation.field) == ("points-out-of-range", "points")
    assert "0 to 120" in violation.message


BY_TRICKS: dict[str, Any] = {"options": {"misere_by_tricks": True}}
NO_BIDDER: dict[str, Any] = {"bidder": None}


@pytest.mark.parametrize(
    ("written", "codes"),
    [
        (
            six(3, "misere", 0, **BY_TRICKS, conceded="opponents", tricks_won=-4),
            "tricks-won-out-of-range concession-too-late",
        ),
        (six(3, "misere", **NO_BIDDER), "bidder-missing points-missing"),
        (six(3, "misere", 119, **NO_BIDDER), "bidder-missing miscount"),
        (six(3, "solo", 60, trump=None, made=True), "trump-missing"),
        (six(3, "misere", 119, made=True), "miscount"),
        (six(3, "solo", 119, **NO_BIDDER, deal={"hands": {"Ann": "AS"}}), "deal-size"),
        (six(3, "frog", 119, deal={"hands": {"Ann": "AS"}}), "deal-size unknown-bid"),
        (six(3, "frog", 119, tricks=[{"cards": "AS KS TS"}]), "unknown-bid"),
    ],
)
def test_independent_violations_are_reported_together(
    written: dict[str, object], codes: str
) -> None:
    """But no consequence of a refused contract, and no count that depends on refused cards."""
    assert " ".join(violation.code for violation in violations(written)) == codes


def test_a_conceded_misere_needs_no_tricks() -> None:
    """If they are not recorded, none was won."""
    assert scored(six(3, "misere", conceded="opponents", **BY_TRICKS)).outcome == "won"


@pytest.mark.parametrize(
    ("made", "points", "message"),
    [
        (False, 0, "lost, but by the rest of it it was made."),
        (True, 10, "made, but by the rest of it it was lost."),
    ],
)
def test_a_statement_that_the_count_contradicts_is_refused(
    made: bool, points: int, message: str
) -> None:
    """The message names both."""
    violation = refusal(six(3, "misere", points, made=made))
    assert violation.message == f"The record says that the contract was {message}"


def test_both_sides_points_add_up_to_120() -> None:
    """Else both numbers and the right one are named."""
    assert scored(crazy(4, "solo", 74, points_against=46)).amount == 30
    violation = refusal(crazy(4, "solo", 74, points_against=45))
    assert (violation.code, violation.field, violation.legal) == (
        "points-do-not-add-up",
        "points_against",
        ("46",),
    )
    assert violation.message == "74 and 45 card points make 119; together they must make 120."


def test_the_other_sides_points_are_counted_as_strictly() -> None:
    """A miscount of theirs is one, too; and theirs alone do not do."""
    violation = refusal(crazy(4, "solo", 74, points_against=119))
    assert (violation.code, violation.field) == ("miscount", "points_against")
    assert refusal(crazy(4, "solo", None, points_against=46)).code == "points-missing"


def test_a_known_widow_that_counts_for_nobody_limits_the_points() -> None:
    """Of both sides; without it both counts would be possible."""
    widow = {"widow": "6S 7S 8S"}
    assert scored(six(3, "misere", 2, deal=widow)).outcome == "lost"
    assert scored(six(3, "misere", 60, points_against=50)).outcome == "lost"
    assert refusal(six(3, "misere", 60, points_against=50, deal=widow)).message == (
        "The widow is worth 0, so of the other 120 card points 60 are the opponents', not 50."
    )


@pytest.mark.parametrize(
    ("written", "step"),
    [
        (crazy(4, "solo", 0), "no card points, 60 under 60"),
        (six(3, "guarantee", 0), "no card points of the 80 needed in spades: 80 short"),
    ],
)
def test_no_points_are_judged_as_none(written: dict[str, object], step: str) -> None:
    """The difference from the target is the whole target."""
    assert scored(written).explanation[0] == step


def test_points_are_needed() -> None:
    """The message names the card points to count."""
    violation = refusal(crazy(4, "solo"))
    assert (violation.code, violation.field) == ("points-missing", "points")
    assert "caller and partner" in violation.message


def test_a_contract_is_needed() -> None:
    """Even with points."""
    violation = refusal(hand("six-bid", 3, None, points=74))
    assert (violation.code, violation.field) == ("contract-missing", "contract")


def test_some_tricks_do_not_stand_in_for_all() -> None:
    """A record with one trick of eleven is refused with any points."""
    tricks = [{"leader": "Ann", "cards": "AS TS KS"}]
    assert refusal(six(3, "solo", None, tricks=tricks)).code == "tricks-missing"
    assert refusal(six(3, "solo", 74, tricks=tricks)).code == "tricks-missing"


def test_an_unknown_bid_is_refused_with_those_there_are() -> None:
    """At the bid."""
    violation = refusal(six(3, "frog", 74))
    assert (violation.code, violation.field) == ("unknown-bid", "contract.bid")
    assert violation.legal[0] == "solo"
    assert refusal(hand("six-bid", 3, {"bidder": "Ann"}, points=74)).code == "bid-missing"


def test_a_contract_names_its_bidder() -> None:
    """With the active seats as choices."""
    violation = refusal(six(4, "misere", 0, bidder=None))
    assert (violation.code, violation.legal) == ("bidder-missing", ("Ann", "Bob", "Cyd"))


def test_all_that_is_wrong_is_named_at_once() -> None:
    """Independent problems in seats, contract and count; each at its field."""
    written = six(4, "solo", 121, trump="H", bidder="Dee", called="AS", stopped=True)
    assert sorted(violation.field for violation in violations(written)) == [
        "contract.bidder",
        "contract.called",
        "contract.trump",
        "points",
        "stopped",
    ]


def test_a_wrong_active_trio_does_not_hide_the_rest() -> None:
    """All that does not depend on the seats is still checked."""
    written = six(4, "solo", 119, active=["Ann", "Bob"], trump=None, bidder=None)
    assert sorted(violation.field for violation in violations(written)) == [
        "active",
        "contract.bidder",
        "contract.trump",
        "points",
    ]
    written = crazy(4, "solo", 119, active=["Ann", "Bob"], partner=None)
    assert sorted(violation.code for violation in violations(written)) == [
        "active-seats",
        "miscount",
        "partner-missing",
    ]
    assert refusal(crazy(4, "blind", 70, active=["Ann", "Bob"])).code == "active-seats"
    assert refusal(six(4, "misere", 0, active=["Ann"])).code == "active-seats"
    assert refusal(passed("six-bid", 4, active=["Ann"])).code == "active-seats"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("matadors", "split"),
        ("first_tricks_won", True),
        ("stopped", False),
        ("asked_partner", True),
        ("pots", {"frog": 3, "solo": 3}),
    ],
)
def test_what_only_other_games_note_is_refused(key: str, value: object) -> None:
    """In both games."""
    for written in (crazy(4, "solo", 74, **{key: value}), six(4, "solo", 74, **{key: value})):
        violation = refusal(written)
        assert (violation.code, violation.field) == ("not-in-this-game", key)


def test_a_contract_notes_only_what_its_game_knows() -> None:
    """No doubles here."""
    written = hand("six-bid", 3, {"bidder": "Ann", "bid": "misere", "doubled": ["Bob"]}, points=0)
    assert refusal(written).field == "contract.doubled"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("points", 60),
        ("points_against", 60),
        ("tricks_won", 3),
        ("conceded", "bidder"),
        ("tricks", []),
    ],
)
def test_when_all_passed_nothing_was_played(key: str, value: object) -> None:
    """Results of a played hand contradict it."""
    violation = refusal(passed("six-bid", 3, **{key: value}))
    assert (violation.code, violation.field) == ("all-passed", key)


def test_when_all_passed_the_contract_holds_nothing_else() -> None:
    """No bidder, no trump."""
    written = hand("six-bid", 3, {"bid": "pass", "bidder": "Ann", "trump": "S"})
    assert [violation.field for violation in violations(written)] == [
        "contract.bidder",
        "contract.trump",
    ]


def test_a_verdict_is_written_as_the_record_format_says() -> None:
    """Every key, in its order."""
    assert scored(six(4, "solo", 61)).to_mapping() == {
        "ok": True,
        "outcome": "won",
        "bidder": "Ann",
        "partner": None,
        "points": 61,
        "amount": 1,
        "deltas": {"Ann": 2, "Bob": -1, "Cyd": -1, "Dee": 0},
        "transfers": [
            {"from": "Bob", "to": "Ann", "amount": 1},
            {"from": "Cyd", "to": "Ann", "amount": 1},
        ],
        "next": {"dealer": "Ann", "lead": "Bob"},
        "explanation": [
            "61 card points, 1 over 60",
            "× 1 a point = 1",
            "Ann is paid by Bob and Cyd",
        ],
    }


def test_a_verdict_of_an_all_pass_names_nobody() -> None:
    """No bidder, no points, no payment."""
    written = scored(passed("six-bid", 3)).to_mapping()
    assert (written["outcome"], written["bidder"], written["points"], written["amount"]) == (
        "passed-out",
        None,
        None,
        0,
    )


def test_a_verdict_with_pots_writes_them() -> None:
    """For the games that have them."""
    from engine.record import Pots

    verdict = scored(passed("six-bid", 3))
    assert "pots" not in verdict.to_mapping()
    assert verdict._replace(pots=Pots(4, 8)).to_mapping()["pots"] == {"frog": 4, "solo": 8}


def test_each_step_carries_its_numbers_and_its_source() -> None:
    """So that a page can render it in another language."""
    step = scored(crazy(7, "solo-in-hearts", 74)).steps[1]
    assert step.stored == {
        "key": "rate-trump",
        "values": {"rate": 3, "trump": "hearts", "amount": 42},
        "source": "002",
    }
    assert step.text == "× 3 for hearts = 42"


def test_a_guarantee_by_the_majority_can_be_settled_early() -> None:
    """Half the points in hand decide a bid for half, should a game let its opponents give it up."""
    bid: Bid = GAMES["six-bid"].rules(None, {}, 3).by_slug["solo"]
    assert bid.aim.decided(Result(points=60), None) is Outcome.WON
    assert bid.aim.decided(Result(points=59), None) is None


def test_a_target_that_is_the_same_in_every_suit_names_none() -> None:
    """The parts serve contracts that these two games do not have."""
    from engine.cards.cards import Suit
    from engine.rules.aims import AtLeast, Counting

    aim = AtLeast(ByTrump(70), Counting("card points"), "002")
    judged = aim.judge(Result(points=70), Suit.CLUBS)
    assert judged.step.text == "70 card points of the 70 needed: made"
    assert PerPoint(ByTrump(4), Outcome.TIED, "002").price(judged, Suit.CLUBS).outcome == "tied"


def test_all_points_are_told_in_one_phrase() -> None:
    """A call solo that is made needs no subtraction."""
    assert scored(six(3, "call-solo", 120)).explanation[0] == "all 120 card points: made"
