"""The bar of long commands: on a terminal it makes room for answers; elsewhere there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.cli.progress import WIDTH, bar
from tests.support.tree import ROOT

SCRIPT = """
import time
from ledger.cli import progress
progress.REDRAWS_EVERY = 0
with progress.bar("entries", counted=True) as advance:
    advance(0, None)
    advance(1_000, 4_000)
    print("an answer", flush=True)
    advance(4_000, 4_000)
print("the end")
"""


def on_a_terminal(code: str, columns: int = 100) -> str:
    """Return a Python program's output on a terminal of a width, with its control characters."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=theirs, stderr=theirs, env=environment, cwd=ROOT
    )
    os.close(theirs)
    output = b""
    while True:
        try:
            piece = os.read(ours, 1_000)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        output += piece
    os.close(ours)
    assert process.wait(30) == 0
    return output.decode()


def test_on_a_terminal_it_moves_and_answers_stand_above_it() -> None:
    """Each drawing replaces the one before; nothing of the bar stays, and no answer is mixed with it."""
    drawn = on_a_terminal(SCRIPT)
    assert f"entries {'█' * (WIDTH // 4)}{'░' * (WIDTH - WIDTH // 4)} 1,000/4,000 0:00" in drawn
    assert f"{'█' * WIDTH} 4,000/4,000" in drawn
    shown = [line.rpartition("\r")[2] for line in drawn.replace("\r\n", "\n").split("\n")]
    assert shown == ["an answer", "the end", ""]


def test_a_narrow_terminal_gets_as_much_as_fits() -> None:
    """A line that wraps could not be erased."""
    pieces = on_a_terminal(SCRIPT, columns=30).replace("\n", "\r").split("\r")
    assert max(len(piece) for piece in pieces) < 30


def test_without_a_terminal_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """As in a pipe or a log."""
    with bar("entries") as advance:
        advance(1, 2)
    assert capsys.readouterr() == ("", "")


def test_scored_hands_stand_above_the_bar(tmp_path: Path) -> None:
    """The whole command, on a terminal: each answer is a line of JSON."""
    hand = (
        '{"game": "six-bid", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann",'
        ' "contract": {"bidder": "Bob", "bid": "solo", "trump": "C"}, "points": 64}\n'
    )
    file = tmp_path / "hands.jsonl"
    file.write_text(hand * 3)
    code = f"import sys; sys.argv = ['x', 'score', {str(file)!r}]; from ledger.__main__ import run; run()"
    shown = on_a_terminal(code).replace("\r\n", "\n").split("\n")
    answers = [line.rpartition("\r")[2] for line in shown]
    assert len(answers) == 4
    assert all(answer.startswith("{") and answer.endswith("}") for answer in answers[:3])
