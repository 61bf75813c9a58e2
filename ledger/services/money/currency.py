"""What a club's money and chips are: one currency in minor units, and the values of its chips."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from sqlmodel import col, select

from engine.words.sentences import later, say
from ledger.database.models import Account, Club, PlaySession, Posting, SessionState
from ledger.database.models.play import LISTED
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.club import clubs
from ledger.services.common import stakes
from ledger.services.common.writing import WriteContext, WriteResponse, must_be_as_seen, writes
from ledger.services.money import convert
from ledger.services.session.view import rate_of
from ledger.words import currencies
from ledger.words.problems import Conflict, Invalid, Unchanged


@dataclass(frozen=True, slots=True)
class ClubMoney:
    """The club's currency (ISO 4217) and its chips, smallest first."""

    currency: str
    denominations: Annotated[tuple[int, ...], "The values of its chips, smallest first."]

    @property
    def decimals(self) -> int:
        """How many decimals the currency has; amounts are whole numbers, so with 2 decimals 1250 is 12.50."""
        return currencies.decimals(self.currency)


_SHOWN = Built(
    lambda currency, denominations: ClubMoney(currency, tuple(denominations)),
    select(Club.currency, Club.denominations),
)


@asked_once
def show(session: ScopedSession) -> ClubMoney:
    """Return the club's currency and chips. Raises ``NotSignedIn`` when the club is gone."""
    for money in session.ask(_SHOWN):
        return money
    raise clubs.no_such_club()


@writes("change club money")
def change(
    tx: WriteContext, *, currency: str | None = None, denominations: Sequence[int] | None = None
) -> WriteResponse:
    """Set the club's currency, its chips, or both.

    Raises ``Invalid`` at ``currency`` or ``denominations``, and ``Conflict`` for another currency once money
    was booked in the present one (the two would never add up), or a rate agreed on in one of other decimals.
    ``Unchanged`` if both are so already.
    """
    session = tx.session
    must_be_as_seen(lambda: show(session), tx.seen, say("The club's currency or its chips"))
    club = clubs.row(session)
    wanted = club.currency if currency is None else _currency(currency, club.currency)
    chips = None if denominations is None else stakes.check_denominations(denominations)
    if wanted == club.currency and chips in (None, club.denominations):
        raise Unchanged
    if wanted != club.currency:
        booked = session.exec(
            select(Posting.id)
            .join(Account)
            .where(Posting.account_id == Account.id, Account.unit == club.currency)
            .limit(1)
        ).first()
        if booked is not None:
            raise Conflict(
                say(
                    "This club already has entries in {currency}, so its currency can't change.",
                    currency=club.currency,
                )
            )
        _must_mean_the_same(session, club.currency, wanted)
        club.currency = wanted
    if chips is not None:
        club.denominations = chips
    return {
        "currency": club.currency,
        "decimals": currencies.decimals(club.currency),
        "denominations": list(club.denominations),
    }


def _currency(code: str, present: str) -> str:
    """Return a currency's code; that of older books stays, whatever it is."""
    said = code.strip().upper()
    if len(said) != 3 or not said.isascii() or not said.isalpha():
        raise Invalid.at(
            "currency",
            "no-currency",
            say("A currency is written in three letters, such as EUR or USD."),
        )
    if said != present and not currencies.is_listed(said):
        raise Invalid.at(
            "currency",
            "unknown-currency",
            say(
                "{said} is not a currency code; ISO 4217 has EUR, USD, GBP, CHF, JPY and the "
                "others.",
                said=said,
            ),
        )
    return said


def _must_mean_the_same(session: ScopedSession, present: str, wanted: str) -> None:
    """Raise ``Conflict`` where a rate agreed on would come to mean another amount.

    Even a closed session's: it is played at that rate once more as soon as it is reopened.
    """
    if currencies.decimals(present) == currencies.decimals(wanted):
        return
    row = session.exec(
        select(PlaySession).where(col(PlaySession.rate_money).is_not(None), LISTED).limit(1)
    ).first()
    rate = None if row is None else rate_of(row)
    if row is not None and rate is not None:
        sentence = later(
            "“{title}” is played at {rate}, and {wanted} has different decimals. Leave that rate empty "
            "first, then change the currency, then agree on a rate in {wanted}."
        )
        if row.state == SessionState.CLOSED:
            sentence = later(
                "“{title}” is played at {rate}, and {wanted} has different decimals. Reopen “{title}” "
                "and leave that rate empty first, then change the currency, then agree on a rate in "
                "{wanted}."
            )
        raise Conflict(
            say(sentence, title=row.title, rate=convert.in_words(rate, present), wanted=wanted)
        )
