"""Runs the standing trials and ends with a table of their figures.

Run: python -m tests.trials [NAME ...] [--short]
``NAME`` chooses trials (``writers`` is ``trial_writers.py``). With ``--short`` each is as small as is still
useful, as CI runs them, and a time that is missed is shown but fails nothing. Ends with status 1 where a
promise is not held.
"""

import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.trials.rows import Row

HERE = Path(__file__).parent
SHORT = "--short"


def names() -> list[str]:
    """Return the names of the trials."""
    return sorted(file.stem.removeprefix("trial_") for file in HERE.glob("trial_*.py"))


def run(name: str, short: bool) -> list[Row]:
    """Run one trial in a folder of its own."""
    begun, before = time.monotonic(), time.process_time()
    print(f"{name} …", end="", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        trial = import_module(f"tests.trials.trial_{name}")
        results: list[Row] = []
        try:
            results.extend(trial.rows(Path(folder), short))
        except Exception as error:  # the other trials are run, and this one is not held
            traceback.print_exc()
            results.append(Row("came to its end", type(error).__name__, "yes", held=False))
    own = time.process_time() - before
    print(
        f" {time.monotonic() - begun:.1f} s, {own:.1f} s of processor time of its own", flush=True
    )
    return results


def table(found: Sequence[tuple[str, Row]]) -> str:
    """Return the figures, a line each."""
    lines = []
    for name, row in found:
        missed = "" if row.held else "  missed"
        lines.append(f"{name:<12}{row.what:<52}{row.figure:>14}  {row.aim:<10}{missed}".rstrip())
    return "\n".join(lines)


def main(asked: Sequence[str]) -> int:
    """Run the named trials, all without a name; return the exit status."""
    short = SHORT in asked
    chosen = [name for name in asked if name != SHORT] or names()
    unknown = [name for name in chosen if name not in names()]
    if unknown:
        raise SystemExit(f"There is no trial {', '.join(unknown)}; there are {', '.join(names())}.")
    found = [(name, row) for name in chosen for row in run(name, short)]
    print(f"\n{table(found)}")
    return int(any(not row.held and not (short and row.timed) for _, row in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
