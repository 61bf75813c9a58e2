"""uvicorn's HTTP protocol with limits on a request's head, on pipelining, and on silent clients.

No other module uses uvicorn's undocumented parts (``cycle``, ``pipeline``, ``_start_asgi_task``).
`tests/ledger/server/test_protocol.py` fails, naming the part, if an upgrade changes one.
"""

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from ledger.runtime.metrics import NOBODY_READS, Metrics
from ledger.server import rejections
from ledger.server.rejections import BAD_HEAD, MALFORMED, TOO_MANY_IN_LINE, Reason

HEAD_WITHIN = 20.0
"""The seconds for receiving a request's head, from its first byte or the start of the connection."""

GONE_WITHIN = 60
"""The seconds without an acknowledgement after which the system closes a connection."""

REST_WITHIN = 2.0
"""The seconds for the rest of a body once the server stops; its request has not begun."""

MOST_HEAD_BYTES = 65_536
"""The longest head of a request: its address and all its headers."""

MOST_IN_LINE = 8
"""The most requests that a connection may send ahead of a response; browsers send none."""


class TooManyInLine(Exception):
    """Raised if a connection sends more than ``MOST_IN_LINE`` requests ahead; it ends the connection."""


class PatientProtocol(HttpToolsProtocol):
    """The protocol of one connection; ``metrics`` count its rejections."""

    metrics: Metrics = NOBODY_READS
    _deadline: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _answering: RequestResponseCycle | None = None
    _rejection: Reason | None = MALFORMED
    """The reason of a rejection, should there be one; None if no request has begun."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start waiting for the first head, and set the system's timeout for silent clients."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family != getattr(socket, "AF_UNIX", None):
            user_timeout = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux only
            if user_timeout is not None:
                connection.setsockopt(socket.IPPROTO_TCP, user_timeout, GONE_WITHIN * 1000)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting, drop queued requests and disconnect the one being answered.

        uvicorn disconnects only the request received last.
        """
        self._head_arrived()
        self.pipeline.clear()
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Stop; a request whose body is still arriving gets ``REST_WITHIN`` seconds."""
        super().shutdown()
        if self.cycle is not None and not self.cycle.response_complete and self.cycle.more_body:
            self.loop.call_later(REST_WITHIN, self._drop, self.cycle)

    def data_received(self, data: bytes) -> None:
        """Parse the data; reject the request and close the connection if its head is too long."""
        if self.cycle is None or self.cycle.response_complete:
            self._await_head()
        if self._deadline is not None:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._deadline is not None and self._head_bytes > MOST_HEAD_BYTES:
            self._hang_up()

    def on_headers_complete(self) -> None:
        """Start the request. Raises ``TooManyInLine``, which ends the connection.

        Thousands of short requests sent at once would block the loop for everybody else.
        """
        self._head_arrived()
        if len(self.pipeline) >= MOST_IN_LINE:
            self._rejection = TOO_MANY_IN_LINE
            raise TooManyInLine()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Count a rejection and send it; if an earlier request is unanswered, only close the connection.

        The client would take the rejection for that answer, of a write that may have been saved.
        """
        if self._rejection is not None:
            rejections.note(self._rejection, self.metrics)
        cycle = self.cycle
        if self.pipeline or (cycle and not cycle.more_body and not cycle.response_complete):
            self.transport.close()
        else:
            super().send_400_response(msg)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _drop(self, cycle: RequestResponseCycle) -> None:
        if cycle.more_body and not cycle.response_complete and not self.transport.is_closing():
            self.transport.close()

    def _await_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_WITHIN, self._hang_up)

    def _head_arrived(self) -> None:
        self._head_bytes = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hang_up(self) -> None:
        transport: Any = self.transport
        if not transport.is_closing():
            # Browsers open connections for requests that may never come: no reason to count them.
            self._rejection = BAD_HEAD if self._head_bytes else None
            self.send_400_response(BAD_HEAD.sentence)


def with_metrics(metrics: Metrics) -> type[PatientProtocol]:
    """Return the protocol class that counts its rejections in ``metrics``."""

    class MeasuredProtocol(PatientProtocol):
        pass

    MeasuredProtocol.metrics = metrics
    return MeasuredProtocol
