"""Run the tests of a package once for each of its mutants, and print the mutants that no test notices.

``python -m tests.mutation engine/rules``. Tests and program are loaded once; each mutant is one fork that
replaces functions in memory and runs the tests that reach the changed line, quickest first. A mutant of a
line that runs during an import takes seconds, as its fork imports everything again. No file is changed.
"""

import argparse
import gc
import os
import pickle
import random
import resource
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.machinery import SourceFileLoader
from itertools import groupby, islice
from pathlib import Path
from types import CodeType, FunctionType
from typing import IO, Any

import coverage
import pytest

from tests.mutation.mutants import Mutant, mutants_of
from tests.support.tree import ROOT, python_files

EQUIVALENT = Path(__file__).with_name("equivalent.toml")
ENGINE = [
    "engine",
    *(
        f"tests/engine/{name}"
        for name in ("cards", "errors", "games", "phases", "record", "replay", "rules", "scoring")
    ),
    *(
        f"tests/engine/{name}.py"
        for name in (
            "guide/test_worked",
            "test_card_examples",
            "test_examples",
            "test_refusals_page",
        )
    ),
]
"""The tests of the engine that take only seconds, with the examples in docstrings."""

PYTEST = ["-sq", "-m", "not postgres and not browser"]
OUTPUT = os.dup(1)


def show(text: str) -> None:
    """Print a line, also from a fork with a closed standard output."""
    os.write(OUTPUT, f"{text}\n".encode())


def in_forks(
    work: Callable[[Any], Any], items: Iterable[Any], jobs: int = 1
) -> Iterator[tuple[Any, Any]]:
    """Yield each item with the result of `work` in a fork, or with `None` if the fork died."""
    waiting = iter(items)
    running: dict[int, tuple[Any, IO[bytes]]] = {}
    while True:
        for item in islice(waiting, jobs - len(running)):
            result = tempfile.TemporaryFile()  # noqa: SIM115
            if not (process := os.fork()):
                gc.disable()
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                try:
                    result.write(pickle.dumps(work(item)))
                    result.flush()
                finally:
                    os._exit(0)
            running[process] = item, result
        if not running:
            return
        item, answer = running.pop(os.wait()[0])
        with answer:
            answer.seek(0)
            data = answer.read()
        yield item, pickle.loads(data) if data else None  # noqa: S301  # from our own fork


def limit(seconds: float) -> None:
    """End this process when it has used so much processor time."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1,) * 2)


@cache
def equivalent() -> set[tuple[str, ...]]:
    """Return the listed mutants that no test can notice."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    return {(entry["file"], entry["function"], entry["line"], entry["change"]) for entry in listed}


def judge(mutant: Mutant, passed: bool | None) -> str:
    """Return "killed", "equivalent" or "survived", and print a mutant that survived."""
    if not passed:
        return "killed"
    if mutant.key in equivalent():
        return "equivalent"
    show(f"{mutant.file}:{mutant.lines[-1]} {mutant.function}\n    {mutant.line}")
    show(f"    {mutant.change}")
    return "survived"


