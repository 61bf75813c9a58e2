"""The application factory: one database, two surfaces (pages and API), one place for failures."""

from datetime import timedelta

from flask import Flask, Response, g, request
from flask_wtf.csrf import CSRFProtect

from ledger import api, web
from ledger.books.transactions import Database
from ledger.http import assets, failures, reader_language, request_log
from ledger.http.compression import compress
from ledger.http.etags import let_it_be_asked_about
from ledger.http.flask_app import Application, add_missing
from ledger.http.proxy import Proxied, comes_from, host_of
from ledger.keeping import ready
from ledger.runtime.config import Network, Settings
from ledger.runtime.metrics import NOBODY_READS, Metrics
from ledger.runtime.paths import STATIC, TEMPLATES
from ledger.web.frame import letters
from ledger.words.problems import NotFound

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
"""Whoever asks on the machine itself, as a health check does, may call it so."""

# No inline script or style, nothing from elsewhere; pictures may be data (QR codes).
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)

csrf = CSRFProtect()


def _count(app: Flask, readers: tuple[Network, ...], database: Database) -> None:
    """Count what is asked and saved, and say it to those who may read it; to others there is no such page."""
    app.extensions[request_log.METRICS] = NOBODY_READS
    if not readers:
        return
    counted = Metrics(read=True)
    app.extensions[request_log.METRICS] = database.metrics = counted

    @app.get("/metrics")
    def metrics() -> tuple[bytes, dict[str, str]]:
        """Say what was counted."""
        if not comes_from(request.remote_addr, readers):
            raise NotFound("There is nothing at this address.")
        text, kind = counted.text()
        return text, {"Content-Type": kind}


def create_app(settings: Settings, database: Database) -> Flask:
    """Make the application over a database that is up to date."""
    app = Application("ledger", static_folder=str(STATIC), template_folder=str(TEMPLATES))
    app.config.update(
        SECRET_KEY=settings.secret_key,
        MAX_CONTENT_LENGTH=failures.MOST_BYTES,
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SESSION_COOKIE_NAME="solo-ledger",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=settings.https,
        SESSION_REFRESH_EACH_REQUEST=False,  # a late answer would bring an old cookie back
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(hours=1),
        PUBLIC_URL=settings.public_url,
        WTF_CSRF_TIME_LIMIT=None,  # an evening is longer than an hour; the token is the device's own
        WTF_CSRF_SSL_STRICT=settings.https,
    )
    app.extensions["ledger.database"] = database
    app.extensions["ledger.ready"] = ready.Readiness(database)
    app.extensions["ledger.settings"] = settings
    _count(app, settings.metrics_for, database)
    if settings.public_url:
        app.config["HOSTS"] = {host_of(settings.public_url), *THIS_MACHINE}
    app.wsgi_app = Proxied(app.wsgi_app, settings.trusted_proxies)  # type: ignore[assignment, method-assign]
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    reader_language.init_app(app)
    request_log.init_app(app)
    failures.init_app(app)
    assets.init_app(app)
    csrf.init_app(app)
    api.init_app(app, csrf)
    web.init_app(app)

    @app.get("/health")
    def health() -> dict[str, str]:
        """Say that the process answers; whether its database does is asked of `/readyz`."""
        return {"status": "ok"}

    @app.get("/readyz")
    def readyz() -> tuple[dict[str, str], int]:
        """Say of the ledger's file, schema, pages and of a write whether all is well."""
        found = app.extensions["ledger.ready"].states()
        return found, 200 if set(found.values()) == {ready.OK} else 503

    guards = [
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        *([("Strict-Transport-Security", "max-age=31536000")] if settings.https else []),
    ]

    @app.after_request
    def harden(response: Response) -> Response:
        shows_a_secret = "no-store" in response.headers.get("Cache-Control", "")  # by its view
        add_missing(response, guards)
        letters.add(response)
        if request.endpoint != "static" and not g.get(letters.FOR_GOOD_HERE):
            # Answers are a club's own and old by the next hand: nobody shows one without asking.
            let_it_be_asked_about(response)
        if not shows_a_secret:
            compress(response)
        return response

    return app
