"""Announcements of saves between the processes on one PostgreSQL database, by LISTEN and NOTIFY.

They only save other processes the second until they would look again: one that is lost does no harm. Each
process takes two connections beside its pool.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any

import psycopg

from ledger.database.connecting import Connected, postgres_arguments

Connection = psycopg.Connection[Any]

CHANNEL = "ledger_saved"

RETRIED_AFTER = 1.0
"""The seconds after a failure until the next connection."""


class Announcements:
    """Two threads with a connection each: one announces this process's saves, one hears the others'.

    ``on_news`` is called in a thread after saves of other processes, and when hearing begins.
    """

    def __init__(self, database: Connected, on_news: Callable[[], None]) -> None:
        _, address = database.engine.dialect.create_connect_args(database.url)
        self._address: dict[str, Any] = {**address, **postgres_arguments(database.url)}
        self._on_news = on_news
        self._saved = Event()
        self._stopped = False
        self._own_backend = 0

    def start(self) -> None:
        """Start the two threads, as daemons."""
        for run in (self._hear, self._announce):
            Thread(target=self._repeat, args=(run,), name=CHANNEL, daemon=True).start()

    def on_saved(self) -> None:
        """Announce a save to the other processes soon, from the thread of its own.

        Callable from any thread.
        """
        self._saved.set()

    def stop(self) -> None:
        """Make the threads end soon, without waiting for them."""
        self._stopped = True
        self._saved.set()

    def _repeat(self, run: Callable[[Connection], None]) -> None:
        while not self._stopped:
            with suppress(psycopg.Error), psycopg.connect(**self._address, autocommit=True) as own:
                run(own)
            if not self._stopped:
                time.sleep(RETRIED_AFTER)

    def _hear(self, connection: Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self._on_news()  # saves until now were not heard
        while not self._stopped:
            for news in connection.notifies(timeout=RETRIED_AFTER):
                if news.pid != self._own_backend:
                    self._on_news()

    def _announce(self, connection: Connection) -> None:
        self._own_backend = connection.info.backend_pid
        while True:
            self._saved.wait()
            if self._stopped:
                return
            self._saved.clear()
            connection.execute(f"NOTIFY {CHANNEL}")
