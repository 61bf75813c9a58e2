"""The sentences that say what was done, and the words for what the ledger calls by a code."""

from collections.abc import Mapping

from markupsafe import Markup

from engine.words.sentences import later, say
from ledger.database.access import Event
from ledger.database.kinds.entries import KINDS, seat_about
from ledger.services.common import names
from ledger.services.reads.accounts import EntryView
from ledger.services.session import activity
from ledger.services.session.activity import Action
from ledger.services.session.view import SessionView
from ledger.words.translation import translate_markup

DONE: Mapping[str, str] = {
    "passcode": say("The passcode is changed. Every scorer's device has to enter the new one."),
    "link": say("There is a new viewer link; older ones no longer work."),
    "link-made": say("There is a viewer link."),
    "link-revoked": say("The link is revoked."),
    "device-revoked": say("The device is out."),
    "role": say("The device has its new role."),
    "owner": say("This is an owner's device now."),
    "revoked": say("The token is revoked."),
    "rules": say("Changed. The next hand is played by these rules; earlier hands keep theirs."),
    "closed": say("The session is closed."),
    "deleted": say("The session is deleted. Nothing had been recorded in it."),
    "again": say("Started with the same table as last time."),
    "reopened": say("The session is open again."),
    "paused": say("Paused. No hand is recorded until you resume."),
    "resumed": say("The session has resumed."),
    "player": say("Added."),
    "renamed": say("Renamed."),
    "archived": say("Archived. Nobody is asked to seat them; all they played stays."),
    "unarchived": say("They are among the players again."),
    "joined": later("{who} has joined the table, from the next hand on."),
    "sits-out": later("{who} sits out until they are back."),
    "is-back": later("{who} is back, from the next hand on."),
    "left": later("{who} has cashed out and left."),
    "returned": later("{who} is back in their seat, with the chips they had."),
    "seated": say("The seats are changed."),
    "lend": later("The bank has lent {who} chips."),
    "repay": later("The bank has taken chips back from {who}."),
    "give": later("{who}'s chips are corrected."),
    "take": later("{who}'s chips are corrected."),
    "shared": say("The pots are shared out."),
    "borne": say("The difference is shared."),
    "counted": say("The count is recorded; no balance moved."),
    "followed": say("The count is recorded, and the ledger now matches the chips on the table."),
    "rate": say("The rate is agreed on."),
    "converted": say("The chips are cashed in."),
    "unpaid": say("The payment is undone."),
    "settings": say("Saved."),
    "display": say("Saved for this device."),
    "undone": say("Undone."),
    "redone": say("Redone."),
    "taken-back": say("Undone."),
}

EVENTS: Mapping[Event, str] = {
    Event.REFUSED: say("Passcode refused"),
    Event.PASSCODE: say("Passcode changed"),
    Event.CAME: say("Device let in"),
    Event.LEFT: say("Device left"),
    Event.OUT: say("Device revoked"),
    Event.ROLE: say("Role changed"),
    Event.LINK: say("Link made"),
    Event.LINK_OUT: say("Link revoked"),
    Event.TOKEN: say("Token made"),
    Event.TOKEN_OUT: say("Token revoked"),
}
"""What a line of the log says first."""

_WITH_CHIPS: Mapping[str, str] = {
    "lend": later("The bank has lent {who} {n:chip|chips}."),
    "repay": later("The bank has taken {n:chip|chips} back from {who}."),
    "give": later("{who}'s chips are corrected: {n:chip|chips} more."),
    "take": later("{who}'s chips are corrected: {n:chip|chips} fewer."),
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
        return translate_markup(_WITH_CHIPS[what], who=name, n=abs(moved[0].amount))
    asked = names.key(who or "")
    known = [seat.name for seat in view.seats if names.key(seat.name) == asked] if view else []
    name = Markup("<bdi>{}</bdi>").format(known[0]) if known else translate_markup("the player")
    told = translate_markup(DONE.get(what or "", ""), who=name)
    return told[:1].upper() + told[1:] if not known else told


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
    return translate_markup(
        words,
        hand=last.hand,
        who=Markup("<bdi>{}</bdi>").format(last.player or say("somebody")),
        chips=activity.chips(last),
        undid=last_word(last.undid) if last.undid else "",
    )
