"""German Solo's result, rule by rule."""

from itertools import product
from typing import Any

import pytest

from engine.games import GAMES
from engine.rules.aims import Result
from tests.engine.hands import deltas, hand, passed, refusal, scored, violations

SHEET = GAMES["german-solo"]
CONTRACT = ("trump", "called", "partner", "announced_tout")


def german(bid: str, tricks: int | None, **keys: Any) -> dict[str, object]:
    """Write a hand that Ann declares, diamonds trumps and Bob her partner; no tricks in a row."""
    contract: dict[str, object] = {"bidder": "Ann", "bid": bid, "trump": "D"}
    if bid != "solo":
        contract["partner"] = "Bob"
    contract |= {key: keys.pop(key) for key in CONTRACT if key in keys}
    result = {"tricks_won": tricks, "matadors": "split", "first_tricks_won": False} | keys
    stated = {key: value for key, value in result.items() if value is not None}
    return hand("german-solo", 4, contract, **stated)


def test_four_play() -> None:
    """No more, no fewer."""
    assert SHEET.seats == (4,)
    for seats in (3, 5):
        assert violations(hand("german-solo", seats, {"bid": "frage"}))[0].code == "table-size"


def test_altenburg_plays_32_cards_and_sollo_24() -> None:
    """Altenburg is the default; sollo leaves out the eights and nines."""
    assert SHEET.default_variant == "altenburg"
    altenburg, sollo = SHEET.rules(None, {}, 4), SHEET.rules("sollo", {}, 4)
    assert (len(altenburg.pack.cards), altenburg.tricks) == (32, 8)
    assert (len(sollo.pack.cards), sollo.tricks) == (24, 6)
    assert {card.rank for card in altenburg.pack.cards} == set("AKQJT987")
    assert {card.rank for card in sollo.pack.cards} == set("AKQJT7")


def test_the_bids_rise_from_frage_to_solo() -> None:
    """Force is no bid: it is played when all pass."""
    bids = SHEET.rules(None, {}, 4).bids
    assert [bid.slug for bid in bids if bid.biddable] == ["frage", "grossfrage", "solo"]
    assert [bid.slug for bid in bids if not bid.biddable] == ["force"]


def test_all_pass_and_the_holder_of_spadille_plays_force() -> None:
    """So no hand is thrown in."""
    violation = refusal(passed("german-solo", 4))
    assert (violation.code, violation.legal) == ("all-pass-is-played", ("force",))


@pytest.mark.parametrize(
    ("bid", "base"), [("force", 1), ("frage", 2), ("grossfrage", 3), ("solo", 6)]
)
def test_force_1_frage_2_grossfrage_3_solo_6(bid: str, base: int) -> None:
    """Added to declarer and partner alike, or taken from both; the defenders score nothing."""
    partner = 0 if bid == "solo" else base
    assert deltas(german(bid, 5)) == [base, partner, 0, 0]
    assert deltas(german(bid, 4)) == [-base, -partner, 0, 0]


def test_it_is_a_score_and_nobody_pays() -> None:
    """No transfers, no points; the deltas do not add up to nothing."""
    verdict = scored(german("frage", 5))
    assert (verdict.transfers, verdict.points, sum(verdict.deltas.values())) == ((), None, 4)
    assert (verdict.outcome, verdict.amount, verdict.partner) == ("won", 2, "Bob")
    assert verdict.next == ("Ann", "Bob")


def test_option_solo_base() -> None:
    """The source has both 2 and 6."""
    assert deltas(german("solo", 5, options={"solo_base": 2})) == [2, 0, 0, 0]
    assert refusal(german("solo", 5, options={"solo_base": 3})).legal == ("6", "2")


@pytest.mark.parametrize(("variant", "made"), [("altenburg", 5), ("sollo", 4)])
def test_declarers_need_5_of_8_or_4_of_6(variant: str, made: int) -> None:
    """One fewer is lost."""
    assert scored(german("frage", made, rules=variant)).outcome == "won"
    assert scored(german("frage", made - 1, rules=variant)).outcome == "lost"
    (violation,) = violations(german("frage", 9, rules=variant))
    assert violation.code == "tricks-won-out-of-range"


