"""Settings, read once from ``LEDGER_…`` variables; every default suits a kitchen table.

================================ =====================================================
``LEDGER_DATABASE_URL``          the ledger; default: one SQLite file in the data folder
``LEDGER_DATA_DIR``              the data folder; default: the user's own for this program
``LEDGER_SECRET_KEY``            signs device cookies and derives the keys of links; all processes and
                                 machines over one ledger need the same. Default: created at first start
                                 beside the database, readable by its owner only
``LEDGER_SIGN_UP``               ``closed``: nobody founds a club; default: ``open``
``LEDGER_SIGNING_KEY``           signs every entry, so that changes with the database alone are noticed;
                                 default: created at first start as ``signing-key`` beside the database.
                                 Keep a copy elsewhere: it is in no backup
``LEDGER_SIGNING_KEY_FILE``      the file of that key, if not beside the database; created if missing
``LEDGER_TRUSTED_KEYS``          public keys of former signing keys, separated by commas
``LEDGER_HTTPS``                 ``1`` if served under HTTPS: cookies are then sent over it only
``LEDGER_PUBLIC_URL``            the address that people type, as links show it; requests to other hosts are
                                 then refused, except from this machine. https:// implies the above
``LEDGER_TRUSTED_PROXY``         addresses or networks of proxies that may state the client's address;
                                 default: none, and under HTTPS this machine itself
``LEDGER_HOST``, ``LEDGER_PORT`` where ``serve`` listens; default 127.0.0.1 and 8000
``LEDGER_THREADS``               threads for requests that read, and as many for those that write; default 8
``LEDGER_FOLLOWERS``             the most pages that get news as it comes; others ask every two seconds.
                                 Default 4000, and never more than the system has room for
``LEDGER_LOG``                   ``plain`` or ``json``: a line for each request, in this form; default: only
                                 faults are logged, in plain text
``LEDGER_CLUBS_PER_HOUR``        the most clubs that one network (IPv4 /24, IPv6 /64) may found in an hour;
                                 default 20
``LEDGER_METRICS``               addresses or networks that may read ``/metrics``, for example 127.0.0.1;
                                 default: none, and nothing is counted. Needs the extra ``metrics``
``LEDGER_BACKUP_AT``             the local time of ``serve``'s daily backup, for example 03:30;
                                 default: never
``LEDGER_BACKUP_DIR``            the folder of this ledger's backups; default: ``backups`` beside the ledger
``LEDGER_BACKUPS_KEPT``          the number of backups that stay; default 14. With 0 only those made by
                                 hand, none before a migration, and none is removed
================================ =====================================================
"""

import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import time
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

from platformdirs import user_data_path
from sqlalchemy.engine import URL, make_url

from ledger.runtime import signing
from ledger.runtime.clock import now
from ledger.runtime.files import folder, give, give_name

Network = IPv4Network | IPv6Network

SHORTEST_SECRET = 16
LOG_FORMS = ("plain", "json")
DRIVERS = {"sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg"}
"""The supported beginnings of a database's URL; other drivers are untested."""

THIS_MACHINE = "127.0.0.0/8,::1"


