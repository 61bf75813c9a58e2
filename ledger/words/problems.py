"""The failures that services raise, each with a message, an HTTP status and perhaps a field.

A handler each for JSON, pages and the terminal turns them into responses. Messages are for people at the
table: they state the error and its remedy.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType
from typing import Any, ClassVar

from engine.errors import Refused
from engine.words.sentences import later, say


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in English, for the operator's command line.

    >>> counted(1, "hand"), counted(0, "chip"), counted(1200, "chip")
    ('1 hand', '0 chips', '1,200 chips')
    """
    return f"{number:,} {noun}{'' if abs(number) == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a request: the ``field`` (a dotted path), a stable ``code`` and a message.

    ``where`` has more about the place, by default the field. ``legal`` are the valid values.
    """

    field: str
    code: str
    message: str
    where: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    legal: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.field and not self.where:
            object.__setattr__(self, "where", {"field": self.field})


class Problem(Exception):
    """An error to report to the client, by its argument or else the ``sentence`` with ``values``."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "bad-request"
    title: ClassVar[str] = say("That could not be read")
    sentence: ClassVar[str] = ""
    """The template of the message, for problems with only one; its values are arguments."""
    field: ClassVar[str] = ""
    """The field of the error, if it is always the same."""
    address: str = ""
    """The address of another service, if the request is possible there."""
    seconds: int | None = None
    """The seconds after which to try again, if the problem is temporary."""

    def __init__(self, message: str = "", faults: Iterable[Fault] = (), **values: object) -> None:
        self.message = message or say(self.sentence, **values)
        super().__init__(self.message)
        if self.field:
            faults = [Fault(self.field, self.code, self.message)]
        self.faults = tuple(faults)

    @property
    def at_the_table(self) -> str:
        """The message for pages, which may differ from the API's: it has no HTTP terms."""
        return self.message


class Invalid(Problem):
    """Raised for invalid input; ``faults`` has one entry per field."""

    status = 422
    code = "invalid"
    title = say("Please check what is marked")

    @classmethod
    def at(cls, field: str, code: str, message: str, legal: tuple[str, ...] = ()) -> "Invalid":
        """Return the error of one field; ``legal`` are the valid values."""
        return cls(message, [Fault(field, code, message, legal=legal)])

    @classmethod
    def from_refused(cls, refused: Refused) -> "Invalid":
        """Build from the engine's violations, a fault for each, with the first one's message."""
        faults = [
            Fault(
                str(violation.where.get("field", "")),
                violation.code,
                violation.message,
                dict(violation.where),
                tuple(str(choice) for choice in violation.legal),
            )
            for violation in refused.violations
        ]
        return cls(faults[0].message, faults)


class NotFound(Problem):
    """Raised if the requested object does not exist in this club."""

    status = 404
    code = "not-found"
    title = say("Not found")


class NoSuchSession(NotFound):
    """Raised if the club has no session with this number, or it was deleted."""

    sentence = later("There is no such session in this club.")


class NoSuchHand(NotFound):
    """Raised if a session has no hand with this number; ``title`` and ``dealt`` are the session's."""

    def __init__(self, number: int, title: str, dealt: int) -> None:
        none = later("There is no hand {number} in “{title}”; no hand has been recorded there yet.")
        some = later("There is no hand {number} in “{title}”; it has {dealt:hand|hands}.")
        super().__init__(say(some if dealt else none, number=number, title=title, dealt=dealt))


class NoCards(NotFound):
    """Raised if the cards of a hand are to be shown, and no trick of it was recorded."""

    sentence = later("Hand {number} was recorded without its cards.")


class NotSignedIn(Problem):
    """Raised for a request without a valid passcode, link or token."""

    status = 401
    code = "not-signed-in"
    title = say("Whose club is this?")


class WrongPasscode(Problem):
    """Raised if no club has this name and passcode."""

    status = 403
    code = "wrong-passcode"
    title = say("That does not open the club")
    field = "passcode"
    sentence = later(
        "No club with this name opens with this passcode; "
        "check both (the passcode is case-sensitive)."
    )


class NotThePasscode(WrongPasscode):
    """Raised for a wrong passcode that confirms an owner's request."""

    field = "Club-Passcode"
    title = say("That is not the passcode")
    sentence = later("That is not the club's passcode; it is case-sensitive. Nothing was changed.")


def _in_words(seconds: int) -> str:
    if seconds < 120:
        return say("{n} seconds", n=seconds)
    return say("{n} minutes", n=ceil(seconds / 60))


class TooOften(Problem):
    """Raised if a network has founded too many clubs in an hour; try again after ``seconds``."""

    status = 429
    code = "too-many"
    title = say("Slower, please")
    sentence = later(
        "Your network has founded as many clubs as it may in an hour; try again in {wait}."
    )
    seconds: int

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(wait=_in_words(seconds))


class TooManyTries(TooOften):
    """Raised instead of checking a passcode after ``limit`` wrong ones; try again after ``seconds``."""

    sentence = later(
        "Too many wrong passcodes came from here; try again in {wait}. Devices that are in the "
        "club stay in, and its link lets others in meanwhile."
    )

    def __init__(self, seconds: int, limit: int) -> None:
        super().__init__(seconds)
        self.limit = limit