@pytest.mark.parametrize(("variant", "first"), [("altenburg", 5), ("sollo", 4)])
def test_who_stops_after_the_first_tricks_scores_prime(variant: str, first: int) -> None:
    """Two more; that the first were won follows from stopping."""
    stopped = german("frage", first, rules=variant, stopped=True, first_tricks_won=None)
    verdict = scored(stopped)
    assert verdict.amount == 4
    assert verdict.explanation == (
        f"{first} of {'8' if first == 5 else '6'} tricks, {first} needed: made",
        "Frage counts 2",
        "prime: 2 more = 4",
        "Ann and Bob score 4 points each",
    )


def test_who_plays_on_must_take_every_trick() -> None:
    """Tout counts 4, made or not."""
    assert deltas(german("solo", 8, first_tricks_won=True)) == [10, 0, 0, 0]
    assert deltas(german("solo", 7, first_tricks_won=True)) == [-10, 0, 0, 0]
    assert deltas(german("solo", 5, first_tricks_won=True)) == [-10, 0, 0, 0]
    assert scored(german("solo", 7, first_tricks_won=True)).explanation == (
        "7 of 8 tricks, 8 needed: 1 short",
        "Solo counts 6",
        "tout, as they played on: 4 more = 10",
        "Ann loses 10 points",
    )


def test_tout_announced_with_the_bid_counts_6_instead() -> None:
    """Made or not; how the first tricks went makes no difference."""
    assert deltas(german("frage", 8, announced_tout=True, first_tricks_won=None)) == [8, 8, 0, 0]
    for first in (None, True, False):
        lost = german("frage", 7, announced_tout=True, first_tricks_won=first)
        assert deltas(lost) == [-8, -8, 0, 0]
    assert deltas(german("frage", 2, announced_tout=True)) == [-8, -8, 0, 0]


@pytest.mark.parametrize("side", ["declarers", "defenders"])
def test_matadors_dealt_to_one_side_count_2(side: str) -> None:
    """Whichever side it is, for a win and for a loss."""
    assert deltas(german("frage", 5, matadors=side)) == [4, 4, 0, 0]
    assert deltas(german("frage", 4, matadors=side)) == [-4, -4, 0, 0]
    assert deltas(german("frage", 5, matadors="split")) == [2, 2, 0, 0]


def test_option_matadors_own_side_only() -> None:
    """Then the defenders' matadors count nothing."""
    rules = {"matadors_own_side_only": True}
    assert deltas(german("frage", 5, matadors="declarers", options=rules)) == [4, 4, 0, 0]
    assert deltas(german("frage", 5, matadors="defenders", options=rules)) == [2, 2, 0, 0]


def test_option_matadors_on_loss() -> None:
    """Without it they are a bonus to the winners alone: nothing is taken off for them on a loss."""
    rules = {"matadors_on_loss": False}
    for side in ("declarers", "defenders"):
        assert deltas(german("frage", 5, matadors=side, options=rules)) == [4, 4, 0, 0]
        assert deltas(german("frage", 4, matadors=side, options=rules)) == [-2, -2, 0, 0]
    both = {**rules, "matadors_own_side_only": True}
    assert deltas(german("frage", 5, matadors="defenders", options=both)) == [2, 2, 0, 0]


def test_option_grossfrage_duty() -> None:
    """Both black queens by default; spadille and any seven; or nothing."""
    hands = {
        value: SHEET.rules(None, {"grossfrage_duty": value}, 4).duty
        for value in ("black-queens", "spadille-and-a-seven", "none")
    }
    assert SHEET.rules(None, {}, 4).duty == hands["black-queens"] is not None
    queens, sevens = hands["black-queens"], hands["spadille-and-a-seven"]
    assert queens
    assert sevens
    assert hands["none"] is None
    assert (len(queens.hands), len(sevens.hands)) == (1, 4)
    assert (queens.bid, queens.waived_by) == ("grossfrage", "solo")


