"""Pages on a phone that has nothing yet: the bytes of the first two, and the time until each page's paint.

Run: python -m tests.benchmarks loading
Chromium over the real service: all that comes over the wire, headers with it. The paint is that of a slow
line, 400 kbit/s with 400 ms before each answer, as Chromium slows it down. Beside each stands its aim.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.rows import Row
from tests.browser import showing
from tests.browser.pages import ScorerPhone
from tests.support import chromium
from tests.support.server import Server, start_server

MOST_BYTES = 60_000
PAINT_MILLISECONDS = 2_000
SLOW = {
    "offline": False,
    "latency": 400,
    "downloadThroughput": 400_000 / 8,
    "uploadThroughput": 400_000 / 8,
}
BOARD = f"/clubs/1/sessions/{showing.TONIGHT}"
COLD = {
    "first page": "/",
    "club": "/clubs/1",
    "scoreboard": BOARD,
    "board view": f"{BOARD}/screen",
    "hand form": f"{BOARD}/hands/new",
    "correction": f"{BOARD}/hands/5/correct",
    "history": f"{BOARD}/history",
    "bank": f"{BOARD}/bank",
    "count": f"{BOARD}/count",
    "table": f"{BOARD}/table",
    "result": f"{BOARD}/result",
    "how this table plays": f"{BOARD}/how-to-play",
    "cash in chips": f"{BOARD}/settle",
    "money": "/clubs/1/money",
    "player": "/clubs/1/players/1",
    "how to play": "/how-to-play/crazy-solo",
}
"""The pages that somebody may open first, by a link or from the phone's own list."""
PAINT = "performance.getEntriesByName('first-contentful-paint').map((each) => each.startTime)[0]"


def rows() -> Iterator[Row]:
    """Measure the bytes of the way to the scoreboard, then each page's paint."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = start_server(Path(folder))
        browser = playwright.chromium.launch(
            executable_path=chromium.find_chromium(), args=list(chromium.ARGUMENTS)
        )
        try:
            yield from measured(server, browser)
        finally:
            browser.close()
            server.stop()


def measured(server: Server, browser: Browser) -> Iterator[Row]:
    """Measure with a service and a browser that run."""
    books = server.folder / "ledger.sqlite"
    showing.written(f"sqlite:///{books}", server.folder)
    page = device(server, browser)
    ScorerPhone(page).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
    cookies = page.context.cookies()
    page = device(server, browser, cookies)
    came = weighed(page)
    for address in ("/", BOARD):
        page.goto(address, wait_until="networkidle" if address == "/" else "load")
        page.locator(".top").wait_for()
    page.locator("#plots svg").wait_for()
    total = sum(came)
    yield Row(
        "bytes over the wire, the first page and then a scoreboard, with nothing kept",
        *(f"{total:,}", f"{MOST_BYTES:,}", MOST_BYTES / total, 1),
    )
    for name, address in COLD.items():
        yield painted(device(server, browser, cookies), address, f"{name}, with nothing kept")
    page = device(server, browser, cookies)
    page.goto(BOARD)
    yield painted(page, f"{BOARD}/hands/new", "hand form, from a scoreboard")


def painted(page: Page, address: str, what: str) -> Row:
    """Measure how long a page shows nothing on a slow line."""
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
    page.goto(address)
    # Playwright's own waiting evaluates text as a script, which the pages forbid.
    while (took := page.evaluate(PAINT)) is None:
        page.wait_for_timeout(20)
    page.context.close()
    return Row(
        f"first paint on 400 kbit/s and 400 ms: {what}",
        *(f"{took:.0f} ms", f"{PAINT_MILLISECONDS} ms", PAINT_MILLISECONDS / took, 1),
    )


def device(server: Server, browser: Browser, cookies: Any = ()) -> Page:
    """Open a phone that has kept no file."""
    width, height = chromium.PHONE_SIZE
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": width, "height": height},
        is_mobile=True,
        service_workers="block",
        locale="en-GB",
    )
    context.add_cookies(list(cookies))
    return context.new_page()


def weighed(page: Page) -> list[float]:
    """Return the sizes of all answers that the page gets from now on, as they come in."""
    came: list[float] = []
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"]))
    return came
