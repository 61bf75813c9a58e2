"""Serving: waitress over the application, with the database upgraded first."""

import socket
from typing import Protocol

from alembic.util import CommandError
from flask import Flask
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError
from waitress.server import create_server

from ledger import migrate
from ledger.app import create_app
from ledger.config import Settings
from ledger.db import Database

EVERYWHERE = "0.0.0.0"  # noqa: S104 - what --lan asks for


class Running(Protocol):
    """A server that listens already: requests queue from now on."""

    effective_port: int | str

    def run(self) -> None:
        """Serve until stopped."""

    def close(self) -> None:
        """Stop listening."""


class CannotListen(OSError):
    """The address is taken or not ours; the message says which and what to do."""


class CannotOpen(RuntimeError):
    """The ledger can't be reached or read; the message says which, why and where to name others."""


def open_books(settings: Settings, *, new: bool = True) -> Database:
    """Return the database, migrated; a ``new`` one where there is none yet. Raises ``CannotOpen``."""
    try:
        database = Database(settings.database_url)
        if not new and not migrate.is_there(database):
            raise _cannot_open(settings, "there is none")
        migrate.upgrade(database)
    except migrate.BrokenReferences as error:
        raise _cannot_open(settings, str(error)) from error
    except DBAPIError as error:
        raise _cannot_open(settings, str(error.orig)) from error
    except (ArgumentError, ImportError, InvalidRequestError, CommandError) as error:
        # No such driver, or it is not installed; or a later version of this program wrote there.
        raise _cannot_open(settings, str(error)) from error
    return database


def _cannot_open(settings: Settings, why: str) -> CannotOpen:
    reason = " ".join(why.split()).removesuffix(".")
    return CannotOpen(
        f"Can't open the ledger in {settings.database_place}: {reason}. Is that the right place? "
        "Set LEDGER_DATABASE_URL or LEDGER_DATA_DIR to use another."
    )


def application(settings: Settings) -> Flask:
    """Return the application over migrated books."""
    return create_app(settings, open_books(settings))


def listen(settings: Settings, host: str, port: int) -> Running:
    """Bind the address and return the server, not yet running. Raises ``CannotListen``, ``CannotOpen``."""
    app = application(settings)
    try:
        server: Running = create_server(
            app, host=host, port=port, threads=settings.threads, ident="solo-ledger"
        )
    except OSError as error:
        raise CannotListen(
            f"Can't listen on {host} port {port}: {error.strerror or error}. "
            "Is it running already? Choose another with --port."
        ) from error
    except ValueError as error:  # what waitress makes of a name that leads nowhere
        raise CannotListen(
            f"Can't listen on {host}: there is no such address here; choose another with --host."
        ) from error
    return server


def lan_address() -> str:
    """Return this machine's address in the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is asked
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def url(host: str, port: int | str) -> str:
    """Return the address people type."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"