def test_then_no_slam_once_the_partner_was_asked_for() -> None:
    """Playing on, the side still needs five and scores no tout; stopping is still prime."""
    assert deltas(german("frage", 8, first_tricks_won=None, asked_partner=True)) == [2, 2, 0, 0]
    assert deltas(german("frage", 6, first_tricks_won=True, asked_partner=True)) == [2, 2, 0, 0]
    assert deltas(german("frage", 6, first_tricks_won=None, asked_partner=True)) == [2, 2, 0, 0]
    assert deltas(german("frage", 4, first_tricks_won=None, asked_partner=True)) == [-2, -2, 0, 0]
    stopped = german("frage", 5, first_tricks_won=None, asked_partner=True, stopped=True)
    assert deltas(stopped) == [4, 4, 0, 0]


def test_what_follows_from_the_number_of_tricks_may_be_left_out() -> None:
    """All tricks won: the first, too. Too few: not the first."""
    assert scored(german("frage", 8, first_tricks_won=None)).amount == 6
    assert scored(german("frage", 4, first_tricks_won=None)).amount == 2


@pytest.mark.parametrize("tricks", [5, 6, 7])
def test_whether_the_first_tricks_were_won_must_be_said_where_it_counts(tricks: int) -> None:
    """Prime and tout hang on it."""
    assert refusal(german("frage", tricks, first_tricks_won=None)).code == "first-tricks-missing"


@pytest.mark.parametrize(("tricks", "first"), [(4, True), (0, True), (8, False)])
def test_the_first_tricks_must_agree_with_all_of_them(tricks: int, first: bool) -> None:
    """Both ways; not compared while other keys are missing."""
    violation = refusal(german("frage", tricks, first_tricks_won=first))
    assert (violation.code, violation.field) == ("first-tricks-against-tricks", "first_tricks_won")
    reason = "won the first 5." if first else "lost any of the first 5."
    assert violation.message == f"With {tricks} of 8 tricks the side cannot have {reason}"
    unfinished = german("frage", tricks, first_tricks_won=first, matadors=None)
    assert refusal(unfinished).code == "matadors-missing"


def test_only_who_won_the_first_tricks_may_stop() -> None:
    """And then they have won just those."""
    early = refusal(german("frage", 5, stopped=True, first_tricks_won=False))
    assert early.code == "stopped-too-early"
    for tricks in (4, 6):
        stopped = german("frage", tricks, stopped=True, first_tricks_won=None)
        assert refusal(stopped).code == "stopped-against-tricks"


def test_who_announced_tout_neither_stops_nor_asks() -> None:
    """Both are reported together."""
    hand = german("frage", 5, announced_tout=True, stopped=True, asked_partner=True)
    codes = [violation.code for violation in violations(hand)]
    assert codes == ["stopped-after-tout", "asked-after-tout"]


def test_a_solo_player_has_no_partner_to_ask() -> None:
    """Nor to name, nor a card to call."""
    assert refusal(german("solo", 4, asked_partner=True)).code == "no-partner-to-ask"
    assert refusal(german("solo", 4, partner="Bob")).code == "partner-not-allowed"
    assert refusal(german("solo", 4, called="AH")).code == "calls-no-card"


def test_not_asked_and_not_stopped_may_be_said_too() -> None:
    """Leaving it out means false."""
    said = german("solo", 4, asked_partner=False, stopped=False, announced_tout=False)
    assert scored(said) == scored(german("solo", 4))


def test_tricks_and_matadors_must_be_said() -> None:
    """Both are missed at once."""
    problems = violations(german("frage", None, matadors=None))
    assert [(each.code, each.field) for each in problems] == [
        ("tricks-won-missing", "tricks_won"),
        ("matadors-missing", "matadors"),
    ]
    assert problems[1].legal == ("declarers", "defenders", "split")


