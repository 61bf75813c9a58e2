"""The time from a save to other screens: one page in Chromium, also at load 15, and thirty followers.

Run: python -m tests.benchmarks live
A program saves through the API. The start is the moment before it sends; the end is when the hand appears
on the other page's scoreboard, by the same machine's clock. The reference is the target.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Event

from playwright.sync_api import sync_playwright

from tests.benchmarks.rows import Row
from tests.support import chromium
from tests.support.server import Server, answering, fork_server, free_port
from tests.trials.scorers import Books, Scorer, made
from tests.trials.trial_followers import Crowd, devices, let_in, wait

ROUNDS = 30
PHONES = 30
BUSY_PROCESSES = 15
SHOWN_MILLISECONDS, ALL_MILLISECONDS = 150, 1_000

WATCH = """
window.shown = {};
const look = () => {
  const hand = document.querySelector("#last-hand")?.textContent.match(/[0-9]+/)?.[0];
  if (hand && !shown[hand]) shown[hand] = Date.now();
};
document.addEventListener("DOMContentLoaded", () => {
  look();
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
});
"""


def rows() -> Iterator[Row]:
    """Measure one other phone, then thirty."""
    with tempfile.TemporaryDirectory() as folder:
        books, port = made(f"sqlite:///{Path(folder) / 'ledger.sqlite'}"), free_port()
        server = answering(fork_server(Path(folder), port=port))
        try:
            took = median(one_phone(server, books))
            yield Row(
                "from a save to the other phone's screen, relative to the target",
                *(f"{took:.0f} ms", f"{SHOWN_MILLISECONDS} ms", SHOWN_MILLISECONDS / took, 1),
            )
            with at_load(BUSY_PROCESSES):
                took = median(one_phone(server, books, first=ROUNDS + 1))
            yield Row(
                f"the same beside {BUSY_PROCESSES} busy processes",
                *(f"{took:.0f} ms", f"{SHOWN_MILLISECONDS} ms", SHOWN_MILLISECONDS / took, 1),
            )
            took = median(thirty_phones(server, books))
            yield Row(
                f"from a save to {PHONES} followers' boards, relative to the target",
                *(f"{took:.0f} ms", f"{ALL_MILLISECONDS} ms", ALL_MILLISECONDS / took, 1),
            )
        finally:
            server.stop()


@contextmanager
def at_load(processes: int) -> Iterator[None]:
    """Keep so many processes busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def one_phone(server: Server, books: Books, first: int = 1) -> list[float]:
    """Return the milliseconds from each save until the hand appears on the other phone."""
    name, _, value = let_in(server, books).partition("=")
    evening = f"/clubs/{books.access.club_id}/sessions/{books.evening}"
    durations = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find_chromium(), args=list(chromium.ARGUMENTS)
        )
        context = browser.new_context(service_workers="block")
        context.add_cookies([{"name": name, "value": value, "url": server.url}])
        page = context.new_page()
        page.add_init_script(WATCH)
        with page.expect_request("**/live"):
            page.goto(server.url + evening)
        for number in range(first, first + ROUNDS):
            begun = time.time()
            Scorer(number, port_of(server), books, Event(), 1).run()
            while not (appeared := page.evaluate("number => shown[number]", str(number))):
                time.sleep(0.01)
            durations.append(appeared - begun * 1000)
        browser.close()
    return durations


def thirty_phones(server: Server, books: Books) -> list[float]:
    """Return the milliseconds from each save until all followers have the board."""
    evening = f"/clubs/{books.access.club_id}/sessions/{books.evening}"
    crowd = Crowd(server, evening, devices(server, books, PHONES), PHONES)
    crowd.start()
    wait(crowd, "told", PHONES)
    durations = []
    for number in range(1, ROUNDS + 1):
        begun = time.monotonic()
        Scorer(2 * ROUNDS + number, port_of(server), books, Event(), 1).run()
        wait(crowd, "shown", number * PHONES)
        durations.append((time.monotonic() - begun) * 1000)
    crowd.left.set()
    crowd.join()
    return durations


def port_of(server: Server) -> int:
    """Return the port that a service listens at."""
    return int(server.url.rsplit(":", 1)[1])
