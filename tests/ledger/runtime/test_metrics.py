"""The metrics for Prometheus: the state of the service, for permitted readers, and nothing of any club."""

import re
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.request_log import METRICS
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import tokens
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.ledger.conftest import PASSCODE
from tests.ledger.database.test_outage import read_only

COUNTERS = ("ledger_refusals", "ledger_outages", "ledger_saves", "ledger_turned_away")
GAUGES = tuple(
    f"ledger_{each}" for each in ("connections", "requests_waiting", "followers", "body_bytes")
)


@pytest.fixture
def own_books(settings: Settings) -> Iterator[Database]:
    """Books of this test alone, with counted writes."""
    opened = Database(settings.database_url)
    yield opened
    opened.close()


@pytest.fixture
def app(settings: Settings, own_books: Database) -> Flask:
    """The application, its figures to be read on this machine."""
    return create_app(replace(settings, metrics_for=(ip_network("127.0.0.0/8"),)), own_books)


def read(app: Flask) -> dict[str, float]:
    """Return the figures by name and labels."""
    answer = app.test_client().get("/metrics")
    assert answer.status_code == 200
    lines = answer.get_data(as_text=True).splitlines()
    return {
        name: float(figure)
        for name, _, figure in (line.rpartition(" ") for line in lines if line[0] != "#")
    }


def test_what_is_asked_saved_and_refused_is_counted(
    app: Flask, own_books: Database, club: Access
) -> None:
    """By method, rule and status; saves with how long they waited, refusals by their code."""
    session = table.start(own_books, club)
    secret, _ = tokens.issue(own_books, club, label="Sue's phone", role=Role.SCORER)
    before, caller = read(app), Caller(app, secret)
    for hand in (table.HEARTS_74, table.HEARTS_46, {"points": 1}):
        caller.post(f"/sessions/{session}/hands", hand)
    read_only(own_books)
    caller.post(f"/sessions/{session}/hands", table.HEARTS_74)
    found = read(app)
    hands = 'ledger_request_seconds_count{method="POST",route="/api/v1/sessions/{session_id}/hands"'
    assert [found[f'{hands},status="{status}"}}'] for status in (201, 422, 503)] == [2, 1, 1]
    assert found["ledger_saves_total"] - before["ledger_saves_total"] == 2
    assert found["ledger_database_wait_seconds_count"] >= 2
    assert 0 < found["ledger_database_wait_seconds_sum"] < 60
    assert found['ledger_refusals_total{code="invalid"}'] == 1
    assert found["ledger_outages_total"] == found['ledger_refusals_total{code="unreachable"}'] == 1


def test_a_form_that_is_shown_again_counts_as_refused(app: Flask) -> None:
    """A page reports a refusal in its own way, a program gets a problem document."""
    app.config["WTF_CSRF_ENABLED"] = False
    phone = app.test_client()
    phone.post("/enter", data={"name": "Nobody's", "passcode": PASSCODE})
    assert read(app)['ledger_refusals_total{code="wrong-passcode"}'] == 1


def test_what_the_server_turned_away_is_counted_by_its_reason(app: Flask) -> None:
    """The application never saw it, so no route's figures have it."""
    app.extensions[METRICS].turned_away("too-many", 503)
    assert read(app)['ledger_turned_away_total{reason="too-many",status="503"}'] == 1


def test_a_program_that_reads_such_figures_understands_them(app: Flask) -> None:
    """Each has its type and a help text, names end as they should, and none stands twice."""
    app.test_client().get("/")
    app.extensions[METRICS].turned_away("too-many", 503)
    text = app.test_client().get("/metrics").get_data(as_text=True)
    families = list(text_string_to_metric_families(text))
    own = {each.name: each.type for each in families if each.name.startswith("ledger_")}
    begun = {name for name in own if name.endswith("_created")}  # since when each is counted
    assert {name: own[name] for name in own.keys() - begun} == {
        "ledger_request_seconds": "histogram",
        "ledger_database_wait_seconds": "histogram",
        **dict.fromkeys(COUNTERS, "counter"),
        **dict.fromkeys(GAUGES, "gauge"),
    }
    assert all(each.documentation for each in families)
    samples = [(one.name, str(one.labels)) for each in families for one in each.samples]
    assert len(samples) == len(set(samples))


def test_no_figure_tells_of_a_club(app: Flask) -> None:
    """Neither numbers nor names nor made-up texts: every label is one of ours."""
    phone = app.test_client()
    for path in ("/clubs/7/sessions/12", "/v/s3cret", "/nowhere/s3cret", "/?s3cret"):
        phone.get(path)
    phone.open("/", method="S3CRET")
    text = "\n".join(read(app))
    assert "s3cret" not in text.lower()
    routes = set(re.findall('route="([^"]*)"', text))
    assert {"none", "/", "/clubs/{club_id}/sessions/{session_id}"} <= routes
    assert not [route for route in routes if re.search("[0-9]", route.replace("/api/v1", ""))]
    assert set(re.findall('method="([^"]*)"', text)) <= {"GET", "other"}


def test_who_may_not_read_them_finds_nothing_there(
    app: Flask, settings: Settings, own_books: Database
) -> None:
    """Networks not named in the setting get the answer to any wrong address; without the setting all do."""
    stranger = {"REMOTE_ADDR": "192.0.2.1"}
    assert app.test_client().get("/metrics", environ_overrides=stranger).status_code == 404
    assert create_app(settings, own_books).test_client().get("/metrics").status_code == 404
