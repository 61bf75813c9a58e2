"""A ledger is moved into another database, row by row, and only a complete, verified copy is opened."""

import os
import random
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlmodel import col, delete

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.models import IdempotentResponse, RefusedTry
from ledger.keeping.move import LedgerCopy
from ledger.services.club import clubs, devices, tokens
from ledger.services.club.passcodes import NOBODY
from ledger.words.problems import OtherRevision
from tests.ledger import cash, departed, table
from tests.ledger.evenings import CardClub
from tests.ledger.keeping.moved import Installation, stopping, stored, url
from tests.support.postgres import Cluster


@pytest.mark.postgres
def test_a_ledger_comes_back_from_the_other_database_byte_for_byte(
    installation: Installation, away: str, postgres_cluster: Cluster, tmp_path: Path
) -> None:
    """From SQLite to PostgreSQL and back, and the other way round; the source is read only."""
    back = f"sqlite:///{tmp_path / 'back.sqlite'}"
    if not installation.database.is_sqlite:
        back = postgres_cluster.fresh()
    before = stored(url(installation.database))
    result = installation.moved(away)
    assert "each compared with the original, and the books are in order" in result.stdout
    assert f"set LEDGER_DATABASE_URL={away.partition('@')[0].removesuffix(':')}" in result.stdout
    there = Installation(
        Database(away), installation.club, {**installation.env, "LEDGER_DATABASE_URL": away}
    )
    there.moved(back)
    there.database.close()
    assert stored(back) == before
    assert stored(url(installation.database)) == before


@pytest.mark.postgres
def test_play_goes_on_in_the_copy(installation: Installation, away: str) -> None:
    """New clubs and hands get numbers after the copied ones, and the books verify."""
    installation.moved(away)
    with closing(Database(away)) as new:
        new.signer = installation.database.signer
        club = CardClub(new, installation.club.access)
        club.start(table.FOUR).record(cash.ANN_WINS)
        clubs.create(new, name="A third", passcode="123456")
        with new.write() as session:
            now = datetime.now(UTC)
            session.add(
                RefusedTry(whose="2", network="n", wider="w", failures=1, last_at=now, open_at=now)
            )
        club.must_verify()


def test_the_file_of_the_source_keeps_its_bytes(on_sqlite: Installation, target: str) -> None:
    """It is opened for reading only."""
    on_sqlite.database.close()
    file = Path(on_sqlite.database.url.database or "")
    before = file.read_bytes()
    on_sqlite.moved(target)
    assert file.read_bytes() == before


@pytest.mark.postgres
@pytest.mark.parametrize("seed", range(2))
def test_an_interrupted_move_goes_on_although_the_source_has_changed(
    installation: Installation, away: str, seed: int
) -> None:
    """Stopped at random batches, while hands are played and corrected, keys come, and old answers go."""
    draw, club = random.Random(seed), installation.club  # noqa: S311 - the same in each run
    evening = club.start(table.FOUR)
    for step in range(5):
        with stopping(draw.randrange(60)):
            result = installation.move(away)
        assert "it was interrupted" in result.stderr, result.output
        evening.record(cash.ANN_WINS)
        if step:
            evening.correct(step, departed.ANN_LOSES)
        evening.leave("Bob") if step == 2 else tokens.issue(
            club.db, club.access, label=f"t{step}", role=club.access.role
        )
        devices.admit(club.db, club.access, NOBODY)
        with club.writing() as session:
            session.exec(delete(IdempotentResponse).where(col(IdempotentResponse.id) == step + 1))
    installation.moved(away)


def test_a_killed_move_goes_on(on_sqlite: Installation, target: str) -> None:
    """SIGKILL within a batch; nothing opens the copy until the move is complete."""
    code = (
        "import os, signal\n"
        "from ledger.cli import main\n"
        "from ledger.keeping import move\n"
        "insert, left = move._insert, 40\n"
        "def killing(*arguments):\n"
        "    global left\n"
        "    left -= 1\n"
        "    insert(*arguments)\n"
        "    if left < 0:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "move._insert, move.BATCH = killing, 3\n"
        "main()\n"
    )
    arguments = [sys.executable, "-c", code, "move", "--to", target]
    killed = subprocess.run(arguments, env={**os.environ, **on_sqlite.env}, timeout=60, check=False)
    assert killed.returncode == -9
    env = {**on_sqlite.env, "LEDGER_DATABASE_URL": target}
    for command in ("serve", "verify", "move"):
        more = ["--to", f"{target}-2"] if command == "move" else []
        refused = CliRunner().invoke(main, [command, *more], env=env)
        assert refused.exit_code != 0
        assert "it holds an unfinished copy of a ledger" in refused.stderr
    on_sqlite.moved(target)


def test_a_server_that_has_opened_the_empty_database_saves_nothing_into_the_copy(
    on_sqlite: Installation, own_database: Database
) -> None:
    """It would take over numbers of rows that are still to be copied."""
    with stopping(20):
        on_sqlite.move(url(own_database))
    with pytest.raises(OtherRevision):
        clubs.create(own_database, name="Early", passcode="123456")
    on_sqlite.moved(url(own_database))


def test_what_is_saved_during_the_move_is_not_left_behind(
    on_sqlite: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is not completed, the reason is told, and the next run brings the hand."""
    compare = LedgerCopy.compare

    def meanwhile(self: LedgerCopy, *arguments: Any) -> None:
        compare(self, *arguments)
        on_sqlite.club.start(table.FOUR)

    monkeypatch.setattr(LedgerCopy, "compare", meanwhile)
    result = on_sqlite.move(f"sqlite:///{tmp_path / 'new.sqlite'}")
    assert result.exit_code == 1
    assert "somebody saved in the old ledger meanwhile. Stop its service" in result.stderr
    assert "the same command goes on" in result.stderr
    monkeypatch.undo()
    on_sqlite.moved(f"sqlite:///{tmp_path / 'new.sqlite'}")
