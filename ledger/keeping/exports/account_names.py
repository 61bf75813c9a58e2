"""Names of accounts in plain text accounting: slugs in any script, each of one account only."""

import unicodedata
from collections.abc import Mapping

from engine.rules.sheet import CHIPS, SCORE
from ledger.database.kinds.accounts import AccountKind
from ledger.keeping.exports.entry_rows import ExportedAccount

COMMODITIES: Mapping[str, str] = {CHIPS: "CHIP", SCORE: "POINT"}
"""The commodities of units other than a currency."""

_TITLES: Mapping[str, str] = {
    AccountKind.BANK: "Bank",
    AccountKind.WORLD: "Score",
    AccountKind.DIFFERENCES: "Differences",
    AccountKind.TILL: "Till",
}


def commodity(unit: str) -> str:
    """Return the commodity of a unit: CHIP, POINT or the currency itself."""
    return COMMODITIES.get(unit, unit)


def slug(name: str) -> str:
    """Return a name as part of an account's name: letters, digits and hyphens, with a capital first.

    A script without capitals gets a P before it.

    >>> slug("Ann"), slug("jean-luc D'Arc"), slug("山田"), slug("!!"), slug("2nd")
    ('Ann', 'Jean-luc-D-Arc', 'P-山田', 'P', '2nd')
    """
    letters = "".join(
        character if unicodedata.category(character) in _KEPT else " "
        for character in unicodedata.normalize("NFC", name)
    )
    text = "-".join(letters.replace("-", " ").split())
    text = text[:1].upper() + text[1:]
    is_capital = text[:1].isascii() and text[:1].isalnum()
    is_capital = is_capital or unicodedata.category(text[:1] or " ") == "Lu"
    return text if is_capital else f"P-{text}".rstrip("-")


_KEPT = {"Lu", "Ll", "Lo", "Nd"}


class AccountNames:
    """Gives each account its name; ``players`` maps ids to the names of all players."""

    def __init__(self, players: Mapping[int, str]) -> None:
        self._slugs: dict[int, str] = {}
        taken: set[str] = set()
        for player_id, name in sorted(players.items()):
            chosen = slug(name)
            while chosen.casefold() in taken:
                chosen = f"{chosen}-{player_id}"
            taken.add(chosen.casefold())
            self._slugs[player_id] = chosen

    def of(self, account: ExportedAccount) -> str:
        """Return the name of an account."""
        return self.by_key(account.key, account.player_id)

    def by_key(self, key: str, player_id: int | None) -> str:
        """Return the name of the account with a key.

        Players' money and seats are assets; what belongs to an evening and to nobody is equity.
        """
        kind, _, rest = key.partition("/")
        if kind == AccountKind.PLAYER and player_id is not None:
            return f"Assets:Money:{self._slugs[player_id]}"
        if kind == AccountKind.SEAT and player_id is not None:
            return f"Assets:Seats:{self._slugs[player_id]}:Seat-{rest}"
        evening, _, own = rest.partition("/")
        own, _, pot = own.partition("/")
        title = f"Pots:{slug(pot)}" if own == AccountKind.POT else _TITLES[own]
        return f"Equity:Evening-{evening}:{title}"
