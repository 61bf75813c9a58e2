"""Publishing the server's name by multicast DNS, with the optional package ``zeroconf``."""

import socket
from contextlib import suppress
from ipaddress import ip_address
from threading import Thread
from typing import Any

NAME = "solo-ledger"
MOST_NAMES = 9
"""The names to try, ``solo-ledger-2`` and so on, if another server in the network has the first."""

ASKED_FOR = 1_500
"""The milliseconds to wait for another machine that has the name; it repeats no answer within a second."""

ENDS_WITHIN = 3.0
"""The seconds for withdrawing the name; phones forget it by themselves after two minutes."""

_KIND = "_https._tcp.local."


class CannotPublish(Exception):
    """No name could be published; the message gives the reason."""


class PublishedName:
    """A name of this machine that other devices can look up until it is closed."""

    def __init__(self, host: str, responder: Any) -> None:
        self.host = host
        self._responder = responder

    def close(self) -> None:
        """Withdraw the name, and wait no longer than ``ENDS_WITHIN`` for it."""
        closing = Thread(target=self._close, daemon=True)
        closing.start()
        closing.join(ENDS_WITHIN)

    def _close(self) -> None:
        with suppress(Exception):  # the network may be gone; the name ends by itself
            self._responder.close()


def publish(address: str, port: int) -> PublishedName:
    """Publish a name that no other machine in the network has. Raises ``CannotPublish``; takes seconds."""
    try:
        import zeroconf
    except ImportError as error:
        raise CannotPublish(
            "no name is published without the package zeroconf; pip install '.[mdns]' brings it."
        ) from error
    try:
        responder = zeroconf.Zeroconf(interfaces=[address])
    except Exception as error:
        raise CannotPublish(f"no name is published ({error}).") from error
    try:
        return PublishedName(_register(zeroconf, responder, address, port), responder)
    except Exception as error:
        responder.close()
        raise CannotPublish(
            f"no name is published ({str(error) or type(error).__name__})."
        ) from error


def _register(zeroconf: Any, responder: Any, address: str, port: int) -> str:
    """Register the first name that is free or this machine's, and return it. Raises ``LookupError``."""
    for number in range(1, MOST_NAMES + 1):
        name = f"{NAME}-{number}" if number > 1 else NAME
        host = f"{name}.local"
        resolver = zeroconf.AddressResolverIPv4(f"{host}.")
        if resolver.request(responder, ASKED_FOR) and address not in resolver.parsed_addresses():
            continue
        info = zeroconf.ServiceInfo(
            _KIND,
            f"Solo Ledger ({name}).{_KIND}",
            addresses=[ip_address(address).packed],
            port=port,
            server=f"{host}.",
        )
        responder.register_service(info, allow_name_change=True)
        return host
    raise LookupError(f"other machines have {NAME}.local and {MOST_NAMES - 1} more")


def own_name() -> str:
    """Return the name that this machine's system may publish by itself: its host name with ``.local``."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"