class ReadOnly(Problem):
    """Raised for a viewer's write request."""

    status = 403
    code = "read-only"
    title = say("Viewers can't write")
    sentence = later(
        "This link is for following only; enter the club's passcode on this device to score."
    )


class OwnersOnly(Problem):
    """Raised for a scorer's request that only owners may make."""

    status = 403
    code = "owners-only"
    title = say("An owner does that")
    sentence = later(
        "Only an owner's device or token does that: passcode, devices, links, tokens, log."
    )


class SignUpClosed(Problem):
    """Raised if the operator does not allow new clubs."""

    status = 403
    code = "sign-up-closed"
    title = say("No new clubs here")
    sentence = later("New clubs can't be started here; ask whoever runs this service.")


class Conflict(Problem):
    """Raised if the state of the ledger does not allow the request."""

    status = 409
    code = "conflict"
    title = say("That can't be done now")


class Unchanged(Conflict):
    """Raised for a write that would leave everything as it is."""

    code = "unchanged"
    sentence = later("Nothing would change, so nothing was saved.")


class SessionClosed(Conflict):
    """Raised for a write to a closed session."""

    code = "session-closed"
    sentence = later("“{title}” is closed; reopen it to make changes.")


class SessionPaused(Conflict):
    """Raised for a hand in a paused session."""

    code = "session-paused"
    sentence = later("“{title}” is paused; resume it to record hands.")


class AlreadyVoid(Conflict):
    """Raised for voiding or correcting a void hand."""

    code = "already-void"
    sentence = later(
        "Hand {number} is already void and counts in no balance; to correct it, restore it first."
    )


class KeyReused(Conflict):
    """Raised for an idempotency key with another payload; ``answer`` is the response to the first."""

    code = "key-reused"
    title = say("That key was already used")
    sentence = later(
        "This idempotency key was used for something else; make a new key for each write."
    )

    def __init__(self, answer: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__()
        self.answer = answer

    @property
    def at_the_table(self) -> str:
        """The message for a form that was changed after it was saved: its first content stays saved."""
        counts = ", ".join(self.answer.get("differences", ()))
        subject = say("The first version")
        if self.answer.get("hand"):
            subject = say("Hand {number}", number=self.answer["hand"])
        elif counts:
            subject = say("The count of {names}", names=counts)
        return say(
            "This form was saved before, and changed since. {what} is already saved; the "
            "changes since are not. To save them too, save once more; to change what was saved "
            "before, undo it or correct it in the history.",
            what=subject,
        )


class Stale(Conflict):
    """Raised if somebody else has written since the revision of a request; nothing was saved.

    ``hands`` are the hands that changed, ``what`` a summary of the changes.
    """

    status = 412
    code = "stale"
    title = say("Somebody else got there first")

    def __init__(self, message: str, hands: Iterable[int] = (), what: str = "") -> None:
        super().__init__(message)
        self.hands = frozenset(hands)
        self.what = what or say("somebody else changed this")


class RevisionMissing(Conflict):
    """Raised for a change without the revision that it is based on; nothing was saved."""

    status = 428
    code = "revision-missing"
    title = say("Based on which revision?")
    sentence = later(
        "Send the header If-Match with the ETag of the session as you last saw it, so that "
        "nothing you have not seen is overwritten; * accepts any revision."
    )

    @property
    def at_the_table(self) -> str:
        """The message for a form without a revision."""
        return say(
            "This page did not say which state of the session it shows. Nothing was saved; look "
            "again, then save."
        )


class Busy(Problem):
    """Raised if the database was busy for too long; nothing was saved, and trying again is safe."""

    status = 503
    code = "busy"
    title = say("The ledger is busy")
    seconds = 1
    sentence = later(
        "Many people are saving at once and this one did not get through. Nothing was saved; try again."
    )


class Overtaken(Busy):
    """Raised if the database broke off a transaction in favour of another; nothing was saved."""


class FileLocked(Busy):
    """Raised if another program has locked the ledger file for too long; ``why`` is for the log."""

    why = "another program holds the file of the ledger (database is locked)"
    sentence = later(
        "Another program holds the ledger just now. Nothing was saved; try again in a moment, and tell "
        "whoever runs this service."
    )


class Migrating(Busy):
    """Raised while a server of a newer version migrates the database; nothing was saved."""

    seconds = 5
    sentence = later("The ledger is being upgraded. Nothing was saved; try again in a moment.")


class Unreachable(Problem):
    """Raised if the database fails: full, gone, read-only or damaged.

    The message states whether the request was saved; ``why`` is for the log.
    """

    status = 503
    code = "unreachable"
    title = say("The ledger can't be reached")
    seconds = 1
    sentence = later(
        "The ledger can't be reached now. Nothing was saved; try again in a moment, and tell whoever "
        "runs this service."
    )
    not_known = say(
        "The ledger failed while it was saving. Whether it was saved is not known; sending the same "
        "form again is safe: nothing is written twice."
    )

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(message)
        self.why = why


class ConnectionLost(Unreachable):
    """Raised if a connection to the database broke; a new one may work."""


class OtherRevision(Unreachable):
    """Raised if another version has migrated the database, which this one can't write."""

    code = "other-version"
    title = say("This server must be restarted")
    seconds = 10
    sentence = later(
        "The ledger was upgraded, and this server still runs another version. Nothing was saved; whoever "
        "runs this service must restart it with the newest version."
    )
