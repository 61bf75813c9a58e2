"""What was done while a hand form was open: what is new, and whether a hand of these is this very one.

Who recorded it is known by name only, and a name may be on two phones: so a hand of one's own, recorded from
another form, is asked about as well. Of two forms that a device kept to be sent later, its outbox says that
the second has seen the first one's hand.
"""

from collections.abc import Mapping
from typing import Any

from flask import request

from ledger.database.models import HandState
from ledger.services.hands.turn import BLIND_ROUND, LEAD
from ledger.web.frame.figures import number_of
from ledger.web.hand.correction_form import RecordCorrection
from ledger.web.hand.form import HandForm

BEGUN = "begun"
"""The input that says how many hands there were when a form was begun, where it was told of more since."""

ANOTHER = "another"
"""What its button sends who says that a hand is another one than that recorded meanwhile."""

_MOST = 8
"""How many hands are looked at, the oldest first."""

_OF_THE_TABLE = {"dealer", "active", "note", "points_against", LEAD, BLIND_ROUND}
"""What two phones may say differently of one hand: for the later the deal has moved on."""


def begun_at(dealt: int) -> int:
    """Return how many hands there were when the form that was sent was begun; all, of one made now."""
    if request.form.get("do") == ANOTHER:
        return dealt
    sent = (number_of(request.form.get(name)) for name in (BEGUN, "seen_hands"))
    return min(next((number for number in sent if number is not None), dealt), dealt)


def since(begun: int, dealt: int) -> range:
    """Return the numbers of the hands that were recorded since a form was begun."""
    return range(begun + 1, min(dealt, begun + _MOST) + 1)


def is_same(mine: HandForm, theirs: RecordCorrection, state: str) -> bool:
    """Whether a hand that was recorded meanwhile says of its play just what the form says.

    A dealer that nobody touched is not compared: the deal has moved on since. A void hand does not count.
    """
    dealer = request.form.get("dealer")
    dealers = {None, request.form.get("dealer_proposed"), theirs.record["dealer"]}
    return (
        state != HandState.VOID
        and dealer in dealers
        and bool(mine.chosen)
        and _play(mine) == _play(theirs.form)
    )


def _play(form: HandForm) -> Mapping[str, Any]:
    """Return what a form says of the play, in an order of its own."""
    draft = {key: said for key, said in form.draft.items() if key not in _OF_THE_TABLE}
    contract = {
        key: sorted(said) if isinstance(said, list) else said
        for key, said in draft.pop("contract", {}).items()
    }
    return {**draft, "contract": contract}
