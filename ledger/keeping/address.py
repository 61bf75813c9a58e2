"""The service's last address, stored beside the ledger for commands that print links."""

import os
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from ledger.runtime.config import Settings
from ledger.runtime.files import private

_LONGEST = 1_000


def store(settings: Settings, address: str) -> None:
    """Write the public URL or, without one, the address to a file; errors of the disk are ignored."""
    file = _file(settings)
    draft = file.with_name(f".{file.name}-{os.getpid()}")
    with suppress(OSError):
        private(draft).write_text(settings.public_url or address)
        draft.replace(file)


def last(settings: Settings) -> str | None:
    """Return the public URL or else the stored address; None if there is none or it can't be read."""
    if settings.public_url:
        return settings.public_url
    with suppress(OSError, UnicodeDecodeError):
        return _file(settings).read_text()[:_LONGEST].strip().rstrip("/") or None
    return None


def is_of_this_machine(address: str) -> bool:
    """Return whether only this machine can reach an address: "localhost" or a loopback IP."""
    host = urlsplit(address).hostname or ""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def _file(settings: Settings) -> Path:
    return settings.folder / "address"
