"""Claims, spread hands and irregularities in a record: each key is checked for its kind."""

import pytest

from engine.record.incidents import MOST_IRREGULAR, MOST_TRANSFERS
from tests.engine.hands import refusal, six

REVOKE = {"what": "revoke", "seat": "Bob", "trick": 2, "card": "7S", "settled": "play-on"}
IRREGULAR = [
    {"what": "misdeal", "settled": "play-on"},
    {
        "what": "revoke",
        "seat": "Cyd",
        "trick": 2,
        "card": "7S",
        "settled": "agreed",
        "transfers": [{"from": "Cyd", "to": "山田", "amount": 5}],
    },
]
PAYMENT = {"from": "Ann", "to": "Bob", "amount": 5}


@pytest.mark.parametrize(
    ("keys", "code", "field"),
    [
        ({"claimed": {"after": 3}}, "missing-key", "claimed.by"),
        ({"claimed": {"by": "Ann"}}, "missing-key", "claimed.after"),
        ({"claimed": {"by": "Zoe", "after": 3}}, "unknown-seat", "claimed.by"),
        ({"claimed": {"by": "Ann", "after": -1}}, "ill-typed", "claimed.after"),
        ({"claimed": {"by": "Ann", "after": 1, "tricks": "2"}}, "ill-typed", "claimed.tricks"),
        ({"claimed": {"by": "Ann", "after": 1, "points": -2}}, "ill-typed", "claimed.points"),
        ({"claimed": {"by": "Ann", "after": 1, "shown": "XX"}}, "unknown-card", "claimed.shown"),
        ({"spread": {}}, "missing-key", "spread.after"),
        ({"spread": {"after": 2}}, "unknown-card", "spread.after"),
        ({"irregular": REVOKE}, "ill-typed", "irregular"),
        ({"irregular": [7]}, "ill-typed", "irregular.1"),
        ({"irregular": [REVOKE] * (MOST_IRREGULAR + 1)}, "ill-typed", "irregular"),
        ({"irregular": [{**REVOKE, "what": "cheat"}]}, "ill-typed", "irregular.1.what"),
        ({"irregular": [{"what": "misdeal"}]}, "missing-key", "irregular.1.settled"),
        ({"irregular": [{**REVOKE, "settled": "no"}]}, "ill-typed", "irregular.1.settled"),
        ({"irregular": [REVOKE, {**REVOKE, "trick": 0}]}, "ill-typed", "irregular.2.trick"),
        ({"irregular": [REVOKE, {**REVOKE, "seat": "Zoe"}]}, "unknown-seat", "irregular.2.seat"),
        (
            {"irregular": [{**REVOKE, "transfers": [PAYMENT, {**PAYMENT, "to": "Zoe"}]}]},
            "unknown-seat",
            "irregular.1.transfers.2.to",
        ),
        (
            {"irregular": [{**REVOKE, "transfers": [{**PAYMENT, "from": "Zoe"}]}]},
            "unknown-seat",
            "irregular.1.transfers.1.from",
        ),
        (
            {"irregular": [{**REVOKE, "transfers": [{**PAYMENT, "amount": 0}]}]},
            "ill-typed",
            "irregular.1.transfers.1.amount",
        ),
        (
            {"irregular": [{**REVOKE, "transfers": [PAYMENT] * (MOST_TRANSFERS + 1)}]},
            "ill-typed",
            "irregular.1.transfers",
        ),
    ],
)
def test_a_wrong_value_is_refused_at_its_place(
    keys: dict[str, object], code: str, field: str
) -> None:
    """With a code of its kind."""
    violation = refusal(six(3, "solo", 74, **keys))
    assert (violation.code, violation.field) == (code, field)


def test_a_number_that_is_too_small_is_refused_with_the_smallest_one() -> None:
    """The message names both."""
    violation = refusal(six(3, "solo", 74, claimed={"by": "bidder", "after": -1}))
    assert violation.message == "claimed.after must be 0 or more, not -1."