class Warm:
    """A pytest plugin that tries mutants of functions instead of running the collected tests.

    `results` maps each mutant to the result of `judge`; those of code that runs during imports are missing.
    """

    def __init__(self, mutants: list[Mutant], jobs: int) -> None:
        self.mutants, self.jobs = mutants, jobs
        self.results: dict[Mutant, str] = {}
        self.files = {str(ROOT / mutant.file) for mutant in mutants}
        self.imports = self.start_coverage()
        self.failed = False

    def start_coverage(self) -> coverage.Coverage:
        """Start to measure which lines run."""
        measured = coverage.Coverage(data_file=None, config_file=False, include=list(self.files))
        measured.set_option("run:disable_warnings", ["no-data-collected"])
        measured.start()
        return measured

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find the tests that reach each line, then run them for each mutant of a function."""
        self.imports.stop()
        data = self.imports.get_data()
        imported = {(file, line) for file in self.files for line in data.lines(file) or ()}
        gc.unfreeze()
        objects = gc.get_objects()
        functions = [function for function in objects if isinstance(function, FunctionType)]
        self.functions = [f for f in functions if f.__code__.co_filename in self.files]
        self.caches = [entry for entry in objects if isinstance(entry, type(equivalent))]
        del objects, functions
        gc.freeze()
        self.session, self.items, self.hook = session, session.items, session.config.hook
        self.tests: dict[tuple[str, int], set[tuple[float, int]]] = defaultdict(set)
        modules = groupby(range(len(self.items)), lambda at: self.items[at].path)
        for _, traced in in_forks(self.trace, [list(tests) for _, tests in modules], self.jobs):
            for file, line, seconds, at in traced:
                self.tests[file, line].add((seconds, at))
        warm = [m for m in self.mutants if (str(ROOT / m.file), m.lines[0]) not in imported]
        show(f"{len(self.mutants)} mutants, {len(warm)} of them without another import")
        for mutant, passed in in_forks(self.try_out, warm, self.jobs):
            if passed != "not replaced":
                self.results[mutant] = judge(mutant, passed)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a failure."""
        self.failed |= report.failed

    def passes(self, at: int) -> bool:
        """Run a test and keep the fixtures of the session; return whether it passes or is skipped."""
        self.failed = False
        self.hook.pytest_runtest_protocol(item=self.items[at], nextitem=self.session)
        return not self.failed

    def trace(self, tests: list[int]) -> list[tuple[str, int, float, int]]:
        """Run a module's tests; return the file and number of each line with the seconds of a test and it."""
        measured, seconds = self.start_coverage(), {}
        for at in tests:
            for cached in self.caches:
                cached.cache_clear()
            measured.switch_context(str(at))
            start = time.process_time()
            if not self.passes(at):
                show(f"{self.items[at].nodeid} fails without a mutant")
            seconds[at] = time.process_time() - start
        measured.stop()
        data = measured.get_data()
        return [
            (file, line, seconds[int(at)], int(at))
            for file in self.files
            for line, contexts in data.contexts_by_lineno(file).items()
            for at in contexts
            if at
        ]

    def try_out(self, mutant: Mutant) -> bool | str:
        """Replace a mutant's functions; return whether all tests pass, or "not replaced"."""
        path = str(ROOT / mutant.file)
        tests = sorted({test for line in mutant.lines for test in self.tests.get((path, line), ())})
        limit(5 + 3 * sum(seconds for seconds, _ in tests))
        codes, is_replaced = dict(_codes_in(mutant.code())), False
        for function in self.functions:
            old = function.__code__
            new = codes.get((old.co_qualname, old.co_firstlineno))
            if old.co_filename == path and new:
                if len(new.co_freevars) != len(old.co_freevars):
                    return "not replaced"
                function.__code__, is_replaced = new, True
        return all(self.passes(at) for _, at in tests) if is_replaced else "not replaced"


def _codes_in(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """Yield the code of every function inside, by its qualified name and first line."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield (constant.co_qualname, constant.co_firstlineno), constant
            yield from _codes_in(constant)


def try_warm(work: tuple[list[Mutant], list[str], int]) -> dict[Mutant, str] | None:
    """Try the mutants of functions in this process; return the result of `judge` for each.

    Without mutants the tests must be found and run: the result is None if they can't be.
    """
    mutants, tests, jobs = work
    warm = Warm(mutants, jobs)
    if code := pytest.main([*PYTEST, *tests], plugins=[warm]):
        show(f"pytest ended with {code!r}: run the tests without a mutant first")
        return None
    return warm.results


def try_cold(work: tuple[Mutant, list[str]]) -> bool:
    """Import a mutant in place of its module; return whether all tests pass."""
    mutant, tests = work
    limit(120)
    read = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        """Return the mutant's code for its module, and read others."""
        return mutant.code() if loader.path == str(ROOT / mutant.file) else read(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
    return pytest.main([*PYTEST, "-x", *tests]) == pytest.ExitCode.OK


def _tests_of(folder: str) -> str:
    """Return the tests' folder of a package, or of the package of a file."""
    return f"tests/{Path(folder).parent if folder.endswith('.py') else folder}"


def main() -> int:
    """Return 1 if a mutant survives that `equivalent.toml` does not list, and 2 if the tests can't be run."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("folders", nargs="+", help="packages or files, such as engine/rules")
    parser.add_argument("--tests", nargs="+", help="by default those of the package")
    parser.add_argument("--share", type=float, default=1, help="a random part, such as 0.1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    mutants = [m for file in python_files(*options.folders) for m in mutants_of(str(file))]
    mutants = random.Random(0).sample(mutants, round(len(mutants) * options.share))  # noqa: S311
    is_engine = [folder.startswith("engine") for folder in options.folders]
    tests = options.tests or (
        ENGINE if all(is_engine) else sorted({_tests_of(folder) for folder in options.folders})
    )
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HYPOTHESIS_STORAGE_DIRECTORY": folder, "PYTEST_DEBUG_TEMPROOT": folder}
        PYTEST.extend(("-o", f"cache_dir={folder}/cache"))
        [(_, results)] = in_forks(try_warm, [(mutants, tests, options.jobs)])
        if results is None:
            return 2
        cold = [(mutant, tests) for mutant in mutants if mutant not in results]
        for (mutant, _), passed in in_forks(try_cold, cold, options.jobs):
            results[mutant] = judge(mutant, passed)
    show(", ".join(f"{count} {result}" for result, count in Counter(results.values()).items()))
    return "survived" in results.values()


if __name__ == "__main__":
    sys.exit(main())
