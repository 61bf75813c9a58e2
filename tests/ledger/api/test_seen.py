"""What a program looked at before it writes: the look answers with the revision to send along."""

from collections.abc import Callable

import pytest

from tests.ledger import cash
from tests.ledger.api.caller import Caller, Reply
from tests.ledger.table import FOUR

COUNT = {"counts": {"Ann": {"5": 6}}}

LOOKS: dict[str, tuple[Callable[[Caller, str], Reply], str, object]] = {
    "a leaving": (
        lambda sue, path: sue.post(f"{path}/seats/leave/preview", {"player": "Ann"}),
        "seats/leave",
        {"player": "Ann"},
    ),
    "a conversion": (
        lambda sue, path: sue.post(f"{path}/conversion/preview", {}),
        "conversion",
        {},
    ),
    "a count": (
        lambda sue, path: sue.post(f"{path}/counts/preview", COUNT),
        "counts",
        {**COUNT, "post": True},
    ),
    "an undo": (lambda sue, path: sue.get(f"{path}/undo"), "undo", None),
    "the accounts": (
        lambda sue, path: sue.get(f"{path}/accounts"),
        "loans",
        {"player": "Ann", "chips": 5},
    ),
}


@pytest.mark.parametrize("what", LOOKS)
def test_what_was_looked_at_is_written_or_nothing(sue: Caller, what: str) -> None:
    """The ETag of the look is refused once somebody has written, and good as long as nobody has."""
    path = sue.start(
        players=list(FOUR), first_dealer=None, rate={"chips": 10, "money": 10}, starting_stack=150
    )
    sue.post(f"{path}/hands", cash.ANN_WINS)
    look, deed, sent = LOOKS[what]
    stale = {"If-Match": look(sue, path).headers["ETag"]}
    sue.post(f"{path}/hands", cash.ANN_WINS)
    assert sue.post(f"{path}/{deed}", sent, headers=stale).status_code == 412
    fresh = {"If-Match": look(sue, path).headers["ETag"]}
    assert sue.post(f"{path}/{deed}", sent, headers=fresh).status_code in (200, 201)
