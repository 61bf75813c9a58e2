"""Hands recorded while a form was open, and whether one of them is identical to the form's.

Authors are known by name only, and a name may be on two phones: the page asks about an identical hand by the
same author, too. If a device has two unsent forms, its outbox states in the second that it has seen the
first.
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
"""The field with the number of hands when a form was opened, if there were more later."""

ANOTHER = "another"
"""The button of a scorer who confirms that the hand is not the one recorded meanwhile."""

_MOST = 8
"""The most hands to compare, oldest first."""

_OF_THE_TABLE = {"dealer", "active", "note", "points_against", LEAD, BLIND_ROUND}
"""The keys that may differ between two drafts of one hand: for the later the deal has moved on."""


def begun_at(dealt: int) -> int:
    """Return the number of hands when the submitted form was opened.

    For a new form, and once the scorer has confirmed that the hand is another one, it is the current number.
    """
    if request.form.get("do") == ANOTHER:
        return dealt
    numbers = (number_of(request.form.get(name)) for name in (BEGUN, "seen_hands"))
    return min(next((number for number in numbers if number is not None), dealt), dealt)


def since(begun: int, dealt: int) -> range:
    """Return the numbers of the hands recorded since a form was opened; of many, the first ``_MOST``."""
    return range(begun + 1, min(dealt, begun + _MOST) + 1)


def is_same(mine: HandForm, theirs: RecordCorrection, state: str) -> bool:
    """Return whether a recorded hand has the same play as the form.

    An unchanged dealer is not compared: the deal has moved on since. A void hand, or an empty form, is never
    the same.
    """
    dealer = request.form.get("dealer")
    dealers = {None, request.form.get("dealer_proposed"), theirs.record["dealer"]}
    return (
        state != HandState.VOID
        and dealer in dealers
        and bool(mine.chosen)
        and _play(mine) in (_play(theirs.form), _play(theirs.result_form))
    )


def _play(form: HandForm) -> Mapping[str, Any]:
    """Return the keys of a form's draft that describe the play, with lists sorted."""
    draft = {key: value for key, value in form.draft.items() if key not in _OF_THE_TABLE}
    contract = {
        key: sorted(value) if isinstance(value, list) else value
        for key, value in draft.pop("contract", {}).items()
    }
    return {**draft, "contract": contract}
