"""HTTPS on a second port beside plain HTTP, with certificates that are renewed while the server runs."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

from ledger.keeping.certificates import Home, NoCertificate, load_or_create
from ledger.runtime.clock import now
from ledger.runtime.logs import say_once
from ledger.server import mdns
from ledger.server.mdns import CannotPublish, PublishedName

log = logging.getLogger("ledger")

LOOKS_EVERY = 60.0
"""The seconds between two looks at the clock and at this machine's address."""


class HomeHttps:
    """The socket, certificates, TLS context and published name of a server at home.

    ``notices`` are for the operator: an address that the authority may not vouch for, or a name that could
    not be published.
    """

    def __init__(
        self,
        folder: Path,
        find_address: Callable[[], str | None],
        http_port: int,
        listening: socket.socket,
    ) -> None:
        """Load or create the certificates, and publish a name, which takes seconds.

        Raises ``NoCertificate``.
        """
        address = find_address()
        if address is None:
            raise NoCertificate(
                "HTTPS needs an address in a local network, and this machine has none. Connect it first, "
                "or name an address with --host."
            )
        own_name = mdns.own_name()
        certificates = load_or_create(folder, address, own_name.partition(".")[0], now())
        self.home = Home(certificates, http_port, listening.getsockname()[1])
        self.listening = listening
        self.notices: list[str] = []
        self._find_address = find_address
        self._own_name = own_name
        self._address = address
        self._published: PublishedName | None = None
        self._publish()
        self._renew()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.context.load_cert_chain(certificates.file)

    @property
    def names(self) -> list[str]:
        """The addresses and names of the server, those that everybody can open first."""
        published = [self._published.host] if self._published else []
        return list(dict.fromkeys([self._address, *published, self._own_name]))

    async def keep_renewed(self) -> None:
        """Renew the certificate whenever it is due or the machine gets another address, until cancelled.

        New connections get the new certificate; open ones are not disturbed. Errors are logged.
        """
        while True:
            await asyncio.sleep(LOOKS_EVERY)
            try:
                if await asyncio.to_thread(self.look):
                    self.context.load_cert_chain(self.home.certificates.file)
            except Exception as error:  # whatever the error, later looks must follow
                say_once(log, "the HTTPS certificate was not renewed: %s", str(error))

    def look(self) -> bool:
        """Follow the machine to another address and renew the certificate if due; return whether it was.

        Raises ``NoCertificate``.
        """
        address = self._find_address() or self._address  # the network may be back in a moment
        if address != self._address:
            self._address = address
            self.notices.clear()
            self._withdraw()
            self._publish()
            for notice in self.notices:
                log.warning("%s", notice)
        return self._renew()

    def close(self) -> None:
        """Close the socket and withdraw the published name."""
        self.listening.close()
        self._withdraw()

    def _withdraw(self) -> None:
        if self._published:
            self._published.close()
            self._published = None

    def _publish(self) -> None:
        authority = self.home.certificates.authority
        if not authority.may_vouch_for(self._address):
            networks = ", ".join(map(str, authority.networks))
            self.notices.append(
                f"The certificate authority may not vouch for {self._address}, only for {networks} and names "
                f"ending in .local. Use a name; or remove {self.home.certificates.folder}, start again, "
                "and let every phone trust the new authority."
            )
        if ip_address(self._address).is_loopback:
            self.notices.append("Only this machine can open it at that address.")
            return
        try:
            self._published = mdns.publish(self._address, self.home.https_port)
        except CannotPublish as error:
            self.notices.append(f"Phones reach HTTPS by address only: {error}")

    def _renew(self) -> bool:
        return self.home.certificates.renew(self.names, now())
