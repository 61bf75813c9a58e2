"""Who asked, where a proxy stands in front, and by what name."""

from collections.abc import Iterable, MutableMapping
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from werkzeug.middleware.proxy_fix import ProxyFix

from ledger.runtime.config import Network

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication


class Proxied:
    """A WSGI application that believes forwarded headers from the proxies it is told of, from nobody else.

    Of ``X-Forwarded-For``, ``-Proto`` and ``-Host`` the last value counts: what the proxy itself wrote. It
    may also number its requests, by ``X-Request-ID``.
    """

    def __init__(self, application: "WSGIApplication", trusted: tuple[Network, ...]) -> None:
        self._direct = application
        self._fixed = ProxyFix(application, x_for=1, x_proto=1, x_host=1)
        self._trusted = trusted

    def __call__(self, environ: dict[str, Any], start: "StartResponse") -> Iterable[bytes]:
        """Answer as the application does, which learns who asked."""
        if comes_from(environ.get("REMOTE_ADDR"), self._trusted):
            return self._fixed(environ, start)
        environ.pop("HTTP_X_REQUEST_ID", None)
        return self._direct(environ, start)


def sender(scope: MutableMapping[str, Any], trusted: tuple[Network, ...]) -> str:
    """Return the address that an ASGI request comes from, as ``Proxied`` finds it for a WSGI one."""
    peer = str((scope.get("client") or ("",))[0])
    named = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    if not named or not comes_from(peer, trusted):
        return peer
    return named[-1].decode("latin1").rpartition(",")[2].strip() or peer


def host_of(address: str) -> str:
    """Return the host of an address without its port, as hosts are compared: small letters, as DNS has it.

    >>> host_of("Käse.example.:8000"), host_of("https://[::1]/"), host_of("[")
    ('xn--kse-qla.example', '::1', '')
    """
    try:
        named = urlsplit(address if "//" in address else f"//{address}").hostname or ""
        return named.removesuffix(".").encode("idna").decode("ascii")
    except ValueError:  # half an address in brackets, or a name that none can have
        return ""


def comes_from(address: str | None, networks: tuple[Network, ...]) -> bool:
    """Whether an address is in one of these networks."""
    if not networks:
        return False
    try:
        sender = ip_address(address or "")
    except ValueError:  # a Unix socket has no address
        return False
    sender = getattr(sender, "ipv4_mapped", None) or sender
    return any(sender in network for network in networks)
