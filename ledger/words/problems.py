"""Named failures. Each carries its own sentence, its HTTP status and, where there is one, its field.

Services raise them; one handler a surface (JSON, pages, terminal) turns them into an answer. Messages
are for people at the table: what is wrong, and what would have been right.
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
    """Put a number before its noun.

    >>> counted(1, "hand"), counted(0, "chip"), counted(1200, "chip")
    ('1 hand', '0 chips', '1,200 chips')
    """
    return f"{number:,} {noun}{'' if abs(number) == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with what was sent: at ``field`` (a dotted path), by a stable ``code``.

    ``where`` says more of the place; where nothing more is known, the field again.
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
    """A request that cannot be done, and why."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "bad-request"
    title: ClassVar[str] = say("That could not be read")
    sentence: ClassVar[str] = ""
    """What it says where it always says the same, in braces what is told it when it is raised."""
    field: ClassVar[str] = ""
    """The field that it is about, where it is always about one."""
    seconds: int | None = None
    """After how long it may be tried again, where it passes by itself."""

    def __init__(self, message: str = "", faults: Iterable[Fault] = (), **told: object) -> None:
        self.message = message or say(self.sentence, **told)
        super().__init__(self.message)
        if self.field:
            faults = [Fault(self.field, self.code, self.message)]
        self.faults = tuple(faults)

    @property
    def at_the_table(self) -> str:
        """The sentence as a page says it, where a program's words would not do."""
        return self.message


class Invalid(Problem):
    """Something sent is not valid; ``faults`` has one entry per field."""

    status = 422
    code = "invalid"
    title = say("Please check what is marked")

    @classmethod
    def at(cls, field: str, code: str, message: str, legal: tuple[str, ...] = ()) -> "Invalid":
        """Make the problem of one field."""
        return cls(message, [Fault(field, code, message, legal=legal)])

    @classmethod
    def from_refused(cls, refused: Refused) -> "Invalid":
        """Take over the engine's violations, one fault each, the path in the record as the field."""
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
    """No such thing exists in this club."""

    status = 404
    code = "not-found"
    title = say("Not found")


class NoSuchSession(NotFound):
    """The club has no session of that number."""

    sentence = later("There is no such session in this club.")


class NoSuchHand(NotFound):
    """A session has no hand of that number."""

    def __init__(self, number: int, title: str, dealt: int) -> None:
        none = later("There is no hand {number} in “{title}”; no hand has been recorded there yet.")
        some = later("There is no hand {number} in “{title}”; it has {dealt:hand|hands}.")
        super().__init__(say(some if dealt else none, number=number, title=title, dealt=dealt))


class NotSignedIn(Problem):
    """Nobody has shown a passcode, a link or a token yet."""

    status = 401
    code = "not-signed-in"
    title = say("Whose club is this?")


class WrongPasscode(Problem):
    """No club of that name opens with that passcode."""

    status = 403
    code = "wrong-passcode"
    title = say("That does not open the club")
    field = "passcode"
    sentence = later(
        "No club with this name opens with this passcode; "
        "check both (the passcode is case-sensitive)."
    )


class NotThePasscode(WrongPasscode):
    """An owner's act needs the club's passcode again, and this is not it."""

    field = "Club-Passcode"
    title = say("That is not the passcode")
    sentence = later("That is not the club's passcode; it is case-sensitive. Nothing was changed.")


def _in_words(seconds: int) -> str:
    if seconds < 120:
        return say("{n} seconds", n=seconds)
    return say("{n} minutes", n=ceil(seconds / 60))


class TooManyTries(Problem):
    """Too many passcodes were wrong; this one was not looked at. It may be tried again after ``seconds``.

    ``limit`` is how many may be wrong until somebody has to wait.
    """

    status = 429
    code = "too-many"
    title = say("Slower, please")
    seconds: int

    def __init__(self, seconds: int, limit: int) -> None:
        self.seconds = seconds
        self.limit = limit
        super().__init__(
            say(
                "Too many wrong passcodes came from here; try again in {wait}. Devices that are in the "
                "club stay in, and its link lets others in meanwhile.",
                wait=_in_words(seconds),
            )
        )


class TooOften(Problem):
    """A network has founded as many clubs as it may in an hour; it may found another after ``seconds``."""

    status = 429
    code = "too-many"
    title = say("Slower, please")
    seconds: int

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(
            say(
                "Your network has founded as many clubs as it may in an hour; try again in {wait}.",
                wait=_in_words(seconds),
            )
        )


class ReadOnly(Problem):
    """A viewer tried to write."""

    status = 403
    code = "read-only"
    title = say("Viewers can't write")
    sentence = later(
        "This link is for following only; enter the club's passcode on this device to score."
    )


