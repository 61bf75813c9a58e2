"""The number of clubs that a network may found in an hour, counted once for page, API and all processes."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from sqlmodel import select

from ledger.database.models import RefusedTry
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now
from ledger.services.club.passcodes import count_alone
from ledger.words.problems import TooOften

WINDOW = timedelta(hours=1)
_FOUNDED = "founded"
"""The key of this count, beside those of wrong passcodes."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """The number of clubs a network may still found, ``left`` of ``most``, and the time of its next reset."""

    most: int
    left: int
    until: datetime


@dataclass(frozen=True, slots=True)
class FoundingLimit:
    """The limit of clubs in an hour from one network."""

    most: int
    network: str

    def allowance(self, session: ScopedSession) -> Allowance:
        """Return the allowance: all of it if nothing was counted within the hour.

        A window that begins in the future, by a wrong clock, is ignored.
        """
        row, at = self._row(session), now()
        if row is None or not row.last_at <= at < row.open_at:
            return Allowance(self.most, self.most, at + WINDOW)
        return Allowance(self.most, max(self.most - row.failures, 0), row.open_at)

    def check(self, session: ScopedSession) -> Allowance:
        """Return the allowance, without counting. Raises ``TooOften`` if nothing is left of it."""
        current = self.allowance(session)
        if not current.left:
            raise TooOften(ceil((current.until - now()).total_seconds()))
        return current

    def count(self, session: ScopedSession) -> None:
        """Count a club, in the transaction that founds it, and lock the count until that ends.

        Raises ``TooOften`` if nothing is left of the allowance.
        """
        count_alone(session, f"{_FOUNDED} from {self.network}")
        current = self.check(session)
        since, until = current.until - WINDOW, current.until
        row = self._row(session) or RefusedTry(
            whose=_FOUNDED,
            network=self.network,
            wider=self.network,
            failures=0,
            last_at=since,
            open_at=until,
        )
        row.failures = current.most - current.left + 1
        row.last_at, row.open_at = since, until
        session.add(row)
        session.flush()

    def _row(self, session: ScopedSession) -> RefusedTry | None:
        query = select(RefusedTry).where(RefusedTry.whose == _FOUNDED)
        return session.exec(query.where(RefusedTry.network == self.network)).one_or_none()
