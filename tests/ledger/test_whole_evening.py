"""A recorded evening from the club's founding to the result, over the API and on the pages.

Every supported Python plays it: ``.ci/run`` takes this file to each version that it finds.
"""

import re
from typing import Any

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.services.audit import verify
from ledger.web.hand.questions import ALONE, NOBODY
from tests.evening.load import Change, Evening, Record, load
from tests.ledger.api.caller import Caller
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import new_key
from tests.ledger.web.phone import Page, Phone

STACK = 500


@pytest.fixture(scope="module")
def evening() -> Evening:
    """48 hands of Crazy Solo, corrected and voided on the way."""
    return load("crazy_solo")


def stacks(evening: Evening) -> dict[str, int]:
    """Return each player's chips at the end."""
    return {name: STACK + balance for name, balance in evening.final.items()}


class Scorer:
    """Plays an evening over the API; each write is sent twice under its key, as by a bad network."""

    def __init__(self, app: Flask) -> None:
        self.caller = Caller(app)
        founded = self.caller.post("/clubs", {"name": "Friday", "passcode": PASSCODE})
        assert founded.status_code == 201, founded.json
        self.caller = Caller(app, founded.json["token"]["secret"])
        self.path = ""

    def write(self, method: str, path: str, body: Any) -> Any:
        """Send a write twice; return its answer, which is the same both times."""
        key = new_key()
        first, second = (self.caller.call(method, path, body, key=key) for _ in range(2))
        assert first.status_code in {200, 201}, first.json
        assert second.json == first.json
        return first.json

    def start(self, evening: Evening) -> None:
        """Seat everybody, the recorded dealer first."""
        dealer = evening.hands[0]["dealer"]
        draft = {"game": "crazy-solo", "players": list(evening.players), "first_dealer": dealer}
        begun = self.write("POST", "/sessions", {**draft, "starting_stack": STACK})
        self.path = f"/sessions/{begun['id']}"

    def record(self, hand: Record) -> Any:
        """Record a hand; return each player's payment."""
        return self.write("POST", f"{self.path}/hands", _fields(hand))["verdict"]["deltas"]

    def change(self, change: Change, record: Record) -> None:
        """Void a hand, or correct it to the given record."""
        place = f"{self.path}/hands/{change.hand}"
        if change.action == "void":
            self.write("POST", f"{place}/void", {"reason": change.reason})
        else:
            self.write("PUT", place, {"hand": _fields(record), "reason": change.reason})


def _fields(hand: Record) -> dict[str, Any]:
    return {key: hand[key] for key in ("contract", "points") if key in hand}


def test_an_evening_over_the_api_comes_out_as_recorded(
    app: Flask, database: Database, evening: Evening
) -> None:
    """Every payout and the chips at the end; the money sums to zero, and the books verify."""
    scorer = Scorer(app)
    scorer.start(evening)
    changes = 0
    for number, hand in enumerate(evening.hands, 1):
        assert scorer.record(hand) == evening.payouts[number - 1].deltas
        for change in evening.changes_due(number):
            changes += 1
            scorer.change(change, evening.standing_records(changes).get(change.hand, {}))
    assert scorer.caller.balances(scorer.path) == stacks(evening)
    scorer.write("PUT", f"{scorer.path}/rate", {"rate": {"chips": 10, "money": 1}})
    scorer.write("POST", f"{scorer.path}/conversion", {})
    payments = scorer.caller.get("/club/settlement").json["payments"]
    won = sum(balance for balance in evening.final.values() if balance > 0)
    assert abs(sum(payment["amount"] for payment in payments) - won // 10) <= len(payments)
    scorer.write("POST", f"{scorer.path}/close", None)
    assert scorer.caller.get(f"{scorer.path}/report.pdf").data.startswith(b"%PDF")
    assert list(verify(database)) == []


class Tapper:
    """Plays an evening on the pages of a phone."""

    def __init__(self, app: Flask, database: Database) -> None:
        self.phone, self.database, self.session = Phone(app), database, ""

    def found(self) -> str:
        """Start a club; return its address."""
        form = self.phone.open("/start").form("/start")
        page = self.phone.send(form, name="Friday", passcode=PASSCODE, author="Mia")
        assert page.status == 303, page.text
        return re.match(r"/clubs/\d+", page.location)[0]  # type: ignore[index]

    def start(self, club: str, evening: Evening) -> None:
        """Seat everybody, the recorded dealer first."""
        form = self.phone.open(f"{club}/sessions/new").form("/new")
        page = self.phone.send(
            form,
            do="start",
            game="crazy-solo",
            seat=list(evening.players),
            first_dealer=evening.hands[0]["dealer"],
            starting_stack=str(STACK),
        )
        assert page.status == 303, page.reader.alerts
        self.session = page.location.partition("?")[0]

    def save(self, page: str, ending: str, **filled: str) -> Page:
        """Fill in a form, look at the payout and save it twice, as by a double tap."""
        preview = self.phone.send(self.phone.open(page).form(ending), do="show", **filled)
        saved, again = (self.phone.send(preview.form(ending), do="save") for _ in range(2))
        assert saved.status == 303, saved.reader.alerts
        assert again.location == saved.location
        return self.phone.open(saved.location)

    def record(self, hand: Record) -> None:
        """Write a hand down."""
        self.save(f"{self.session}/hands/new", "/new", **_typed(hand))

    def change(self, change: Change, record: Record) -> None:
        """Void a hand, or correct it to the given record."""
        place = f"{self.session}/hands/{change.hand}"
        if change.action == "correct":
            self.save(f"{place}/correct", "/correct", reason=change.reason, **_typed(record))
            return
        form = self.phone.open(f"{place}/void").form("/void")
        assert self.phone.send(form, reason=change.reason).status == 303


def _typed(hand: Record) -> dict[str, str]:
    contract = hand["contract"]
    if contract["bid"] == "pass":
        return {"bidder": NOBODY}
    partner = ALONE if "alone" in contract else contract.get("partner", "")
    texts = {key: contract[key] for key in ("bidder", "bid", "trump", "called") if key in contract}
    return {**texts, "partner": partner, "points": str(hand["points"])}


def test_an_evening_on_the_pages_comes_out_as_recorded(
    app: Flask, database: Database, evening: Evening
) -> None:
    """Each hand is looked at and saved, twice by a double tap; the result and the PDF come at the end."""
    tapper = Tapper(app, database)
    tapper.start(tapper.found(), evening)
    changes = 0
    for number, hand in enumerate(evening.hands, 1):
        tapper.record(hand)
        for change in evening.changes_due(number):
            changes += 1
            tapper.change(change, evening.standing_records(changes).get(change.hand, {}))
    result = tapper.phone.open(f"{tapper.session}/result").text
    for name, balance in evening.final.items():
        assert f"{name} {balance:+,}".replace("-", "−") in result
    closing = tapper.phone.open(f"{tapper.session}/result").form("/close")
    assert tapper.phone.send(closing).status == 303
    report = tapper.phone.open(f"{tapper.session}/report.pdf").response
    assert report.data.startswith(b"%PDF")
    assert list(verify(database)) == []
