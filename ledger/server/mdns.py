"""Publishing the server's name by multicast DNS, with the optional package ``zeroconf``."""

import socket
from contextlib import suppress
from ipaddress import ip_address
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

NAME = "solo-ledger"
MOST_NAMES = 9
"""The names to try, ``solo-ledger-2`` and so on, if another server in the network has the first."""

ASKED_FOR = 1_000
"""The milliseconds to wait for another machine that has the name."""

ENDS_WITHIN = 3.0
"""The seconds for withdrawing the name; phones forget it by themselves after two minutes."""


class CannotPublish(Exception):
    """No name could be published; the message gives the reason."""


class PublishedName:
    """A name of this machine that other devices can look up until it is closed."""

    def __init__(self, host: str, zeroconf: "Zeroconf") -> None:
        self.host = host
        self._zeroconf = zeroconf

    def close(self) -> None:
        """Withdraw the name, and wait no longer than ``ENDS_WITHIN`` for it."""
        closing = Thread(target=self._close, daemon=True)
        closing.start()
        closing.join(ENDS_WITHIN)

    def _close(self) -> None:
        with suppress(Exception):  # the network may be gone; the name ends by itself
            self._zeroconf.close()


def publish(address: str, port: int) -> PublishedName:
    """Publish a name that no other machine in the network has. Raises ``CannotPublish``; takes seconds."""
    try:
        from zeroconf import Zeroconf
    except ImportError as error:
        raise CannotPublish(
            "no name is published without the package zeroconf: pip install '.[mdns]'"
        ) from error
    try:
        zeroconf = Zeroconf(interfaces=[address])
    except Exception as error:
        raise CannotPublish(f"no name is published: {error}") from error
    try:
        for number in range(1, MOST_NAMES + 1):
            host = f"{NAME}{f'-{number}' if number > 1 else ''}.local"
            if _holder(zeroconf, host) in {None, address}:
                zeroconf.register_service(_service(host, address, port), allow_name_change=True)
                return PublishedName(host, zeroconf)
        raise CannotPublish(f"no name is published: others have the first {MOST_NAMES}")
    except Exception as error:
        zeroconf.close()
        if isinstance(error, CannotPublish):
            raise
        raise CannotPublish(f"no name is published: {error or type(error).__name__}") from error


def _holder(zeroconf: "Zeroconf", host: str) -> str | None:
    """Return the address under which a name is published now, if any."""
    from zeroconf import AddressResolverIPv4  # type: ignore[attr-defined]

    resolver = AddressResolverIPv4(f"{host}.")
    return resolver.parsed_addresses()[0] if resolver.request(zeroconf, ASKED_FOR) else None


def _service(host: str, address: str, port: int) -> "ServiceInfo":
    from zeroconf import ServiceInfo

    kind = "_https._tcp.local."
    title = f"Solo Ledger ({host.removesuffix('.local')}).{kind}"
    return ServiceInfo(
        kind, title, addresses=[ip_address(address).packed], port=port, server=f"{host}."
    )


def own_name() -> str:
    """Return the name that this machine's system may publish by itself: its host name with ``.local``."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"
