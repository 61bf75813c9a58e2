"""Finding a Chromium, and the settings under which tests drive it."""

from pathlib import Path

from tests.support.needs import executable

NAMES = (
    "chromium-headless-shell",
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
)
"""The commands a Chromium goes by, in the order they are tried.

The first one has the same engine without the windows round it, and so takes half the processor time.
"""

APPLICATIONS = (
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
)
"""Where macOS keeps one, which puts no command on the path."""

VARIABLE = "LEDGER_TEST_CHROMIUM"
"""The environment variable that names a Chromium to use before any other."""

MISSING = (
    "No Chromium was found: install one (on Debian and Ubuntu `apt install chromium`), "
    f"or name its executable in {VARIABLE}."
)

UNWANTED = (
    # Making all things ready behind every new window's address bar takes longer than a page of ours.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # Chromium heeds the last list it is given, so these stand here although Playwright asks for them.
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "ThirdPartyStoragePartitioning"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "PaintHolding"),
    *("LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints"),
    "PreconnectToSearch",
)
"""Features of the browser that no test needs."""

KITCHEN = "kitchen.test"
"""A name of this machine that a browser holds for another one's, so that plain HTTP there is not secure."""

ARGUMENTS = (
    "--no-sandbox",  # as root, and in most containers, Chromium does not start with it
    "--disable-dev-shm-usage",  # a container's /dev/shm is often too small for a page
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(UNWANTED)}",
    f"--host-resolver-rules=MAP {KITCHEN} 127.0.0.1",
)
"""What the browser is started with: nothing that leaves the machine, nothing that asks."""

PHONE_SIZE = (390, 844)
"""Width and height of the phone in CSS pixels."""

TIMEOUT_MS = 30_000
"""How long a page waits for anything, in milliseconds, so that a failure never hangs."""


def find_chromium() -> str | None:
    """Return the executable of a Chromium on this machine, or None."""
    return executable(VARIABLE, NAMES, APPLICATIONS)
