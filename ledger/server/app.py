"""The application factory: pages and API over one database, with one place for failures."""

from datetime import timedelta
from ipaddress import ip_network
from typing import TYPE_CHECKING

from flask import Flask, Response, g, request
from flask_wtf.csrf import CSRFProtect

from ledger import api, web
from ledger.books.transactions import Database
from ledger.http import assets, failures, reader_language, request_log
from ledger.http.compression import compress
from ledger.http.etags import revalidate
from ledger.http.flask_app import Application, HomeCookies, add_missing
from ledger.http.proxy import Proxied, comes_from, host_of
from ledger.keeping import ready
from ledger.runtime import config
from ledger.runtime.config import Network, Settings
from ledger.runtime.metrics import NOBODY_READS, Metrics
from ledger.runtime.paths import STATIC, TEMPLATES
from ledger.web.frame import letters
from ledger.web.frame.stored_files import FOR_GOOD_HERE
from ledger.words.problems import NotFound

if TYPE_CHECKING:
    from ledger.keeping.certificates import Home

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
"""Host names for requests from the machine itself, such as health checks."""

# No inline scripts or styles, nothing from other sites; images may be data (QR codes).
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)

csrf = CSRFProtect()


def _measure(app: Flask, readers: tuple[Network, ...], database: Database) -> None:
    """Count requests and saves, and serve the metrics to these networks; to others the page is missing.

    Without any network nothing is counted, and there is no page.
    """
    app.extensions[request_log.METRICS] = NOBODY_READS
    if not readers:
        return
    measured = Metrics(read=True)
    app.extensions[request_log.METRICS] = database.metrics = measured

    @app.get("/metrics")
    def metrics() -> tuple[bytes, dict[str, str]]:
        """Return the metrics page, or 404 for other networks."""
        if not comes_from(request.remote_addr, readers):
            raise NotFound("There is nothing at this address.")
        text, content_type = measured.text()
        return text, {"Content-Type": content_type}


def create_app(settings: Settings, database: Database, home: "Home | None" = None) -> Flask:
    """Build the application over a migrated database; ``home`` if it is served over HTTP and HTTPS."""
    app = Application("ledger", static_folder=str(STATIC), template_folder=str(TEMPLATES))
    app.config.update(
        SECRET_KEY=settings.secret_key,
        MAX_CONTENT_LENGTH=failures.MOST_BYTES,
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SESSION_COOKIE_NAME="solo-ledger",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=settings.https,
        SESSION_REFRESH_EACH_REQUEST=False,  # a late response would restore an old cookie
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(hours=1),
        PUBLIC_URL=settings.public_url,
        WTF_CSRF_TIME_LIMIT=None,  # an evening is longer than an hour; each device has its token
        WTF_CSRF_SSL_STRICT=settings.https or home is not None,
        HTTP_PORT=home.http_port if home else None,
    )
    if home:
        app.session_interface = HomeCookies()
    app.extensions["ledger.home"] = home
    app.extensions["ledger.database"] = database
    app.extensions["ledger.ready"] = ready.Readiness(database)
    app.extensions["ledger.settings"] = settings
    _measure(app, settings.metrics_for, database)
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

    operators = (*map(ip_network, config.THIS_MACHINE.split(",")), *settings.metrics_for)

    @app.get("/health")
    def health() -> dict[str, str]:
        """Report that the process answers; `/readyz` checks the database."""
        return {"status": "ok"}

    @app.get("/readyz")
    def readyz() -> tuple[dict[str, str], int]:
        """Report the state of the database's file, schema, pages and replication, and of a write; 503 if bad.

        This machine and the networks of ``LEDGER_METRICS`` also get the PostgreSQL's address and standbys.
        """
        readiness = app.extensions["ledger.ready"]
        states = readiness.states()
        status = 200 if set(states.values()) == {ready.OK} else 503
        if (found := readiness.replication) and comes_from(request.remote_addr, operators):
            states = {**states, "node": found.node, "standbys": found.lag}
        return states, status

    guards = [
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        # Not at home: it would end plain HTTP on every port.
        *([("Strict-Transport-Security", "max-age=31536000")] if settings.https else []),
    ]

    @app.after_request
    def harden(response: Response) -> Response:
        shows_a_secret = "no-store" in response.headers.get("Cache-Control", "")  # set by its view
        add_missing(response, guards)
        letters.add(response)
        if request.endpoint != "static" and not g.get(FOR_GOOD_HERE):
            # Responses are private to a club and stale after the next hand: revalidate each time.
            revalidate(response)
        if not shows_a_secret:
            compress(response)
        return response

    return app
