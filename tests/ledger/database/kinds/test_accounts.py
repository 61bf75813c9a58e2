"""Keys of accounts: spelled and read in one place, so that there is one account of a kind."""

import re

import pytest

from ledger.database.kinds.accounts import AccountKind, key_of, read_key
from tests.support.tree import ROOT, python_files


@pytest.mark.parametrize("kind", AccountKind)
@pytest.mark.parametrize("name", [None, "frog", "a/b"])
def test_a_key_is_read_as_it_was_spelled(kind: AccountKind, name: str | None) -> None:
    """The kind always, the name where the account is a session's own and has one."""
    key = key_of(kind, 3, 7, 5, name, "EUR")
    named = kind not in (AccountKind.SEAT, AccountKind.PLAYER)
    assert read_key(key) == (kind, name if named else None)


def test_nobody_else_spells_a_key() -> None:
    """No other text of the product's begins as a key does: addresses begin with a stroke."""
    places = [
        f"{path}: {line.strip()}"
        for path in python_files("ledger")
        if path.as_posix() != "ledger/database/kinds/accounts.py"
        for line in (ROOT / path).read_text(encoding="utf-8").splitlines()
        if re.search(r"""["'](seat|session|player)/""", line)
    ]
    assert places == []
