"""The bytes and the time to first paint of pages on a phone with an empty cache.

Run: python -m tests.benchmarks loading
Chromium with the real service: all bytes over the wire, headers included. First paint is measured on a
connection that Chromium throttles to 400 kbit/s and 400 ms. The reference is the target.
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
"""The pages that may be opened first, by a link or a bookmark."""
PAINT = "performance.getEntriesByName('first-contentful-paint').map((each) => each.startTime)[0]"


def rows() -> Iterator[Row]:
    """Yield the bytes up to the scoreboard, then each page's first paint."""
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
    """Yield the measurements with a running service and browser."""
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
        "bytes over the wire, the first page and then a scoreboard, with an empty cache",
        *(f"{total:,}", f"{MOST_BYTES:,}", MOST_BYTES / total, 1),
    )
    for name, address in COLD.items():
        yield painted(device(server, browser, cookies), address, f"{name}, with an empty cache")
    page = device(server, browser, cookies)
    page.goto(BOARD)
    yield painted(page, f"{BOARD}/hands/new", "hand form, from a scoreboard")


def painted(page: Page, address: str, label: str) -> Row:
    """Return the time to first paint of a page on a slow connection."""
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
    page.goto(address)
    # Playwright's own waiting evaluates text as a script, which the pages forbid.
    while (took := page.evaluate(PAINT)) is None:
        page.wait_for_timeout(20)
    page.context.close()
    return Row(
        f"first paint on 400 kbit/s and 400 ms: {label}",
        *(f"{took:.0f} ms", f"{PAINT_MILLISECONDS} ms", PAINT_MILLISECONDS / took, 1),
    )


def device(server: Server, browser: Browser, cookies: Any = ()) -> Page:
    """Return a page of a phone with an empty cache."""
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
    """Return a list that receives the size of each later response to the page."""
    came: list[float] = []
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"]))
    return came