class OwnersOnly(Problem):
    """A scorer tried what only an owner does."""

    status = 403
    code = "owners-only"
    title = say("An owner does that")
    sentence = later(
        "Only an owner's device or token does that: passcode, devices, links, tokens, log."
    )


class SignUpClosed(Problem):
    """Whoever runs the service lets nobody found a club."""

    status = 403
    code = "sign-up-closed"
    title = say("No new clubs here")
    sentence = later("New clubs can't be started here; ask whoever runs this service.")


class Conflict(Problem):
    """The ledger is not in a state that allows it."""

    status = 409
    code = "conflict"
    title = say("That can't be done now")


class Unchanged(Conflict):
    """Raised for a change that would leave everything as it is; nothing was written."""

    code = "unchanged"
    sentence = later("Nothing would change, so nothing was saved.")


class SessionClosed(Conflict):
    """The session is closed; its hands stay as they are."""

    code = "session-closed"
    sentence = later("“{title}” is closed; reopen it to make changes.")


class SessionPaused(Conflict):
    """The session is paused; no hand is recorded until it is resumed."""

    code = "session-paused"
    sentence = later("“{title}” is paused; resume it to record hands.")


class AlreadyVoid(Conflict):
    """A void hand can be neither voided again nor corrected."""

    code = "already-void"
    sentence = later(
        "Hand {number} is already void and counts in no balance; to correct it, restore it first."
    )


class KeyReused(Conflict):
    """An idempotency key came back with something else to write; ``answer`` is what it first wrote."""

    code = "key-reused"
    title = say("That key was already used")

    def __init__(self, answer: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__(
            say("This idempotency key was used for something else; make a new key for each write.")
        )
        self.answer = answer

    @property
    def at_the_table(self) -> str:
        """What was saved by the form whose key it was, and what can be done now."""
        counts = ", ".join(self.answer.get("differences", ()))
        what = say("The first version")
        if self.answer.get("hand"):
            what = say("Hand {number}", number=self.answer["hand"])
        elif counts:
            what = say("The count of {names}", names=counts)
        return say(
            "This form was saved before, and changed since. {what} is already saved; the "
            "changes since are not. To save them too, save once more; to change what was saved "
            "before, undo it or correct it in the history.",
            what=what,
        )


class Stale(Conflict):
    """Somebody else wrote meanwhile, in these ``hands`` among others; nothing of this request was saved.

    ``what`` they did is told in a line.
    """

    status = 412
    code = "stale"
    title = say("Somebody else got there first")

    def __init__(self, message: str, hands: Iterable[int] = (), what: str = "") -> None:
        super().__init__(message)
        self.hands = frozenset(hands)
        self.what = what or say("somebody else changed this")


class RevisionMissing(Conflict):
    """Something saved was to be changed without the revision that was seen; nothing was saved."""

    status = 428
    code = "revision-missing"
    title = say("Based on which revision?")
    sentence = later(
        "Send the header If-Match with the ETag of the session as you last saw it, so that "
        "nothing you have not seen is overwritten; * accepts any revision."
    )

    @property
    def at_the_table(self) -> str:
        """What to do on a page whose form did not say what it was made on."""
        return say(
            "This page did not say which state of the session it shows. Nothing was saved; look "
            "again, then save."
        )


class Busy(Problem):
    """The database did not let us in in time; nothing was saved and trying again is safe."""

    status = 503
    code = "busy"
    title = say("The ledger is busy")
    seconds = 1
    sentence = later(
        "Many people are saving at once and this one did not get through. Nothing was saved; try again."
    )


class FileLocked(Busy):
    """Another program has held the file of the ledger for longer than one waits; ``why`` is for the log."""

    why = "another program holds the file of the ledger (database is locked)"
    sentence = later(
        "Another program holds the ledger just now. Nothing was saved; try again in a moment, and tell "
        "whoever runs this service."
    )


class Migrating(Busy):
    """The database is being migrated, by a server of a newer version; nothing was saved."""

    seconds = 5
    sentence = later("The ledger is being upgraded. Nothing was saved; try again in a moment.")


class Unreachable(Problem):
    """The database failed: full, gone, read-only, damaged. It says truly what became of what was sent.

    ``why`` is for the log: who sent it can do nothing about it.
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


class OtherRevision(Unreachable):
    """Another version of this program has migrated the database, and this one can't write it."""

    code = "other-version"
    title = say("This server must be restarted")
    seconds = 10
    sentence = later(
        "The ledger was upgraded, and this server still runs another version. Nothing was saved; whoever "
        "runs this service must restart it with the newest version."
    )
