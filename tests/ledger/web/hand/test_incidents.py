"""Hands with claims and irregularities on pages: in the history, and in the form of a correction."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from tests.ledger import table
from tests.ledger.web.hand.test_correction_form import CARDS
from tests.ledger.web.phone import Phone

SOLO = {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"}
PAYMENT = {"from": "Dee", "to": "Ann", "amount": 30}
REVOKE = {"what": "revoke", "seat": "Dee"}
AGREED = {"irregular": [{**REVOKE, "settled": "agreed", "transfers": [PAYMENT]}]}
VOID = {"irregular": [{"what": "misdeal", "settled": "void"}]}
CLAIM = {"by": "Ann", "after": 3}
CUT_SHORT = {**CARDS, "tricks": CARDS["tricks"][:3], "claimed": CLAIM}


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (VOID, "misdeal: the hand does not count"),
        ({"contract": {"bid": "pass"}, **VOID}, "misdeal: the hand does not count"),
        ({"contract": SOLO, **VOID}, "misdeal: the hand does not count"),
        ({"contract": SOLO, **AGREED}, "Dee pays Ann 30"),
        ({"contract": SOLO, "points": 74, **AGREED}, "Dee pays Ann 30"),
        (AGREED, "Dee pays Ann 30"),
        ({"contract": SOLO, "irregular": [{**REVOKE, "settled": "lost"}]}, "lost at full value"),
        ({"contract": SOLO, "points": 74, "claimed": CLAIM}, "Ann claimed the rest after 3 tricks"),
        (CUT_SHORT, "Ann claimed the rest after 3 tricks"),
    ],
)
def test_the_history_explains_the_events_and_a_correction_keeps_them(
    scorer: Phone, database: Database, club: Access, keys: dict[str, Any], words: str
) -> None:
    """However little of the hand was recorded; here the correction adds a note."""
    number = table.start(database, club, table.FOUR, "crazy-solo", first_dealer="Dee")
    table.record(database, club, number, keys)
    session = f"/clubs/{club.club_id}/sessions/{number}"
    assert words in scorer.open(f"{session}/history").text
    form = scorer.open(f"{session}/hands/1/correct").form("/correct")
    preview = scorer.send(form, do="show", reason="a note", note="settled later")
    scorer.send(preview.form("/correct"), do="save")
    stored, *_ = table.ask(database, club, table.version_record, number, 1)
    assert stored["note"] == "settled later"
    for key in ("irregular", "claimed"):
        assert stored.get(key) == keys.get(key)
