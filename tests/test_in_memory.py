"""Temporary files are in memory only if there is room for them."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.support import in_memory


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder in place of the one in memory; ``TMPDIR`` is not set."""
    monkeypatch.setattr(tempfile, "tempdir", tempfile.tempdir)
    monkeypatch.setenv("TMPDIR", "for pytest to restore it")
    monkeypatch.delenv("TMPDIR")
    monkeypatch.setattr(in_memory, "MEMORY", tmp_path)
    monkeypatch.setattr(in_memory, "ROOM", 1)
    return tmp_path


def test_temporary_files_are_in_memory_with_room(memory: Path) -> None:
    """Also those of processes started later, by the variable."""
    in_memory.pytest_configure()
    assert os.environ["TMPDIR"] == tempfile.gettempdir() == str(memory)


@pytest.mark.usefixtures("memory")
def test_a_folder_that_was_chosen_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``TMPDIR`` set by the user keeps the files."""
    monkeypatch.setenv("TMPDIR", "/chosen")
    in_memory.pytest_configure()
    assert os.environ["TMPDIR"] == "/chosen"


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(("name", "value"), [("ROOM", 2**62), ("MEMORY", Path("/missing"))])
def test_without_room_they_stay_where_they_are(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    """Also on a machine without such a folder."""
    monkeypatch.setattr(in_memory, name, value)
    in_memory.pytest_configure()
    assert "TMPDIR" not in os.environ
