"""Kinds of journal entries, in one table: what each moves, its words, its undo, the sums it touches.

Anything there is to know of a kind is in this table. A new kind is a row here, the service that writes
it, and a migration: the database holds entries to these kinds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Any

from engine.words.sentences import later, say
from ledger.database.kinds.accounts import AccountKind


class EntryKind(StrEnum):
    """What a journal entry is for; the last ones change the table and move nothing.

    What became of sealed rows (``ledger.books.sealed_columns``) is said by the register.
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
    """How an entry is undone, if it is: always while it was done last, the others later as well."""

    LAST = auto()
    LATER = auto()
    UNTIL_CONVERTED = auto()
    UNTIL_REPAID = auto()
    RETURN_TO_SEAT = auto()


class Whose(Enum):
    """Whose chips become money: those of one who leaves, or everybody's."""

    ONE = auto()
    ALL = auto()


@dataclass(frozen=True, slots=True)
class Words:
    """What was done, as a sentence says it; what "Undo …" names; where it helps, how it is after the undo.

    Who and what it was about are left open as ``{who}``, ``{chips}``, ``{hand}`` and ``{undid}``.
    """

    done: str
    short: str
    after_undo: str = ""


@dataclass(frozen=True, slots=True)
class EntryDefinition:
    """What is so of every entry of a kind.

    ``title`` names it in lists, statements and reports, ``title_of_one`` where it is about one player and
    ``title_unexplained`` where no reason was given; ``words`` and ``words_of_one`` tell what was done.
    ``moves`` are the accounts that it may move, of its own session or the club's. ``refusal`` says why it is
    never undone, but of one player who joined. ``converts`` says whose chips became money by it,
    ``closes`` whether its session is closed after it or open again, ``seats`` whether a player may sit down
    by it. An entry ``of_hand`` is written with a change to a hand, just before the hand's own entries, and
    does not count as an action: undoing the change settles it back. An entry ``of_club`` belongs to no
    session. One ``of_table`` says who sits there and how it is played; where there is no other, nothing was
    written in the session.
    """

    title: str
    words: Words
    moves: frozenset[AccountKind] = frozenset()
    undo: Undo = Undo.LAST
    refusal: str = ""
    converts: Whose | None = None
    closes: bool | None = None
    seats: bool = False
    of_hand: bool = False
    of_club: bool = False
    of_table: bool = False
    words_of_one: Words | None = None
    title_of_one: str = ""
    title_unexplained: str = ""

    @property
    def is_advanced(self) -> bool:
        """Whether chips that seats get by it are the bank's, and nobody's winnings."""
        return AccountKind.BANK in self.moves

    @property
    def is_won(self) -> bool:
        """Whether chips that seats get by it are won, and are part of the standings."""
        return AccountKind.SEAT in self.moves and not self.is_advanced


_PLAYED = frozenset({AccountKind.SEAT, AccountKind.POT, AccountKind.WORLD})
_SHARED = frozenset({AccountKind.SEAT, AccountKind.POT})
_BANK = frozenset({AccountKind.SEAT, AccountKind.BANK})
_MONEY = _BANK | {AccountKind.TILL, AccountKind.PLAYER}
_ANY = frozenset(AccountKind)

KINDS: Mapping[str, EntryDefinition] = {
    EntryKind.HAND: EntryDefinition(
        say("Hand"),
        Words(later("hand {hand} was recorded"), later("hand {hand}")),
        _PLAYED,
        refusal=later("A hand is not undone like this; correct or void it."),
    ),
    EntryKind.REVERSAL: EntryDefinition(
        say("Reversal"),
        Words(later("undone: {undid}"), later("the undo")),
        _ANY,
        of_table=True,
        refusal=later(
            "The last entry is a reversal ({last}). A reversal can't be undone; enter it again "
            "if it still applies."
        ),
    ),
    EntryKind.STACK: EntryDefinition(
        say("Starting chips"),
        Words(later("everybody got their starting chips"), later("the starting chips")),
        _BANK,
        of_table=True,
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
        converts=Whose.ONE,
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
        converts=Whose.ONE,
        of_hand=True,
    ),
    EntryKind.CONVERSION: EntryDefinition(
        say("Chips cashed in"),
        Words(later("the chips were cashed in"), later("the conversion")),
        _MONEY,
        Undo.UNTIL_CONVERTED,
        converts=Whose.ALL,
    ),
    EntryKind.PAYMENT: EntryDefinition(
        say("Payment"),
        Words(later("a payment was recorded"), later("the payment")),
        frozenset({AccountKind.PLAYER}),
        of_club=True,
    ),
    EntryKind.CLOSING: EntryDefinition(
        say("Closed"),
        Words(later("the session was closed"), later("closing")),
        closes=True,
        of_table=True,
        refusal=later("Closing a session can't be undone; reopen the session instead."),
    ),
    EntryKind.REOPENING: EntryDefinition(
        say("Reopened"),
        Words(later("the session was reopened"), later("reopening")),
        closes=False,
        of_table=True,
        refusal=later("Reopening a session can't be undone; close the session instead."),
    ),
    EntryKind.JOINING: EntryDefinition(
        say("Joined"),
        Words(later("{who} joined"), later("joining"), later("the seat is gone again")),
        seats=True,
        of_table=True,
    ),
    EntryKind.SITTING_OUT: EntryDefinition(
        say("Sat out"),
        Words(later("{who} sat out"), later("sitting out"), later("they play again")),
        of_table=True,
    ),
    EntryKind.COMING_BACK: EntryDefinition(
        say("Came back"),
        Words(later("{who} came back"), later("coming back"), later("they sit out again")),
        of_table=True,
    ),
    EntryKind.SEATS_CHANGED: EntryDefinition(
        say("Seats changed"),
        Words(
            later("the seats were changed"),
            later("the change of seats"),
            later("all sit as before"),
        ),
        of_table=True,
    ),
    EntryKind.RULES_CHANGED: EntryDefinition(
        say("Rules changed"),
        Words(
            later("the game or house rules were changed"),
            later("the change of rules"),
            later("the earlier ones hold again"),
        ),
        of_table=True,
    ),
    EntryKind.RATE_SET: EntryDefinition(
        say("Rate set"),
        Words(later("a rate was agreed on"), later("the rate"), later("it is as before")),
        of_table=True,
    ),
    EntryKind.PAUSE: EntryDefinition(
        say("Paused"),
        Words(later("the session was paused"), later("the break"), later("it resumes")),
        of_table=True,
    ),
    EntryKind.RESUMPTION: EntryDefinition(
        say("Resumed"),
        Words(later("the session was resumed"), later("resuming"), later("it is paused again")),
        of_table=True,
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
        refusal=later("What the register says is changed where it was set."),
    ),
}
"""All of them, by the word that the ledger keeps."""


def kinds(wanted: Callable[[EntryDefinition], bool]) -> list[str]:
    """Return the kinds of which something is so, for a query to name."""
    return [str(kind) for kind, row in KINDS.items() if wanted(row)]


def may_move(kind: str, session_id: int | None, of: str, of_session_id: int | None) -> bool:
    """Whether an entry of a kind, of a session, may move an account of a kind, of a session or the club's."""
    return of in KINDS[kind].moves and of_session_id in (None, session_id)


def seat_about(details: Mapping[str, Any]) -> int | None:
    """Return the seat that an entry was about by its details: who joined, left, sat out or came back."""
    seat: int | None = details.get("joined", details.get("seat"))
    return seat
