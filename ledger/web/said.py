"""The sentences that say what was done, and the words for what the books call by a code."""

from collections.abc import Mapping

from markupsafe import Markup, escape

from ledger.models import EntryKind, HandAction
from ledger.problems import counted
from ledger.services import names
from ledger.services.accounts import EntryView
from ledger.services.session_view import SessionView
from ledger.services.undo import Last

DONE: Mapping[str, str] = {
    "passcode": "The passcode is changed. Every other device has to enter the new one.",
    "link": "There is a new viewer link; the old one opens nothing any more.",
    "revoked": "The token is taken back.",
    "rules": "Changed. The next hand is played by these rules; hands already down keep theirs.",
    "closed": "The session is closed.",
    "reopened": "The session is open again.",
    "paused": "Paused. Chips can still be lent and counted.",
    "resumed": "The session goes on.",
    "player": "Entered.",
    "renamed": "Renamed.",
    "joined": "{who} has joined the table, from the next hand on.",
    "sits-out": "{who} sits out until they are back.",
    "is-back": "{who} is back, from the next hand on.",
    "left": "{who} has cashed out and left.",
    "returned": "{who} is in their seat again, with the chips they had.",
    "seated": "The seats are changed.",
    "lend": "The bank has lent {who} chips.",
    "repay": "The bank has taken chips back from {who}.",
    "give": "The chips of {who} are put right.",
    "take": "The chips of {who} are put right.",
    "shared": "The pots are shared out.",
    "borne": "The difference is shared.",
    "counted": "The count is noted; no balance moved.",
    "followed": "The count is noted, and the ledger follows the chips on the table.",
    "rate": "The rate is agreed on.",
    "converted": "The chips are turned into money.",
    "unpaid": "The payment is taken back.",
    "settings": "Saved.",
    "undone": "Undone.",
    "taken-back": "Taken back.",
}

_ENTRIES: Mapping[str, str] = {
    EntryKind.CONVERSION: "Chips to money",
    EntryKind.CASH_OUT: "Left early",
    EntryKind.PAYMENT: "Payment",
    EntryKind.REVERSAL: "Taken back",
}

_TURNS: Mapping[str, tuple[str, str]] = {
    HandAction.RECORDED: ("hand {hand}", "hand {hand}"),
    HandAction.CORRECTED: ("the last correction of hand {hand}", "the correction"),
    HandAction.VOIDED: ("the voiding of hand {hand}: it counts again", "the voiding"),
    HandAction.RESTORED: ("the restoring of hand {hand}: it is void again", "the restoring"),
    EntryKind.STACK: ("the starting chips given last", "the starting chips"),
    EntryKind.LOAN: ("the bank’s loan to {who}", "the loan"),
    EntryKind.REPAYMENT: ("the repayment of {who} to the bank", "the repayment"),
    EntryKind.ADJUSTMENT: ("the last adjustment", "the adjustment"),
    EntryKind.POTS_SHARED: ("the sharing of the pots", "the sharing"),
    EntryKind.CASH_OUT: (
        "the leaving of {who}: seat, chips and money are as before",
        "the leaving",
    ),
    EntryKind.CONVERSION: ("the turning of chips into money", "the conversion"),
    EntryKind.JOINING: ("the joining of {who}: the seat is gone again", "the joining"),
    EntryKind.SITTING_OUT: ("the sitting out of {who}: they play again", "the sitting out"),
    EntryKind.COMING_BACK: ("the coming back of {who}: they sit out again", "the coming back"),
    EntryKind.SEATS_CHANGED: ("the change of seats: all sit as before", "the change of seats"),
    EntryKind.RULES_CHANGED: (
        "the change of game or house rules: those before hold again",
        "the change of rules",
    ),
    EntryKind.RATE_SET: ("the rate agreed on last: it is as before", "the rate"),
    EntryKind.COUNT: ("the last count of chips: it is forgotten", "the count"),
    EntryKind.PAUSE: ("the break: the session goes on", "the break"),
    EntryKind.RESUMPTION: ("the end of the break: the session is paused again", "the going on"),
}

_OF_ONE: Mapping[str, tuple[str, str]] = {
    EntryKind.STACK: ("the joining of {who}, with the starting chips", "the joining"),
    EntryKind.ADJUSTMENT: ("the last adjustment of the chips of {who}", "the adjustment"),
}
"""What is said otherwise where it was about one player."""


_WITH_CHIPS: Mapping[str, str] = {
    "lend": "The bank has lent {who} {chips}.",
    "repay": "The bank has taken {chips} back from {who}.",
    "give": "The chips of {who} are put right: {chips} more.",
    "take": "The chips of {who} are put right: {chips} fewer.",
}
"""What is said where the entry is there to tell whose chips were moved, and how many."""


def done(
    what: str | None,
    who: str | None = None,
    view: SessionView | None = None,
    entry: EntryView | None = None,
) -> Markup:
    """Say what was done, nothing where nothing was.

    Whose name it was done to comes with the address, so it is said only where the session has such a seat:
    nobody can be made to read a sentence about somebody else. How many chips it was the ``entry`` tells.
    """
    moved = [post for post in entry.postings if post.account.seat] if entry else []
    if what is not None and what in _WITH_CHIPS and len(moved) == 1:
        name = Markup("<bdi>{}</bdi>").format(moved[0].account.seat)
        chips = counted(abs(moved[0].amount), "chip")
        return escape(_WITH_CHIPS[what]).format(who=name, chips=chips)
    asked = names.key(who or "")
    known = [seat.name for seat in view.seats if names.key(seat.name) == asked] if view else []
    name = Markup("<bdi>{}</bdi>").format(known[0]) if known else Markup("the player")
    said = escape(DONE.get(what or "", "")).format(who=name)
    return said[:1].upper() + said[1:] if not known else said


def whose(view: SessionView, entry: EntryView) -> str | None:
    """Name the player an entry is about, where it is about one: by what it tells, or whose chips it moved."""
    about = entry.details.get("joined", entry.details.get("seat"))
    named = {seat.name for seat in view.seats if seat.id == about}
    named = named or {post.account.seat for post in entry.postings if post.account.seat}
    return next(iter(named)) if len(named) == 1 else None


def entry_word(kind: str) -> str:
    """Name a kind of entry as a statement does."""
    return _ENTRIES.get(kind, kind.replace("-", " ").capitalize())


def last_word(last: Last, short: bool = False) -> Markup:
    """Name what was written last, as the sentence "This takes back …" ends, or in short."""
    words = _OF_ONE.get(last.what) if last.player else None
    full, brief = words or _TURNS.get(last.what, (last.what, last.what))
    who = Markup("<bdi>{}</bdi>").format(last.player or "somebody")
    return escape(brief if short else full).format(hand=last.hand, who=who)
