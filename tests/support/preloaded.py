"""Imported by the fork server before it forks the first service: see `nursery`."""

import gc

import ledger.cli.serve  # noqa: F401 - all modules of a service
from tests.support import compiled

compiled.use()
compiled.fill()
gc.freeze()  # a collection in a fork would copy all of this
