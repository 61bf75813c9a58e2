"""``solo-ledger demo``: its output, files and refusals; its club is as valid as one written by people."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner, Result

from engine import games
from ledger import server
from ledger.books.transactions import Database
from ledger.cli import demo as demo_command
from ledger.cli import main
from ledger.cli.demo_club import club, year
from ledger.services.audit import verify
from tests.support.server import LOG, Server, address, answering, free_port
from tests.support.tree import ROOT

TODAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The command as people start it, in a folder where nothing is yet."""
    folder, port = tmp_path_factory.mktemp("demo"), free_port()
    own_ledger = {"LEDGER_DATA_DIR": str(folder / "own"), "LEDGER_PORT": "1"}
    with (folder / LOG).open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "ledger", "demo", "--port", str(port), "--folder", "."],
            cwd=folder,
            env={**os.environ, **own_ledger, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    running = answering(Server(process, address(port), folder))
    yield running
    running.stop()


def start(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """Run the command up to the point where it would serve."""
    monkeypatch.setattr(demo_command, "run", server.HttpServer.close)
    return CliRunner().invoke(main, ["demo", "--port", "0", *arguments])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a demo with the last evening only, which takes less time."""
    folder = tmp_path_factory.mktemp("written")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(year, "EVENINGS", year.EVENINGS[-1:])
        assert start(patch, "--folder", str(folder)).exit_code == 0
    return folder / demo_command.NAME


@pytest.fixture
def place(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, with a program that writes that club again."""
    monkeypatch.setattr(year, "EVENINGS", year.EVENINGS[-1:])
    return Path(shutil.copytree(written, tmp_path / demo_command.NAME))


def test_it_prints_the_address_and_that_no_real_data_is_touched(demo: Server) -> None:
    """The user's own ledger is not even made, for any settings."""
    assert f"“{year.CLUB}”, a made-up club. Nobody's real data is read or changed." in demo.log
    assert str(demo.folder / demo_command.NAME) in demo.log
    assert f"Address: {demo.url}/v/" in demo.log
    assert not (demo.folder / "own").exists()
    assert "WARNING" not in demo.log


def test_its_address_opens_the_club_without_a_passcode(demo: Server) -> None:
    """One tap on the page leads to the club, as its owner."""
    match = re.search(r"^Address: (\S+)$", demo.log, re.MULTILINE)
    assert match
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    )
    page = opener.open(match[1], timeout=20).read().decode()
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
    assert token, page
    sent = urlencode({"csrf_token": token[1]}).encode()
    entered = opener.open(match[1], sent, timeout=20)
    assert entered.url == f"{demo.url}/clubs/{club.CLUB_ID}"
    assert year.EVENINGS[-1].title.replace("'", "&#39;") in entered.read().decode()
    keys = opener.open(f"{demo.url}/clubs/{club.CLUB_ID}/devices", timeout=20).read().decode()
    assert year.KEEPER in keys


def test_a_second_start_serves_the_same_club(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newcomer's changes are still there."""
    (place / "tried out").touch()
    assert start(monkeypatch, "--folder", str(place.parent)).exit_code == 0
    assert (place / "tried out").exists()


def test_a_fresh_start_writes_the_club_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without anything that was tried out, and without leaving a draft behind."""
    (place / "tried out").touch()
    assert start(monkeypatch, "--fresh", "--folder", str(place.parent)).exit_code == 0
    assert not (place / "tried out").exists()
    assert [each.name for each in place.parent.iterdir()] == [place.name]


@pytest.mark.parametrize("arguments", [(), ("--fresh",)])
def test_a_folder_that_the_demo_did_not_make_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """It may be somebody's ledger."""
    real = tmp_path / demo_command.NAME / "ledger.sqlite"
    real.parent.mkdir()
    real.write_bytes(b"real")
    result = start(monkeypatch, "--folder", str(tmp_path), *arguments)
    assert result.exit_code == 1
    assert "was not made by the demo, so it is left alone" in result.stderr
    assert real.read_bytes() == b"real"


def test_a_port_in_use_is_named_before_anything_is_written(
    demo: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A running demo keeps its club, also against --fresh."""
    port = demo.url.rpartition(":")[2]
    result = start(monkeypatch, "--fresh", "--folder", str(tmp_path), "--port", port)
    assert result.exit_code == 1
    assert f"Can't listen on 127.0.0.1 port {port}" in result.stderr
    assert "Choose another with --port." in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the way out."""
    (tmp_path / "file").touch()
    result = start(monkeypatch, "--folder", str(tmp_path / "file" / "below"))
    assert result.exit_code == 1
    assert (
        f"Can't write the demo in {tmp_path / 'file' / 'below' / demo_command.NAME}"
        in result.stderr
    )
    assert "Name another folder with --folder." in result.stderr


@pytest.mark.parametrize("most_bytes", [200_000, 700_000])
def test_a_full_disk_is_named_and_nothing_is_left_on_it(tmp_path: Path, most_bytes: int) -> None:
    """A limit on the size of files fills it, first while tables are made, then while hands are saved."""
    code = (
        "import resource; from ledger.cli import main; "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most_bytes},) * 2); main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "demo", "--port", "0", "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
    )
    assert (result.returncode, "Traceback" in result.stderr) == (1, False), result.stderr
    assert f"Can't write the demo in {tmp_path / demo_command.NAME}: " in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_demo_that_was_damaged_is_refused_plainly(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends with a sentence; --fresh mends it."""
    (place / "ledger.sqlite").write_bytes(b"no database" * 1000)
    result = start(monkeypatch, "--folder", str(place.parent))
    assert result.exit_code == 1
    assert f"The demo in {place} can't be opened. Write it again with --fresh." in result.stderr
    assert start(monkeypatch, "--fresh", "--folder", str(place.parent)).exit_code == 0


def test_on_the_local_network_a_code_of_the_address_is_shown(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Phones that scan it are let in, too."""
    result = start(monkeypatch, "--lan", "--folder", str(place.parent))
    assert f"http://{server.lan_address()}:" in result.stdout
    assert "█" in result.stdout


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a club with its last evening on the day before TODAY."""
    folder = tmp_path_factory.mktemp("demo")
    club.create(folder, TODAY)
    return folder / "ledger.sqlite"


@pytest.fixture
def rows(ledger: Path) -> Iterator[sqlite3.Cursor]:
    """A cursor over its rows."""
    with closing(sqlite3.connect(ledger)) as connection:
        yield connection.cursor()


def column(rows: sqlite3.Cursor, query: str) -> list[object]:
    """Return the values of a query with one column."""
    return [value for (value,) in rows.execute(query)]


def test_verify_finds_nothing(ledger: Path) -> None:
    """It is written by the services, so every verdict, sum and digest is right."""
    with closing(Database(f"sqlite:///{ledger}")) as database:
        assert list(verify(database)) == []


def test_it_is_the_same_on_another_day(rows: sqlite3.Cursor, demo: Server) -> None:
    """Players, hands and payments don't depend on the day; only the dates do."""
    queries = (
        "SELECT record FROM hand_version ORDER BY id",
        "SELECT amount FROM posting ORDER BY entry_id, amount",
        "SELECT name FROM player ORDER BY id",
    )
    with closing(sqlite3.connect(demo.folder / demo_command.NAME / "ledger.sqlite")) as other:
        for query in queries:
            assert rows.execute(query).fetchall() == other.execute(query).fetchall()


def test_the_evenings_fill_a_year(rows: sqlite3.Cursor) -> None:
    """The last one was yesterday and is still open, so that a hand can be scored at once."""
    days = column(rows, "SELECT started_on FROM play_session ORDER BY id")
    assert len(days) == len(year.EVENINGS)
    assert date.fromisoformat(str(days[0])) == TODAY - timedelta(days=365)
    assert date.fromisoformat(str(days[-1])) == TODAY - timedelta(days=1)
    states = column(rows, "SELECT state FROM play_session ORDER BY id")
    assert states == ["closed"] * (len(days) - 1) + ["open"]


def test_times_never_run_backwards(rows: sqlite3.Cursor) -> None:
    """Entries are dated one after the other, none after TODAY."""
    times = [str(time) for time in column(rows, "SELECT entered_at FROM journal_entry ORDER BY id")]
    assert times == sorted(times)
    assert times[-1] < TODAY.isoformat()


def test_every_game_is_played_and_every_incident_happens(rows: sqlite3.Cursor) -> None:
    """A newcomer finds an example of everything an evening can bring."""
    played = set(column(rows, "SELECT game FROM play_session"))
    assert played == {slug for slug, sheet in games.GAMES.items() if not sheet.experimental}
    kinds = set(column(rows, "SELECT kind FROM journal_entry"))
    assert kinds >= {
        *("hand", "reversal", "loan", "repayment", "adjustment", "cash-out", "conversion"),
        *("payment", "separate-expense", "pots-shared", "rules-changed", "closing"),
    }
    records = " ".join(str(record) for record in column(rows, "SELECT record FROM hand_version"))
    for key in ('"pass"', '"conceded"', '"pots"', '"doubled"', '"redoubled"', '"matadors"'):
        assert key in records
    assert "void" in column(rows, "SELECT state FROM hand")
    assert "corrected" in column(rows, "SELECT action FROM hand_version")


def test_players_come_and_go(rows: sqlite3.Cursor) -> None:
    """One moves away half-way through the year, another comes for the first time then."""
    seated = "SELECT session_id FROM seat JOIN player ON player.id = player_id WHERE name = '{}'"
    assert (
        max(map(int, map(str, column(rows, seated.format(year.MOVED_AWAY))))) <= year.CHANGED_AFTER
    )
    assert min(map(int, map(str, column(rows, seated.format(year.NEWCOMER))))) > year.CHANGED_AFTER
    assert column(rows, "SELECT COUNT(*) FROM seat WHERE state = 'left'") != [0]
