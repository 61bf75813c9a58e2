"""Imported by the fork server before it forks the first service: see `nursery`."""

import ledger.cli.serve  # noqa: F401 - all modules of a service
from tests.support import compiled

compiled.use()
compiled.fill()
