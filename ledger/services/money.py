"""From chips to money: the rate a table agrees on, and the conversion at the end.

What is converted is what each seat won or lost and has not turned into money yet. The rule, so that no
unit is lost: each exact share is rounded down, and the units left over go to the largest
fractions, equal ones clockwise by seat; the shares together are exactly what the till
holds for those who were cashed out before, and nothing where nobody was. Only those who have
something to convert share what is left over: who left and was paid stays paid, to the unit. Everybody
bears it only where nobody has anything left to convert.
"""

from typing import Any

from sqlmodel import col, select

from ledger import currencies, journal
from ledger.access import Access
from ledger.clock import now
from ledger.currencies import MOST_MONEY
from ledger.db import Database
from ledger.journal import Occasion
from ledger.models import Account, AccountKind, Club, EntryKind, PlaySession, Seat
from ledger.problems import Conflict, Invalid, counted
from ledger.scope import ScopedSession
from ledger.services import bank, noting, reasons, seats, shares, tills, waits
from ledger.services.bank import MOST_CHIPS
from ledger.services.once import Answer, once
from ledger.services.session_view import Rate, unclosed_row

NotReady = waits.NotReady
"""What converting and leaving raise while chips lie where no player can be paid for them."""


class RateFixed(Conflict):
    """The rate can't change while somebody was paid by it and the others were not."""

    code = "rate-fixed"

    def __init__(self, rate: str) -> None:
        super().__init__(
            f"Somebody was cashed out at {rate}; the others are paid by the same rate. "
            "Turn the chips into money, or take that leaving back, to change it."
        )


def set_rate(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    rate: Rate | None,
    revision: int | None = None,
) -> Answer:
    """Agree on what chips are worth in a session; None plays for chips only.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``RateFixed``, ``SessionClosed``, ``Stale``.
    """
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            then = noting.standing(session, row)
            _agree(session, row, rate)
            noting.note(session, access, row, EntryKind.RATE_SET, then)
            row.revision += 1
            return {"session": row.id, "revision": row.revision}

        return once(session, key, ("set rate", {"id": session_id, "rate": rate}), act)


def convert(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    rate: Rate | None = None,
    reason: str | None = None,
    revision: int | None = None,
) -> Answer:
    """Turn the chips of a session into money: every seat's to the bank, what it won to its player.

    ``rate`` settles the session's rate first. Can be done again after more hands or a correction.
    Raises ``NotReady`` while a pot, the differences or a score's other side are not 0, ``Invalid`` at
    ``rate`` where there is none.
    """
    said = {"id": session_id, "rate": rate, "reason": reason}
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            then = noting.standing(session, row)
            if rate is not None:
                _agree(session, row, rate)
            changed = noting.before(then, noting.standing(session, row))
            agreed = rate_of(row)
            if agreed is None:
                raise Invalid.at(
                    "rate", "rate-missing", "Agree on a rate first: how many chips for how much."
                )
            waits.must_be_empty(waits.found(session, session_id), waits.ways_out(session, row))
            currency = currency_of(session)
            here = _seats(session, row)
            chips = [(seat, -account.balance) for seat, account in here]
            won = [account.balance - seat.advanced - seat.converted for seat, account in here]
            till = till_of(session, row, currency)
            if not any(won) and not till.balance and not any(amount for _, amount in chips):
                raise Conflict(f"There are no chips to convert in “{row.title}”.")
            paid = shares.by_largest_remainder(won, agreed.money, agreed.chips, till.balance)
            money = {till.id: -till.balance}
            for (seat, _), amount in zip(here, paid, strict=True):
                theirs = account_of(session, seat.player_id, currency)
                money[theirs.id] = money.get(theirs.id, 0) + amount
            at = now()
            occasion = Occasion(
                session_id,
                EntryKind.CONVERSION,
                access.author,
                at,
                at,
                reason=reasons.optional(reason),
                details={
                    **terms(
                        agreed, [(seat, part) for (seat, _), part in zip(here, won, strict=True)]
                    ),
                    **({"before": changed} if changed else {}),
                },
            )
            entry = bank.move(session, occasion, [each for each in chips if each[1]], money)
            for (seat, _), part in zip(here, won, strict=True):
                seat.converted += part
            row.revision += 1
            return {**seats.answer(session, row, entry), "currency": currency}

        return once(session, key, ("convert", said), act)


def terms(rate: Rate, won: list[tuple[Seat, int]]) -> dict[str, Any]:
    """Return what an entry keeps of a conversion: the rate, and how much of each seat's chips it was."""
    return {
        "rate": {"chips": rate.chips, "money": rate.money},
        "converted": {str(seat.id): part for seat, part in won if part},
    }


def check_rate(rate: Rate, currency: str) -> tuple[int, int]:
    """Return how many chips are worth how many minor units of money. Raises ``Invalid``."""
    most = currencies.payable(currency)
    for field, number in (("chips", rate.chips), ("money", rate.money)):
        if not 0 < number <= (MOST_CHIPS if field == "chips" else MOST_MONEY):
            raise Invalid.at(
                f"rate.{field}",
                "rate-out-of-range",
                "The rate says how many chips are worth how much money: "
                f"1 to {MOST_CHIPS:,} chips, {most}.",
            )
    return rate.chips, rate.money


def rate_of(row: PlaySession) -> Rate | None:
    """Return the rate a session is played at."""
    if row.rate_chips is None or row.rate_money is None:
        return None
    return Rate(row.rate_chips, row.rate_money)


def currency_of(session: ScopedSession) -> str:
    """Return the currency the club keeps its money in."""
    return session.exec(select(Club)).one().currency


def till_of(session: ScopedSession, row: PlaySession, currency: str) -> Account:
    """Return a session's till: what those cashed out early are owed by those who play on, negative."""
    return journal.open_account(session, AccountKind.TILL, session_id=row.id, unit=currency)


def account_of(session: ScopedSession, player_id: int, currency: str) -> Account:
    """Return a player's money account."""
    return journal.open_account(session, AccountKind.PLAYER, player_id=player_id, unit=currency)


def say(rate: Rate, currency: str) -> str:
    """Return a rate in words: "10 chips to 0.05 EUR".

    >>> say(Rate(10, 5), "EUR")
    '10 chips to 0.05 EUR'
    """
    return f"{counted(rate.chips, 'chip')} to {currencies.say(rate.money, currency)}"


def _agree(session: ScopedSession, row: PlaySession, rate: Rate | None) -> None:
    old = rate_of(row)
    if old == rate:
        return
    currency = currency_of(session)
    if old is not None and tills.paid_alone(session, row.id):
        raise RateFixed(say(old, currency))
    row.rate_chips, row.rate_money = (None, None) if rate is None else check_rate(rate, currency)


def cashed_out(session: ScopedSession, row: PlaySession, won: int) -> int | None:
    """Return what a player who leaves gets for the chips won, to the nearest unit; None without a rate.

    Raises ``NotReady`` where scores are not paid by anybody.
    """
    rate = rate_of(row)
    if rate is None:
        return None
    waits.must_be_payments(session, row)
    amount = shares.nearest(won, rate.money, rate.chips)
    if amount:
        waits.must_be_played_for_chips(session, row)
    return amount


def _seats(session: ScopedSession, row: PlaySession) -> list[tuple[Seat, Account]]:
    return list(
        session.exec(
            select(Seat, Account)
            .where(Seat.session_id == row.id, Account.seat_id == Seat.id)
            .order_by(col(Seat.position), col(Seat.id))
        )
    )
