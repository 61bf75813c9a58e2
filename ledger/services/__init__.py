"""One verb a use case. Each owns its transaction: all of it is saved, or nothing is."""

from ledger.services.common import register as register  # what a transaction changes is entered
