"""The log's two forms: a line a record, which no client can break."""

import json
import logging
from collections.abc import Iterator

import pytest

from ledger.runtime import logs

OURS = (logs.TextFormatter, logs.JsonFormatter)
NASTY = 'Zoë\n2026-11-22T20:00:00.000Z ERROR all is lost\x1b[2K\u2028\u202e" role=owner'


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave the process's log as it was."""
    root, requests = logging.getLogger(), logging.getLogger(logs.REQUESTS)
    levels = root.level, requests.level
    yield
    for handler in [each for each in root.handlers if isinstance(each.formatter, OURS)]:
        root.removeHandler(handler)
    root.setLevel(levels[0])
    requests.setLevel(levels[1])


def configure(form: str | None) -> None:
    """Configure a log that nobody has configured: pytest has."""
    logging.getLogger().handlers.clear()
    logs.configure(form)


def test_plain_lines_say_the_rest_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    """A value with a blank is in quotes; values in the sentence are not repeated."""
    configure("plain")
    fields = {"status": 201, "ms": 7.5, "author": "Sue's phone"}
    logging.getLogger(logs.REQUESTS).info("POST %d", 201, extra={"fields": fields})
    moment, _, rest = capsys.readouterr().err.partition(" ")
    assert moment.endswith("Z")
    assert rest == 'INFO POST 201 ms=7.5 author="Sue\'s phone"\n'


@pytest.mark.parametrize("form", ["plain", "json"])
def test_a_strange_name_stays_in_its_line(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """No line end or control character of a terminal comes through, in a sentence, a field or an error."""
    configure(form)
    log = logging.getLogger("ledger")
    log.error("nobody named %s", NASTY, extra={"fields": {"author": NASTY}})
    try:
        raise ValueError(NASTY)
    except ValueError:
        log.exception("failed")
    written = capsys.readouterr().err
    assert "\x1b" not in written
    lines = written.splitlines()
    begun = [line for line in lines if not line.startswith("    | ")]
    assert len(begun) == 2
    if form == "json":
        assert [json.loads(line)["level"] for line in lines] == ["error", "error"]
        assert json.loads(lines[0])["author"] == NASTY
        assert "ValueError" in json.loads(lines[1])["exception"]
    else:
        assert lines[2:]
        assert "\u202e" not in written


@pytest.mark.parametrize(("form", "lines"), [(None, 0), ("plain", 1), ("json", 1)])
def test_requests_are_logged_only_where_asked_for(
    capsys: pytest.CaptureFixture[str], form: str | None, lines: int
) -> None:
    """At a kitchen table the terminal shows the address and its code, not each tap."""
    configure(form)
    logging.getLogger(logs.REQUESTS).info("GET 200")
    assert len(capsys.readouterr().err.splitlines()) == lines
    logging.getLogger("ledger").error("the disk is full")
    assert "the disk is full" in capsys.readouterr().err


def test_a_log_that_somebody_else_configured_stays_his(capsys: pytest.CaptureFixture[str]) -> None:
    """Another server may run the application, and its log has its own destination."""
    logs.configure("json")
    logging.getLogger("ledger").error("the disk is full")
    assert capsys.readouterr().err == ""


def test_a_flood_of_the_same_sentence_is_a_line_and_how_often_it_came_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Ten thousand malformed requests fill no disk; another sentence is not held back."""
    counted, server = logs.RepeatFilter(seconds=3600), logging.getLogger("flooded")
    server.addFilter(counted)
    for _ in range(10_000):
        server.warning("Invalid HTTP request received.")
    server.warning("Another %s", "one")
    first = caplog.records[0]
    counted.report(first)
    server.warning("Invalid HTTP request received.")
    assert [each.getMessage() for each in caplog.records] == [
        "Invalid HTTP request received.",
        "Another one",
        "Invalid HTTP request received. (9,999 more within 3600 s)",
        "Invalid HTTP request received.",
    ]


def test_a_traceback_is_never_held_back(caplog: pytest.LogCaptureFixture) -> None:
    """Each shows its place."""
    server = logging.getLogger("failing")
    server.addFilter(logs.RepeatFilter(seconds=3600))
    for _ in range(2):
        try:
            raise ValueError
        except ValueError:
            server.exception("It failed")
    assert len(caplog.records) == 2


def test_the_servers_own_log_is_counted_once(capsys: pytest.CaptureFixture[str]) -> None:
    """However often it is configured."""
    for _ in range(2):
        configure("plain")
    filters = logging.getLogger(logs.SERVER).filters
    assert [type(each) for each in filters if isinstance(each, logs.RepeatFilter)] == [
        logs.RepeatFilter
    ]
    assert capsys.readouterr().err == ""
