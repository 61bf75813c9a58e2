"""The service: clubs, sessions, hands and accounts that always add up."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("solo-ledger")
except PackageNotFoundError:  # a bare checkout that was never installed
    __version__ = "0"
