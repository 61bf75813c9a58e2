"""A real Firefox for tests, driven by the W3C's protocol WebDriver BiDi.

Firefox speaks it by itself. Playwright drives only a Firefox of its own making, and Selenium needs
geckodriver, which Debian does not have.
"""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.support.chromium import PHONE_SIZE
from tests.support.needs import executable

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

NAMES = ("firefox-esr", "firefox")
"""The commands that Firefox goes by, in the order they are tried."""

APPLICATIONS = (Path("/Applications/Firefox.app/Contents/MacOS/firefox"),)
"""The place of Firefox on macOS, which puts no command on the path."""

VARIABLE = "LEDGER_TEST_FIREFOX"
"""The environment variable that names a Firefox to use before any other."""

MISSING = (
    "No Firefox was found: install one (on Debian `apt install firefox-esr`), "
    f"or name its executable in {VARIABLE}."
)

SETTINGS = {
    "dom.ipc.processCount": 1,
    "dom.ipc.processPrelaunch.enabled": False,
    "intl.accept_languages": "en-GB",
    "ui.useOverlayScrollbars": 1,
    "ui.prefersReducedMotion": 1,
}
"""Preferences besides those that Firefox recommends to itself for tests, which keep it off the network."""

TIMEOUT = 30.0
"""The longest wait for Firefox or for something on a page, in seconds."""

LOG = "firefox.log"

UNANSWERED = "NetworkError when attempting to fetch resource"
"""The console's words for a request that failed or was aborted as the page was left: no fault of the page."""

REACH = """(waits, ...elements) => {
    if (waits && document.querySelector(waits)) return null;
    for (const element of elements) {
        const target = element.labels?.[0] ?? element;
        target.scrollIntoView({ block: "center" });
        const { x, y, width, height } = target.getBoundingClientRect();
        const point = [Math.round(x + width / 2), Math.round(y + height / 2)];
        if (target.contains(document.elementFromPoint(...point))) return point;
    }
}"""
"""Scrolls to the first element that nothing covers, or to its label, and returns the middle of it."""

SHOWS = """(selector, text) => [...document.querySelectorAll(selector)].some(
    (each) => each.checkVisibility() && each.innerText.includes(text))"""


class FirefoxError(AssertionError):
    """Firefox did not start, or refused a command."""


def find_firefox() -> str | None:
    """Return the executable of a Firefox on this machine, or None."""
    return executable(VARIABLE, NAMES, APPLICATIONS)


class Firefox:
    """A running Firefox."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._numbers = count(1)
        self._complaints: list[str] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])

    def call(self, method: str, **parameters: object) -> Any:
        """Return the result of a command. Raises ``FirefoxError`` if it is refused."""
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := json.loads(self._connection.recv(TIMEOUT))).get("id") != number:
            entry = message.get("params", {})
            if entry.get("level") == "error" and UNANSWERED not in entry["text"]:
                self._complaints.append(entry["text"])
        if message["type"] == "error":
            raise FirefoxError(f"{method}: {message['error']}: {message['message']}")
        return message["result"]

    def complaints(self) -> list[str]:
        """Return the errors in the consoles of all windows so far, such as a refused inline style."""
        self.call("session.status")  # what happened before it comes first
        return self._complaints

    @contextmanager
    def device(self, base_url: str) -> Iterator["Device"]:
        """Open a device with cookies of its own; close its windows in the end."""
        context = self.call("browser.createUserContext")["userContext"]
        try:
            yield Device(self, context, base_url)
        finally:
            self.call("browser.removeUserContext", userContext=context)
            for complaint in self.complaints():
                print("Firefox's console:", complaint)
            self._complaints.clear()


class Device:
    """A phone whose windows share cookies and storage."""

    def __init__(self, firefox: Firefox, context: str, base_url: str) -> None:
        self._firefox = firefox
        self._context = context
        self._base_url = base_url

    def add_cookie(self, name: str, value: str) -> None:
        """Put a cookie of the service into the device."""
        self._firefox.call(
            "storage.setCookie",
            cookie={
                "name": name,
                "value": {"type": "string", "value": value},
                "domain": "127.0.0.1",
                "httpOnly": True,
            },
            partition={"type": "storageKey", "userContext": self._context},
        )

    def open(self, path: str, waits: str = "") -> "Window":
        """Open a window of a phone's size at a path. No tap happens while it shows what ``waits`` selects."""
        window = self._firefox.call(
            "browsingContext.create", type="window", userContext=self._context
        )["context"]
        width, height = PHONE_SIZE
        self._firefox.call(
            "browsingContext.setViewport",
            context=window,
            viewport={"width": width, "height": height},
            devicePixelRatio=2,
        )
        opened = Window(self._firefox, window, self._base_url, waits)
        opened.goto(path)
        return opened


