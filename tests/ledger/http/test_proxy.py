"""Proxies in front: those that are named are believed, nobody else is."""

from typing import Any

import pytest
from flask import Flask, request

from ledger.books.transactions import Database
from ledger.http.failures import public
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from tests.ledger.runtime.test_config import load_in

FORWARDED = {
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
}


def made(settings: Settings, database: Database, **more: Any) -> Flask:
    """The application with a page that shows the request as it arrived."""
    own = Settings(settings.database_url, settings.data_dir, settings.secret_key, **more)
    app = create_app(own, database)

    @app.get("/who")
    def who() -> dict[str, Any]:
        return {"by": request.remote_addr, "scheme": request.scheme, "host": request.host}

    return app


def who(app: Flask, by: str) -> dict[str, Any]:
    """Ask from an address, as a proxy would pass it on."""
    results: dict[str, Any] = (
        app.test_client()
        .get("/who", headers=FORWARDED, environ_base={"REMOTE_ADDR": by})
        .get_json()
    )
    return results


def test_a_trusted_proxy_says_who_asked_and_how(
    settings: Settings, database: Database, tmp_path: Any
) -> None:
    """So links have https, and each visitor has a limit of their own."""
    trusted = load_in(tmp_path, TRUSTED_PROXY="10.0.0.0/8, ::1").trusted_proxies
    app = made(settings, database, trusted_proxies=trusted)
    for proxy in ("10.1.2.3", "::1", "::ffff:10.1.2.3"):
        assert who(app, proxy) == {"by": "203.0.113.9", "scheme": "https", "host": "evil.example"}
    for stranger in ("192.0.2.1", "", "127.0.0.1"):
        assert who(app, stranger)["by"] == stranger
        assert who(app, stranger)["scheme"] == "http"


def test_without_a_proxy_named_nobody_is_believed(settings: Settings, database: Database) -> None:
    """A direct client may write anything into its headers."""
    assert who(made(settings, database), "127.0.0.1")["by"] == "127.0.0.1"


def test_under_https_a_proxy_on_this_machine_is_believed(tmp_path: Any) -> None:
    """There must be one, and that is where most have it."""
    assert [str(each) for each in load_in(tmp_path, HTTPS="1").trusted_proxies] == [
        "127.0.0.0/8",
        "::1/128",
    ]
    assert load_in(tmp_path).trusted_proxies == ()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("cards.example", 200),
        ("cards.example:8443", 200),
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("Cards.EXAMPLE", 200),
        ("cards.example.", 200),
        ("evil.example", 400),
        ("cards.example.evil", 400),
        ("[cards.example", 400),
        ("", 400),
    ],
)
def test_with_a_public_address_no_other_host_is_answered(
    settings: Settings, database: Database, host: str, status: int
) -> None:
    """A forged host never gets into a link or a cookie."""
    app = made(settings, database, public_url="https://cards.example", https=True)
    answer = app.test_client().get("/api/v1/games", headers={"Host": host})
    assert answer.status_code == status
    page = app.test_client().get("/", headers={"Host": host})
    assert page.status_code == status


def test_links_show_the_public_address_whatever_was_asked(
    settings: Settings, database: Database
) -> None:
    """A link made on the machine itself opens elsewhere, too; without the setting it is as was asked."""
    for setting, link in (
        ("https://cards.example", "https://cards.example/v/key"),
        (None, "http://127.0.0.1:8000/v/key"),
    ):
        app = made(settings, database, public_url=setting)
        with app.test_request_context("/", base_url="http://127.0.0.1:8000"):
            assert public("/v/key") == link


def test_under_https_browsers_are_told_to_stay_with_it(
    settings: Settings, database: Database
) -> None:
    """Every answer states it; without HTTPS none does."""
    name = "Strict-Transport-Security"
    app = made(settings, database, https=True)
    assert app.test_client().get("/").headers[name] == "max-age=31536000"
    assert name not in made(settings, database).test_client().get("/").headers