def test_card_points_do_not_count() -> None:
    """No points to state, for either side."""
    problems = violations(german("frage", 5, points=70, points_against=50))
    assert [(each.code, each.field) for each in problems] == [
        ("not-in-this-game", "points"),
        ("not-in-this-game", "points_against"),
    ]


@pytest.mark.parametrize("bid", ["force", "frage", "grossfrage"])
def test_the_called_card_is_a_plain_ace_or_a_plain_king(bid: str) -> None:
    """A king only if the bidder holds all four aces, which does not follow from the result alone."""
    for called in ("AH", "AS", "AC", "KH"):
        assert scored(german(bid, 5, called=called)).outcome == "won"
    aces, kings = {"AS", "AH", "AC"}, {"KS", "KH", "KC"}
    either = aces | kings
    for called, legal in (
        ("AD", aces),
        ("KD", kings),
        *((card, either) for card in ("QH", "QC", "7D")),
    ):
        violation = refusal(german(bid, 5, called=called))
        assert (violation.code, violation.field) == ("called-card-not-allowed", "contract.called")
        assert set(violation.legal) == legal


def test_the_partner_is_never_the_declarer() -> None:
    """Nobody calls an ace that they hold."""
    assert refusal(german("frage", 5, partner="Ann")).code == "partner-is-caller"
    assert refusal(german("frage", 5, partner=None)).code == "partner-missing"


def test_nobody_gives_up() -> None:
    """A hand of German Solo is played out, or stopped for prime."""
    assert refusal(german("frage", 4, conceded="bidder")).code == "not-concedable"


def _histories(tout: bool) -> set[tuple[int, bool, bool]]:
    """Every (tricks won, first five won, stopped) that eight tricks can lead to."""
    results = set()
    for winners in product((True, False), repeat=8):
        first = all(winners[:5])
        results.add((sum(winners), first, False))
        if first and not tout:
            results.add((5, True, True))
    return results


@pytest.mark.parametrize("tout", [False, True])
@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("bid", ["frage", "solo"])
def test_every_combination_of_the_result_is_scored_or_refused(
    bid: str, asked: bool, tout: bool
) -> None:
    """Scored if and only if some course of eight tricks leads to it, and all of these pay the same."""
    possible = _histories(tout)
    for tricks, first, stopped in product(range(9), (None, True, False), (False, True)):
        written = german(
            bid,
            tricks,
            stopped=stopped,
            asked_partner=asked,
            first_tricks_won=first,
            announced_tout=tout,
        )
        courses = {
            course
            for course in possible
            if course[0] == tricks and course[2] == stopped and first in (None, course[1])
        }
        told = len(courses) == 1 or tout or asked
        if courses and told and not (asked and (tout or bid == "solo")):
            assert scored(written).outcome in ("won", "lost")
        else:
            assert all(each.message.endswith(".") for each in violations(written))


def test_card_points_settle_nothing() -> None:
    """However many are named, a hand of tricks is not decided by them."""
    assert [bid.aim.decided(Result(points=120), None) for bid in SHEET.rules(None, {}, 4).bids] == [
        None
    ] * 4


def test_nobody_plays_a_frage_alone() -> None:
    """Nobody calls an ace of their own; a solo is alone anyhow."""
    for bid in ("force", "frage", "grossfrage"):
        alone = german(bid, 4)
        alone["contract"] = {"bidder": "Ann", "bid": bid, "trump": "D", "alone": True}
        violation = refusal(alone)
        assert (violation.code, violation.field) == ("alone-not-allowed", "contract.alone")
    missing = refusal(german("frage", 4, partner=None))
    assert missing.message == "Say who held the called card."


def test_no_cards_lie_aside_that_a_result_could_be_held_against() -> None:
    """There is no widow, and nothing is laid away."""
    rules = SHEET.rules(None, {}, 4)
    assert len(rules.pack.cards) == 4 * rules.tricks
    assert list(rules.tally.problems_aside(rules.bids[0], Result(tricks_won=5), 0)) == []
