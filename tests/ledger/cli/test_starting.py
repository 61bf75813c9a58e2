"""The modules that a command imports before it begins, which every call waits for."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copy

import click
import pytest

from ledger.books.transactions import Database
from ledger.cli import COMMANDS, Commands
from ledger.runtime.config import Settings
from tests.ledger.cli.test_score import HAND

HEAVY = ("flask", "sqlalchemy", "alembic", "marshmallow", "reportlab", "waitress")


def imported(*arguments: str, file: Path, code: str = "") -> set[str]:
    """Run ``solo-ledger`` and give the packages and modules that it imported."""
    call = f"from ledger.cli import main; main({list(arguments)!r}, standalone_mode=False)"
    told = "import sys; print('imported', *sys.modules)"
    file.write_text(f"import atexit\natexit.register(lambda: exec({told!r}))\n{code}\n{call}")
    result = subprocess.run(
        [sys.executable, str(file)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(result.stdout.splitlines()[-1].split())


def test_help_imports_no_command(tmp_path: Path) -> None:
    """Not the server, nor the database, nor the engine."""
    modules = imported("--help", file=tmp_path / "call.py")
    assert "click" in modules
    assert not modules & {*HEAVY, "engine", "email"}


def test_scoring_imports_neither_database_nor_server(tmp_path: Path) -> None:
    """Nor the bar that only a terminal shows."""
    hands = tmp_path / "hands.jsonl"
    hands.write_text(json.dumps(HAND))
    modules = imported("score", str(hands), file=tmp_path / "call.py")
    assert "engine" in modules
    assert not modules & set(HEAVY)


def test_verifying_imports_no_server_and_migrates_nothing_that_is_new(
    tmp_path: Path, empty_books: Path
) -> None:
    """It waits for the database and the engine only."""
    books = tmp_path / "ledger.sqlite"
    copy(empty_books, books)
    place = f"import os; os.environ['LEDGER_DATABASE_URL'] = 'sqlite:///{books}'"
    modules = imported("verify", file=tmp_path / "call.py", code=place)
    assert {"engine", "sqlalchemy"} <= modules
    assert not modules & ({*HEAVY, "uvicorn"} - {"sqlalchemy"})
    assert not modules & {"ledger.keeping.migrate", "cryptography"}


def test_verifying_imports_nothing_that_writes(tmp_path: Path, empty_books: Path) -> None:
    """A second opinion is not asked of the first: no models, no journal, no service but small facts."""
    books = tmp_path / "ledger.sqlite"
    copy(empty_books, books)
    modules = imported("verify", str(books), file=tmp_path / "call.py")
    assert not modules & {"pydantic", "sqlmodel", "sqlalchemy.orm"}
    assert not modules & {
        "ledger.database.models",
        "ledger.database.scope",
        "ledger.books.transactions",
        "ledger.books.journal",
    }
    services = {name.split(".")[2] for name in modules if name.startswith("ledger.services.")}
    assert services == {"audit", "common"}
    assert "ledger.services.common.writing" not in modules


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_a_command_says_of_itself(name: str) -> None:
    """Its words are in the command's own first paragraph; the list imports none to find out."""
    command = Commands().get_command(click.Context(Commands()), name)
    assert command is not None
    assert command.help is not None
    own = command.help.split("\n\n")[0].lower()
    assert COMMANDS[name].lower().split()[0] == own.split()[0]


def test_verifying_imports_no_server(tmp_path: Path) -> None:
    """Nor alembic: the command is imported before it is known whether books need upgrading."""
    modules = imported("verify", "--help", file=tmp_path / "call.py")
    assert "sqlalchemy" in modules
    assert not modules & {"flask", "werkzeug", "uvicorn", "marshmallow", "reportlab", "alembic"}


def test_another_process_that_scores_hands_of_the_books_imports_no_database() -> None:
    """Each of them would wait as long for it as for scoring thousands of hands."""
    told = (
        "import sys, ledger.books.rescoring; print(*{name.split('.')[0] for name in sys.modules})"
    )
    result = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True, timeout=60
    )
    results = set(result.stdout.split())
    assert {"engine", "orjson"} <= results
    assert not results & {*HEAVY, "pydantic"}


def test_serving_books_that_are_up_to_date_imports_no_alembic(
    tmp_path: Path, database: Database, settings: Settings
) -> None:
    """Nor the makers of PDFs, QR codes or signatures, before the first use; nor another database."""
    database.close()
    call = tmp_path / "call.py"
    env = {"LEDGER_DATABASE_URL": settings.database_url, "LEDGER_DATA_DIR": str(tmp_path)}
    code = (
        f"import os; os.environ.update({env!r})\nimport ledger.cli.serve\n"
        "from ledger.keeping.migrate import open_books\n"
        "from ledger.runtime.config import load\nopen_books(load())"
    )
    modules = imported("--help", file=call, code=code)
    assert "flask" in modules
    assert not modules & {
        "alembic",
        "mako",
        "reportlab",
        "uharfbuzz",
        "segno",
        "cryptography",
        "iso4217",
        "sqlalchemy.dialects.postgresql",
    }
