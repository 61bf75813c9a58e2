"""Client addresses and host names, also behind a proxy."""

import re
from collections.abc import Iterable, MutableMapping
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from werkzeug.middleware.proxy_fix import ProxyFix

from ledger.runtime.config import Network

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication


class Proxied:
    """A WSGI application that uses forwarded headers from trusted proxies only.

    The last value of ``X-Forwarded-For``, ``-Proto`` and ``-Host`` counts: the proxy's own. The proxy may
    also number its requests with ``X-Request-ID``.
    """

    def __init__(self, application: "WSGIApplication", trusted: tuple[Network, ...]) -> None:
        self._direct = application
        self._fixed = ProxyFix(application, x_for=1, x_proto=1, x_host=1)
        self._trusted = trusted

    def __call__(self, environ: dict[str, Any], start: "StartResponse") -> Iterable[bytes]:
        """Call the application with the client's address; from others than proxies, drop ``X-Request-ID``."""
        if comes_from(environ.get("REMOTE_ADDR"), self._trusted):
            return self._fixed(environ, start)
        environ.pop("HTTP_X_REQUEST_ID", None)
        return self._direct(environ, start)


def sender(scope: MutableMapping[str, Any], trusted: tuple[Network, ...]) -> str:
    """Return the client address of an ASGI request by the same rule as ``Proxied``; empty if unknown."""
    peer = str((scope.get("client") or ("",))[0])
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    if not forwarded or not comes_from(peer, trusted):
        return peer
    return forwarded[-1].decode("latin1").rpartition(",")[2].strip() or peer


def host_of(address: str) -> str:
    """Return the host of an address without its port, in lower case and as DNS spells it, for comparing.

    An invalid address has none: the result is an empty text.

    >>> host_of("Käse.example.:8000"), host_of("https://[::1]/"), host_of("[")
    ('xn--kse-qla.example', '::1', '')
    """
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
        return host.removesuffix(".").encode("idna").decode("ascii")
    except ValueError:  # an incomplete address in brackets, or an impossible name
        return ""


def at_port(host: str, port: int) -> str:
    """Return a request's host with another port.

    >>> at_port("192.168.1.5:8443", 8000), at_port("[fd00::5]", 8000)
    ('192.168.1.5:8000', '[fd00::5]:8000')
    """
    return f"{re.sub(r':[0-9]+$', '', host)}:{port}"


def comes_from(address: str | None, networks: tuple[Network, ...]) -> bool:
    """Return whether an IP address is in one of these networks; false for a Unix socket, which has none."""
    if not networks:
        return False
    try:
        ip = ip_address(address or "")
    except ValueError:  # a Unix socket has no address
        return False
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return any(ip in network for network in networks)
