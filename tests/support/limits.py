"""A pytest plugin: a test that takes too long fails by its name, and a run goes on if a worker dies.

Each phase of a test has ``LEDGER_TEST_LIMIT`` seconds, or ``SECONDS``. Then it fails where it stands, also in
a sleep or while it waits for a process. Code that lets no signal through is ended with its process a minute
later by pytest's ``faulthandler_timeout``: under xdist that test fails as the one in which a worker crashed.
"""

import os
import signal
from collections.abc import Generator
from itertools import cycle
from threading import current_thread, main_thread
from typing import Any, NoReturn

import pytest

SECONDS = 600.0
"""How long a phase may take: most tests take less than a second, the longest half a minute."""

AGAIN = 5.0
"""Seconds after which the signal comes again, to code that has caught the first one."""


class TookTooLong(BaseException):
    """Raised in a test that takes too long; hypothesis and ``except Exception`` let it through."""


def pytest_configure(config: pytest.Config) -> None:
    """Start no other worker for one that died: the others take its tests."""
    if hasattr(config.option, "maxworkerrestart"):
        config.option.maxworkerrestart = "0"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Limit the fixtures' part."""
    return (yield from _limited(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Limit the test itself."""
    return (yield from _limited(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Limit the time of the fixtures' cleaning up."""
    return (yield from _limited(item))


def _limited(item: pytest.Item) -> Generator[None, object, object]:
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        return (yield)
    limit = float(os.environ.get("LEDGER_TEST_LIMIT", SECONDS))

    def end(_signal: int, _frame: object) -> NoReturn:
        raise TookTooLong(f"{item.nodeid} took longer than {limit:g} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, limit, AGAIN)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return a scheduler for ``--dist loadfile`` that survives the death of a worker."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Surviving(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
        """xdist's own one gives a crashed test to the next worker, which dies of it, too, and then waits."""

        def _reschedule(self, node: Any) -> None:
            """Give a worker more tests if there are any, and let it wait for those of others if not."""
            if self.workqueue:
                super()._reschedule(node)

        def remove_node(self, node: Any) -> str | None:
            """Give a worker's unfinished tests to the others; return the one that it crashed in."""
            units = self.assigned_work.pop(node)
            unfinished = [
                (unit, test) for unit in units.values() for test in unit if not unit[test]
            ]
            if not unfinished:
                return None
            unit, crashed = unfinished[0]
            unit[crashed] = True
            self.workqueue.update(
                {name: each for name, each in units.items() if not all(each.values())}
            )
            for other in cycle([each for each in self.nodes if not each.shutting_down]):
                if not self.workqueue:
                    break
                self._assign_work_unit(other)
            return str(crashed)

    return Surviving(config, log)
