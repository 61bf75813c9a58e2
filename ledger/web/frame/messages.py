"""Notices after writes, and words for kinds of entries and log events."""

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
    "on-paper": say("The evening is saved."),
    "deleted": say("The session is deleted; nothing of it counts."),
    "again": say("Started with the same table as last time."),
    "reopened": say("The session is open again."),
    "paused": say("Paused. No hand is recorded until you resume."),
    "resumed": say("The session has resumed."),
    "player": say("Added."),
    "renamed": say("Renamed."),
    "marked": say("The new mark is shown from now on."),
    "end": say("Saved. The board view shows how long the table still plays."),
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
    "unpaid": say("The entry is undone."),
    "expense-undone": say("The expense is undone."),
    "imported-rows": say("The balances are imported."),
    "no-new-rows": say("The file has no new row that can be imported; nothing was saved."),
    "settings": say("Saved."),
    "confirmed": say("Confirmed."),
    "imported": say("The club is imported."),
    "nothing-new": say(
        "All entries of that archive are here already; nothing was added. Whoever runs this service can "
        "make a link into the club."
    ),
    "season-saved": say("The season is saved."),
    "season-closed": say("The season is closed; its table is kept."),
    "season-reopened": say("The season is open again."),
    "season-deleted": say("The season is deleted; its evenings are still here."),
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
"""The titles of log lines."""

_WITH_CHIPS: Mapping[str, str] = {
    "lend": later("The bank has lent {who} {n:chip|chips}."),
    "repay": later("The bank has taken {n:chip|chips} back from {who}."),
    "give": later("{who}'s chips are corrected: {n:chip|chips} more."),
    "take": later("{who}'s chips are corrected: {n:chip|chips} fewer."),
}
"""Notices for entries that moved one player's chips, with the amount."""


def notice_of(
    what: str | None,
    who: str | None = None,
    view: SessionView | None = None,
    entry: EntryView | None = None,
) -> Markup:
    """Return the notice for the last action, or an empty string for an unknown one.

    The player's name comes from the URL, so it is shown only if a seat of the session has it; a forged link
    can't put other names into the notice. The number of chips comes from the ``entry``.
    """
    moved = [post for post in entry.postings if post.account.seat] if entry else []
    if what is not None and what in _WITH_CHIPS and len(moved) == 1:
        name = Markup("<bdi>{}</bdi>").format(moved[0].account.seat)
        return translate_markup(_WITH_CHIPS[what], who=name, n=abs(moved[0].amount))
    key_sent = names.key(who or "")
    seat_names = (
        [seat.name for seat in view.seats if names.key(seat.name) == key_sent] if view else []
    )
    name = (
        Markup("<bdi>{}</bdi>").format(seat_names[0])
        if seat_names
        else translate_markup("the player")
    )
    notice = translate_markup(DONE.get(what or "", ""), who=name)
    return notice[:1].upper() + notice[1:] if not seat_names else notice


def player_of(view: SessionView, entry: EntryView) -> str | None:
    """Return the one player that an entry concerns, from its details or postings; None for several."""
    named = {seat.name for seat in view.seats if seat.id == seat_about(entry.details)}
    named = named or {post.account.seat for post in entry.postings if post.account.seat}
    return next(iter(named)) if len(named) == 1 else None


def event_word(kind: Event) -> str:
    """Return the title of a log line."""
    return EVENTS[kind]


def entry_word(kind: str) -> str:
    """Return the title of a kind of entry."""
    return KINDS[kind].title


def last_word(last: Action, part: str = "done") -> Markup:
    """Return the words for an action, by default for the finished one, or another ``part`` of its words."""
    words: str = getattr(activity.words(last), part)
    return translate_markup(
        words,
        hand=last.hand,
        who=Markup("<bdi>{}</bdi>").format(last.player or say("somebody")),
        chips=activity.chips(last),
        undid=last_word(last.undid) if last.undid else "",
    )
