"""The package `engine.batch` can be removed: the program uses it only through `score_many`."""

import subprocess
import sys

from tests.support.tree import ROOT, python_files
from tests.test_architecture import imports, is_in, module_name

TESTS = (
    "tests/engine/rules/test_changes.py",
    "tests/engine/scoring/test_score.py",
    "tests/engine/test_depths.py",
    "tests/engine/test_examples.py",
    "tests/ledger/books/test_rescoring.py",
    "tests/ledger/services/hands/test_old_rules.py",
)
"""One of everything that is scored, stepped and rescored; the other modules of the engine can't tell."""


def test_other_packages_import_only_score_many() -> None:
    """Another import would tie them to the second way of scoring."""
    assert {
        (str(path), name)
        for path in python_files("engine", "ledger")
        if not is_in(module_name(path), "engine.batch")
        for _, name in imports(path)
        if is_in(name, "engine.batch") and name != "engine.batch.score_many"
    } == set()


def test_the_engine_does_not_import_even_that() -> None:
    """So most of its tests give the same results with and without the package."""
    assert [
        (str(path), name)
        for path in python_files("engine")
        if not is_in(module_name(path), "engine.batch")
        for _, name in imports(path)
        if is_in(name, "engine.batch")
    ] == []


def test_the_engine_passes_its_tests_without_the_package() -> None:
    """Scoring, stepping and rescoring do not depend on it, nor does any module they import."""
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "tests.engine.batch.without_batch"),
            *("-p", "no:cacheprovider", "-m", "not postgres", *TESTS),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
    assert " passed" in run.stdout


def test_a_second_import_from_the_package_fails_without_it() -> None:
    """The plugin replaces the whole package."""
    code = "import tests.engine.batch.without_batch\nimport engine.batch.many"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "'engine.batch' is not a package" in run.stderr
