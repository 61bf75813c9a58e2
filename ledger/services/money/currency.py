"""A club's settings: its currency, the values of its chips, and the hands that another device confirms."""

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
    """The club's currency (ISO 4217), its chips, smallest first, and the hands to confirm."""

    currency: str
    denominations: Annotated[tuple[int, ...], "The values of its chips, smallest first."]
    confirm_from: Annotated[
        int,
        "Another device confirms hands in which somebody wins or loses at least this; with 0 none.",
    ] = 0

    @property
    def decimals(self) -> int:
        """How many decimals the currency has; amounts are whole numbers, so with 2 decimals 1250 is 12.50."""
        return currencies.decimals(self.currency)


_CLUB_MONEY = Built(
    lambda currency, chips, confirm_from: ClubMoney(currency, tuple(chips), confirm_from),
    select(Club.currency, Club.denominations, Club.confirm_from),
)


@asked_once
def show(session: ScopedSession) -> ClubMoney:
    """Return the club's currency, chips and hands to confirm.

    Raises ``NotSignedIn`` if the club was removed.
    """
    for money in session.ask(_CLUB_MONEY):
        return money
    raise clubs.no_such_club()


@writes("change club money")
def change(
    tx: WriteContext,
    *,
    currency: str | None = None,
    denominations: Sequence[int] | None = None,
    confirm_from: int | None = None,
) -> WriteResponse:
    """Set the club's currency, its chips or the hands to confirm; None leaves a setting unchanged.

    Raises ``Invalid`` at the name of a setting, ``Unchanged``, ``Stale``, and ``Conflict`` for
    another currency if the journal has entries in the present one, or a session's rate has other decimals.
    """
    session = tx.session
    must_be_as_seen(lambda: show(session), tx.seen, say("The club's currency or its chips"))
    club = clubs.row(session)
    new = club.currency if currency is None else _check_currency(currency, club.currency)
    chips = None if denominations is None else stakes.check_denominations(denominations)
    least = club.confirm_from if confirm_from is None else stakes.check_confirm_from(confirm_from)
    if (new, least) == (club.currency, club.confirm_from) and chips in (None, club.denominations):
        raise Unchanged
    if new != club.currency:
        posting = session.exec(
            select(Posting.id)
            .join(Account)
            .where(Posting.account_id == Account.id, Account.unit == club.currency)
            .limit(1)
        ).first()
        if posting is not None:
            raise Conflict(
                say(
                    "This club already has entries in {currency}, so its currency can't change.",
                    currency=club.currency,
                )
            )
        _must_keep_rates(session, club.currency, new)
        club.currency = new
    if chips is not None:
        club.denominations = chips
    club.confirm_from = least
    return {
        "currency": club.currency,
        "decimals": currencies.decimals(club.currency),
        "denominations": list(club.denominations),
        "confirm_from": least,
    }


def _check_currency(code: str, present: str) -> str:
    """Return a currency code in upper case.

    Raises ``Invalid`` at ``currency`` unless ISO 4217 lists it or it is the ``present`` one.
    """
    currency = code.strip().upper()
    if len(currency) != 3 or not currency.isascii() or not currency.isalpha():
        raise Invalid.at(
            "currency",
            "no-currency",
            say("A currency is written in three letters, such as EUR or USD."),
        )
    if currency != present and not currencies.is_listed(currency):
        raise Invalid.at(
            "currency",
            "unknown-currency",
            say(
                "{said} is not a currency code; ISO 4217 has EUR, USD, GBP, CHF, JPY and the "
                "others.",
                said=currency,
            ),
        )
    return currency


def _must_keep_rates(session: ScopedSession, present: str, new: str) -> None:
    """Raise ``Conflict`` if a session's rate would mean another amount in the new currency.

    This includes closed sessions, because they can be reopened.
    """
    if currencies.decimals(present) == currencies.decimals(new):
        return
    row = session.exec(
        select(PlaySession).where(col(PlaySession.rate_money).is_not(None), LISTED).limit(1)
    ).first()
    if row is not None and (rate := rate_of(row)) is not None:
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
            say(sentence, title=row.title, rate=convert.in_words(rate, present), wanted=new)
        )
