"""``solo-ledger serve`` as a process of its own: its output, and its reach."""

import json
import re
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import segno
from click.testing import CliRunner

from ledger.cli import main
from ledger.server import lan_address
from tests.conftest import StartServer
from tests.support.server import Server, start_server


def printed(running: Server, name: str) -> str:
    """Return the text after a name in the service's first lines."""
    match = re.search(rf"^{name}: +(\S.*)$", running.log, re.MULTILINE)
    assert match, running.log
    return match[1]


def answers(address: str) -> bool:
    """Return whether the service answers there, with any proxy settings of the machine."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{address}health", timeout=10) as answer:
        return bool(answer.status == 200)


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Server]:
    """The service as people start it, where there are no books yet."""
    running = start_server(tmp_path)
    yield running
    running.stop()


def test_the_address_and_the_place_of_the_books_are_printed(command: Server) -> None:
    """Without a setting the books are a file in the data folder; the address is this machine's own."""
    running = command
    assert printed(running, "Books") == str(running.folder / "ledger.sqlite")
    assert (running.folder / "ledger.sqlite").is_file()
    assert printed(running, "Address") == f"{running.url}/"
    assert answers(printed(running, "Address"))
    assert (running.folder / "address").read_text() == f"{running.url}/"
    assert "█" not in running.log


def test_a_setting_that_is_misspelt_is_named(tmp_path: Path) -> None:
    """An operator who means to close sign-up reads that it is open, and need not ask the doctor."""
    env = {"LEDGER_DATA_DIR": str(tmp_path), "LEDGER_SING_UP": "closed"}
    result = CliRunner().invoke(main, ["serve", "--host", "no such host"], env=env)
    assert "LEDGER_SING_UP: no such setting" in result.stderr


def test_on_the_local_network_a_code_of_the_address_is_shown(server: StartServer) -> None:
    """``--lan`` listens for the other phones, too, and the code leads to the printed address."""
    running = server(arguments=("--lan",))
    address = printed(running, "Address")
    assert urlsplit(address).hostname == lan_address()
    assert answers(address)
    code = StringIO()
    segno.make(address, error="l").terminal(code, compact=True)
    assert code.getvalue() in running.log


def test_an_operator_says_how_many_clubs_may_be_founded(server: StartServer) -> None:
    """By a setting, so that trying the API by its document may found more than twenty an hour."""
    running = server(environment={"LEDGER_CLUBS_PER_HOUR": "1"})
    answered = []
    with closing(HTTPConnection(urlsplit(running.url).netloc, timeout=30)) as line:
        for name in ("Friday", "Saturday"):
            body = json.dumps({"name": name, "passcode": "four aces"})
            line.request("POST", "/api/v1/clubs", body, {"Content-Type": "application/json"})
            with line.getresponse() as answer:
                answer.read()
                answered.append((answer.status, answer.headers["X-RateLimit-Limit"]))
    assert answered == [(201, "1"), (429, "1")]
