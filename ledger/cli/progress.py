"""The bar that long commands show on a terminal, and nowhere else."""

import sys

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn


def shown(*figures: ProgressColumn) -> Progress:
    """Return a bar on a terminal's standard error, with ``figures`` after it; elsewhere it shows nothing."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *figures,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        # on the same terminal answers must scroll above the bar, not through it
        redirect_stdout=sys.stdout.isatty(),
    )
