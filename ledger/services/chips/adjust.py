"""Chips moved by agreement, outside any hand: adjustments, shared pots and shared differences.

An adjustment moves chips between a player and the session's account of differences, or a pot, so that no
chips appear or disappear without an entry.
"""

from collections.abc import Iterable, Sequence

from sqlmodel import select

from engine.words.sentences import later, say
from ledger.books import journal
from ledger.database.models import Account, AccountKind, EntryKind, PlaySession
from ledger.database.scope import ScopedSession
from ledger.services.chips.bank import must_be_in_chips
from ledger.services.common import apportion, reasons
from ledger.services.common.stakes import MOST_CHIPS
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.hands import posting
from ledger.services.hands.pots import MOST_IN_A_POT
from ledger.services.session import seats
from ledger.services.session.load import unclosed
from ledger.services.session.view import SeatView
from ledger.words.problems import Conflict, Invalid


@writes("adjust")
def adjust(
    tx: WriteContext,
    session_id: int,
    *,
    player: str,
    chips: int,
    reason: str,
    pot: str | None = None,
) -> WriteResponse:
    """Move chips to a player, or from one if negative, out of the account of differences or the named pot.

    Writes one ``adjustment`` entry. Raises ``Invalid`` at ``player``, ``chips`` (also for more than the pot
    holds or may hold), ``pot``, or ``reason``, which must not be empty; ``ScoresNotChips``,
    ``SessionClosed``, ``Stale``.
    """
    session = tx.session
    row, view = unclosed(tx, session_id)
    must_be_in_chips(view)
    seat, _ = seats.here(session, row, player)
    _check_chips(chips)
    other = (
        journal.open_account(session, AccountKind.DIFFERENCES, session_id=session_id)
        if pot is None
        else _pot(session, row, pot)
    )
    if pot is not None and chips > other.balance:
        raise Invalid.at(
            "chips",
            "more-than-the-pot",
            say(
                "The {pot:term} holds {n:chip|chips}; {chips} can't be taken from it.",
                pot=f"{pot} pot",
                n=other.balance,
                chips=chips,
            ),
        )
    if pot is not None and other.balance - chips > MOST_IN_A_POT:
        raise Invalid.at(
            "chips",
            "pot-too-full",
            say(
                "The {pot:term} holds {n:chip|chips}, and the limit is {most_in_a_pot:,}; "
                "{chips:,} more can't be put into it.",
                pot=f"{pot} pot",
                n=other.balance,
                most_in_a_pot=MOST_IN_A_POT,
                chips=-chips,
            ),
        )
    header = tx.header(session_id, EntryKind.ADJUSTMENT, reason=reasons.clean(reason))
    mine = view.seat(seat.id).account_id
    entry = posting.post_other_entry(session, header, {mine: chips, other.id: -chips})
    return seats.changed(tx, row, entry)


@writes("share pot")
def share_pots(tx: WriteContext, session_id: int, *, reason: str | None = None) -> WriteResponse:
    """Divide each pot equally among the active players, odd chips one each, clockwise from the first seat.

    Writes one entry. Raises ``Conflict`` if all pots are empty or nobody plays, ``SessionClosed``, ``Stale``.
    """
    return _share(tx, session_id, AccountKind.POT, EntryKind.POTS_SHARED, reason)


@writes("share differences")
def share_differences(
    tx: WriteContext, session_id: int, *, reason: str | None = None
) -> WriteResponse:
    """Divide the differences of chip counts equally among the active players; negative ones cost them chips.

    Odd chips are divided as by ``share_pots``. Raises ``Conflict`` if there is no difference or nobody plays.
    """
    return _share(tx, session_id, AccountKind.DIFFERENCES, EntryKind.ADJUSTMENT, reason)


def portions(playing: Sequence[SeatView], balances: Iterable[int]) -> list[tuple[SeatView, int]]:
    """Return each active player's share of the sum of these balances; of a negative one, a negative share.

    Each balance is divided separately, with odd chips one each, clockwise from the first seat. Empty if
    nobody plays.
    """
    if not playing:
        return []
    parts = [apportion.equally(balance, len(playing)) for balance in balances]
    return [(seat, sum(part[place] for part in parts)) for place, seat in enumerate(playing)]


def _share(
    tx: WriteContext, session_id: int, owner: AccountKind, kind: EntryKind, reason: str | None
) -> WriteResponse:
    """Divide the balances of the session's accounts of kind ``owner``, in one entry of ``kind``."""
    session = tx.session
    row, view = unclosed(tx, session_id)
    playing = view.playing
    accounts = [account for account in _accounts(session, row, owner) if account.balance]
    if not accounts or not playing:
        nothing = later("There is nothing to share out in “{title}”: no chips differ.")
        if owner is AccountKind.POT:
            nothing = later("There is nothing to share out in “{title}”: no pot holds a chip.")
        if accounts:
            nothing = later("There is nothing to share out in “{title}”: nobody is playing.")
        raise Conflict(say(nothing, title=row.title))
    amounts = {account.id: -account.balance for account in accounts}
    for seat, part in portions(playing, [account.balance for account in accounts]):
        amounts[seat.account_id] = part
    header = tx.header(session_id, kind, reason=reasons.optional(reason))
    entry = posting.post_other_entry(session, header, amounts)
    return seats.changed(tx, row, entry)


def _check_chips(chips: int) -> None:
    """Raise ``Invalid`` at ``chips`` for 0 or for more than ``MOST_CHIPS``, given or taken."""
    if not 0 < abs(chips) <= MOST_CHIPS:
        raise Invalid.at(
            "chips",
            "chips-out-of-range",
            say(
                "Say how many chips, from 1 to {most_chips:,}, or from -1 to -{most_chips:,} to "
                "take them.",
                most_chips=MOST_CHIPS,
            ),
        )


def _pot(session: ScopedSession, row: PlaySession, name: str) -> Account:
    pots = {pot.name or "": pot for pot in _accounts(session, row, AccountKind.POT)}
    if name not in pots:
        raise Invalid.at(
            "pot",
            "no-such-pot",
            say("“{title}” has no pot called “{name}”.", title=row.title, name=name),
            tuple(pots),
        )
    return pots[name]


def _accounts(session: ScopedSession, row: PlaySession, kind: AccountKind) -> Sequence[Account]:
    of_kind = select(Account).where(Account.session_id == row.id, Account.kind == kind.value)
    return session.exec(of_kind.order_by(Account.key)).all()
