"""``solo-ledger score --jobs``: the same answers in the same order, and an end where a process is lost."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger.cli import main
from ledger.runtime.jobs import WorkerLost, in_order
from tests.ledger.cli.test_score import HAND

GOOD = json.dumps(HAND)


def lines(count: int) -> str:
    """Give so many hands, of which every seventh is refused, each of its own points."""
    return "".join(
        json.dumps({**HAND, "points": 119 if place % 7 == 0 else place % 117 + 2}) + "\n"
        for place in range(count)
    )


@pytest.mark.parametrize("more", ["", '{"game": nonsense}\n' + GOOD, "\xff"])
def test_answers_order_status_and_messages_are_those_of_one_process(
    tmp_path: Path, more: str
) -> None:
    """Also where a line in the middle, or bytes that are no text, end the reading."""
    file = tmp_path / "evening.jsonl"
    file.write_bytes((lines(1200) + more).encode("latin-1"))
    alone, shared = (
        CliRunner().invoke(main, ["score", "--jobs", jobs, str(file)]) for jobs in ("1", "3")
    )
    assert len(shared.stdout.splitlines()) > 0
    assert (shared.exit_code, shared.stdout, shared.stderr) == (
        alone.exit_code,
        alone.stdout,
        alone.stderr,
    )
    assert shared.exit_code == (2 if more else 1)


def test_a_process_that_is_lost_ends_the_command_in_a_sentence(tmp_path: Path) -> None:
    """Status 3, as the answers are not all there."""
    file = tmp_path / "evening.jsonl"
    file.write_text(lines(600))
    killed = "import os, ledger.cli.score as s; s.score_lines = lambda _: os.kill(os.getpid(), 9);"
    result = subprocess.run(
        [sys.executable, "-c", f"{killed} s.score(['--jobs', '2', {str(file)!r}])"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (result.returncode, result.stdout) == (3, "")
    assert (
        result.stderr
        == "The answers could not be written: a process that scored hands was ended.\n"
    )


def test_a_reader_that_has_had_enough_ends_all_processes(tmp_path: Path) -> None:
    """As without ``--jobs``: status 1, no word, no hang."""
    file = tmp_path / "evening.jsonl"
    file.write_text(lines(20_000))
    with subprocess.Popen(
        [sys.executable, "-m", "ledger", "score", "--jobs", "2", str(file)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.wait(timeout=60) == 1
        assert running.stderr.read() == b""


def test_workers_end_when_the_process_that_asked_is_gone() -> None:
    """However it goes: none is left waiting for more."""
    code = (
        "import os, time; from multiprocessing import active_children as all;"
        "from ledger.runtime.jobs import in_order; answers = in_order(abs, iter(range(9)), 2);"
        "next(answers); print(*(each.pid for each in all()), flush=True);"
        "os.kill(os.getpid(), 9)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,  # which also ends only when nobody holds the pipe any more
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == -signal.SIGKILL
    assert len(result.stdout.split()) == 2


def test_a_lost_process_is_told_apart_from_work_that_is_done() -> None:
    """All batches answered in their order; or ``WorkerLost``."""
    assert list(in_order(abs, [-1, 2, -3, 4], 2)) == [1, 2, 3, 4]
    with pytest.raises(WorkerLost):
        list(in_order(os._exit, [0], 2))
