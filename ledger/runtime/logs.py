"""The log on standard error: a line per fault and, if ``LEDGER_LOG`` is set, per request.

It is written for people (``plain``) or programs (``json``). No input can break or forge a line: unprintable
characters are escaped, and the further lines of a traceback are indented.
"""

import json
import logging
import sys
import time
import traceback
from collections.abc import Mapping
from threading import Lock, Timer
from typing import Any, Final

import orjson
from flask import g, has_request_context

REQUESTS: Final = "ledger.request"
"""The logger with a line per request."""

SERVER: Final = "uvicorn.error"
"""The server's logger for malformed requests."""

TURNED_AWAY: Final = "ledger.turned_away"
"""The server's logger for rejected requests."""

QUIET_SECONDS = 60.0
"""The seconds before a lasting fault is logged again."""

MOST_FAULTS = 100
"""The number of different faults that are remembered."""

_IN_THE_SENTENCE = {"method", "route", "path", "status"}
_INDENT = "    | "


class RepeatFilter(logging.Filter):
    """Lets each template of a message through once in ``seconds``, then logs the number of its repetitions.

    For events that anybody can cause as often as they like, for example malformed requests.
    """

    def __init__(self, seconds: float = 60) -> None:
        super().__init__()
        self._seconds = seconds
        self._repetitions: dict[str, int] = {}
        self._guard = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record: the first of its template, or any with a traceback.

        Others are counted, and a timer started by the first reports their number.
        """
        if not isinstance(record.msg, str) or record.exc_info:
            return True
        with self._guard:
            if record.msg in self._repetitions:
                self._repetitions[record.msg] += 1
                return False
            self._repetitions[record.msg] = 0
        timer = Timer(self._seconds, self.report, (record,))
        timer.daemon = True
        timer.start()
        return True

    def report(self, record: logging.LogRecord) -> None:
        """Log the number of repetitions, if any, and let the template through again."""
        with self._guard:
            repetitions = self._repetitions.pop(record.msg, 0)
        if repetitions:
            line = f"{record.getMessage()} ({repetitions:,} more within {self._seconds:g} s)"
            logging.getLogger(f"{record.name}.counted").log(record.levelno, line)


def configure(form: str | None) -> None:
    """Set up the process's log on standard error: as JSON or plain text, with a line for each request.

    For None it is plain text with warnings and errors only. A log that is configured already keeps its
    destination.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger(REQUESTS).setLevel(logging.INFO if form else logging.WARNING)
    for name in (SERVER, TURNED_AWAY):
        logger = logging.getLogger(name)
        if not any(isinstance(filter_, RepeatFilter) for filter_ in logger.filters):
            logger.addFilter(RepeatFilter())


class Faults:
    """The lasting faults that were logged, each with its time, so that they are not repeated at once."""

    def __init__(self) -> None:
        self._logged_at: dict[str, float] = {}

    def is_due(self, fault: str) -> bool:
        """Return whether a fault was not logged in the last ``QUIET_SECONDS``, and note that it now is.

        Beyond ``MOST_FAULTS`` all are forgotten, so each is due again.
        """
        now = time.monotonic()
        if self._logged_at.get(fault, -QUIET_SECONDS) + QUIET_SECONDS > now:
            return False
        if len(self._logged_at) >= MOST_FAULTS:
            self._logged_at.clear()
        self._logged_at[fault] = now
        return True


_faults = Faults()


def say_once(log: logging.Logger, line: str, fault: str) -> None:
    """Log ``line``, with ``fault`` filled in, as an error; the same fault only once a minute."""
    if _faults.is_due(fault):
        log.error(line, fault)


def fields_of(record: logging.LogRecord) -> Mapping[str, Any]:
    """Return a log record's extra fields.

    Without any, the ``request_id`` of the request that logged it, if any.
    """
    fields: dict[str, Any] = getattr(record, "fields", {})
    if not fields and has_request_context() and "request_id" in g:
        return {"request_id": g.request_id}
    return fields


class JsonFormatter(logging.Formatter):
    """Formats a record as a JSON object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record's line: time, level, logger, message, the other fields and the traceback."""
        line: dict[str, Any] = {
            "time": utc_time(record),
            "level": record.levelname.lower(),
            "log": record.name,
            "message": record.getMessage(),
            **fields_of(record),
        }
        if record.exc_info:
            line["exception"] = "".join(traceback.format_exception(*record.exc_info))
        text = orjson.dumps(line, default=str).decode()
        return text if text.isprintable() else json.dumps(line, default=str)  # escapes everything


class TextFormatter(logging.Formatter):
    """Formats a record as time, level and message, followed by ``name=value`` for its other fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record's line, followed by its traceback."""
        parts = [utc_time(record), record.levelname, printable(record.getMessage())]
        parts += [
            f"{name}={quoted(value)}"
            for name, value in fields_of(record).items()
            if name not in _IN_THE_SENTENCE
        ]
        lines = [" ".join(parts)]
        if record.exc_info:
            text = "".join(traceback.format_exception(*record.exc_info))
            lines += [_INDENT + printable(line) for line in text.splitlines()]
        return "\n".join(lines)


def utc_time(record: logging.LogRecord) -> str:
    """Return a log record's time in UTC, such as ``2025-11-20T20:15:00.042Z``."""
    second = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(int(record.created)))
    return f"{second}.{int(record.msecs):03d}Z"


def printable(text: str) -> str:
    r"""Return a text in one line, with unprintable characters escaped.

    >>> print(printable("Ann\nBob\u202e, Zoë"))
    Ann\nBob\u202e, Zoë
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def quoted(value: object) -> str:
    r"""Return a value as text, in quotes if it is empty or contains a blank, quote, backslash or equals sign.

    Unprintable characters are escaped.

    >>> quoted(7), quoted("Sue"), quoted("Sue's phone"), quoted('a" role=owner')
    ('7', 'Sue', '"Sue\'s phone"', '"a\\" role=owner"')
    """
    text = str(value)
    if text and not any(char in text for char in " \"'=\\"):
        return printable(text)
    return printable(json.dumps(text, ensure_ascii=False))
