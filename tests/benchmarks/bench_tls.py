"""The time to first paint over TLS on a phone with an empty cache, far from a home server with HTTPS.

Run: python -m tests.benchmarks tls
Chromium reaches the real service through a relay whose round trips take 400 ms, also for handshakes of TCP
and TLS, and which delivers 400 kbit/s to all connections together. Another phone has opened each page before,
so that the service has read its templates and compressed its files. The reference is the target.
"""

import asyncio
import tempfile
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.bench_loading import COLD, PAINT
from tests.benchmarks.rows import Row
from tests.browser import showing
from tests.browser.pages import ScorerPhone
from tests.support import chromium
from tests.support.server import answering, fork_server, free_port

PAINT_MILLISECONDS = 2_500
ROUND_TRIP = 0.4
BYTES_A_SECOND = 400_000 / 8
HERE = "127.0.0.1"
CHUNK = 1_400


class Relay:
    """Relays connections to a port of this machine as slowly as a distant phone's network."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._free_at = 0.0

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Relay one connection; its first bytes wait for TCP's handshake."""
        there, back = await asyncio.open_connection(HERE, self._to)
        with suppress(
            asyncio.CancelledError
        ):  # at the end, which the stream's own callback can't take
            await asyncio.gather(
                self._relay(reader, back, ROUND_TRIP),
                self._relay(there, writer, 0.0, is_down=True),
            )

    async def _relay(
        self, reader: StreamReader, writer: StreamWriter, wait: float, *, is_down: bool = False
    ) -> None:
        loop = asyncio.get_running_loop()
        sent = loop.time() + wait
        while chunk := await reader.read(CHUNK):
            # A microsecond apart: the loop runs timers of one moment in any order.
            sent = max(sent + 1e-6, loop.time())
            at = sent + ROUND_TRIP / 2
            if is_down:
                self._free_at = max(self._free_at, at) + len(chunk) / BYTES_A_SECOND
                at = self._free_at
            loop.call_at(at, writer.write, chunk)
        loop.call_at(max(self._free_at, loop.time() + ROUND_TRIP), writer.close)


async def ended() -> None:
    """End the connections that are still open."""
    open_ones = asyncio.all_tasks() - {asyncio.current_task()}
    for each in open_ones:
        each.cancel()
    await asyncio.gather(*open_ones, return_exceptions=True)


@contextmanager
def far_away(port: int) -> Iterator[int]:
    """Relay to a port of this machine; yield the relay's port."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    listening = asyncio.start_server(Relay(port).serve, HERE, 0)
    server = asyncio.run_coroutine_threadsafe(listening, loop).result(10)
    yield server.sockets[0].getsockname()[1]
    asyncio.run_coroutine_threadsafe(ended(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


def rows() -> Iterator[Row]:
    """Yield each page's first paint, with an empty cache and no connection."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, port = Path(name), free_port()
        options = ("--lan", "--https", "--host", HERE, "--https-port", str(port))
        server = answering(fork_server(folder, arguments=options))
        showing.written(f"sqlite:///{folder / 'ledger.sqlite'}", folder)
        browser = playwright.chromium.launch(
            executable_path=chromium.find_chromium(),
            # Playwright's own way to accept an unknown authority connects twice.
            args=[*chromium.ARGUMENTS, "--ignore-certificate-errors"],
        )
        try:
            direct = phone(browser, port)
            ScorerPhone(direct).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
            cookies: Any = direct.context.cookies()
            with far_away(port) as relay:
                for label, address in COLD.items():
                    direct.goto(address)
                    page = phone(browser, relay)
                    page.context.add_cookies(cookies)
                    page.goto(address, timeout=60_000)
                    took = page.evaluate(PAINT)
                    page.context.close()
                    yield Row(
                        f"first paint over TLS on 400 kbit/s and 400 ms: {label}",
                        *(f"{took:.0f} ms", f"{PAINT_MILLISECONDS} ms", PAINT_MILLISECONDS / took),
                        1,
                    )
        finally:
            browser.close()
            server.stop()


def phone(browser: Browser, port: int) -> Page:
    """Return a page of a phone with an empty cache, which reaches the service at a port."""
    width, height = chromium.PHONE_SIZE
    return browser.new_page(
        base_url=f"https://{HERE}:{port}",
        viewport={"width": width, "height": height},
        is_mobile=True,
        service_workers="block",
        locale="en-GB",
    )
