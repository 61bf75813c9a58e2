"""A whole recorded evening through the real product: tapped in, sent in, and read back from the PDF.

Each hand, correction and void whose way through the form is another than those before it is tapped on a
phone-sized Chromium against the real server; the others go in between by the API, as from a second device.
Every payout is held against the figures worked out by hand in ``tests/evening``, before it is saved and
after.
"""

import json
import os
import urllib.request
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from tests.browser.pages import ScorerPhone
from tests.conftest import StartServer
from tests.evening.load import Change, Evening, Game, Payout, load
from tests.support import nursery
from tests.support.phone import Phones

pytestmark = pytest.mark.browser

LEAST_TAPPED = 15
"""How many hands of an evening take a way of their own, at least; the others go in by the API."""

Way = tuple[object, ...]
"""What the form asks of a hand, and is answered."""

TITLES = {"crazy-solo": "Crazy Solo", "six-bid": "Six-Bid Solo"}
TARIFFS = {"hoyle": "Hoyle", "pagat": "Pagat"}


class Program:
    """A program that keeps the same session through the API."""

    def __init__(self, url: str, token: str, session_id: int) -> None:
        self._base = f"{url}/api/v1/sessions/{session_id}"
        self._token = token
        self._writes = 0

    def record(self, hand: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write the next hand."""
        return self._send("POST", "/hands", hand)

    def correct(self, number: int, hand: Mapping[str, Any], reason: str) -> Mapping[str, Any]:
        """Correct a hand."""
        return self._send("PUT", f"/hands/{number}", {"hand": hand, "reason": reason})

    def void(self, number: int, reason: str) -> Mapping[str, Any]:
        """Take a hand out."""
        return self._send("POST", f"/hands/{number}/void", {"reason": reason})

    def _send(self, method: str, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        self._writes += 1
        request = urllib.request.Request(  # noqa: S310 - our own server
            self._base + path,
            json.dumps(body).encode(),
            {
                "Authorization": f"Bearer {self._token}",
                "Content-Type": "application/json",
                "Idempotency-Key": f"evening-write-{self._writes:04}",
                "If-Match": "*",
            },
            method=method,
        )
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
            answer: Mapping[str, Any] = json.load(response)
        return answer


@pytest.mark.parametrize("game", ["crazy_solo", "six_bid"])
def test_a_recorded_evening_comes_out_as_worked_out_by_hand(
    game: Game, server: StartServer, phone: Phones, tmp_path: Path
) -> None:
    """Payouts, balances at every checkpoint, the final standings and the PDF agree with the file."""
    evening = load(game)
    database_url = f"sqlite:///{tmp_path / 'evening.sqlite'}"
    running = server(database_url=database_url)
    scorer = ScorerPhone(phone(running.url))
    scorer.start_club("The Friday Table", "four aces", "Sue")
    first = evening.hands[0]
    scorer.start_session(
        evening.players,
        game=TITLES[first["game"]],
        tariff=TARIFFS.get(first.get("rules", "")),
        first_dealer=first["dealer"],
        title="A recorded evening",
        stack=0,
    )

    session_id = int(scorer.session_path().rsplit("/", 1)[1])
    token = _token("The Friday Table", database_url, tmp_path)
    tapped = _play(scorer, Program(running.url, token, session_id), evening)
    assert LEAST_TAPPED <= tapped < len(evening.hands)

    assert scorer.balances() == dict(evening.final)
    _check_report(scorer.download_report(tmp_path), evening)
    assert phone.complaints == []


def _play(scorer: ScorerPhone, program: Program, evening: Evening) -> int:
    """Let the evening happen, hand by hand; return how many hands were tapped in."""
    known: set[Way] = set()
    tapped = made = 0
    tariff = evening.hands[0].get("rules")
    for number, (hand, payout) in enumerate(zip(evening.hands, evening.payouts, strict=True), 1):
        if hand.get("rules") != tariff:
            tariff = hand["rules"]
            scorer.change_rules(game=TITLES[hand["game"]], tariff=TARIFFS[tariff])
        if not (way := _ways("record", hand, payout)) <= known:
            known |= way
            tapped += 1
            _tap_hand(scorer, number, hand, payout)
            _check_balances(scorer.balances_here(), evening, number, made)
        else:
            answer = program.record(hand)
            assert answer["hand"] == number
            _check_answer(answer, payout)
            _check_balances(answer["balances"], evening, number, made)
        for change in evening.changes_due(number):
            made += 1
            record = evening.standing_records(made).get(change.hand, {})
            before = evening.standing_records(made - 1)[change.hand]
            way = _ways(change.action, record, change.payout)
            if _changes_the_form(before, record) and not way <= known:
                known |= way
                _tap_change(scorer, change, record)
                balances: Mapping[str, int] = scorer.balances()
            else:
                balances = _send_change(program, change, record)
            _check_balances(balances, evening, number, made)
    assert made == len(evening.changes)
    return tapped


def _ways(action: str, hand: Mapping[str, Any], payout: Payout | None) -> set[Way]:
    """Return the ways through the form that a hand takes: its questions, answers and outcome."""
    if payout is None:
        return {(action,)}
    contract = hand["contract"]
    called, trump = contract.get("called", ""), contract.get("trump")
    of_trumps = called and called[-1] == (trump or "H")
    asked = (contract["bid"], of_trumps, contract.get("alone"), hand.get("conceded"))
    answered = {("trump", trump), ("called", called[:1]), ("note", "note" in hand)}
    if action == "correct":
        return {(action, *asked), *answered}
    return {(*asked, payout.outcome), *answered}


def _changes_the_form(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether a change is one of the form's answers; for a bid with one price no count is asked."""
    return before["contract"] != after.get("contract") or after["contract"]["bid"] not in ONE_PRICE


ONE_PRICE = ("misere", "guarantee", "spread-misere", "call-solo")
"""What the form asks no count of."""


def _said(hand: Mapping[str, Any], payout: Payout) -> Mapping[str, Any]:
    """Return a hand as the form asks for it: with one price, whether it was made."""
    if hand.get("contract", {}).get("bid") not in ONE_PRICE or "conceded" in hand:
        return hand
    return {**hand, "made": payout.outcome == "won"}


def _tap_hand(scorer: ScorerPhone, number: int, hand: Mapping[str, Any], payout: Payout) -> None:
    shown = scorer.score_hand(_said(hand, payout))
    assert shown == dict(payout.deltas), f"hand {number}: {payout.worked}"
    if hand["game"] == "crazy-solo" and "note" not in hand:
        assert scorer.taps <= 7, f"hand {number} took {scorer.taps} taps"


def _tap_change(scorer: ScorerPhone, change: Change, record: Mapping[str, Any]) -> None:
    if change.payout is None:
        scorer.void(change.hand, change.reason)
        return
    shown = scorer.correct(change.hand, _said(record, change.payout), change.reason)
    assert shown == dict(change.payout.deltas), change.payout.worked


def _send_change(program: Program, change: Change, record: Mapping[str, Any]) -> Mapping[str, int]:
    """Send a correction or a void; return the balances it leaves."""
    if change.payout is None:
        answer = program.void(change.hand, change.reason)
    else:
        answer = program.correct(change.hand, record, change.reason)
        _check_answer(answer, change.payout)
    balances: Mapping[str, int] = answer["balances"]
    return balances


def _check_answer(answer: Mapping[str, Any], payout: Payout) -> None:
    assert answer["verdict"]["deltas"] == dict(payout.deltas), payout.worked
    assert answer["verdict"]["outcome"] == payout.outcome


def _check_balances(
    balances: Mapping[str, int], evening: Evening, after: int, changes: int
) -> None:
    """Hold balances against the standing payouts' sums, and the file's own checkpoints."""
    expected = dict.fromkeys(evening.players, 0)
    for payout in evening.standing_payouts(after, changes).values():
        for name, amount in payout.deltas.items():
            expected[name] += amount
    assert dict(balances) == expected
    for checkpoint in evening.checkpoints:
        if (checkpoint.after, checkpoint.changes) == (after, changes):
            assert dict(balances) == dict(checkpoint.balances)


def _check_report(file: Path, evening: Evening) -> None:
    """Read the PDF back: names, final balances, every hand, corrections and reasons."""
    reader = PdfReader(BytesIO(file.read_bytes()))
    text = "\n".join(page.extract_text() for page in reader.pages)
    plain = " ".join(text.split())
    assert file.name.endswith(".pdf")
    assert len(reader.pages) > 1
    for words in ("The Friday Table", "A recorded evening", *evening.players):
        assert words in plain
    for name, balance in evening.final.items():
        assert name in plain
        assert f"{balance:+,}".replace("-", "\u2212") in plain
    for change in evening.changes:
        assert change.reason in plain
    for sign in "♠♥♦♣":
        assert sign in plain
    assert f"Page 1 of {len(reader.pages)}" in plain


def _token(club: str, database_url: str, folder: Path) -> str:
    """Make a token as its keeper does: at the command line."""
    own = {"LEDGER_DATABASE_URL": database_url, "LEDGER_DATA_DIR": str(folder)}
    return nursery.run(nursery.COMMAND, ["token", club], os.environ | own).stdout.strip()
