"""The log, on standard error: a line a fault, and one a request where ``LEDGER_LOG`` asks for it.

For people (``plain``) or for programs (``json``). Nobody breaks a line, or makes one up, by what they send:
whatever does not print is escaped, and the further lines of a traceback are indented.
"""

import json
import logging
import sys
import time
import traceback
from collections.abc import Mapping
from functools import lru_cache
from threading import Lock, Timer
from typing import Any, Final

import orjson
from flask import g, has_request_context

REQUESTS: Final = "ledger.request"
"""The name of the log that has a line a request."""

SERVER: Final = "uvicorn.error"
"""Where the server says what it can't read."""

TURNED_AWAY: Final = "ledger.turned_away"
"""Where it says what it answers without asking the application."""

QUIET_SECONDS = 60.0
"""A fault that lasts is logged at most once in this time."""

MOST_SAID = 100
"""So many different faults are remembered."""

_said_at: dict[str, float] = {}

_IN_THE_SENTENCE = {"method", "route", "path", "status"}
_INDENT = "    | "


class RepeatFilter(logging.Filter):
    """Lets a sentence through once a minute; how often it came again is said when the minute is over.

    For what anybody can bring about as often as they like, such as sending malformed requests.
    """

    def __init__(self, seconds: float = 60) -> None:
        super().__init__()
        self._seconds = seconds
        self._again: dict[str, int] = {}
        self._guard = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        if not isinstance(record.msg, str) or record.exc_info:
            return True
        with self._guard:
            if record.msg in self._again:
                self._again[record.msg] += 1
                return False
            self._again[record.msg] = 0
        told = Timer(self._seconds, self.tell, (record,))
        told.daemon = True
        told.start()
        return True

    def tell(self, record: logging.LogRecord) -> None:
        """Say how often it came again, if it did, and let the next one through."""
        with self._guard:
            again = self._again.pop(record.msg, 0)
        if again:
            said = f"{record.getMessage()} ({again:,} more within {self._seconds:g} s)"
            logging.getLogger(f"{record.name}.counted").log(record.levelno, said)


def configure(form: str | None) -> None:
    """Write the process's log in a form; without one in plain text, and no line for a request.

    Where whoever runs us has said already where the log goes, it goes there.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger(REQUESTS).setLevel(logging.INFO if form else logging.WARNING)
    for name in (SERVER, TURNED_AWAY):
        flooded = logging.getLogger(name)
        if not any(isinstance(each, RepeatFilter) for each in flooded.filters):
            flooded.addFilter(RepeatFilter())


def say_once(log: logging.Logger, line: str, said: str) -> None:
    """Log a fault once a minute, however many requests meet it."""
    now = time.monotonic()
    if _said_at.get(said, -QUIET_SECONDS) + QUIET_SECONDS <= now:
        if len(_said_at) >= MOST_SAID:
            _said_at.clear()
        _said_at[said] = now
        log.error(line, said)


def fields_of(record: logging.LogRecord) -> Mapping[str, Any]:
    """Return what a line says besides its sentence, with the request that it was said in."""
    found: dict[str, Any] = getattr(record, "fields", {})
    if not found and has_request_context() and "request_id" in g:
        return {"request_id": g.request_id}
    return found


class JsonFormatter(logging.Formatter):
    """A JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line: dict[str, Any] = {
            "time": moment(record),
            "level": record.levelname.lower(),
            "log": record.name,
            "message": record.getMessage(),
            **fields_of(record),
        }
        if record.exc_info:
            line["exception"] = "".join(traceback.format_exception(*record.exc_info))
        text = orjson.dumps(line, default=str).decode()
        return text if text.isprintable() else json.dumps(line, default=str)  # which escapes all


class TextFormatter(logging.Formatter):
    """A sentence a line, then ``name=value`` for the rest."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record; a traceback follows it."""
        said = [moment(record), record.levelname, printable(record.getMessage())]
        said += [
            f"{name}={shown(value)}"
            for name, value in fields_of(record).items()
            if name not in _IN_THE_SENTENCE
        ]
        lines = [" ".join(said)]
        if record.exc_info:
            told = "".join(traceback.format_exception(*record.exc_info))
            lines += [_INDENT + printable(line) for line in told.splitlines()]
        return "\n".join(lines)


def moment(record: logging.LogRecord) -> str:
    """Return when it was, in UTC, to the millisecond."""
    return f"{_second(int(record.created))}.{int(record.msecs):03d}Z"


@lru_cache(maxsize=2)
def _second(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))


def printable(text: str) -> str:
    r"""Return a text in one line, with all that does not print escaped.

    >>> print(printable("Ann\nBob\u202e, Zoë"))
    Ann\nBob\u202e, Zoë
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def shown(value: object) -> str:
    r"""Return a value as plain text has it: one with a blank or a quote in it stands in quotes.

    >>> shown(7), shown("Sue"), shown("Sue's phone"), shown('a" role=owner')
    ('7', 'Sue', '"Sue\'s phone"', '"a\\" role=owner"')
    """
    text = str(value)
    if text and not any(each in text for each in " \"'=\\"):
        return printable(text)
    return printable(json.dumps(text, ensure_ascii=False))
