"""The bank of a session: starting stacks, loans and repayments.

The bank's account falls below zero as it hands out chips. A seat's chips from the bank are its ``advanced``,
so that winnings can be told from chips in hand.
"""

from collections.abc import Mapping, Sequence

from engine import games
from engine.words.sentences import later, say
from ledger.books import journal
from ledger.books.balances import CHIPS
from ledger.books.chain import EntryHeader
from ledger.database.models import AccountKind, EntryKind, PlaySession, Seat
from ledger.database.scope import ScopedSession
from ledger.services.common import reasons
from ledger.services.common.stakes import MOST_CHIPS
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.session import seats
from ledger.services.session.load import unclosed
from ledger.services.session.steps import FOR_HAND
from ledger.services.session.view import SessionView
from ledger.words.problems import Conflict, Invalid


class ScoresNotChips(Conflict):
    """Raised for an action with chips, or with their rate, in a game that is played for scores."""

    code = "scores-not-chips"
    sentence = later("{game:term} is played for scores, not for chips.")
    no_lending = later(
        "{game:term} is played for scores, not for chips, so there are none to lend, count or cash in."
    )
    no_rate = later(
        "{game:term} is played for scores, not for chips, so there is no rate to agree on."
    )
    leave_empty = later("{game:term} is played for scores, not for chips; leave this empty.")


def must_be_in_chips(view: SessionView) -> None:
    """Raise ``ScoresNotChips`` if the session is played for scores and has no chips."""
    if not view.in_chips:
        raise ScoresNotChips(say(ScoresNotChips.no_lending, game=view.sheet.title))


def must_be_for_chips(game: str, sentence: str) -> None:
    """Raise ``ScoresNotChips`` if the game with this slug is played for scores.

    ``sentence`` is one of that class's templates; it is filled with the game's title.
    """
    sheet = games.find(game)
    if sheet.unit != CHIPS:
        raise ScoresNotChips(say(sentence, game=sheet.title))


@writes("loan")
def lend(
    tx: WriteContext, session_id: int, *, player: str, chips: int, reason: str | None = None
) -> WriteResponse:
    """Lend a player chips from the bank, which don't count as winnings, and write a ``loan`` entry.

    Raises ``Invalid`` at ``player``, ``chips`` or ``reason``; ``ScoresNotChips``, ``SessionClosed``,
    ``Stale``, ``KeyReused``.
    """
    return _exchange(tx, session_id, EntryKind.LOAN, player, chips, reason)


@writes("repayment")
def take_repayment(
    tx: WriteContext, session_id: int, *, player: str, chips: int, reason: str | None = None
) -> WriteResponse:
    """Return chips that a player has from the bank, and write a ``repayment`` entry.

    Raises as ``lend`` does, also for more chips than the player holds or has from the bank, starting stack
    included.
    """
    return _exchange(tx, session_id, EntryKind.REPAYMENT, player, chips, reason)


def _exchange(
    tx: WriteContext, session_id: int, kind: EntryKind, player: str, chips: int, reason: str | None
) -> WriteResponse:
    session = tx.session
    row, view = unclosed(tx, session_id)
    must_be_in_chips(view)
    seat, name = seats.here(session, row, player)
    check_chips(chips)
    mine = view.seat(seat.id)
    limits = (
        (
            "more-than-advanced",
            later("{name} has {n:chip|chips} from the bank; {chips} can't be paid back."),
            mine.lent,
        ),
        (
            "more-than-held",
            later("{name} holds {n:chip|chips}; {chips} can't be paid back."),
            mine.balance,
        ),
    )
    for code, sentence, most in limits if kind is EntryKind.REPAYMENT else ():
        if chips > most:
            raise Invalid.at("chips", code, say(sentence, name=name, n=max(most, 0), chips=chips))
    header = tx.header(session_id, kind, reason=reasons.optional(reason))
    amount = chips if kind is EntryKind.LOAN else -chips
    entry = move(session, header, [(seat, amount)])
    return seats.changed(tx, row, entry)


def lend_for_hand(tx: WriteContext, view: SessionView, seat: Seat, chips: int) -> None:
    """Lend a player chips to pay the next hand, in the write that records it, so that one undo reverses both.

    Raises ``Invalid`` at ``lend`` for more chips than one loan may have.
    """
    check_chips(chips, "lend")
    details = {FOR_HAND: view.hands_dealt + 1}
    move(tx.session, tx.header(view.id, EntryKind.LOAN, details=details), [(seat, chips)])


def give_stacks(
    tx: WriteContext, row: PlaySession, to: Sequence[Seat], *, joined: bool = False
) -> int | None:
    """Give each of these seats the session's starting stack, in one entry; return the entry's id.

    In a session without a stack, nothing is written and None returned; but if a player has ``joined`` (the
    only seat in ``to``), an entry without postings is written.
    """
    if row.starting_stack == 0 and not joined:
        return None
    kind = EntryKind.STACK if row.starting_stack else EntryKind.JOINING
    header = tx.header(row.id, kind, details={"joined": to[0].id} if joined else {})
    if row.starting_stack == 0:
        return journal.post(tx.session, header, {})
    return move(tx.session, header, [(seat, row.starting_stack) for seat in to])


def move(
    session: ScopedSession,
    header: EntryHeader,
    chips: Sequence[tuple[Seat, int]],
    money: Mapping[int, int] | None = None,
) -> int:
    """Write an entry that moves chips from the bank to seats, or back if negative; return its id.

    It includes the amounts of ``money`` by account id, which sum to zero. The seats' ``advanced`` is updated.
    """
    bank = journal.open_account(session, AccountKind.BANK, session_id=header.session_id)
    amounts = dict(money or {})
    for seat, amount in chips:
        account = seats.account(session, seat)
        amounts[account.id] = amount
        seat.advanced += amount
    amounts[bank.id] = -sum(amount for _, amount in chips)
    return journal.post(session, header, amounts)


def check_chips(chips: int, field: str = "chips") -> int:
    """Return ``chips`` if it is from 1 to ``MOST_CHIPS``.

    Raises ``Invalid`` at ``field`` for any other number.
    """
    if not 0 < chips <= MOST_CHIPS:
        raise Invalid.at(
            field,
            "chips-out-of-range",
            say("Say how many chips, from 1 to {most_chips:,}.", most_chips=MOST_CHIPS),
        )
    return chips
