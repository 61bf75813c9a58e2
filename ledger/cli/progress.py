"""The bar that long commands show on a terminal, and nowhere else."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int, int | None], None]
"""Says how far the work is, and out of how much."""


@contextmanager
def bar(what: str, *, counted: bool = False) -> Iterator[Advance]:
    """Show a bar on a terminal's standard error, with figures where it counts; elsewhere it shows nothing."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    # Only a terminal has to wait for it to be imported.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    figures = [MofNCompleteColumn()] if counted else []
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *figures,
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        # on the same terminal answers must scroll above the bar, not through it
        redirect_stdout=sys.stdout.isatty(),
    ) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