class BadSetting(ValueError):
    """A ``LEDGER_…`` variable is invalid; the message names it and its valid values."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of the service."""

    database_url: str = field(repr=False)  # may hold a password
    data_dir: Path
    secret_key: str = field(repr=False)
    https: bool = False
    sign_up_closed: bool = False
    public_url: str | None = None
    trusted_proxies: tuple[Network, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8000
    threads: int = 8
    followers: int = 4000
    log: str | None = None
    clubs_per_hour: int = 20
    metrics_for: tuple[Network, ...] = ()
    backup_at: time | None = None
    backup_dir: Path | None = None
    backups_kept: int = 14
    signing_key: str = field(default="", repr=False)
    trusted_keys: tuple[str, ...] = ()
    signing_key_file: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of the ledger's file or, with PostgreSQL, the data folder."""
        return _folder_of(self.database_url, self.data_dir)

    @property
    def backups(self) -> Path:
        """The folder of the backups: ``backup_dir``, or else ``backups`` in the ledger's folder."""
        return self.backup_dir or self.folder / "backups"

    @property
    def database_place(self) -> str:
        """The ledger's place for people: a file's path, or a URL without its password."""
        url = make_url(self.database_url)
        if url.get_backend_name() == "sqlite":
            return str(url.database)
        return url.difference_update_query(["password", "sslpassword"]).render_as_string()


def load(env: Mapping[str, str] = os.environ, *, make: bool = True) -> Settings:
    """Return the settings in ``env``. Raises ``BadSetting`` for the first invalid one.

    ``make`` creates the ledger's folder and the keys' files if missing; otherwise a missing key is empty.
    """
    data_dir = Path(env.get("LEDGER_DATA_DIR") or user_data_path("solo-ledger", appauthor=False))
    data_dir = data_dir.expanduser().absolute()
    url = env.get("LEDGER_DATABASE_URL") or f"sqlite:///{data_dir / 'ledger.sqlite'}"
    place = _folder_of(url, data_dir)
    try:
        if make:
            folder(place)
    except OSError as error:
        raise BadSetting(
            f"The folder {place} can't be made ({error.strerror}); "
            "name another in LEDGER_DATA_DIR or LEDGER_DATABASE_URL"
        ) from error
    backups = env.get("LEDGER_BACKUP_DIR")
    public_url = _public_url(env)
    https = _switch(env, "LEDGER_HTTPS") or (public_url or "").startswith("https:")
    return Settings(
        database_url=url,
        data_dir=data_dir,
        secret_key=_stated_secret(env)
        or _key(place / "secret-key", _new_secret, "SECRET_", make=make),
        https=https,
        sign_up_closed=_choice(env, "LEDGER_SIGN_UP", ("open", "closed")) == "closed",
        public_url=public_url,
        trusted_proxies=_networks(env, "LEDGER_TRUSTED_PROXY", THIS_MACHINE if https else ""),
        host=env.get("LEDGER_HOST") or "127.0.0.1",
        port=_number(env, "LEDGER_PORT", 8000, 0, 65535),
        threads=_number(env, "LEDGER_THREADS", 8, 1, 512),
        followers=_number(env, "LEDGER_FOLLOWERS", 4000, 0, 100_000),
        log=_choice(env, "LEDGER_LOG", LOG_FORMS),
        clubs_per_hour=_number(env, "LEDGER_CLUBS_PER_HOUR", 20, 1, 1_000_000),
        metrics_for=_metrics_readers(env),
        backup_at=_hour(env, "LEDGER_BACKUP_AT"),
        backup_dir=Path(backups).expanduser().absolute() if backups else None,
        backups_kept=_number(env, "LEDGER_BACKUPS_KEPT", 14, 0, 10_000),
        signing_key=_signing_key(env, place, make=make),
        signing_key_file=_signing_key_file(env, place),
        trusted_keys=_public_keys(env),
    )


def present(env: Mapping[str, str] = os.environ) -> list[str]:
    """Return the sorted names of all variables in ``env`` that begin with ``LEDGER_``, even unknown ones."""
    return sorted(name for name in env if name.startswith("LEDGER_"))


def unknown(env: Mapping[str, str] = os.environ) -> list[str]:
    """Return the sorted names of ``LEDGER_`` variables that do not exist: misspelt, and ignored."""
    valid = set(re.findall(r"LEDGER_[A-Z_]+", __doc__ or ""))
    return [name for name in present(env) if name not in valid]


def _folder_of(url: str, data_dir: Path) -> Path:
    try:
        parsed = make_url(url)
    except Exception as error:
        raise BadSetting(
            "LEDGER_DATABASE_URL is not a database URL; "
            "write sqlite:////folder/file.sqlite or postgresql+psycopg://user:password@host/name"
        ) from error
    if parsed.drivername not in DRIVERS:
        raise BadSetting(
            f"LEDGER_DATABASE_URL names {parsed.drivername}; the ledger is kept in sqlite or "
            "postgresql+psycopg"
        )
    if "@" in (parsed.host or ""):  # it would be shown as a part of the host
        raise BadSetting("LEDGER_DATABASE_URL has an @ in its password; write it as %40 there")
    if parsed.get_backend_name() == "postgresql":
        must_have_driver(parsed)
        return data_dir
    file = parsed.database or ":memory:"
    if ":memory:" in file or parsed.query.get("mode") == "memory":
        raise BadSetting(
            "LEDGER_DATABASE_URL names a database in memory, which would forget the "
            "evening; name a file: sqlite:////folder/file.sqlite"
        )
    return Path(file.removeprefix("file:")).absolute().parent


def must_have_driver(url: URL) -> None:
    """Raise ``BadSetting`` if the package that connects to a database can't be imported."""
    if url.get_backend_name() != "postgresql":
        return
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise BadSetting(
            f"PostgreSQL needs a package that is not installed ({error}): pip install '.[postgres]'"
        ) from error


def _signing_key(env: Mapping[str, str], place: Path, *, make: bool) -> str:
    """Return the text of the key that signs entries, from its variable, or else from its file by ``_key``.

    Raises ``BadSetting`` for a text that is not a key.
    """
    stated, file = env.get("LEDGER_SIGNING_KEY", "").strip(), _signing_key_file(env, place)
    key = stated or _key(file, lambda: signing.new_key(now()), "SIGNING_", make=make)
    try:
        if key:
            signing.SigningKey.from_text(key)
    except signing.NotAKey as error:
        raise BadSetting(f"{'LEDGER_SIGNING_KEY' if stated else file}: {error}") from error
    return key


def _signing_key_file(env: Mapping[str, str], place: Path) -> Path:
    """Return the file of the signing key, existing or not: the stated or ``signing-key`` in ``place``."""
    named = env.get("LEDGER_SIGNING_KEY_FILE", "").strip()
    return Path(named).expanduser().absolute() if named else place / "signing-key"


def _public_keys(env: Mapping[str, str]) -> tuple[str, ...]:
    stated = env.get("LEDGER_TRUSTED_KEYS", "").split(",")
    try:
        return tuple(signing.SigningKey.from_public(key).public for key in stated if key.strip())
    except signing.NotAKey as error:
        raise BadSetting(f"LEDGER_TRUSTED_KEYS: {error}") from error


def _new_secret() -> str:
    return secrets.token_urlsafe(48)


def _key(file: Path, new: Callable[[], str], which: str, *, make: bool) -> str:
    """Return the key in a file; a missing file is created with ``new()`` if ``make``, else the key is empty.

    Raises ``BadSetting`` for a file that can't be read or written, is not text, or is empty; ``which`` is the
    beginning of the variable's name that the message proposes.
    """
    try:
        return _stored_key(file, new) if make or file.exists() else ""
    except OSError as error:
        raise BadSetting(
            f"The key {file} can't be read or made ({error.strerror}); name another folder in "
            f"LEDGER_DATA_DIR or LEDGER_DATABASE_URL, or set LEDGER_{which}KEY"
        ) from error


def _stored_key(file: Path, new: Callable[[], str]) -> str:
    """Read a key, created if missing. Raises ``BadSetting`` for a file without text.

    It is written to a temporary file and then renamed, so that several processes starting together all read
    the same complete key.
    """
    if not file.exists():
        with NamedTemporaryFile("w", dir=file.parent, delete=False) as draft:
            give(draft.fileno(), file.parent)
            draft.write(new())
        try:
            os.chmod(draft.name, 0o600)
            give_name(Path(draft.name), file)
        except FileExistsError:
            pass
        finally:
            Path(draft.name).unlink(missing_ok=True)
    try:
        key = file.read_text("utf-8").strip()
    except UnicodeDecodeError as error:
        raise BadSetting(
            f"{file} does not hold text, so it can't be a key; put your copy of it back"
        ) from error
    if not key:
        raise BadSetting(f"{file} is empty; remove it to have a new key made, or set another")
    return key


def _stated_secret(env: Mapping[str, str]) -> str:
    key = env.get("LEDGER_SECRET_KEY", "")
    if key and len(key) < SHORTEST_SECRET:
        raise BadSetting(
            f"LEDGER_SECRET_KEY has {len(key)} characters, and anyone who guesses it can score; "
            f"use {SHORTEST_SECRET} or more, such as openssl rand -base64 32 prints"
        )
    return key


def _switch(env: Mapping[str, str], name: str) -> bool:
    value = env.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"", "0", "false", "no", "off"}:
        return False
    raise BadSetting(f"{name} is {value!r}; it takes 1 or 0")


