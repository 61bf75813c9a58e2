"""The sentences that say what was done, and the words for what the ledger calls by a code."""

from collections.abc import Mapping

from markupsafe import Markup, escape

from ledger.access import Event
from ledger.entry_kinds import KINDS, seat_about
from ledger.problems import counted
from ledger.services.common import names
from ledger.services.reads.accounts import EntryView
from ledger.services.session import activity
from ledger.services.session.activity import Action
from ledger.services.session.view import SessionView

DONE: Mapping[str, str] = {
    "passcode": "The passcode is changed. Every scorer's device has to enter the new one.",
    "link": "There is a new viewer link; older ones no longer work.",
    "link-made": "There is a viewer link.",
    "link-revoked": "The link is revoked.",
    "device-revoked": "The device is out.",
    "role": "The device has its new role.",
    "owner": "This is an owner's device now.",
    "revoked": "The token is revoked.",
    "rules": "Changed. The next hand is played by these rules; earlier hands keep theirs.",
    "closed": "The session is closed.",
    "deleted": "The session is deleted. Nothing had been recorded in it.",
    "again": "Started with the same table as last time.",
    "reopened": "The session is open again.",
    "paused": "Paused. No hand is recorded until you resume.",
    "resumed": "The session has resumed.",
    "player": "Added.",
    "renamed": "Renamed.",
    "archived": "Archived. Nobody is asked to seat them; all they played stays.",
    "unarchived": "They are among the players again.",
    "joined": "{who} has joined the table, from the next hand on.",
    "sits-out": "{who} sits out until they are back.",
    "is-back": "{who} is back, from the next hand on.",
    "left": "{who} has cashed out and left.",
    "returned": "{who} is back in their seat, with the chips they had.",
    "seated": "The seats are changed.",
    "lend": "The bank has lent {who} chips.",
    "repay": "The bank has taken chips back from {who}.",
    "give": "{who}'s chips are corrected.",
    "take": "{who}'s chips are corrected.",
    "shared": "The pots are shared out.",
    "borne": "The difference is shared.",
    "counted": "The count is recorded; no balance moved.",
    "followed": "The count is recorded, and the ledger now matches the chips on the table.",
    "rate": "The rate is agreed on.",
    "converted": "The chips are cashed in.",
    "unpaid": "The payment is undone.",
    "settings": "Saved.",
    "display": "Saved for this device.",
    "undone": "Undone.",
    "taken-back": "Undone.",
}

EVENTS: Mapping[Event, str] = {
    Event.REFUSED: "Passcode refused",
    Event.PASSCODE: "Passcode changed",
    Event.CAME: "Device let in",
    Event.LEFT: "Device left",
    Event.OUT: "Device revoked",
    Event.ROLE: "Role changed",
    Event.LINK: "Link made",
    Event.LINK_OUT: "Link revoked",
    Event.TOKEN: "Token made",
    Event.TOKEN_OUT: "Token revoked",
}
"""What a line of the log says first."""

_WITH_CHIPS: Mapping[str, str] = {
    "lend": "The bank has lent {who} {chips}.",
    "repay": "The bank has taken {chips} back from {who}.",
    "give": "{who}'s chips are corrected: {chips} more.",
    "take": "{who}'s chips are corrected: {chips} fewer.",
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
    named = {seat.name for seat in view.seats if seat.id == seat_about(entry.details)}
    named = named or {post.account.seat for post in entry.postings if post.account.seat}
    return next(iter(named)) if len(named) == 1 else None


def event_word(kind: Event) -> str:
    """Name what a line of the log tells of."""
    return EVENTS[kind]


def entry_word(kind: str) -> str:
    """Name a kind of entry as lists and statements do."""
    return KINDS[kind].title


def last_word(last: Action, part: str = "done") -> Markup:
    """Say what was written last; in short, as "Undo …" names it; or how it is after the undo."""
    words: str = getattr(activity.words(last), part)
    return escape(words).format(
        hand=last.hand,
        who=Markup("<bdi>{}</bdi>").format(last.player or "somebody"),
        chips=activity.chips(last),
        undid=last_word(last.undid) if last.undid else "",
    )
