"""HTTPS at home: the page that explains how to trust the server's certificate, and the move from plain HTTP.

Browsers keep what a page stores apart by scheme and port. So half-entered forms move with the link to HTTPS
(``static/trust/move.js`` and ``arrive.js``), after the hands that wait on the device were sent.
"""

from datetime import UTC
from typing import TYPE_CHECKING

from flask import Response, abort, current_app, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger.http.failures import public
from ledger.http.proxy import at_port, host_of
from ledger.web.frame import cookies
from ledger.web.frame.context import pages, safe_next

if TYPE_CHECKING:
    from ledger.keeping.certificates import Home

_STEPS = {"iPhone": "apple", "iPad": "apple", "Android": "android"}
"""The steps that are open at first, by the kind of the device."""


@pages.app_context_processor
def _home() -> dict[str, bool]:
    """Add ``offers_https`` to the context of every template: whether this page is also there over HTTPS."""
    return {
        "offers_https": current_app.extensions["ledger.home"] is not None and not request.is_secure
    }


@pages.get("/trust")
def trust() -> ResponseReturnValue:
    """Return the page about the certificate, with the link to HTTPS. It is missing without HTTPS."""
    import segno  # imported on demand: few pages need it

    home = _home_https()
    authority = home.certificates.authority
    names = home.certificates.names
    host = request.host if host_of(request.host) in names else _bracketed(names[0])
    path = url_for("web.arrive", next=_next())
    address = public(url_for("web.trust"))
    return render_template(
        "trust.html",
        reads=_STEPS.get(cookies.this_device().kind, "computer"),
        authority=authority,
        ends=authority.ends.astimezone(UTC).date(),
        networks=[f"{network[0]}–{network[-1]}" for network in authority.networks],
        secure=f"https://{at_port(host, home.https_port)}{path}",
        address=address,
        qr=segno.make(address, error="m").svg_data_uri(scale=8, border=2),
    )


@pages.get("/trust/solo-ledger.crt")
def authority_certificate() -> Response:
    """Return the authority's certificate as phones install it; without its key."""
    response = make_response(_home_https().certificates.authority.der)
    response.mimetype = "application/x-x509-ca-cert"
    return response


@pages.get("/arrive")
def arrive() -> ResponseReturnValue:
    """Let the device into the clubs that it has entered over plain HTTP; the page leads on to ``next``."""
    _home_https()
    if request.is_secure:
        cookies.take_from_http()
    return render_template("arrive.html", next=_next())


def _next() -> str:
    return safe_next(request.args.get("next"), url_for("web.home"))


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _home_https() -> "Home":
    home: Home | None = current_app.extensions["ledger.home"]
    if home is None:
        abort(404)
    return home