def _public_url(env: Mapping[str, str]) -> str | None:
    text = env.get("LEDGER_PUBLIC_URL", "").strip().rstrip("/")
    try:
        parts = urlsplit(text)
        extra = parts.path or parts.query or parts.fragment
        is_address = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        if not text or (is_address and not extra):
            return parts.geturl() or None  # its scheme in lower case
    except ValueError:  # an impossible port, or an incomplete address in brackets
        pass
    raise BadSetting(
        f"LEDGER_PUBLIC_URL is {text!r}; it takes an address such as https://cards.example.org"
    )


def _networks(env: Mapping[str, str], name: str, default: str) -> tuple[Network, ...]:
    text = env.get(name, "").strip() or default
    try:
        return tuple(ip_network(part.strip(), strict=False) for part in text.split(",") if part)
    except ValueError as error:
        raise BadSetting(
            f"{name} is {text!r}; it takes addresses and networks with commas between them, "
            "such as 127.0.0.1,10.0.0.0/8"
        ) from error


def _metrics_readers(env: Mapping[str, str]) -> tuple[Network, ...]:
    readers = _networks(env, "LEDGER_METRICS", "")
    if readers and find_spec("prometheus_client") is None:
        raise BadSetting(
            "LEDGER_METRICS needs a package that is not installed: pip install '.[metrics]'"
        )
    return readers


def _number(env: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = env.get(name, "").strip()
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise BadSetting(f"{name} is {text!r}; it takes a whole number from {least} to {most}")
    return int(text)


def _choice(env: Mapping[str, str], name: str, words: tuple[str, ...]) -> str | None:
    word = env.get(name, "").strip().lower()
    if word and word not in words:
        raise BadSetting(f"{name} is {word!r}; it takes {' or '.join(words)}")
    return word or None


def _hour(env: Mapping[str, str], name: str) -> time | None:
    text = env.get(name, "").strip()
    try:
        return time.fromisoformat(text).replace(tzinfo=None) if text else None
    except ValueError as error:
        raise BadSetting(f"{name} is {text!r}; it takes a time of day such as 03:30") from error
