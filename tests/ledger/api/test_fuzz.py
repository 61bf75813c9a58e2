"""No request made from the document crashes the API, and each response is as documented, for every role.

``LEDGER_TEST_FUZZ_EXAMPLES`` sets the number of examples of each operation, in all phases for each caller.
"""

import os
from urllib.parse import quote

import pytest
from flask import Flask

from tests.ledger.api.caller import Caller
from tests.ledger.api.fuzzing import PHASES, fuzz
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import ALONE_85, HEARTS_74

LONG = int(os.environ.get("LEDGER_TEST_FUZZ_EXAMPLES", "0"))
CALLERS = {
    "owner": (PHASES, 4),
    **dict.fromkeys(("scorer", "viewer", "nobody"), (("examples",), 1)),
}
"""The phases for each caller, and the examples of each operation unless it is for long.

Invalid requests are left to the owner: a scorer's are read by the same code, the others' refused before.
"""


@pytest.fixture
def place(sue: Caller) -> dict[str, int]:
    """The content of the books: a session with two hands, a loan and a payment, and an unused token."""
    path = sue.start(rate={"chips": 10, "money": 5}, starting_stack=600)
    for hand in (HEARTS_74, ALONE_85):
        assert sue.post(f"{path}/hands", hand).status_code == 201
    paid = sue.post("/payments", {"payer": "Ann", "payee": "Bob", "amount": 100})
    spare = sue.post("/tokens", {"label": "Spare", "role": "viewer"})
    season = sue.post(
        "/seasons", {"name": "All", "first_day": "2000-01-01", "last_day": "2100-12-31"}
    )
    pizza = {"title": "Pizza", "amount": 100, "payer": "Ann", "shared_by": [{"player": "Bob"}]}
    shared = sue.post("/expenses", pizza)
    account = sue.get(f"{path}/accounts").json[0]["id"]
    return {
        "session_id": int(path.rpartition("/")[2]),
        "number": 2,
        "player_id": sue.get("/players").json[0]["id"],
        "account_id": account,
        "entry_id": paid.json["entry"],
        "token_id": spare.json["id"],
        "season_id": season.json["id"],
        "expense_id": shared.json["entry"],
    }


@pytest.mark.parametrize("caller", CALLERS)
def test_no_request_brings_the_api_down_and_each_answer_is_as_documented(
    app: Flask, sue: Caller, place: dict[str, int], caller: str
) -> None:
    """No 5xx; status, type, headers and body as documented; wrong ones are refused, right ones not."""
    headers = {
        "Accept-Encoding": "identity"
    }  # the reader of responses in this test can't decode brotli
    if caller != "nobody":
        secret = sue.post("/tokens", {"label": "Fuzzer", "role": caller}).json["secret"]
        headers["Authorization"] = f"Bearer {secret}"
    if caller == "owner":
        headers["Club-Passcode"] = quote(PASSCODE)
    phases, examples = (PHASES, LONG) if LONG else CALLERS[caller]
    report = fuzz(app, headers, place, examples=examples, phases=phases)
    print(f"{caller}: {report.requests} requests, {dict(sorted(report.statuses.items()))}")
    assert (report.faults, report.left_out) == ([], 0)
    assert report.operations >= 60
