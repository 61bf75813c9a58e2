"""Previews of writes: the verdict, every balance that moves, and every later hand that is recalculated."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from sqlmodel import col, select

from engine.rules.verdict import Verdict
from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.books.balances import CHIPS, MOST, AccountClosed, BalanceTooLarge, owner_name
from ledger.database.kinds.accounts import Amounts, read_key, seat_key
from ledger.database.models import Account, AccountKind, Player
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import WriteContext, WriteResponse
from ledger.services.session.hand_versions import HandVersion
from ledger.services.session.view import SessionView
from ledger.words import currencies


class Move(NamedTuple):
    """A change of one account's balance, with the balance afterwards."""

    kind: Annotated[str, "The account's kind.", AccountKind]
    name: Annotated[str, "A player's or pot's name, or the kind again."]
    amount: Annotated[int, "How much it moves."]
    balance: Annotated[int, "The balance afterwards."]
    unit: Annotated[
        str, "`chips`, `score`, or the currency of an account in minor units of money."
    ] = CHIPS


class Recalculated(NamedTuple):
    """A later hand that is recalculated because its pots change.

    Its payments stay the same if the hand took no pot.
    """

    number: int
    pots: Annotated[Mapping[str, int], "What they hold before the hand."]
    deltas: Annotated[Mapping[str, int], "How much more, or less, each player gets."]


class AfterLeaving(NamedTuple):
    """The effect of changed hands on a player who has left: chips and, at a rate, money."""

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
        """The chips and, if there is any, the money in words.

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


class CashedInAgain(NamedTuple):
    """A player's chips of a closed evening and their money, before and after a change of a hand."""

    player: str
    chips_before: Annotated[int, "Chips won or, if negative, lost, as cashed in before."]
    chips: Annotated[int, "The same after the change."]
    money_before: Annotated[int, "The money for these, in minor units; negative: they owe it."]
    money: Annotated[int, "The same after the change."]
    currency: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The effects of a write, before and after it is carried out.

    ``record`` and ``verdict`` are the new ones of the hand, None for a void hand or a write without one.
    ``balances`` are everybody's chips afterwards, or their points if the hand is played for those.
    ``revision`` is the session's when the preview was made, None for a payment. ``extra`` has other keys of
    the response, in JSON values. ``after_leaving`` are the settlements with players who have left,
    ``cashed_in`` the players' chips and money of a closed evening whose chips are cashed in again.
    """

    record: Mapping[str, Any] | None
    verdict: Verdict | None
    balances: Mapping[str, int]
    revision: int | None
    moves: tuple[Move, ...] = ()
    recalculated: tuple[Recalculated, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    after_leaving: tuple[AfterLeaving, ...] = ()
    cashed_in: tuple[CashedInAgain, ...] = ()

    def to_mapping(self) -> WriteResponse:
        """Return the preview in JSON values, as the response to a dry run, together with ``extra``."""
        return {
            "record": self.record,
            "verdict": self.verdict and self.verdict.to_mapping(),
            "balances": dict(self.balances),
            "revision": self.revision,
            "moves": [move._asdict() for move in self.moves],
            "hands_recalculated": len(self.recalculated),
            "recalculated": [hand._asdict() for hand in self.recalculated],
            "after_leaving": [settlement._asdict() for settlement in self.after_leaving],
            "cashed_in": [player._asdict() for player in self.cashed_in],
            **self.extra,
        }


def of_hand(version: HandVersion) -> dict[str, Any]:
    """Return the response's keys that identify a hand's new version; ``at``, the time of writing, is None."""
    return {
        "session": version.session_id,
        "hand": version.number,
        "version": version.version,
        "state": version.state,
        "at": None,
    }


def written(tx: WriteContext, revision: int) -> dict[str, Any]:
    """Return the response's keys that are known once a hand is written: new revision, time in ISO 8601."""
    return {"revision": revision, "at": tx.at.isoformat(timespec="seconds")}


def balances(view: SessionView, amounts: Amounts, unit: str = CHIPS) -> dict[str, int]:
    """Return everybody's chips or points by name after these amounts, given by account key, have moved.

    For a player with two seats they are those of the seat that was not left.
    """
    after: dict[str, int] = {}
    for key, seat in view.seats_by_account.items():
        after.setdefault(seat.name, view.balance_of(seat, unit) + amounts.get(key, 0))
    return after


def moves(
    session: ScopedSession, view: SessionView | None, amounts: Amounts, unit: str = CHIPS
) -> tuple[Move, ...]:
    """Return a move for each account key in ``amounts``: the seats' clockwise, then the others' by key.

    ``view`` is None for amounts outside a session. Chips of the session count in ``unit``. Raises
    ``BalanceTooLarge``.
    """
    result = []
    seats = view.seats_by_account if view else {}
    for key, seat in seats.items():
        if view and key in amounts:
            amount = amounts[key]
            balance = view.balance_of(seat, unit) + amount
            result.append(Move("seat", seat.name, amount, balance, unit))
    others = sorted(amounts.keys() - seats.keys())
    if others:
        query = (
            select(Account, Player.name)
            .outerjoin(Player, col(Player.id) == Account.player_id)
            .where(col(Account.key).in_(others))
        )
        accounts = {account.key: (account, player) for account, player in session.exec(query)}
        result += [
            _move(key, amounts[key], unit, *accounts.get(key, (None, None))) for key in others
        ]
    for move in result:
        must_fit(move.kind, move.name, move.balance, move.unit)
    return tuple(result)


def together(main: Preview, others: Iterable[Preview]) -> Preview:
    """Return the main preview with the moves of all previews added up, and the balances after these.

    Moves of the same account and unit are one; those that sum to 0 are left out.
    """
    total: dict[tuple[str, str, str], Move] = {}
    balances = dict(main.balances)
    for preview in (main, *others):
        for move in preview.moves:
            key = move.kind, move.name, move.unit
            earlier, amount = total.get(key), move.amount
            total[key] = (
                earlier._replace(amount=earlier.amount + amount, balance=earlier.balance + amount)
                if earlier
                else move
            )
            if preview is not main and move.kind == "seat":
                balances[move.name] += amount
    moves = tuple(move for move in total.values() if move.amount)
    return replace(main, balances=balances, moves=moves)


def must_fit(kind: str, name: str, balance: int, unit: str) -> None:
    """Raise ``BalanceTooLarge`` for a balance above ``MOST`` or below its negative.

    ``kind`` and ``name`` are the owner.
    """
    if abs(balance) > MOST:
        raise BalanceTooLarge(owner_name(kind, name), balance, unit)


def must_be_open(view: SessionView, amounts: Amounts) -> None:
    """Raise ``AccountClosed`` if the amounts move chips of a player who has left."""
    for seat in view.seats:
        if seat.has_left and seat_key(seat.id) in amounts:
            raise AccountClosed(whose=seat.name)


def _move(key: str, amount: int, unit: str, account: Account | None, player: str | None) -> Move:
    """Return the move of an account other than a seat's; a pot may not have an account yet."""
    if account is None:
        kind, name = read_key(key)
        return Move(kind, name or kind, amount, amount, unit)
    name = player or account.name or account.kind
    counted = unit if account.unit == CHIPS else account.unit
    return Move(account.kind, name, amount, account.balance + amount, counted)
