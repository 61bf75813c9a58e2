"""The progress bar of long commands, shown only on a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from shutil import get_terminal_size
from typing import TextIO

Advance = Callable[[int, int | None], None]
"""Reports the amount of work done, and the total if known."""

WIDTH = 40
REDRAWS_EVERY = 0.1
"""The least seconds between two drawings."""


class ProgressBar:
    """One line on a terminal's standard error that is redrawn in place and erased at the end."""

    def __init__(self, label: str, terminal: TextIO, *, counted: bool) -> None:
        self._label, self._terminal, self._counted = label, terminal, counted
        self._started = time.monotonic()
        self._drawn_at = 0.0
        self._line = ""

    def advance(self, finished: int, total: int | None) -> None:
        """Draw the bar, with the time that has passed and, if ``counted``, the figures.

        Less than ``REDRAWS_EVERY`` seconds after the last drawing it does nothing.
        """
        now = time.monotonic()
        if now - self._drawn_at < REDRAWS_EVERY:
            return
        self._drawn_at = now
        filled = WIDTH * min(finished, total) // total if total else 0
        figures = f" {finished:,}/{total:,}" if self._counted and total is not None else ""
        minutes, seconds = divmod(int(now - self._started), 60)
        line = (
            f"{self._label} {'█' * filled}{'░' * (WIDTH - filled)}{figures} {minutes}:{seconds:02}"
        )
        self.erase()
        self._line = line[: get_terminal_size().columns - 1]
        self._print(self._line)

    def erase(self) -> None:
        """Remove the bar from the terminal."""
        if self._line:
            self._print(f"\r{' ' * len(self._line)}\r")
            self._line = ""

    def _print(self, text: str) -> None:
        encoding = self._terminal.encoding
        self._terminal.write(text.encode(encoding, "replace").decode(encoding))
        self._terminal.flush()


class _AboveBar:
    """Standard output that erases the bar before it writes: on one terminal answers scroll above it."""

    def __init__(self, stdout: TextIO, progress: ProgressBar) -> None:
        self._stdout, self._progress = stdout, progress

    def write(self, text: str) -> int:
        """Write a text in place of the bar, which the next advance draws again below."""
        self._progress.erase()
        return self._stdout.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stdout, name)


@contextmanager
def bar(label: str, *, counted: bool = False) -> Iterator[Advance]:
    """Yield a function that shows progress by a bar on standard error; without a terminal it does nothing.

    The bar is erased at the end. On the same terminal, standard output is printed above it.
    """
    if not sys.stderr.isatty():
        yield lambda _finished, _total: None
        return
    progress = ProgressBar(label, sys.stderr, counted=counted)
    shared = sys.stdout.isatty()
    above: TextIO = _AboveBar(sys.stdout, progress)  # type: ignore[assignment]
    with redirect_stdout(above) if shared else nullcontext():
        try:
            yield progress.advance
        finally:
            progress.erase()
