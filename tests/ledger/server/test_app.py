"""The headers of every answer of the application, from any of its parts."""

from pathlib import Path

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.runtime.config import Settings, load
from ledger.server.app import create_app
from ledger.services.club import tokens
from tests.ledger import table


@pytest.fixture
def app(settings: Settings, database: Database) -> Flask:
    """The application, as the service runs it."""
    return create_app(settings, database)


def test_processes_with_one_secret_know_each_others_devices(
    settings: Settings, database: Database, club: Access, tmp_path: Path
) -> None:
    """By the setting, wherever they keep their files; another secret makes everybody a stranger."""
    key = table.viewer_key(database, club)
    env = {"LEDGER_DATABASE_URL": settings.database_url, "LEDGER_DATA_DIR": str(tmp_path / "other")}
    first = create_app(settings, database).test_client()
    assert first.get(f"/v/{key}").status_code == 303
    cookie = first.get_cookie("solo-ledger")
    assert cookie is not None
    for secret, status in ((settings.secret_key, 200), ("another secret of some length", 401)):
        own = load({**env, "LEDGER_SECRET_KEY": secret})
        second = create_app(own, database).test_client()
        second.set_cookie("solo-ledger", cookie.value)
        assert second.get(f"/clubs/{club.club_id}").status_code == status


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nowhere", 404),
        ("/clubs/1", 401),
        ("/health", 200),
        ("/api/v1/sessions/1", 401),
        ("/api/v1/nowhere", 404),
    ],
)
def test_nobody_keeps_a_failure_or_how_the_process_fares(
    app: Flask, path: str, status: int
) -> None:
    """Neither a browser nor anybody in between: it is no longer so a moment later."""
    answer = app.test_client().get(path)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (status, "no-store")


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/api/v1/openapi.json"])
def test_nobody_shows_an_answer_without_asking(app: Flask, path: str) -> None:
    """It is old by the next hand: its own reader may keep it to ask whether it holds, and nobody between."""
    answer = app.test_client().get(path)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "private, no-cache")
    assert answer.headers["ETag"].startswith("W/")


def test_nobody_keeps_a_report(app: Flask, database: Database, club: Access) -> None:
    """A corrected hand is on the next one, and only readers of the club have it."""
    session = table.start(database, club)
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    client = app.test_client()
    answer = client.get(
        f"/api/v1/sessions/{session}/report.pdf", headers={"Authorization": f"Bearer {secret}"}
    )
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


def test_a_static_file_is_kept_for_an_hour(app: Flask) -> None:
    """Its address changes with it, so no device waits for it twice."""
    answer = app.test_client().get("/static/solo.css")
    assert answer.headers["Cache-Control"] == "public, max-age=3600"


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/static/solo.js", "/nowhere"])
def test_every_answer_carries_the_policy(app: Flask, path: str) -> None:
    """Nothing inline, nothing from elsewhere, no frame around it, no guessing at types."""
    headers = app.test_client().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(("https", "secure"), [(False, False), (True, True)])
def test_a_devices_cookie_is_out_of_reach_of_scripts_and_of_other_sites(
    settings: Settings, database: Database, https: bool, secure: bool
) -> None:
    """And, if the club is served under HTTPS, of listeners on the line."""
    own = Settings(settings.database_url, settings.data_dir, settings.secret_key, https=https)
    cookie = create_app(own, database).test_client().get("/start").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert ("Secure" in cookie) is secure
