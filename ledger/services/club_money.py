"""What a club's money and chips are: one currency in minor units, and the values of its chips."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import select

from ledger.access import Access
from ledger.db import Database
from ledger.models import Account, Club, Posting
from ledger.problems import Conflict, Invalid
from ledger.services.once import Answer, once

MOST_DENOMINATIONS = 12
MOST_WORTH = 1_000_000


@dataclass(frozen=True, slots=True)
class ClubMoney:
    """The club's currency (ISO 4217) and its chips, smallest first."""

    currency: str
    denominations: tuple[int, ...]


def show(db: Database, access: Access) -> ClubMoney:
    """Return the club's currency and chips."""
    with db.read(access) as session:
        club = session.exec(select(Club)).one()
        return ClubMoney(club.currency, tuple(club.denominations))


def change(
    db: Database,
    access: Access,
    key: str,
    *,
    currency: str | None = None,
    denominations: Sequence[int] | None = None,
) -> Answer:
    """Set the club's currency, its chips, or both.

    Raises ``Invalid`` at ``currency`` or ``denominations``, and ``Conflict`` for another currency once money
    was booked in the present one: the two would never add up.
    """
    said = {
        "currency": currency,
        "denominations": None if denominations is None else list(denominations),
    }
    with db.write(access) as session:

        def act() -> Answer:
            club = session.exec(select(Club)).one()
            if currency is not None and _currency(currency) != club.currency:
                booked = session.exec(
                    select(Posting.id)
                    .join(Account)
                    .where(Posting.account_id == Account.id, Account.unit == club.currency)
                    .limit(1)
                ).first()
                if booked is not None:
                    raise Conflict(
                        f"This club's money is booked in {club.currency} already; it stays so."
                    )
                club.currency = _currency(currency)
            if denominations is not None:
                club.denominations = _denominations(denominations)
            return {"currency": club.currency, "denominations": list(club.denominations)}

        return once(session, key, ("change club money", said), act)


def _currency(code: str) -> str:
    said = code.strip().upper()
    if len(said) != 3 or not said.isascii() or not said.isalpha():
        raise Invalid.at(
            "currency", "no-currency", "A currency is written in three letters, such as EUR or USD."
        )
    return said


def _denominations(values: Sequence[int]) -> list[int]:
    found = sorted(set(values))
    if (
        not 0 < len(found) == len(values) <= MOST_DENOMINATIONS
        or found[0] < 1
        or found[-1] > MOST_WORTH
    ):
        raise Invalid.at(
            "denominations",
            "no-such-chips",
            f"Name 1 to {MOST_DENOMINATIONS} different values of chips, each from 1 to {MOST_WORTH:,}.",
        )
    return found
