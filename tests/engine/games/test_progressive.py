"""Progressive Solo, rule by rule."""

from typing import Any

import pytest

from engine.games import GAMES
from engine.phases.bidding.procedures import Doubling
from engine.record import Pots
from engine.record.incidents import Transfer
from tests.engine.hands import deltas, hand, passed, refusal, scored, violations

SHEET = GAMES["progressive"]


def played(seats: int, bid: str, points: int, **keys: Any) -> dict[str, object]:
    """Write a hand that Ann plays; `doubled` and `redoubled` go to the contract."""
    contract = {"bidder": "Ann", "bid": bid}
    contract |= {key: keys.pop(key) for key in ("doubled", "redoubled", "trump") if key in keys}
    return hand("progressive", seats, contract, points=points, **keys)


def potted(seats: int, bid: str, points: int, **rules: object) -> dict[str, object]:
    """Write a hand at a table with pots that held 4 and 8."""
    return played(
        seats, bid, points, options={"pots": rules or {"stake": 1}}, pots={"frog": 4, "solo": 8}
    )


def test_three_to_seven_sit_at_the_table_and_three_play() -> None:
    """The source has three to five players, other books up to seven."""
    assert SHEET.seats == (3, 4, 5, 6, 7)
    table = SHEET.rules(None, {}, 7).table(tuple("ABCDEFG"), "A")
    assert (table.active, table.idle) == (("B", "C", "D"), ("E", "F", "G", "A"))


@pytest.mark.parametrize("variant", [None, "pennycook", "hoyle"])
@pytest.mark.parametrize(
    ("bid", "trump", "rate"),
    [
        ("frog", "H", 1),
        ("spade-solo", "S", 2),
        ("club-solo", "C", 3),
        ("diamond-solo", "D", 4),
        ("heart-solo", "H", 5),
    ],
)
def test_each_bid_names_its_trumps_and_counts_1_to_5_a_point(
    variant: str | None, bid: str, trump: str, rate: int
) -> None:
    """The same in both variants."""
    keys = {"rules": variant} if variant else {}
    assert deltas(played(3, bid, 74, **keys)) == [28 * rate, -14 * rate, -14 * rate]
    assert deltas(played(3, bid, 74, trump=trump, **keys)) == [28 * rate, -14 * rate, -14 * rate]
    other = "S" if trump != "S" else "C"
    assert refusal(played(3, bid, 74, trump=other, **keys)).legal == (trump,)


def test_the_bids_rise_from_frog_to_heart_solo() -> None:
    """Frog, spades, clubs, diamonds, hearts."""
    slugs = [bid.slug for bid in SHEET.rules(None, {}, 3).bids]
    assert slugs == ["frog", "spade-solo", "club-solo", "diamond-solo", "heart-solo"]


@pytest.mark.parametrize("variant", ["pennycook", "hoyle"])
def test_60_is_won_and_pays_nothing(variant: str) -> None:
    """Even doubled."""
    verdict = scored(played(3, "club-solo", 60, doubled=["Bob"], rules=variant))
    assert (verdict.outcome, verdict.amount, verdict.transfers) == ("won", 0, ())


def test_pennycook_is_the_default() -> None:
    """The first of the variants."""
    assert SHEET.default_variant == "pennycook"


def test_the_auction_goes_round_with_doubles() -> None:
    """The procedure that knows double and redouble."""
    assert isinstance(SHEET.rules(None, {}, 3).bidding, Doubling)


def test_each_opponent_settles_apart() -> None:
    """Once, doubled twice, redoubled four times; `amount` is before doubling."""
    verdict = scored(played(3, "frog", 70, doubled=["Bob", "Cyd"], redoubled=["Cyd"]))
    assert verdict.amount == 10
    assert verdict.transfers == (Transfer("Bob", "Ann", 20), Transfer("Cyd", "Ann", 40))
    assert verdict.explanation == (
        "70 card points, 10 over 60",
        "× 1 a point = 10",
        "Bob doubled: × 2 = 20",
        "Cyd was redoubled: × 4 = 40",
        "Ann is paid by Bob and Cyd",
    )
    assert deltas(played(3, "frog", 50, doubled=["Bob"])) == [-30, 20, 10]


