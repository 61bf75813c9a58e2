"""Waiting for a page in a browser as long as it takes, and no longer.

A condition for `wait_for_function` is a function. An expression is evaluated as a string at the second look,
which the pages' policy forbids.
"""

from contextlib import suppress

from playwright.sync_api import Error, Page, expect

WAITS = ".htmx-request, #answer.old"
"""What stands on a page that has asked for something."""

ANSWERED = """(waits) => new Promise((done) => {
    const until = performance.now() + 5000;
    const look = () => {
        if (document.querySelector(waits) && performance.now() < until) setTimeout(look, 5);
        else done();
    };
    look();
})"""


KEPT = """() => new Promise((done) => setTimeout(() => {
    const opening = indexedDB.open("solo-ledger");
    opening.onsuccess = () => {
        const within = opening.result.transaction("drafts", "readwrite");
        within.oncomplete = () => { opening.result.close(); done(); };
    };
}))"""
"""Writes nothing, after all that the page has to write: the browser does one after the other."""


def answered(page: Page) -> None:
    """Wait until the page has its answer.

    The page itself looks, as `expect` would look again only after tenths of a second, then halves.
    """
    with suppress(Error):  # another page came instead
        page.evaluate(ANSWERED, WAITS)
    expect(page.locator(WAITS)).to_have_count(0)


def caught_up(page: Page) -> None:
    """Wait until the page has handled the events and zero-delay timers that the last tap caused."""
    page.evaluate("() => new Promise((done) => setTimeout(done))")


def draft_kept(page: Page) -> None:
    """Wait until the half-entered form is stored, which is a moment after a tap."""
    page.evaluate(KEPT)
