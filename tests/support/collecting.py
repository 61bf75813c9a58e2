"""A pytest plugin: collects tests quickly, which each worker does for itself.

Rewriting the assertions of hundreds of modules makes millions of objects, and nearly all of them stay or are
freed by their reference count. Collecting garbage took two fifths of the time until the first test.
"""

import gc
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the collector, then exclude the loaded objects from its later rounds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[Any], list[Any]]:
    """Look for examples only in files with a prompt: all docstrings of a module are read for them."""
    found = yield
    if b">>>" in file_path.read_bytes():
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each worker begin with another part of a folder, so that all need not compile the same modules.

    What one of them has compiled is on the disk for the others.
    """
    report = yield
    worker: dict[str, Any] | None = getattr(collector.config, "workerinput", None)
    if worker and isinstance(collector, pytest.Directory) and report.passed:
        number, many = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
        start = len(report.result) * number // many
        report.result = [*report.result[start:], *report.result[:start]]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort the tests of a worker by their files, as all workers must have the same order.

    Those beside the folders come first: some build packages, and would be left to the end, for one worker.
    """
    if hasattr(config, "workerinput"):

        def place(item: pytest.Item) -> tuple[object, ...]:
            file = item.nodeid.partition("::")[0].split("/")
            return file[0] != "tests", len(file) > 2, file, isinstance(item, pytest.DoctestItem)

        items.sort(key=place)
