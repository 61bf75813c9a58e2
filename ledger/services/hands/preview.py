"""What a write comes to: the verdict of its hand, every balance moved, every later hand recalculated."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from sqlmodel import col, select

from engine.rules.verdict import Verdict
from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.books.balances import CHIPS, AccountClosed, BalanceTooLarge, fits, whose
from ledger.database.kinds.accounts import Amounts, read_key, seat_key
from ledger.database.models import Account, AccountKind, HandState, Player
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import WriteContext, WriteResponse
from ledger.services.session.view import SessionView
from ledger.words import currencies


class Move(NamedTuple):
    """A balance that moves: whose it is, by how much, and what it is then."""

    kind: Annotated[str, "The account's kind.", AccountKind]
    name: Annotated[str, "A player's or pot's name, or the kind again."]
    amount: Annotated[int, "How much it moves."]
    balance: Annotated[int, "The balance afterwards."]
    unit: Annotated[
        str, "`chips`, `score`, or the currency of an account in minor units of money."
    ] = CHIPS


class Recalculated(NamedTuple):
    """A later hand that is recalculated because the pots it was played for change.

    Nobody gets more or less by it where the hand took no pot.
    """

    number: int
    pots: Annotated[Mapping[str, int], "What they hold before the hand."]
    deltas: Annotated[Mapping[str, int], "How much more, or less, each player gets."]


class AfterLeaving(NamedTuple):
    """The sum of changes of hands for a player who has left."""

    player: str
    chips: Annotated[int, "How many more chips they won or, if negative, lost."]
    money: Annotated[
        int | None,
        "What they are due for these in minor units or, if negative, owe. Null if there was no "
        "rate when they left, or the table has another one now: then they stay chips until the "
        "others cash in.",
    ]
    currency: str

    @property
    def in_words(self) -> Sentence:
        """Return it in words.

        >>> AfterLeaving("Bob", -20, -120, "EUR").in_words
        '−20 chips, owes 1.20 EUR more'
        """
        more, n = self.chips > 0, abs(self.chips)
        chips = say("+{n:chip|chips}", n=n) if more else say("−{n:chip|chips}", n=n)
        if not self.money:
            return chips
        money = currencies.say(abs(self.money), self.currency)
        if self.money > 0:
            return say("{chips}, gets {money} more", chips=chips, money=money)
        return say("{chips}, owes {money} more", chips=chips, money=money)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a write would do, and what it has done once it is carried out.

    ``record`` and ``verdict`` are the hand's as it then stands, None where it is void or none is written.
    ``balances`` are the chips of everybody at the table after it, or the scores where the hand is played for
    those; ``revision`` is the one it was worked out at, None for a payment. ``said`` is what else an answer
    tells, in values that JSON can hold. ``after_leaving`` is what is settled with players who have left.
    """

    record: Mapping[str, Any] | None
    verdict: Verdict | None
    balances: Mapping[str, int]
    revision: int | None
    moves: tuple[Move, ...] = ()
    recalculated: tuple[Recalculated, ...] = ()
    said: Mapping[str, Any] = field(default_factory=dict)
    after_leaving: tuple[AfterLeaving, ...] = ()

    def to_mapping(self) -> WriteResponse:
        """Return it as it is answered."""
        return {
            "record": self.record,
            "verdict": self.verdict and self.verdict.to_mapping(),
            "balances": dict(self.balances),
            "revision": self.revision,
            "moves": [move._asdict() for move in self.moves],
            "hands_recalculated": len(self.recalculated),
            "recalculated": [hand._asdict() for hand in self.recalculated],
            "after_leaving": [each._asdict() for each in self.after_leaving],
            **self.said,
        }


def of_hand(session_id: int, number: int, version: int, state: HandState) -> dict[str, Any]:
    """Say which hand is written, and what it is then; ``written`` adds when."""
    return {
        "session": session_id,
        "hand": number,
        "version": version,
        "state": state.value,
        "at": None,
    }


def written(tx: WriteContext, revision: int) -> dict[str, Any]:
    """Say that a hand is written: when, and the session's revision after it."""
    return {"revision": revision, "at": tx.at.isoformat(timespec="seconds")}


def balances(view: SessionView, moved: Amounts, unit: str = CHIPS) -> dict[str, int]:
    """Return everybody's chips, or scores, after a move; of two seats of one player, the one not left."""
    after: dict[str, int] = {}
    for seat in view.seats:
        after.setdefault(seat.name, view.held(seat, unit) + moved.get(seat_key(seat.id), 0))
    return after


def moves(
    session: ScopedSession, view: SessionView | None, moved: Amounts, unit: str = CHIPS
) -> tuple[Move, ...]:
    """Say which balances would move: the seats' clockwise, then the others'. ``view`` is the session's.

    ``unit`` is what is moved of a session: chips, or the score of a hand. Raises ``BalanceTooLarge``.
    """
    seats = {seat_key(seat.id): seat for seat in view.seats} if view else {}
    others = sorted(moved.keys() - seats.keys())
    known: dict[str, tuple[Account, str | None]] = {}
    if others:
        rows = session.exec(
            select(Account, Player.name)
            .outerjoin(Player, col(Player.id) == Account.player_id)
            .where(col(Account.key).in_(others))
        )
        known = {account.key: (account, player) for account, player in rows}
    found = (
        *(
            Move("seat", seat.name, moved[key], view.held(seat, unit) + moved[key], unit)
            for key, seat in seats.items()
            if view and key in moved
        ),
        *(_move(key, moved[key], unit, *known.get(key, (None, None))) for key in others),
    )
    for each in found:
        must_fit(each.kind, each.name, each.balance, each.unit)
    return found


def together(shown: Preview, others: Iterable[Preview]) -> Preview:
    """Return what is shown with what is done in the same write: every balance moved by all of it."""
    found: dict[tuple[str, str, str], Move] = {}
    balances = dict(shown.balances)
    for each in (shown, *others):
        for move in each.moves:
            key = move.kind, move.name, move.unit
            had, more = found.get(key), move.amount
            found[key] = (
                had._replace(amount=had.amount + more, balance=had.balance + more) if had else move
            )
            if each is not shown and move.kind == "seat":
                balances[move.name] = balances.get(move.name, 0) + more
    moves = tuple(move for move in found.values() if move.amount)
    return replace(shown, balances=balances, moves=moves)


def must_fit(kind: str, name: str, balance: int, unit: str) -> None:
    """Refuse what would leave an account with more than it can hold. Raises ``BalanceTooLarge``."""
    if not fits(balance):
        raise BalanceTooLarge(whose(kind, name), balance, unit)


def must_be_open(view: SessionView, moved: Amounts) -> None:
    """Refuse to move the chips of somebody who has left. Raises ``AccountClosed``."""
    for seat in view.seats:
        if seat.has_left and seat_key(seat.id) in moved:
            raise AccountClosed(whose=seat.name)


def _move(key: str, amount: int, unit: str, account: Account | None, player: str | None) -> Move:
    """Say what happens on an account other than a seat's; a pot or the world may not be opened yet."""
    if account is None:
        kind, name = read_key(key)
        return Move(kind, name or kind, amount, amount, unit)
    name = player or account.name or account.kind
    counted = unit if account.unit == CHIPS else account.unit
    return Move(account.kind, name, amount, account.balance + amount, counted)
