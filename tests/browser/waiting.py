"""Waiting for a page in a browser as long as it takes, and no longer."""

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


def answered(page: Page) -> None:
    """Wait until the page has what it asked for.

    The page itself looks, as `expect` would look again only after tenths of a second, then halves.
    """
    with suppress(Error):  # another page came instead
        page.evaluate(ANSWERED, WAITS)
    expect(page.locator(WAITS)).to_have_count(0)
