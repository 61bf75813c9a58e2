"""Kinds of journal entries, in one table: what each moves, its words, its undo, the sums it touches.

Whoever needs to know anything of a kind asks this table. A new kind is a row here, and the service that
writes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from ledger.accounts import AccountKind


class EntryKind(StrEnum):
    """What a journal entry is for; the last ones change the table and move nothing."""

    HAND = "hand"
    REVERSAL = "reversal"
    STACK = "stack"
    LOAN = "loan"
    REPAYMENT = "repayment"
    ADJUSTMENT = "adjustment"
    POTS_SHARED = "pots-shared"
    CASH_OUT = "cash-out"
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
    """What was done: its name, where that is long in short as well, and what is so again once it is undone.

    Who and what it was about are left open as ``{who}``, ``{chips}``, ``{hand}`` and ``{undid}``.
    """

    name: str
    short: str = ""
    undone: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """What is so of every entry of a kind.

    ``title`` names it in lists, statements and reports, ``title_of_one`` where it is about one player and
    ``title_unexplained`` where no reason was given; ``words`` and ``words_of_one`` tell what was done.
    ``moves`` are the accounts that it may move, of its own session or the club's. ``refusal`` says why it is
    never undone, but of one player who joined. ``converts`` says whose chips became money by it,
    ``closes`` whether its session is closed after it or open again. An entry ``of_club`` is no session's.
    """

    title: str
    words: Words
    moves: frozenset[AccountKind] = frozenset()
    undo: Undo = Undo.LAST
    refusal: str = ""
    converts: Whose | None = None
    closes: bool | None = None
    of_club: bool = False
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

KINDS: Mapping[str, Kind] = {
    EntryKind.HAND: Kind(
        "Hand",
        Words("hand {hand}"),
        _PLAYED,
        refusal="A hand is not taken back like this; correct or void it.",
    ),
    EntryKind.REVERSAL: Kind(
        "Reversal",
        Words("the taking back of {undid}", "the taking back"),
        _ANY,
        refusal="Done last was {}. A taking back is not undone; enter that anew if it holds.",
    ),
    EntryKind.STACK: Kind(
        "Starting chips",
        Words("the starting chips"),
        _BANK,
        refusal="These are the chips that everybody began with, so they are not undone; where they are "
        "wrong, the bank lends or takes back, or another session is started.",
        title_of_one="Joined, starting chips",
        words_of_one=Words("the joining of {who}, with the starting chips", "the joining"),
    ),
    EntryKind.LOAN: Kind(
        "Loan", Words("the bank’s loan of {chips} to {who}", "the loan"), _BANK, Undo.UNTIL_REPAID
    ),
    EntryKind.REPAYMENT: Kind(
        "Repayment",
        Words("the repayment of {chips} by {who} to the bank", "the repayment"),
        _BANK,
        Undo.UNTIL_CONVERTED,
    ),
    EntryKind.ADJUSTMENT: Kind(
        "Adjustment",
        Words("the adjustment"),
        _SHARED | {AccountKind.DIFFERENCES},
        Undo.LATER,
        words_of_one=Words("the adjustment of the chips of {who}", "the adjustment"),
        title_unexplained="Difference shared",
    ),
    EntryKind.POTS_SHARED: Kind(
        "Pots shared out", Words("the sharing of the pots", "the sharing"), _SHARED, Undo.LATER
    ),
    EntryKind.CASH_OUT: Kind(
        "Left early",
        Words("the leaving of {who}", "the leaving", "seat, chips and money are as before"),
        _MONEY,
        Undo.RETURN_TO_SEAT,
        converts=Whose.ONE,
    ),
    EntryKind.CONVERSION: Kind(
        "Chips to money",
        Words("the turning of chips into money", "the conversion"),
        _MONEY,
        Undo.UNTIL_CONVERTED,
        converts=Whose.ALL,
    ),
    EntryKind.PAYMENT: Kind(
        "Payment", Words("the payment"), frozenset({AccountKind.PLAYER}), of_club=True
    ),
    EntryKind.CLOSING: Kind(
        "Closing",
        Words("the closing of the session", "the closing"),
        refusal="Closing a session is not undone; reopen the session instead.",
        closes=True,
    ),
    EntryKind.REOPENING: Kind(
        "Reopening",
        Words("the reopening of the session", "the reopening"),
        refusal="Reopening a session is not undone; close the session instead.",
        closes=False,
    ),
    EntryKind.JOINING: Kind(
        "Joining", Words("the joining of {who}", "the joining", "the seat is gone again")
    ),
    EntryKind.SITTING_OUT: Kind(
        "Sitting out", Words("the sitting out of {who}", "the sitting out", "they play again")
    ),
    EntryKind.COMING_BACK: Kind(
        "Coming back", Words("the coming back of {who}", "the coming back", "they sit out again")
    ),
    EntryKind.SEATS_CHANGED: Kind(
        "Seats changed", Words("the change of seats", undone="all sit as before")
    ),
    EntryKind.RULES_CHANGED: Kind(
        "Rules changed",
        Words(
            "the change of game or house rules", "the change of rules", "those before hold again"
        ),
    ),
    EntryKind.RATE_SET: Kind(
        "Rate set", Words("the rate agreed on", "the rate", "it is as before")
    ),
    EntryKind.PAUSE: Kind("Pause", Words("the break", undone="the session goes on")),
    EntryKind.RESUMPTION: Kind(
        "Resumption",
        Words("the end of the break", "the going on", "the session is paused again"),
    ),
    EntryKind.COUNT: Kind(
        "Count", Words("the count of chips", "the count", "it is forgotten"), undo=Undo.LATER
    ),
}
"""All of them, by the word that the books keep."""


def kinds(wanted: Callable[[Kind], bool]) -> list[str]:
    """Return the kinds of which something is so, for a query to name."""
    return [str(kind) for kind, row in KINDS.items() if wanted(row)]
