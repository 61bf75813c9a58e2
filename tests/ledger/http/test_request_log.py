"""A line a request: its number, client, address and duration; and nobody's secret."""

import logging
import re
from ipaddress import ip_network

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.runtime import logs
from ledger.runtime.config import Settings
from ledger.services.club import clubs, tokens
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.ledger.conftest import PASSCODE
from tests.ledger.http.test_proxy import made

ID = "X-Request-ID"
JUNK = ["", "a b", "x" * 65, "naïve", 'a"', "<b>"]


@pytest.fixture(autouse=True)
def _logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logs.REQUESTS)


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    """Return the log lines of the requests."""
    return [dict(logs.fields_of(each)) for each in caplog.records if each.name == logs.REQUESTS]


def test_a_line_says_who_did_what_and_how_long_it_took(
    app: Flask, database: Database, club: Access, caplog: pytest.LogCaptureFixture
) -> None:
    """The club, the role, the name that changes are kept under; the answer carries the line's number."""
    session = table.start(database, club)
    secret, _ = tokens.issue(database, club, label="Sue's\nphone", role=Role.SCORER)
    answer = Caller(app, secret).post(f"/sessions/{session}/hands", table.HEARTS_74)
    (line,) = lines(caplog)
    assert isinstance(line.pop("ms"), float)
    assert line == {
        "status": 201,
        "bytes": len(answer.data),
        "request_id": answer.headers[ID],
        "method": "POST",
        "route": "/api/v1/sessions/{session_id}/hands",
        "path": f"/api/v1/sessions/{session}/hands",
        "address": "127.0.0.1",
        "club": club.club_id,
        "role": "scorer",
        "author": "Sue's phone",
    }
    assert secret not in str(caplog.records)


def test_no_line_holds_a_key_a_passcode_or_a_query(
    app: Flask, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Followers' links carry their key in the address, and people mistype theirs."""
    access, _ = clubs.create(database, name="Kitchen Table", passcode=PASSCODE)
    key = table.viewer_key(database, access)
    phone = app.test_client()
    for path in (f"/v/{key}", f"/v/{key}/x", f"/?key={key}"):
        phone.get(path)
    phone.post("/enter", data={"club": "Kitchen Table", "passcode": PASSCODE})
    text = "\n".join(logs.TextFormatter().format(each) for each in caplog.records)
    assert len(lines(caplog)) == 4
    assert key not in text
    assert PASSCODE not in text
    assert "GET /v/{viewer_key} 303" in text
    assert lines(caplog)[0]["role"] == "viewer"
    assert lines(caplog)[1]["route"] == "none"


def test_a_proxy_that_is_trusted_may_number_its_requests(
    settings: Settings, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """A number of anybody else, or one that is long or not plain, is not taken over."""
    app = made(settings, database, trusted_proxies=(ip_network("10.0.0.0/8"),))

    def asked(by: str, number: str) -> str:
        environ = {"REMOTE_ADDR": by, "HTTP_X_REQUEST_ID": number}
        return app.test_client().get("/health", environ_overrides=environ).headers[ID]

    assert asked("10.0.0.1", "from-nginx.7") == "from-nginx.7"
    for by, number in [("192.0.2.1", "from-nginx.7"), *(("10.0.0.1", junk) for junk in JUNK)]:
        assert re.fullmatch("[0-9a-f]{16}", asked(by, number))
    assert {line["address"] for line in lines(caplog)} == {"10.0.0.1", "192.0.2.1"}


def test_a_mistake_of_ours_is_found_by_its_number(
    settings: Settings, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The page, its header, the traceback and the line of the request all name it."""
    app = made(settings, database)
    app.get("/broken")(lambda: str(1 / 0))
    answer = app.test_client().get("/broken")
    assert answer.status_code == 500
    number = answer.headers[ID]
    assert f"In the log it stands under {number}." in answer.get_data(as_text=True)
    assert lines(caplog)[-1]["request_id"] == number
