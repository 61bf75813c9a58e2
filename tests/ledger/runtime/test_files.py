"""Files that are written as a whole."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledger.runtime.files import STALE_AFTER, write_whole

KILLED = """
import os, pathlib, signal, sys
from ledger.runtime.files import write_whole

def pieces():
    yield b"a private key"
    os.kill(os.getpid(), signal.SIGKILL)

write_whole(pathlib.Path(sys.argv[1], "signing-key"), pieces())
"""


def make_old(file: Path) -> None:
    """Let a file be older than a day."""
    before = time.time() - STALE_AFTER - 60
    os.utime(file, (before, before))


@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL")
def test_the_draft_of_a_killed_process_is_removed_after_a_day(tmp_path: Path) -> None:
    """By the next process that writes a file in its folder."""
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    killed = subprocess.run(command, check=False, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    (draft,) = tmp_path.iterdir()
    write_whole(tmp_path / "first", [b"1"])
    assert draft.exists()  # somebody may still write it
    make_old(draft)
    write_whole(tmp_path / "second", [b"2"])
    assert {file.name for file in tmp_path.iterdir()} == {"first", "second"}


def test_other_old_files_are_kept(tmp_path: Path) -> None:
    """Those that only begin like a draft, and a folder with a draft's name."""
    others = [
        tmp_path / name for name in (".solo-ledger-notes", ".solo-ledger", "solo-ledger-12345678")
    ]
    folder = tmp_path / ".solo-ledger-abcdefgh"
    folder.mkdir()
    for other in others:
        other.touch()
    for path in (*others, folder):
        make_old(path)
    write_whole(tmp_path / "whole", [b"1"])
    assert all(path.exists() for path in (*others, folder))
