"""The taps and bytes of entering a hand of each game in Chromium.

Run: python -m tests.benchmarks tapping
Counted are all taps including the one that saves, except a number's digits; and all requests and responses
with headers, compressed, from opening the form to the scoreboard with its chart: form, save, scoreboard. Not
counted are static files and payouts, which a browser caches, and the stream of news. The most expensive
hand of a short evening counts. Targets: 7 taps and 15,000 bytes.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Request, sync_playwright

from tests.benchmarks.rows import Row
from tests.browser.conftest import seated
from tests.browser.test_tapped_evenings import EVENINGS, MOST_TAPS, tap_in
from tests.support import chromium
from tests.support.phone import Phones
from tests.support.server import answering, fork_server

MOST_BYTES = 15_000


def rows() -> Iterator[Row]:
    """Yield taps and bytes of each game."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find_chromium(), args=list(chromium.ARGUMENTS)
        )
        for game in EVENINGS:
            yield from of_game(Phones(browser), game)
        browser.close()


def of_game(phone: Phones, game: str) -> Iterator[Row]:
    """Yield taps and bytes of a game's most expensive hand."""
    players, hands = EVENINGS[game]
    with tempfile.TemporaryDirectory() as folder:
        server = answering(fork_server(Path(folder)))
        try:
            scorer = seated(server, phone(server.url), players, game)
            sizes: list[int] = []

            def weigh(request: Request) -> None:
                if (
                    not re.search("/static/|/payouts[.]", request.url)
                    and request.resource_type != "eventsource"
                ):
                    size = request.sizes()
                    sizes.append(size["requestHeadersSize"] + size["requestBodySize"])
                    sizes.append(size["responseHeadersSize"] + size["responseBodySize"])

            scorer.page.on("requestfinished", weigh)
            taps, weight = 0, 0
            for number, hand in enumerate(hands, 1):
                scorer.page.wait_for_timeout(500)
                sizes.clear()
                scorer.open_hand()
                taps = max(taps, tap_in(scorer.page, hand) + 1)
                scorer.page.locator("#payout").wait_for()
                with scorer.page.expect_event(
                    "requestfinished", lambda request, at=f"saved={number}": at in request.url
                ):
                    scorer.save()
                weight = max(weight, sum(sizes))
        finally:
            phone.close()
            server.stop()
    yield Row(f"{game}: taps of a hand", f"{taps}", f"{MOST_TAPS}", MOST_TAPS / taps, 1)
    yield Row(f"{game}: bytes of a hand", f"{weight:,}", f"{MOST_BYTES:,}", MOST_BYTES / weight, 1)
