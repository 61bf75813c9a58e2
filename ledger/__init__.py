"""The service: clubs, sessions, hands and accounts that always add up."""


def __getattr__(name: str) -> str:
    """Look the version up when it is asked for: that takes longer than scoring a hand."""
    if name != "__version__":
        raise AttributeError(name)
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("solo-ledger")
    except PackageNotFoundError:  # a bare checkout that was never installed
        return "0"
