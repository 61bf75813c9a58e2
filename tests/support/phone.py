"""A phone for a test: pages of its size, with its touch, in the scheme and state asked for."""

import re

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.support.chromium import PHONE_SIZE, TIMEOUT_MS

DELIBERATE = re.compile(r"^Failed to load resource: .* status of (?!404)4\d\d\b")
"""What Chromium's console says of an answer that refuses something: no fault of the page."""


class Phones:
    """Opens phone-sized pages in one browser; each page is a device of its own (own cookies).

    `complaints` collects the errors in the pages' consoles (a refused inline style, a
    script that threw, a missing file, a 5xx), so that a test can assert there was none.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def __call__(
        self,
        base_url: str | None = None,
        *,
        dark: bool = False,
        javascript: bool = True,
        installs: bool = False,
        size: tuple[int, int] = PHONE_SIZE,
        touch: bool = True,
        moves: bool = False,
        zone: str | None = None,
    ) -> Page:
        """Open a new device with one blank page. Paths given to `page.goto` start at `base_url`.

        Only one that `installs` runs a worker, which answers when the service is gone. A tablet is one of
        another `size`; without `touch` it has mouse and keys; unless reduced motion is asked for, it `moves`.
        Its clock is that of a `zone`, like `Asia/Tokyo`, else of the machine.
        """
        width, height = size
        context = self._browser.new_context(
            base_url=base_url,
            viewport={"width": width, "height": height},
            # A screen without touch is a television, which draws one pixel for each of the page's.
            device_scale_factor=2 if touch else 1,
            has_touch=touch,
            is_mobile=touch,
            color_scheme="dark" if dark else "light",
            # Sliding or fading elements are drawn again sixty times a second.
            reduced_motion="no-preference" if moves else "reduce",
            java_script_enabled=javascript,
            locale="en-GB",
            timezone_id=zone,
            service_workers="allow" if installs else "block",
        )
        context.set_default_timeout(TIMEOUT_MS)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not DELIBERATE.search(message.text):
            self.complaints.append(message.text)

    def close(self) -> None:
        """Close every device; print their consoles' complaints, for a failed test."""
        for context in self._contexts:
            context.close()
        for complaint in self.complaints:
            print("the page's console:", complaint)
