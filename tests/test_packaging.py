"""The wheel is whole: an installation in any folder has all functions of a checkout."""

import hashlib
import os
import re
import sqlite3
import subprocess
import sys
import urllib.request
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.server import start_server
from tests.support.tree import ROOT, VENDOR, project_files


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of this checkout, with the build backend that the `test` extra brings."""
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)]
    result = subprocess.run([*build, str(ROOT)], capture_output=True, text=True, timeout=180)
    assert result.returncode == 0, result.stdout + result.stderr
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the wheel into a folder, as an installer does."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run_python(installed: Path, elsewhere: Path, *arguments: str) -> str:
    """Run Python with the unpacked wheel in front of everything, in a folder of its own."""
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(installed), "LEDGER_DATA_DIR": str(elsewhere)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_wheel_holds_every_template_migration_and_static_file(wheel: Path) -> None:
    """The files read at run time travel inside the `ledger` package."""
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    expected = set()
    for path in project_files():
        match path.parts:
            case ("templates" | "migrations", *_):
                expected.add(f"ledger/{path.as_posix()}")
            case ("ledger" | "engine", *_):
                expected.add(path.as_posix())
    assert any(name.startswith("ledger/templates/") for name in expected)
    assert any(re.match(r"ledger/migrations/versions/\w+\.py", name) for name in expected)
    assert any(name.startswith("ledger/static/") for name in expected)
    assert sorted(expected - inside) == []


def test_wheel_holds_nothing_but_the_product(wheel: Path) -> None:
    """No tests, no CI, no notes."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"engine", "ledger"}


def test_wheel_brings_the_text_of_its_licence(wheel: Path) -> None:
    """Word for word, where installers look for it: the licence asks for that of every copy."""
    text = (ROOT / ".docs" / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith("/LICENSE"))
        assert ".dist-info/licenses/" in name
        assert archive.read(name).decode() == text
        (metadata,) = (each for each in archive.namelist() if each.endswith("/METADATA"))
        said = archive.read(metadata).decode()
    assert "License-Expression: MIT" in said
    assert "License-File: .docs/LICENSE" in said


def test_wheel_brings_the_command(wheel: Path) -> None:
    """An installer makes `solo-ledger` from the wheel's entry point."""
    with zipfile.ZipFile(wheel) as archive:
        (points,) = (n for n in archive.namelist() if n.endswith(".dist-info/entry_points.txt"))
        assert "solo-ledger = ledger.__main__:run" in archive.read(points).decode()


def test_installed_command_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    """`python -m ledger --help` answers, from the wheel and not from the checkout."""
    where = run_python(installed, tmp_path, "-c", "import ledger; print(ledger.__file__)")
    assert Path(where.strip()).is_relative_to(installed)
    assert "serve" in run_python(installed, tmp_path, "-m", "ledger", "--help")


def test_installed_service_migrates_an_empty_database_and_answers(
    installed: Path, tmp_path: Path
) -> None:
    """Migrations and templates are found inside the installation, in any current folder."""
    database = tmp_path / "fresh.sqlite3"
    server = start_server(tmp_path, database_url=f"sqlite:///{database}", code=installed)
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{server.url}/", timeout=10) as page:
            assert page.status == 200
            assert "<html" in page.read().decode()
    finally:
        server.stop()
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)


def test_vendored_files_are_the_ones_versions_names() -> None:
    """Each third-party file has the sum written in VERSIONS, and none asks for a source map."""
    folder = ROOT / VENDOR
    table = (folder / "VERSIONS").read_text(encoding="utf-8")
    sums = re.findall(r"^([0-9a-f]{64})  (\S+)$", table, re.MULTILINE)
    named = {name: digest for digest, name in sums}
    found = {path.name: path.read_bytes() for path in folder.glob("*.*")}
    assert {name: hashlib.sha256(data).hexdigest() for name, data in found.items()} == named
    assert [name for name, data in found.items() if b"sourceMappingURL" in data] == []


def test_readme_marks_the_test_command_as_one_line() -> None:
    """CI runs the README's own words: the block marked as the test command holds one line."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- test command -->\s*\n```\w*\n(.*?)\n```", readme, re.DOTALL)
    assert block is not None, "README.md has no block marked <!-- test command -->"
    assert len(block[1].splitlines()) == 1
    assert re.search(r" -I?m pytest -n 4 --dist loadfile$", block[1]), block[1]
