"""Forms made to be slow: for any form up to a megabyte, the answer costs little and is no 5xx."""

import time
from urllib.parse import urlencode

import pytest

from ledger.http.failures import MOST_BYTES
from tests.ledger.api.test_hostile_bodies import MARKS, SLOWEST, nothing_of_other_tests
from tests.ledger.web.phone import Phone

__all__ = ["nothing_of_other_tests"]

FIELDS: dict[str, list[tuple[str, str]]] = {
    "combining marks": [(name, MARKS) for name in ("name", "passcode", "player", "reason")],
    "ligatures": [("name", "\ufdfa" * 50_000), ("player", "\ufdfa" * 5_000)],
    "many fields": [(f"f{each}", "1") for each in range(100_000)],
    "one field often": [("name", "1")] * 100_000,
    "one long field": [("passcode", "a" * 900_000), ("name", "Ann")],
}


@pytest.mark.parametrize("shape", FIELDS)
def test_no_form_up_to_a_megabyte_keeps_a_processor_busy(
    scorer: Phone, seven: str, shape: str
) -> None:
    """A form may be as hostile as a body: it costs as little, and is answered by a page."""
    token = dict(scorer.open("/enter").form("/enter").fields)["csrf_token"]
    data = urlencode([("csrf_token", token), *FIELDS[shape]]).encode()[:MOST_BYTES]
    for path in ("/enter", "/start", f"{seven}/hands/new", f"{seven}/bank", f"{seven}/count"):
        begun = time.process_time()
        answer = scorer.client.post(
            path, data=data, content_type="application/x-www-form-urlencoded"
        )
        assert time.process_time() - begun < SLOWEST, path
        assert answer.status_code < 500, path


def test_a_form_too_large_is_refused_with_its_own_limit(scorer: Phone) -> None:
    """A form is read to a hundred thousand bytes, a tenth of what a program may send."""
    answer = scorer.client.post("/enter", data={"name": "a" * 100_001})
    assert answer.status_code == 413
    assert "That is too much at once; the limit is 100,000 bytes." in answer.get_data(as_text=True)


def test_no_address_keeps_a_processor_busy(scorer: Phone, seven: str) -> None:
    """An address is as long as the server lets it be: asking with it costs as little."""
    asked = urlencode({"player": MARKS, "page": "9" * 4_000, "bid": MARKS[:30_000]})
    for path in ("/history", "/hands/new", "/bank", ""):
        begun = time.process_time()
        answer = scorer.client.get(f"{seven}{path}?{asked}")
        assert time.process_time() - begun < SLOWEST, path
        assert answer.status_code < 500, path
