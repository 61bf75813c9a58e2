"""Run benchmarks and print or write a table of ratios, with the measured commit.

Run: python -m tests.benchmarks [NAME ...] [--write]
``NAME`` chooses files (``saving`` is ``bench_saving.py``). With ``--write`` their tables replace those in
``.docs/FIGURES.md``. Each file runs in a process of its own, so that no benchmark warms up another.
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
HEADS = ("measurement", "ours", "reference", "ratio", "target")


def names() -> list[str]:
    """Return the names of all benchmarks."""
    return sorted(file.stem.removeprefix("bench_") for file in HERE.glob("bench_*.py"))


def rows_of(name: str) -> Iterator[Row]:
    """Run one file in a process of its own, and yield its rows as they arrive."""
    command = [sys.executable, "-m", "tests.benchmarks", ONE, name]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            yield Row(*json.loads(line))
    if running.returncode:
        raise SystemExit(f"bench_{name}.py ended with status {running.returncode}")


def cells(row: Row) -> tuple[str, ...]:
    """Return a row's cells; a missed target is marked."""
    target = "" if row.target is None else f"{row.target:.2f}"
    return (
        row.label,
        row.ours,
        row.reference,
        f"{row.ratio:.2f}",
        target if row.is_reached else f"{target} missed",
    )


def table(name: str, rows: Sequence[Row], measured: str) -> str:
    """Return the rows of a file as Markdown; ``measured`` names commit and platform."""
    lines = [
        f"{HEAD}{name}.py`",
        "",
        measured,
        f"| {' | '.join(HEADS)} |",
        "|---|---:|---:|---:|---:|",
        *(f"| {' | '.join(cells(row))} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def tables_on_page() -> dict[str, str]:
    """Return the tables of FIGURES.md by benchmark."""
    _, *tables = PAGE.read_text(encoding="utf-8").partition(MARK)[2].split(HEAD)
    return {
        table.partition(".")[0]: f"{HEAD}{table.rstrip()}\n"
        for table in tables
        if table.partition(".")[0] in names()
    }


def commit() -> str:
    """Return the measured commit, marked if there are uncommitted changes."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip() or "unknown"


def main(arguments: Sequence[str]) -> None:
    """Run the named benchmarks, or all, and print or write their tables."""
    write = "--write" in arguments
    chosen = [name for name in arguments if name != "--write"] or names()
    unknown = [name for name in chosen if name not in names()]
    if unknown:
        raise SystemExit(
            f"There is no benchmark {', '.join(unknown)}; there are {', '.join(names())}."
        )
    top = f"Commit {commit()}, Python {sys.version.split()[0]}, {sys.platform}.\n"
    parts = tables_on_page()
    print(top)
    for name in chosen:
        rows = []
        for row in rows_of(name):
            rows.append(row)
            print(f"{name:<11}{row.label:<78}{row.ours:>12}{row.reference:>12}", end="")
            print(f"{row.ratio:>9.2f}  {cells(row)[-1]}", flush=True)
        parts[name] = table(name, rows, top)
    if write:
        before = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
        tables = "\n".join(parts[name] for name in sorted(parts))
        PAGE.write_text(f"{before}{MARK}\n\n{tables}", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == [ONE]:
        for row in import_module(f"tests.benchmarks.bench_{sys.argv[2]}").rows():
            print(json.dumps(row), flush=True)
    else:
        main(sys.argv[1:])
