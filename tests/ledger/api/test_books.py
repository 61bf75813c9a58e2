"""The books of a session over the API."""

from io import BytesIO

from pypdf import PdfReader

from tests.ledger.api.caller import Caller
from tests.ledger.table import HEARTS_46, HEARTS_74, PAYS_HEARTS_46, PAYS_HEARTS_74, SEVEN


def test_standings_are_best_first_with_shared_ranks(sue: Caller) -> None:
    """Equal balances share a rank; the bidder's hands are counted."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    standings = sue.get(f"{path}/standings").json
    assert [line["name"] for line in standings] == list(SEVEN)
    assert [line["rank"] for line in standings] == [1, 2, 3, 3, 3, 3, 3]
    assert (standings[0]["hands_bid"], standings[0]["hands_won"]) == (1, 1)


def test_accounts_are_the_seats_clockwise(sue: Caller) -> None:
    """Their balances sum to zero."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    accounts = sue.get(f"{path}/accounts").json
    assert {account["seat"]: account["balance"] for account in accounts} == PAYS_HEARTS_74
    assert [account["seat"] for account in accounts] == list(SEVEN)
    assert sum(account["balance"] for account in accounts) == 0


def test_a_correction_is_a_reversal_and_a_new_entry(sue: Caller) -> None:
    """Three balanced entries, the second taking back the first; pages follow the journal."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    sue.put(f"{path}/hands/1", {"hand": HEARTS_46, "reason": "miscounted"})
    entries = sue.get(f"{path}/entries").json
    assert [entry["kind"] for entry in entries] == ["hand", "reversal", "hand"]
    assert entries[1]["reverses"] == entries[0]["id"]
    assert [entry["hand"] for entry in entries] == [1, 1, 1]
    for entry in entries:
        assert sum(posting["amount"] for posting in entry["postings"]) == 0
    held = {posting["seat"]: posting["balance"] for posting in entries[2]["postings"]}
    assert held == PAYS_HEARTS_46
    assert entries[1]["reason"] == "miscounted"
    last = sue.get(f"{path}/entries?page=3&page_size=1")
    assert last.json == entries[2:]


def test_a_settlement_asks_for_no_chips_that_are_money_already(sue: Caller) -> None:
    """They are settled in the club; the PDF states it."""
    path = sue.start(rate={"chips": 10, "money": 5})
    sue.post(f"{path}/hands", HEARTS_74)
    sue.post(f"{path}/conversion", {})
    assert sue.get(f"{path}/settlement").json == {"unit": "chips", "even": True, "payments": []}
    assert len(sue.get("/club/settlement").json["payments"]) == 5


def test_a_settlement_has_the_fewest_payments(sue: Caller) -> None:
    """Five owe 40 each: 120 to Ann and 80 to Bob take five payments."""
    path = sue.start()
    assert sue.get(f"{path}/settlement").json == {"unit": "chips", "even": True, "payments": []}
    sue.post(f"{path}/hands", HEARTS_74)
    payments = sue.get(f"{path}/settlement").json["payments"]
    assert len(payments) == 5
    paid = dict.fromkeys(SEVEN, 0)
    for payment in payments:
        assert payment["amount"] > 0
        paid[payment["payee"]] += payment["amount"]
        paid[payment["payer"]] -= payment["amount"]
    assert paid == PAYS_HEARTS_74


def test_the_report_is_a_pdf_named_after_the_evening(sue: Caller) -> None:
    """It can be read back, and a browser may show it."""
    path = sue.start(title="Piątek 🂡", started_on="2026-01-30")
    sue.post(f"{path}/hands", HEARTS_74)
    printed = sue.get(f"{path}/report.pdf")
    assert (printed.status_code, printed.mimetype) == (200, "application/pdf")
    assert "2026-01-30.pdf" in printed.headers["Content-Disposition"]
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(printed.data)).pages)
    assert "Kitchen Table" in text
    assert "120" in text
