"""The main thread's time for a tap, a digit and a save in the hand form, on a processor six times slower.

Run: python -m tests.benchmarks main_thread
Counted is six times the processor time of all tasks of the page's thread (script, style, layout, painting)
from the touch until the page has been quiet for a while; a touch of its title, which does nothing, is
subtracted, as most of that is the driver's. The median of a short evening's hands counts. Requests are those
of a hand between the form's page and its save.
"""

import re
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from playwright.sync_api import CDPSession, Page, Request, sync_playwright

from tests.benchmarks.rows import Row
from tests.browser.conftest import SEVEN, seated
from tests.browser.test_tapped_evenings import EVENINGS
from tests.support import chromium
from tests.support.phone import Phones
from tests.support.server import answering, fork_server

SLOWER = 6
QUIET = 700
"""The milliseconds until the page has done all that a touch leads to."""

NOTHING = "nothing"
TARGETS = {"tap": 80, "digit": 100, "save": 400}


class MainThread:
    """The measured times of a page by the kind of touch, in milliseconds, and its counted requests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.times: dict[str, list[float]] = {kind: [] for kind in (NOTHING, *TARGETS)}
        self.thread: CDPSession = page.context.new_cdp_session(page)
        self.thread.send("Performance.enable", {"timeDomain": "threadTicks"})

    def measure(self, kind: str, touch: Callable[[], object]) -> None:
        """Touch the page, and store the time of its tasks."""
        self.page.wait_for_timeout(QUIET)
        before = self._spent()
        touch()
        self.page.wait_for_timeout(QUIET)
        self.times[kind].append((self._spent() - before) * 1000 * SLOWER)

    def _spent(self) -> float:
        metrics = self.thread.send("Performance.getMetrics")["metrics"]
        return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def rows() -> Iterator[Row]:
    """Yield the times of each kind of touch, and the requests of a hand."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=chromium.find_chromium(), args=list(chromium.ARGUMENTS)
        )
        phone, server = Phones(browser), answering(fork_server(Path(folder)))
        try:
            page = phone(server.url)
            yield from _of_evening(seated(server, page, SEVEN).page)
        finally:
            phone.close()
            server.stop()
            browser.close()


def _count(counted: list[str], request: Request) -> None:
    if not re.search("/static/|/payouts[.]|/live$", request.url):
        counted.append(request.url)


def _of_evening(page: Page) -> Iterator[Row]:
    main = MainThread(page)
    requests: list[int] = []
    for number, hand in enumerate(EVENINGS["crazy-solo"][1], 1):
        page.get_by_role("button", name="Score a hand").click()
        page.locator("#save").wait_for(state="attached")
        counted: list[str] = []
        page.on("request", partial(_count, counted))
        main.measure(NOTHING, page.get_by_role("heading").first.click)
        for answer in hand.taps.split():
            name, value = answer.split("=")
            field = page.locator(f'input[name="{name}"][value="{value}"]')
            main.measure("tap", field.click)
        for digit in hand.points:
            main.measure("digit", page.locator(f'.pad [data-key="{digit}"]').click)
        page.locator("#payout").wait_for()
        requests.append(len(counted))
        main.measure("save", page.locator("#save").click)
        page.get_by_text(f"Hand {number} saved").wait_for()
    for kind, target in TARGETS.items():
        times, driver = main.times[kind], median(main.times[NOTHING])
        typical = max(median(times) - driver, 1)
        spent = f"{typical:.0f} ms, at most {max(times) - driver:.0f}"
        yield Row(f"main thread: {kind}", spent, f"{target} ms", target / typical, 1)
    yield Row("requests before the save", f"{max(requests)}", "0", 1 / (1 + max(requests)), 1)