def test_only_active_opponents_are_paid_won_or_lost() -> None:
    """Idle players neither pay nor are paid."""
    assert deltas(played(5, "frog", 70)) == [20, -10, -10, 0, 0]
    assert deltas(played(5, "frog", 50)) == [-20, 10, 10, 0, 0]


def test_option_idle_paid_on_loss() -> None:
    """Then a loss goes to all the table, and doubling never touches an idle seat."""
    rules = {"options": {"idle_paid_on_loss": True}}
    assert deltas(played(5, "frog", 70, **rules)) == [20, -10, -10, 0, 0]
    assert deltas(played(5, "frog", 50, **rules)) == [-40, 10, 10, 10, 10]
    doubled = played(5, "frog", 50, doubled=["Bob"], redoubled=["Bob"], **rules)
    assert deltas(doubled) == [-70, 40, 10, 10, 10]


def test_only_an_active_opponent_doubles() -> None:
    """Not the bidder, no idle player, nobody twice."""
    for name in ("Ann", "Dee"):
        violation = refusal(played(4, "frog", 70, doubled=[name]))
        assert (violation.code, violation.field) == ("cannot-be-doubled", "contract.doubled")
        assert violation.legal == ("Bob", "Cyd")
    assert refusal(played(4, "frog", 70, doubled=["Bob", "Bob"])).code == "named-twice"


def test_only_a_doubler_is_redoubled() -> None:
    """The message names the doublers, or states that nobody doubled."""
    nobody = refusal(played(3, "frog", 70, redoubled=["Bob"]))
    assert (nobody.code, "nobody doubled" in nobody.message) == ("cannot-be-redoubled", True)
    other = refusal(played(3, "frog", 70, doubled=["Bob"], redoubled=["Cyd"]))
    assert (other.code, other.legal) == ("cannot-be-redoubled", ("Bob",))


def test_doubles_hang_on_a_table_and_a_bidder() -> None:
    """If the seats are refused, no more violations name them."""
    without_bidder = played(3, "frog", 70, doubled=["Ann"]) | {
        "contract": {"bid": "frog", "doubled": ["Ann"]}
    }
    assert [each.code for each in violations(without_bidder)] == ["bidder-missing"]


def test_pots_are_off_by_default() -> None:
    """Then a record has none to state."""
    assert scored(played(3, "frog", 70)).pots is None
    assert refusal(played(3, "frog", 70, pots={"frog": 1, "solo": 1})).code == "not-in-this-game"


@pytest.mark.parametrize(("variant", "solo"), [("pennycook", 1), ("hoyle", 2)])
def test_every_seat_antes_each_deal(variant: str, solo: int) -> None:
    """The stake to the frog pot, the stake times the factor to the solo pot, idle seats too."""
    verdict = scored(potted(4, "frog", 59) | {"rules": variant})
    assert verdict.pots == Pots(4 + 4, 8 + 4 * solo)
    assert verdict.deltas == {
        "Ann": -(3 if variant == "hoyle" else 2) - 1 - solo,
        "Bob": 1 - 1 - solo,
        "Cyd": 1 - 1 - solo,
        "Dee": (variant == "hoyle") - 1 - solo,
    }


def test_a_won_contract_takes_its_pot() -> None:
    """A frog the frog pot, a solo the solo pot, antes included; 60 is won too."""
    frog = scored(potted(3, "frog", 60))
    assert (frog.pots, frog.deltas["Ann"]) == (Pots(0, 11), 4 + 3 - 2)
    solo = scored(potted(3, "heart-solo", 60))
    assert (solo.pots, solo.deltas["Ann"]) == (Pots(7, 0), 8 + 3 - 2)
    assert solo.explanation[-2:] == (
        "everyone antes 1 to the frog pot and 1 to the solo pot",
        "Ann takes the solo pot: 11",
    )


