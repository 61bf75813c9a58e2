"""German Solo's auction held against what was then declared (003 and the rules sheet)."""

from typing import Any

import pytest

from engine.errors import Refused
from engine.games import GAMES
from engine.record import Call
from tests.engine.games.german_table import (
    ANN,
    BOB,
    CYD,
    DEE,
    HANDS,
    TWO_QUEENS,
    called,
    opened,
    passed,
    refused,
)
from tests.engine.hands import hand, refusal, scored, violations

ACES: dict[str, str] = {
    ANN: "QC 7D AD AH AS KS 8H 9C",
    BOB: "AC KH QH JH TH 9H 7H 8C",
    CYD: "QS QD JD TD 9D 8D KD KC",
    DEE: "JS TS 9S 8S 7S JC TC 7C",
}
"""Ann holds every ace but that of clubs, so that with clubs trumps she could call none."""


def declared(bid: str, *calls: list[str], deal: dict[str, str] | None = None, **more: Any) -> Any:
    """Write down an auction, what was then declared, and its result."""
    alone = bid == "solo"
    contract = {"bid": bid, "trump": "D", "called": None if alone else "AH"}
    contract |= {"partner": None if alone else BOB, **more}
    result = {"tricks_won": 4, "first_tricks_won": False, "matadors": None if deal else "split"}
    contract = {key: value for key, value in contract.items() if value is not None}
    hands = {} if deal is None else {"deal": {"hands": deal}}
    return hand("german-solo", 4, contract, auction=list(calls), **hands, **result)


WON_WITH_FRAGE = ([ANN, "frage"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])


@pytest.mark.parametrize(("bid", "lost"), [("frage", 2), ("grossfrage", 3), ("solo", 6)])
def test_whoever_wins_the_bidding_may_declare_more(bid: str, lost: int) -> None:
    """It is scored as declared."""
    verdict = scored(declared(bid, *WON_WITH_FRAGE))
    assert (verdict.bidder, verdict.deltas[ANN]) == (ANN, -lost)


def test_nobody_declares_less_than_they_bid() -> None:
    """Nor somebody else's bid, nor anything but force when all passed."""
    solo = ([ANN, "solo"], [BOB, "pass"], [CYD, "pass"], [DEE, "pass"])
    violation = violations(declared("grossfrage", *solo))[0]
    assert (violation.code, violation.legal) == ("contract-against-auction", ("solo",))
    assert violation.message == "The auction ended in solo, not in grossfrage."
    other = violations(declared("solo", *WON_WITH_FRAGE, bidder=BOB))[0]
    assert other.message == "By the auction solo is played by Ann, not by Bob."
    nobody = [[seat, "pass"] for seat in (ANN, BOB, CYD, DEE)]
    assert violations(declared("solo", *nobody))[0].legal == ("force",)


def test_more_than_the_bid_is_not_bound_to_clubs() -> None:
    """A frage over a frage is in clubs, a solo declared upon it in any suit."""
    calls = [[ANN, "frage"], [BOB, "frage"], [ANN, "pass"], [CYD, "pass"], [DEE, "pass"]]
    assert scored(declared("solo", *calls)).bidder == BOB
    violation = violations(declared("frage", *calls, partner=CYD))[0]
    assert (violation.field, violation.legal) == ("contract.trump", ("C",))
    assert violation.message == (
        "One frage went over another, which only clubs can: they are trumps, not diamonds."
    )


def test_a_bid_that_was_overcalled_binds_nobody() -> None:
    """Whether its bidder could have called an ace in clubs is not asked; of the last one it is."""
    none = {**ACES, BOB: ACES[ANN], ANN: ACES[BOB]}
    calls = [[ANN, "frage"], [BOB, "frage"], [ANN, "solo"], [BOB, "pass"]]
    last = [[CYD, "pass"], [DEE, "pass"]]
    assert scored(declared("solo", *calls, *last, deal=none)).bidder == ANN
    stays = [[ANN, "frage"], [BOB, "frage"], [ANN, "pass"], *last]
    stated = declared("frage", *stays, deal=none, trump="C", called="AC", partner=ANN)
    assert {each.code for each in violations(stated)} >= {"call-not-allowed"}
    assert scored(declared("solo", *stays, deal=none)).bidder == BOB


def test_option_eldest_opens_lets_eldest_say_frage_or_pass() -> None:
    """By default any bid; the next ones may always bid what they like."""
    assert GAMES["german-solo"].rules(None, {}, 4).options["eldest_opens"] == "any"
    hand = opened(HANDS, grossfrage_duty="none", eldest_opens="frage")
    assert hand.legal == (Call(ANN, "pass"), Call(ANN, "frage"))
    for call in ("grossfrage", "solo"):
        assert refused(hand, Call(ANN, call)) == "call-not-allowed"
    assert Call(BOB, "solo") in passed(hand, ANN).legal
    assert Call(ANN, "solo") in called(hand, (ANN, "frage"), (BOB, "grossfrage")).legal


def test_who_opens_with_frage_alone_still_owes_the_grossfrage() -> None:
    """Ann with both black queens cannot pass, and declares at least a grossfrage."""
    table = opened(TWO_QUEENS, eldest_opens="frage")
    with pytest.raises(Refused) as found:
        table.after(Call(ANN, "pass"))
    assert (found.value.violations[0].code, found.value.violations[0].legal) == (
        "bid-owed",
        ("frage",),
    )
    won = passed(called(table, (ANN, "frage")), BOB, CYD, DEE)
    assert won.contract is not None
    assert won.contract.bid == "grossfrage"
    options = {"eldest_opens": "frage"}
    record = {**declared("frage", *WON_WITH_FRAGE, deal=TWO_QUEENS), "options": options}
    assert refusal(record).code == "bid-owed"
    more = declared("grossfrage", *WON_WITH_FRAGE, deal=TWO_QUEENS)
    assert scored({**more, "options": options}).deltas[ANN] == -5