class Window:
    """A window, whose controls are found by their role and accessible name."""

    def __init__(self, firefox: Firefox, context: str, base_url: str, waits: str) -> None:
        self.firefox = firefox
        self._context = context
        self._base_url = base_url
        self._waits = waits

    def call(self, method: str, **parameters: object) -> Any:
        """Return the result of a command about this window."""
        return self.firefox.call(method, context=self._context, **parameters)

    def goto(self, path: str) -> None:
        """Open a page and wait until it is loaded."""
        self.call("browsingContext.navigate", url=self._base_url + path, wait="complete")

    def path(self) -> str:
        """Return the path of the page that is open."""
        return str(self.run("() => location.pathname"))

    def run(self, function: str, *arguments: object) -> Any:
        """Return the result of a JavaScript function; arguments are strings and nodes."""
        answer = self.firefox.call(
            "script.callFunction",
            target={"context": self._context},
            functionDeclaration=f"async (...given) => JSON.stringify(await ({function})(...given) ?? null)",
            arguments=[
                {"type": "string", "value": each} if isinstance(each, str) else each
                for each in arguments
            ],
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise FirefoxError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def see(self, text: str, selector: str = "body") -> None:
        """Wait until an element shows a text."""
        self._until(lambda: self.run(SHOWS, selector, text), f"“{text}” in {selector}")

    def see_no(self, selector: str) -> None:
        """Wait until no such element is visible."""
        self._until(lambda: not self.run(SHOWS, selector, ""), f"page without {selector}")

    def tap(self, role: str, name: str, group: str | None = None) -> None:
        """Click a control with the mouse, as soon as it is there and nothing covers it."""

        def nodes() -> list[Any]:
            groups = self._named(role="group", name=group) if group else []
            return self._named(groups, role=role, name=name) if groups or not group else []

        self._tap(nodes, f"{role} “{name}”")

    def tap_css(self, selector: str) -> None:
        """Click an element that is found by a selector."""
        self._tap(lambda: self._nodes({"type": "css", "value": selector}), selector)

    def type(self, field: str, text: str) -> None:
        """Type a text into a field, in place of its content, and leave the field."""
        self._tap(lambda: self._named(name=field), f"field “{field}”")
        self.run("() => document.activeElement.select()")
        keys = [
            {"type": type_, "value": key}
            for key in f"{text}\ue004"
            for type_ in ("keyDown", "keyUp")
        ]
        self._act(type="key", id="keys", actions=keys)

    def _named(self, roots: Sequence[Any] = (), **named: str) -> list[Any]:
        """Find controls by role and name, or by name alone: a field for a password has no role."""
        return self._nodes({"type": "accessibility", "value": named}, roots)

    def _nodes(self, locator: dict[str, Any], roots: Sequence[Any] = ()) -> list[Any]:
        below = {"startNodes": [*roots]} if roots else {}
        nodes: list[Any] = self.call("browsingContext.locateNodes", locator=locator, **below)[
            "nodes"
        ]
        return nodes

    def _tap(self, look: Callable[[], list[Any]], sought: str) -> None:
        def point() -> Any:
            nodes = look()
            return nodes and self.run(REACH, self._waits, *nodes)

        x, y = self._until(point, sought)
        press: list[dict[str, Any]] = [{"type": "pointerMove", "x": x, "y": y}]
        press += [{"type": type_, "button": 0} for type_ in ("pointerDown", "pointerUp")]
        self._act(type="pointer", id="mouse", actions=press)

    def _act(self, **source: object) -> None:
        self.call("input.performActions", actions=[source])

    def _until(self, look: Callable[[], Any], sought: str) -> Any:
        """Return the first result that is true; a page that goes meanwhile has none."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            with suppress(FirefoxError):
                if result := look():
                    return result
            time.sleep(0.02)
        raise AssertionError(
            f"no {sought} on this page:\n{self.run('() => document.body.innerText')}"
        )


@contextmanager
def running_firefox(path: str) -> Iterator[Firefox]:
    """Start a headless Firefox with a new profile; end it with all its processes."""
    from websockets.sync.client import connect  # other Pythons run tests without it

    with TemporaryDirectory(ignore_cleanup_errors=True) as name:
        profile = Path(name)
        lines = (
            f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in SETTINGS.items()
        )
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        with (profile / LOG).open("wb") as log:
            process = subprocess.Popen(
                [
                    path,
                    "--headless",
                    "--no-remote",
                    "--profile",
                    name,
                    "--remote-debugging-port",
                    "0",
                ],
                env=os.environ | {"HOME": name},  # Firefox refuses a home of another user
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            address = f"{_address(process, profile / LOG)}/session"
            with connect(
                address, max_size=None, open_timeout=TIMEOUT, ping_interval=None, proxy=None
            ) as connection:
                yield Firefox(connection)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(TIMEOUT)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Return the address of the protocol, which Firefox prints when it is ready."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if address := re.search(r"BiDi listening on (ws://\S+)\n", log.read_text(errors="replace")):
            return address[1]
        time.sleep(0.02)
    raise FirefoxError(f"Firefox did not start. Its log:\n{log.read_text(errors='replace')}")
