"""The address that the service last had, kept beside the ledger for commands that print links."""

import os
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from ledger.runtime.config import Settings
from ledger.runtime.files import private

_LONGEST = 1_000


def keep(settings: Settings, address: str) -> None:
    """Keep the public URL or, without one, the address that is served now, if the disk lets us."""
    file = _file(settings)
    aside = file.with_name(f".{file.name}-{os.getpid()}")
    with suppress(OSError):
        private(aside).write_text(settings.public_url or address)
        aside.replace(file)


def last(settings: Settings) -> str | None:
    """Return the public URL or, without one, the address that was kept last; ``None`` if neither is known."""
    if settings.public_url:
        return settings.public_url
    with suppress(OSError, UnicodeDecodeError):
        return _file(settings).read_text()[:_LONGEST].strip().rstrip("/") or None
    return None


def is_of_this_machine(address: str) -> bool:
    """Return whether only this machine itself reaches an address."""
    host = urlsplit(address).hostname or ""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def _file(settings: Settings) -> Path:
    return settings.folder / "address"
