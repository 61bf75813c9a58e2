"""How long a client may take, and how much it may say, before its request has come in.

What is held open after that, such as a follower's stream, is bounded elsewhere: a client that is gone lets
what it was sent go unconfirmed, and the system ends its connection.
"""

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_WITHIN = 20.0
"""Seconds in which the head of a request has to come in, from its first byte or the connection's start."""

GONE_WITHIN = 60
"""Seconds after which a client that confirms nothing is taken for gone: a phone that left the house."""

MOST_HEAD_BYTES = 65_536
"""How long the head of a request may be: its address and all its headers."""


class PatientProtocol(HttpToolsProtocol):
    """The server's protocol with an end to waiting for a request's head, in time and in bytes."""

    _late: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        line = transport.get_extra_info("socket")
        if line is not None and line.family != getattr(socket, "AF_UNIX", None):
            user_timeout = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux has it
            if user_timeout is not None:
                line.setsockopt(socket.IPPROTO_TCP, user_timeout, GONE_WITHIN * 1000)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what has come in; hang up where a head grows without end."""
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        if self._late is not None:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._late is not None and self._head_bytes > MOST_HEAD_BYTES:
            self._hang_up()

    def on_headers_complete(self) -> None:
        """Note that the head is there."""
        self._arrived()
        super().on_headers_complete()

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(HEAD_WITHIN, self._hang_up)

    def _arrived(self) -> None:
        self._head_bytes = 0
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _hang_up(self) -> None:
        transport: Any = self.transport
        if not transport.is_closing():
            self.send_400_response("The request's head did not come in, or was too long.")
