"""What the table agrees on: chips put right, pots and differences shared out."""

from typing import Any

import pytest

from ledger.services.chips import adjust
from ledger.words.problems import Invalid, SessionClosed, Stale
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """An evening with chips in a frog pot and a solo pot."""
    started = sqlite_club.start(game="progressive", options={"pots": {"stake": 5}})
    started.record(table.ALL_PASS)
    return started


def test_an_adjustment_goes_against_the_account_of_differences(sqlite_club: CardClub) -> None:
    """A named account keeps the other side, so no chip comes from nowhere."""
    evening = sqlite_club.start()
    reason = "fell under the sofa"
    entry, moved = evening.entry(
        evening.do(adjust.adjust, player="Bob", chips=-10, reason=f" {reason}")
    )
    assert (entry.kind, entry.reason) == ("adjustment", reason)
    assert moved == {"Bob": -10, "differences": 10}
    assert evening.seat("Bob").net == -10


RANGE = "from 1 to 1,000,000,000, or from -1 to -1,000,000,000"


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"player": "Zed"}, "player", None),
        ({"reason": " "}, "reason", None),
        ({"pot": "gold"}, "pot", "has no pot called “gold”"),
        *(({"chips": chips}, "chips", RANGE) for chips in (0, 10**9 + 1, -(10**9) - 1)),
    ],
)
def test_an_invalid_adjustment_is_refused_at_its_field(
    sqlite_club: CardClub, evening: Evening, change: dict[str, Any], field: str, message: str | None
) -> None:
    """An adjustment states why, goes either way, and names a pot that there is."""
    draft = {"player": "Bob", "chips": -1, "reason": "why"}
    with sqlite_club.refuses(Invalid, message, at=field) as caught:
        evening.do(adjust.adjust, **{**draft, **change})
    if field == "pot":
        assert caught.value.faults[0].legal == ("frog", "solo")
    evening.do(adjust.adjust, **draft)


def test_adjusting_and_sharing_need_the_current_state_of_an_open_session(evening: Evening) -> None:
    """A retry shares once; a stale revision and a closed session are refused."""
    write = evening.club.write(2)
    answer = adjust.share_pots(write, evening.id)
    assert adjust.share_pots(write, evening.id) == answer
    agreed: dict[str, Any] = {"player": "Bob", "chips": 5, "reason": "why"}
    for error in (Stale, SessionClosed):
        with evening.club.refuses(error):
            adjust.adjust(evening.club.write(1), evening.id, **agreed)
        with evening.club.refuses(error):
            adjust.share_pots(evening.club.write(1), evening.id)
        if error is Stale:
            evening.close()
