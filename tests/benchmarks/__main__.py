"""Runs every benchmark and writes one table of ratios, by file and commit.

Run: python -m tests.benchmarks [NAME ...] [--write]
``NAME`` chooses files (``saving`` is ``bench_saving.py``); with ``--write`` their tables replace those in
``.docs/FIGURES.md``, and the others stay. Each file runs in a process of its own, so that none warms up
another.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from tests.benchmarks.rows import Row
from tests.support.tree import ROOT

HERE = Path(__file__).parent
PAGE = ROOT / ".docs" / "FIGURES.md"
MARK = "<!-- written by python -m tests.benchmarks --write -->"
HEAD = "## `bench_"
ONE = "--rows-of"
HEADS = ("what", "ours", "beside it", "ratio", "aim")


def names() -> list[str]:
    """Return what there is to run."""
    return sorted(file.stem.removeprefix("bench_") for file in HERE.glob("bench_*.py"))


def rows_of(name: str) -> Iterator[Row]:
    """Run one file in a process of its own, and give its rows as they come."""
    command = [sys.executable, "-m", "tests.benchmarks", ONE, name]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            yield Row(*json.loads(line))
    if running.returncode:
        raise SystemExit(f"bench_{name}.py ended with status {running.returncode}")


def told(row: Row) -> tuple[str, ...]:
    """Return a row as it is shown: what missed its aim is marked."""
    aim = "" if row.aim is None else f"{row.aim:.2f}"
    return (
        row.what,
        row.ours,
        row.beside,
        f"{row.ratio:.2f}",
        aim if row.reached else f"{aim} missed",
    )


def table(name: str, rows: Sequence[Row], measured: str) -> str:
    """Return the rows of a file in Markdown, and at which commit they were ``measured``."""
    lines = [
        f"{HEAD}{name}.py`",
        "",
        measured,
        f"| {' | '.join(HEADS)} |",
        "|---|---:|---:|---:|---:|",
        *(f"| {' | '.join(told(row))} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def written() -> dict[str, str]:
    """Return the tables on the page, by the names of their files."""
    _, *tables = PAGE.read_text(encoding="utf-8").partition(MARK)[2].split(HEAD)
    return {
        table.partition(".")[0]: f"{HEAD}{table.rstrip()}\n"
        for table in tables
        if table.partition(".")[0] in names()
    }


def commit() -> str:
    """Return the commit that is measured, and whether something was changed since."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return said.stdout.strip() or "unknown"


def main(asked: Sequence[str]) -> None:
    """Run what is asked for, all without a name, and print or write it."""
    write = "--write" in asked
    chosen = [name for name in asked if name != "--write"] or names()
    unknown = [name for name in chosen if name not in names()]
    if unknown:
        raise SystemExit(
            f"There is no benchmark {', '.join(unknown)}; there are {', '.join(names())}."
        )
    top = f"Commit {commit()}, Python {sys.version.split()[0]}, {sys.platform}.\n"
    parts = written()
    print(top)
    for name in chosen:
        rows = []
        for row in rows_of(name):
            rows.append(row)
            print(f"{name:<11}{row.what:<78}{row.ours:>12}{row.beside:>12}", end="")
            print(f"{row.ratio:>9.2f}  {told(row)[-1]}", flush=True)
        parts[name] = table(name, rows, top)
    if write:
        before = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
        tables = "\n".join(parts[name] for name in sorted(parts))
        PAGE.write_text(f"{before}{MARK}\n\n{tables}", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == [ONE]:
        for each in import_module(f"tests.benchmarks.bench_{sys.argv[2]}").rows():
            print(json.dumps(each), flush=True)
    else:
        main(sys.argv[1:])