def test_on_a_loss_the_pot_stays() -> None:
    """By default."""
    verdict = scored(potted(3, "frog", 50))
    assert verdict.pots == Pots(7, 11)
    assert verdict.explanation[-1] == "the frog pot stays: 7"


def test_on_loss_match_the_bidder_adds_as_much_as_the_pot_holds() -> None:
    """Antes included, decided here."""
    verdict = scored(potted(3, "frog", 50, on_loss="match"))
    assert verdict.pots == Pots(14, 11)
    assert verdict.deltas["Ann"] == -20 - 2 - 7
    assert verdict.explanation[-1] == "Ann adds to the frog pot as much as it holds: 7"


def test_all_pass_the_antes_stay() -> None:
    """Everybody has anted, nobody takes anything."""
    options = {"pots": {"stake": 5, "solo_factor": 3}}
    verdict = scored(passed("progressive", 3, options=options, pots={"frog": 0, "solo": 0}))
    assert verdict.pots == Pots(15, 45)
    assert set(verdict.deltas.values()) == {-20}
    assert verdict.outcome == "passed-out"


def test_payments_to_and_from_the_pots_are_transfers_too() -> None:
    """So that transfers add up to deltas, antes included."""
    verdict = scored(potted(3, "frog", 61))
    assert verdict.transfers[:2] == (Transfer("Bob", "Ann", 1), Transfer("Cyd", "Ann", 1))
    assert verdict.transfers[2:] == (
        Transfer("Ann", "frog pot", 1),
        Transfer("Bob", "frog pot", 1),
        Transfer("Cyd", "frog pot", 1),
        Transfer("Ann", "solo pot", 1),
        Transfer("Bob", "solo pot", 1),
        Transfer("Cyd", "solo pot", 1),
        Transfer("frog pot", "Ann", 7),
    )
    assert verdict.to_mapping()["pots"] == {"frog": 0, "solo": 11}


def test_with_pots_their_content_must_be_stated() -> None:
    """Before the antes, and never less than nothing."""
    bare = potted(3, "frog", 61)
    del bare["pots"]
    assert refusal(bare).code == "pots-missing"
    owing = refusal(potted(3, "frog", 61) | {"pots": {"frog": 1, "solo": -1}})
    assert (owing.code, owing.field) == ("pots-negative", "pots.solo")


@pytest.mark.parametrize("result", ["pass", "lost"])
def test_a_pot_holds_no_more_than_the_next_hand_can_say(result: str) -> None:
    """A billion, with the antes and a loser's addition: a hand that would exceed it is refused."""
    options = {"pots": {"stake": 1, "on_loss": "match"}}

    def after(frog: int) -> dict[str, object]:
        pots = {"frog": frog, "solo": 10**9 - 3}
        if result == "pass":
            return passed("progressive", 3, options=options, pots=pots)
        return played(3, "frog", 50, options=options, pots=pots)

    most = 10**9 - 3 if result == "pass" else 10**9 // 2 - 3
    assert scored(after(most)).pots == Pots(10**9, 10**9)
    violation = refusal(after(most + 1))
    assert (violation.code, violation.field) == ("pot-too-full", "pots.frog")
    would = "1,000,000,001" if result == "pass" else "1,000,000,002"
    assert violation.message == (
        "The frog pot can't hold more than 1,000,000,000, and after this hand it would hold "
        f"{would}; share it out first, or play for a smaller stake."
    )


def test_every_pot_that_would_be_too_full_is_named() -> None:
    """Both, where both are."""
    full = passed("progressive", 3, options={"pots": {"stake": 1}}) | {
        "pots": {"frog": 10**9, "solo": 10**9}
    }
    assert [each.field for each in violations(full)] == ["pots.frog", "pots.solo"]


def test_with_pots_nobody_is_called_like_one() -> None:
    """Transfers could not distinguish them."""
    players = ["Ann", "solo pot", "Cyd"]
    violation = refusal(potted(3, "frog", 61) | {"players": players})
    assert (violation.code, violation.where["seat"]) == ("name-of-a-pot", "solo pot")
    assert scored(played(3, "frog", 61, players=players)).outcome == "won"
