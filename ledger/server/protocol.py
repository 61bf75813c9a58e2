"""How long a client may take, and how much it may say, before its request has come in.

What is held open after that, such as a follower's stream, is bounded elsewhere: a client that is gone lets
what it was sent go unconfirmed, and the system ends its connection.
"""

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from ledger.runtime.metrics import NOBODY_READS, Metrics
from ledger.server import rejections
from ledger.server.rejections import BAD_HEAD, MALFORMED, TOO_MANY_IN_LINE, Reason

HEAD_WITHIN = 20.0
"""Seconds in which the head of a request has to come in, from its first byte or the connection's start."""

GONE_WITHIN = 60
"""Seconds after which a client that confirms nothing is taken for gone: a phone that left the house."""

REST_WITHIN = 2.0
"""Seconds that the rest of a body gets once the server is told to stop; nothing of it has begun."""

MOST_HEAD_BYTES = 65_536
"""How long the head of a request may be: its address and all its headers."""

MOST_IN_LINE = 8
"""How many requests a connection may send beyond the one that is being answered; browsers send none."""


class TooManyInLine(Exception):
    """A connection has sent more requests at once than are kept for it."""


class PatientProtocol(HttpToolsProtocol):
    """The server's protocol with an end to waiting for a request's head, in time and in bytes.

    Whom it turns away ``metrics`` count.
    """

    metrics: Metrics = NOBODY_READS
    _late: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _answering: RequestResponseCycle | None = None
    _refused: Reason | None = MALFORMED
    """Why it is refused if it is; None where nobody has asked for anything."""

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
        """Wait no more, and begin none of the requests that still stand in line for their answer.

        uvicorn marks the last that came in; of several sent at once it is the first that is being answered.
        """
        self._arrived()
        self.pipeline.clear()
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Stop; a request that is still on its way gets a moment for the rest of it."""
        super().shutdown()
        if self.cycle is not None and not self.cycle.response_complete and self.cycle.more_body:
            self.loop.call_later(REST_WITHIN, self._drop, self.cycle)

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
        """Note that the head is there. Raises ``TooManyInLine``, which ends the connection.

        Thousands of short requests sent at once would hold up the loop, and with it everybody else.
        """
        self._arrived()
        if len(self.pipeline) >= MOST_IN_LINE:
            self._refused = TOO_MANY_IN_LINE
            raise TooManyInLine()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request; where one before it still waits for its answer, only hang up.

        A refusal would pass for that answer, and say that something was not saved which was.
        """
        if self._refused is not None:
            rejections.note(self._refused, self.metrics)
        one = self.cycle
        if self.pipeline or (one and not one.more_body and not one.response_complete):
            self.transport.close()
        else:
            super().send_400_response(msg)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _drop(self, cycle: RequestResponseCycle) -> None:
        if cycle.more_body and not cycle.response_complete and not self.transport.is_closing():
            self.transport.close()

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
            # Browsers connect ahead of a request that may never come; that is nobody's fault.
            self._refused = BAD_HEAD if self._head_bytes else None
            self.send_400_response(BAD_HEAD.sentence)


def counted_by(metrics: Metrics) -> type[PatientProtocol]:
    """Return the protocol with somebody who counts whom it turns away."""

    class MeasuredProtocol(PatientProtocol):
        pass

    MeasuredProtocol.metrics = metrics
    return MeasuredProtocol
