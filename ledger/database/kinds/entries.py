"""The table of kinds of journal entries: their accounts, words, undo and effects.

A new kind needs a row here, the service that writes it, and a migration: the database allows no others.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Any

from engine.words.sentences import later, say
from ledger.database.kinds.accounts import AccountKind


class EntryKind(StrEnum):
    """The purpose of a journal entry; the last ones change the session and have no postings.

    A register entry records changes of sealed rows (``ledger.books.sealed_columns``).
    """

    HAND = "hand"
    REVERSAL = "reversal"
    STACK = "stack"
    LOAN = "loan"
    REPAYMENT = "repayment"
    ADJUSTMENT = "adjustment"
    POTS_SHARED = "pots-shared"
    CASH_OUT = "cash-out"
    AFTER_LEAVING = "after-leaving"
    CONVERSION = "conversion"
    PAYMENT = "payment"
    OPENING = "opening"
    EXPENSE = "expense"
    SEPARATE_EXPENSE = "separate-expense"
    SEPARATE_PAYMENT = "separate-payment"
    PAPER_RESULT = "paper-result"
    CLOSING = "closing"
    REOPENING = "reopening"
    JOINING = "joining"
    SITTING_OUT = "sitting-out"
    COMING_BACK = "coming-back"
    SEATS_CHANGED = "seats-changed"
    RULES_CHANGED = "rules-changed"
    RATE_SET = "rate-set"
    PAUSE = "pause"
    RESUMPTION = "resumption"
    COUNT = "count"
    REGISTER = "register"


class Undo(Enum):
    """Until when an entry of a kind can be undone.

    ``LAST``: only as the last action. ``LATER``: at any time. ``UNTIL_CONVERTED``: until the session's chips
    are cashed in. ``UNTIL_REPAID``: also only until the player has repaid the bank. ``RETURN_TO_SEAT``: at
    any time, unless the player has taken another seat since.
    """

    LAST = auto()
    LATER = auto()
    UNTIL_CONVERTED = auto()
    UNTIL_REPAID = auto()
    RETURN_TO_SEAT = auto()


class ChipOwners(Enum):
    """The seats with chips that an entry converts to money: the one that is left, or all of the session."""

    ONE = auto()
    ALL = auto()


@dataclass(frozen=True, slots=True)
class Words:
    """An action's description, its name after "Undo …", and, if useful, the state after the undo.

    The placeholders are ``{who}``, ``{chips}``, ``{hand}`` and ``{undid}``.
    """

    done: str
    short: str
    after_undo: str = ""


@dataclass(frozen=True, slots=True)
class EntryDefinition:
    """The properties of every entry of a kind.

    ``title`` is the kind's name in lists, statements and reports; ``title_of_one`` replaces it for an entry
    about one player, ``title_unexplained`` for one without a reason. ``words`` and ``words_of_one`` describe
    the action. ``moves`` are the kinds of account that it may change, of its session or the club. ``refusal``
    is the reason why it can't be undone (except for one player who joined). ``converts`` names the seats with
    chips converted to money, ``closes`` whether the session is closed or open afterwards, ``seats`` whether a
    player may sit down by it. An entry ``of_hand`` is written with a change of a hand, just before the hand's
    own entries, and is not an action: undoing the change reverses it. An entry ``of_club`` has no session. An
    entry ``of_table`` changes seats or rules; a session with no other entries counts as empty. One that
    ``changes_rows`` has the new values of sealed rows in its details. One that ``shares_cost`` has the payer,
    the amount and the shares of an expense there. A ``separate`` one is settled apart from the card results.
    An ``imported`` one holds what players owe each other by another program. One that ``has_content`` has
    the digests of what was entered in its details.
    """

    title: str
    words: Words
    moves: frozenset[AccountKind] = frozenset()
    undo: Undo = Undo.LAST
    refusal: str = ""
    converts: ChipOwners | None = None
    closes: bool | None = None
    seats: bool = False
    of_hand: bool = False
    of_club: bool = False
    of_table: bool = False
    changes_rows: bool = False
    shares_cost: bool = False
    separate: bool = False
    imported: bool = False
    has_content: bool = False
    words_of_one: Words | None = None
    title_of_one: str = ""
    title_unexplained: str = ""

    @property
    def is_debt(self) -> bool:
        """Whether it is a payment or an imported balance; it can be undone at any time."""
        return self.of_club and bool(self.moves) and not self.shares_cost

    @property
    def is_advanced(self) -> bool:
        """Whether it may move the bank's chips, which are nobody's winnings; a reversal may, too."""
        return AccountKind.BANK in self.moves

    @property
    def is_won(self) -> bool:
        """Whether it may move seats' chips, but not the bank's: these are won, and part of the standings."""
        return AccountKind.SEAT in self.moves and not self.is_advanced

    @property
    def is_payment(self) -> bool:
        """Whether it is a payment between two players."""
        return self.is_debt and not self.imported


_PLAYED = frozenset({AccountKind.SEAT, AccountKind.POT, AccountKind.WORLD})
_SHARED = frozenset({AccountKind.SEAT, AccountKind.POT})
_BANK = frozenset({AccountKind.SEAT, AccountKind.BANK})
_MONEY = _BANK | {AccountKind.TILL, AccountKind.PLAYER}
_PLAYERS = frozenset({AccountKind.PLAYER})
_ANY = frozenset(AccountKind)


def _of_table(title: str, done: str, short: str, after: str = "", **more: Any) -> EntryDefinition:
    """Return the definition of an entry that changes seats or rules; ``more`` are its other fields."""
    return EntryDefinition(title, Words(done, short, after), of_table=True, **more)


def _expense(title: str, *, separate: bool = False) -> EntryDefinition:
    """Return the definition of a cost that one player paid for several."""
    words = Words(later("an expense was shared"), later("the expense"))
    return EntryDefinition(
        title, words, _PLAYERS, of_club=True, shares_cost=True, separate=separate
    )


KINDS: Mapping[str, EntryDefinition] = {
    EntryKind.HAND: EntryDefinition(
        say("Hand"),
        Words(later("hand {hand} was recorded"), later("hand {hand}")),
        _PLAYED,
        refusal=later("A hand is not undone like this; correct or void it."),
    ),
    EntryKind.REVERSAL: _of_table(
        say("Reversal"),
        later("undone: {undid}"),
        later("the undo"),
        moves=_ANY,
        refusal=later(
            "The last entry is a reversal ({last}). A reversal can't be undone; enter it again "
            "if it still applies."
        ),
    ),
    EntryKind.STACK: _of_table(
        say("Starting chips"),
        later("everybody got their starting chips"),
        later("the starting chips"),
        moves=_BANK,
        refusal=later(
            "Everybody began with these chips, so they can't be undone; if they are wrong, "
            "the bank can lend or take back chips, or you can start another session."
        ),
        title_of_one=say("Joined, starting chips"),
        seats=True,
        words_of_one=Words(
            later("{who} joined with the starting chips"),
            later("joining"),
            later("the seat is gone again"),
        ),
    ),
    EntryKind.LOAN: EntryDefinition(
        say("Loan"),
        Words(later("the bank lent {who} {chips}"), later("the loan")),
        _BANK,
        Undo.UNTIL_REPAID,
    ),
    EntryKind.REPAYMENT: EntryDefinition(
        say("Repayment"),
        Words(later("{who} repaid the bank {chips}"), later("the repayment")),
        _BANK,
        Undo.UNTIL_CONVERTED,
    ),
    EntryKind.ADJUSTMENT: EntryDefinition(
        say("Adjustment"),
        Words(later("chips were adjusted"), later("the adjustment")),
        _SHARED | {AccountKind.DIFFERENCES},
        Undo.LATER,
        title_unexplained=say("Difference shared"),
        words_of_one=Words(later("{who}'s chips were adjusted"), later("the adjustment")),
    ),
    EntryKind.POTS_SHARED: EntryDefinition(
        say("Pots shared out"),
        Words(later("the pots were shared out"), later("sharing the pots")),
        _SHARED,
        Undo.LATER,
    ),
    EntryKind.CASH_OUT: EntryDefinition(
        say("Left early"),
        Words(
            later("{who} left early"),
            later("leaving"),
            later("seat, chips and money are as before"),
        ),
        _MONEY,
        Undo.RETURN_TO_SEAT,
        converts=ChipOwners.ONE,
    ),
    EntryKind.AFTER_LEAVING: EntryDefinition(
        say("Correction after leaving"),
        Words(
            later("a changed hand was settled with {who}, who has left"),
            later("the correction after leaving"),
        ),
        _MONEY,
        refusal=later(
            "This is part of a change to a hand; correct or void that hand instead, or undo the "
            "leaving."
        ),
        converts=ChipOwners.ONE,
        of_hand=True,
    ),
    EntryKind.CONVERSION: EntryDefinition(
        say("Chips cashed in"),
        Words(later("the chips were cashed in"), later("the conversion")),
        _MONEY,
        Undo.UNTIL_CONVERTED,
        converts=ChipOwners.ALL,
    ),
    EntryKind.PAYMENT: EntryDefinition(
        say("Payment"),
        Words(later("a payment was recorded"), later("the payment")),
        _PLAYERS,
        of_club=True,
    ),
    EntryKind.OPENING: EntryDefinition(
        say("Imported balance"),
        Words(later("balances were imported"), later("the imported balances")),
        _PLAYERS,
        of_club=True,
        imported=True,
    ),
    EntryKind.EXPENSE: _expense(say("Expense")),
    EntryKind.SEPARATE_EXPENSE: _expense(say("Expense, settled separately"), separate=True),
    EntryKind.SEPARATE_PAYMENT: EntryDefinition(
        say("Payment for expenses"),
        Words(later("a payment was recorded"), later("the payment")),
        _PLAYERS,
        of_club=True,
        separate=True,
    ),
    EntryKind.PAPER_RESULT: EntryDefinition(
        say("Result on paper"),
        Words(later("an evening scored on paper was entered"), later("the result on paper")),
        frozenset({AccountKind.SEAT}),
        refusal=later(
            "This is the result of an evening that was scored on paper; correct or remove that "
            "evening instead."
        ),
        has_content=True,
    ),
    EntryKind.CLOSING: _of_table(
        say("Closed"),
        later("the session was closed"),
        later("closing"),
        closes=True,
        refusal=later("Closing a session can't be undone; reopen the session instead."),
    ),
    EntryKind.REOPENING: _of_table(
        say("Reopened"),
        later("the session was reopened"),
        later("reopening"),
        closes=False,
        refusal=later("Reopening a session can't be undone; close the session instead."),
    ),
    EntryKind.JOINING: _of_table(
        say("Joined"),
        later("{who} joined"),
        later("joining"),
        later("the seat is gone again"),
        seats=True,
    ),
    EntryKind.SITTING_OUT: _of_table(
        say("Sat out"), later("{who} sat out"), later("sitting out"), later("they play again")
    ),
    EntryKind.COMING_BACK: _of_table(
        say("Came back"),
        later("{who} came back"),
        later("coming back"),
        later("they sit out again"),
    ),
    EntryKind.SEATS_CHANGED: _of_table(
        say("Seats changed"),
        later("the seats were changed"),
        later("the change of seats"),
        later("all sit as before"),
    ),
    EntryKind.RULES_CHANGED: _of_table(
        say("Rules changed"),
        later("the game or house rules were changed"),
        later("the change of rules"),
        later("the earlier ones hold again"),
    ),
    EntryKind.RATE_SET: _of_table(
        say("Rate set"), later("a rate was agreed on"), later("the rate"), later("it is as before")
    ),
    EntryKind.PAUSE: _of_table(
        say("Paused"), later("the session was paused"), later("the break"), later("it resumes")
    ),
    EntryKind.RESUMPTION: _of_table(
        say("Resumed"),
        later("the session was resumed"),
        later("resuming"),
        later("it is paused again"),
    ),
    EntryKind.COUNT: EntryDefinition(
        say("Count"),
        Words(later("chips were counted"), later("the count"), later("the count is forgotten")),
        undo=Undo.LATER,
    ),
    EntryKind.REGISTER: EntryDefinition(
        say("Register"),
        Words(later("names, keys, seats or settings were changed"), later("the change")),
        of_club=True,
        changes_rows=True,
        refusal=later("What the register says is changed where it was set."),
    ),
}
"""The definitions by stored kind."""


def kinds(condition: Callable[[EntryDefinition], bool]) -> list[str]:
    """Return the kinds of entry, as stored, with a definition that meets the condition."""
    return [str(kind) for kind, row in KINDS.items() if condition(row)]


def may_move(
    kind: str, session_id: int | None, account_kind: str, account_session_id: int | None
) -> bool:
    """Return whether an entry of this kind and session may move an account of this kind and session.

    An account of the club (``account_session_id`` None), such as a player's, fits the entries of every
    session.
    """
    return account_kind in KINDS[kind].moves and account_session_id in (None, session_id)


def seat_about(details: Mapping[str, Any]) -> int | None:
    """Return the id of the seat that joined, left, sat out or came back, from an entry's details.

    None for an entry about no seat.
    """
    seat: int | None = details.get("joined", details.get("seat"))
    return seat
