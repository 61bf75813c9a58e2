"""``solo-ledger token``, ``report`` and ``serve`` on real books."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access, Role
from ledger.database.models import ClubOrigin
from ledger.database.scope import insert
from ledger.keeping import address
from ledger.runtime.clock import now
from ledger.runtime.config import Settings
from ledger.runtime.signing import SigningKey
from ledger.server import CannotListen, listen, url
from ledger.services.club import clubs, tokens
from ledger.services.common.writing import Write
from ledger.services.hands import record
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from tests.ledger.table import ask

Run = Callable[..., Result]


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command against the books of ``settings``, in a folder of its own."""
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("LEDGER_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, list(arguments))


@pytest.fixture
def session_id(database: Database, club: Access) -> int:
    """A session of three with one hand."""
    draft = SessionDraft(["Ann", "Bob", "Cyd"], "six-bid", title="Friday")
    session_id = int(start.start(Write(database, club, "start-the-evening"), draft)["id"])
    hand = {"contract": {"bidder": "Bob", "bid": "solo", "trump": "C"}, "points": 64}
    record.record(Write(database, club, "the-first-hand"), session_id, hand)
    return session_id


@pytest.mark.parametrize("role", list(Role))
def test_a_token_made_at_the_command_line_opens_the_club(
    run: Run, database: Database, club: Access, role: Role
) -> None:
    """It is printed once, and gives the role that was asked for."""
    result = run("token", "kitchen TABLE", "--label", "tablet", "--role", role.value)
    assert result.exit_code == 0
    access = ask(database, None, tokens.open_with, result.stdout.strip())
    assert (access.club_id, access.role, access.author) == (club.club_id, role, "tablet")


def test_a_token_made_at_the_command_line_may_end(
    run: Run, database: Database, club: Access
) -> None:
    """After so many days."""
    assert run("token", "kitchen TABLE", "--expires", "30").exit_code == 0
    (made,) = ask(database, club, tokens.list_all, club)
    assert made.expires_at is not None
    assert run("token", "kitchen TABLE", "--expires", "0").exit_code == 1


def test_an_owner_whose_phone_is_lost_gets_a_link(
    run: Run, database: Database, club: Access
) -> None:
    """For an hour by default; anybody opening it becomes an owner of the club."""
    key = run("link", "kitchen TABLE").stdout.strip().rpartition("/v/")[2]
    access, _, _ = clubs.of_link(database, key)
    assert (access.club_id, access.role) == (club.club_id, Role.OWNER)
    refused = run("link", "kitchen TABLE", "--lasts", "year")
    assert (refused.exit_code, "12 hours at most" in refused.stderr) == (1, True)


def test_a_link_has_the_address_that_was_served_last(
    run: Run, settings: Settings, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The public one, if there is one; the command states whether phones reach it, and how they would."""
    assert club
    unknown = run("link", "kitchen TABLE")
    assert unknown.stdout.startswith("/v/")
    assert "LEDGER_PUBLIC_URL" in unknown.stderr
    address.store(settings, "http://127.0.0.1:8765/")
    here = run("link", "kitchen TABLE")
    assert here.stdout.startswith("http://127.0.0.1:8765/v/")
    assert "opens on this machine only" in here.stderr
    address.store(settings, "http://192.168.1.7:8000/")
    there = run("link", "kitchen TABLE")
    assert (there.stdout.startswith("http://192.168.1.7:8000/v/"), there.stderr) == (True, "")
    address.store(
        replace(settings, public_url="https://cards.example.org"), "http://127.0.0.1:8000/"
    )
    assert run("link", "kitchen TABLE").stdout.startswith("https://cards.example.org/v/")
    monkeypatch.setenv("LEDGER_PUBLIC_URL", "https://other.example.org")
    assert run("link", "kitchen TABLE").stdout.startswith("https://other.example.org/v/")


def test_a_token_for_no_club_is_refused_in_words(run: Run, club: Access) -> None:
    """The name that was given is in the sentence."""
    assert club
    result = run("token", "Nobody's")
    assert result.exit_code == 1
    assert "no club called “Nobody's”" in result.stderr


def test_a_report_is_written_where_it_was_asked_for(
    run: Run, tmp_path: Path, club: Access, session_id: int
) -> None:
    """The file is a PDF, and its name is printed."""
    assert club
    result = run("report", "Kitchen Table", str(session_id), "-o", "friday.pdf")
    assert result.stdout == "friday.pdf\n"
    assert (tmp_path / "friday.pdf").read_bytes().startswith(b"%PDF-")


def test_without_a_session_the_report_command_lists_them(run: Run, session_id: int) -> None:
    """A line each: number, day, hands, title."""
    result = run("report", "Kitchen Table")
    assert str(session_id) in result.stdout
    assert "1 hand   Friday" in result.stdout


def test_without_a_session_a_period_or_a_player_is_reported(
    run: Run, tmp_path: Path, session_id: int
) -> None:
    """With days or a game, or of everything with a file alone; a player's statement has their money."""
    assert session_id
    for options, name in (
        (("-o", "all.pdf"), "all.pdf"),
        (("--from", "2000-01-01", "--to", "2099-12-31"), "Kitchen Table 2000-01-01 2099-12-31.pdf"),
        (("--game", "crazy-solo"), "Kitchen Table crazy-solo.pdf"),
        (("--player", "ann"), "Statement of Ann All evenings.pdf"),
        (("--player", "Ann", "--from", "2026-01-01", "-o", "ann.pdf"), "ann.pdf"),
    ):
        assert run("report", "Kitchen Table", *options).stdout == f"{name}\n"
        assert (tmp_path / name).read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--hand", "1"), "Name a SESSION"),
        (("--blank", "-o", "a.pdf"), "Name a SESSION"),
        (("1", "--from", "2026-01-01"), "without a SESSION"),
        (("1", "--player", "Ann"), "without a SESSION"),
        (("1", "--season", "2026"), "without a SESSION"),
        (("--poster",), "A --poster is of a --season"),
        (("--player", "Ann", "--game", "frog"), "A statement has all games"),
        (("--from", "2026-02-01", "--to", "2026-01-01"), "the last day is before the first"),
    ],
)
def test_options_of_a_report_that_contradict_each_other_are_refused(
    run: Run, tmp_path: Path, options: Sequence[str], message: str
) -> None:
    """Nothing is written."""
    result = run("report", "Kitchen Table", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not list(tmp_path.glob("*.pdf"))


def test_a_report_that_cannot_be_made_or_written_says_why(run: Run, session_id: int) -> None:
    """No session of that number; no folder of that name."""
    missing = run("report", "Kitchen Table", "999")
    unwritable = run("report", "Kitchen Table", str(session_id), "-o", "no/such/folder.pdf")
    assert (missing.exit_code, unwritable.exit_code) == (1, 1)
    assert "no such session" in missing.stderr
    assert "Can't write no/such/folder.pdf" in unwritable.stderr


def test_a_bad_setting_ends_a_command_with_its_name(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable is named, and its valid values."""
    monkeypatch.setenv("LEDGER_PORT", "eighty")
    result = run("serve")
    assert result.exit_code == 1
    assert "LEDGER_PORT" in result.stderr


def test_a_taken_port_is_said_in_words(settings: Settings) -> None:
    """The sentence names the port and the remedy."""
    first = listen(settings, "127.0.0.1", 0)
    try:
        with pytest.raises(CannotListen, match="--port"):
            listen(settings, "127.0.0.1", int(first.effective_port))
    finally:
        first.close()


def test_where_it_cannot_listen_serve_opens_no_database(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence and status 1: a database is neither made nor migrated beside a running server."""
    opened: list[Settings] = []
    monkeypatch.setattr("ledger.server.open_books", opened.append)
    result = run("serve", "--host", "no such place")
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: Can't listen on no such place: there is no such address here; choose another with --host.\n"
    )
    assert opened == []


def test_an_address_that_leads_nowhere_is_said_in_words(settings: Settings) -> None:
    """No traceback: the name that was given, and the option that takes another."""
    with pytest.raises(CannotListen, match=r"no such place.*--host"):
        listen(settings, "no such place", 0)


@pytest.mark.parametrize("command", [("serve",), ("token", "Kitchen Table")])
@pytest.mark.parametrize(
    ("url", "said", "reason"),
    [
        ("sqlite:///{folder}/letter.txt", "Can't open the ledger in ", "not a database"),
        ("sqlite:///{folder}", "Can't open the ledger in ", "unable to open"),
        ("sqlite:///file:{folder}/books.sqlite?mode=ro&uri=true", "Can't open the ", "readonly"),
        ("sqlite+nosuch:///{folder}/books.sqlite", "LEDGER_DATABASE_URL names ", "nosuch"),
        ("postgresql+psycopg://host.invalid:1/books", "Can't open the ledger in ", "host.invalid"),
    ],
)
def test_books_that_cannot_be_opened_are_said_in_words(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    empty_books: Path,
    url: str,
    said: str,
    reason: str,
    command: tuple[str, ...],
) -> None:
    """A letter, a folder, a read-only file, a driver nobody has, no server: where, why, and the variable."""
    shutil.copy(empty_books, tmp_path / "books.sqlite")
    (tmp_path / "letter.txt").write_text("Dear Ann, the cards were good to me last night.\n" * 20)
    monkeypatch.setenv("LEDGER_DATABASE_URL", url.format(folder=tmp_path))
    result = run(*command)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.stderr.startswith(f"Error: {said}")
    assert reason in result.stderr
    assert "LEDGER_DATABASE_URL" in result.stderr


def test_a_folder_that_takes_no_key_is_said_in_words(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Here something else lies where the key belongs; a read-only folder is answered alike."""
    (tmp_path / "taken" / "secret-key").mkdir(parents=True)
    monkeypatch.delenv("LEDGER_DATABASE_URL")
    monkeypatch.setenv("LEDGER_DATA_DIR", str(tmp_path / "taken"))
    result = run("token", "Kitchen Table")
    assert result.exit_code == 1
    assert "secret-key can't be read or made" in result.stderr
    assert "LEDGER_DATA_DIR" in result.stderr


def test_an_address_of_version_6_is_bracketed() -> None:
    """As browsers want it."""
    assert url("::1", 8000) == "http://[::1]:8000/"


@pytest.mark.parametrize("command", ["serve", "score", "report", "token", "link", "export"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    """``--help`` ends with one to copy."""
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert f"Example: solo-ledger {command}" in result.stdout


def test_an_unknown_command_is_refused() -> None:
    """With the exit status of a usage error."""
    assert CliRunner().invoke(main, ["shuffle"]).exit_code == 2


def test_a_signing_key_that_was_lost_and_replaced_is_warned_of(
    run: Run,
    club: Access,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each command that opens the ledger warns, with the remedy, until the former key is trusted."""
    assert club
    assert run("token", "kitchen table").exit_code == 0
    assert caplog.text == ""
    file = settings.folder / "signing-key"
    former = SigningKey.from_text(file.read_text()).public
    file.unlink()
    for command in ("token", "link", "token"):
        caplog.clear()
        assert run(command, "kitchen table").exit_code == 0
        assert "earlier entries are signed by another one" in caplog.text
        assert "LEDGER_TRUSTED_KEYS=PUBLIC-KEY" in caplog.text
    monkeypatch.setenv("LEDGER_TRUSTED_KEYS", former)
    caplog.clear()
    assert run("token", "kitchen table").exit_code == 0
    assert caplog.text == ""


def test_the_key_of_an_imported_club_is_not_taken_for_a_lost_one(
    run: Run,
    club: Access,
    database: Database,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its entries were signed where it comes from, before this installation had a key."""
    assert run("token", "kitchen table").exit_code == 0
    origin = {"number": 1, "last_entry_id": 1, "arrived_at": now()}
    with database.write(club) as session:
        insert(session, ClubOrigin, origin)
    (settings.folder / "signing-key").unlink()
    assert run("token", "kitchen table").exit_code == 0
    assert caplog.text == ""
