"""Schemas of clubs, devices, links, tokens and players."""

from engine.words.sentences import say
from ledger.api.schemas.base import (
    Flag,
    Moment,
    OneOf,
    Part,
    ResponseShape,
    Rows,
    Shape,
    Text,
    WholeNumber,
    shape_of,
)
from ledger.database.access import Role
from ledger.keeping.backup import Backup
from ledger.services.club.devices import DeviceView
from ledger.services.club.events import EventView
from ledger.services.club.links import LASTS, LinkView
from ledger.services.club.players import PlayerView
from ledger.services.club.tokens import MOST_DAYS, TokenView
from ledger.services.common.pictures import MOST_BYTES, SIDE


class ClubDraft(Shape):
    """The name and passcode of a new club."""

    name = Text("Any Unicode name of up to 64 characters.", required=True)
    passcode = Text("6 to 128 characters; opens the club on a scorer's device.", required=True)
    author = Text(
        "The name under which changes made with the first token are recorded.", load_default=""
    )


class PasscodeDraft(Shape):
    """A new passcode."""

    passcode = Text("6 to 128 characters.", required=True)


class ClubSchema(ResponseShape):
    """A club, and the role of the token that asked."""

    id = WholeNumber()
    name = Text()
    role = Text("What this token may do.", enum=list(Role))
    viewer_link = Text(
        "Anyone with it can follow in a browser; null for viewers, and if there is none to show.",
        allow_none=True,
        metadata={"format": "uri"},
    )


def _role(description: str) -> Text:
    wrong = say("A role is owner, scorer or viewer.")
    return Text(description, required=True, validate=OneOf(tuple(Role), error=wrong))


class RoleDraft(Shape):
    """A role."""

    role = _role("What the device may do from now on.")


class TokenDraft(Shape):
    """The settings of a new token."""

    label = Text("Its name; changes made with it are recorded under this name.", required=True)
    role = _role(
        "A `viewer` only reads, a `scorer` writes too, an `owner` does what is an owner's."
    )
    days = WholeNumber(
        f"The days until it expires, 1 to {MOST_DAYS}; if left out, it works until it is revoked.",
        load_default=None,
        allow_none=True,
    )


class LinkDraft(Shape):
    """The settings of a new link."""

    role = _role("What whoever opens it may do.")
    lasts = Text(
        "For how long it opens the club: an owner's for an `evening` (12 hours) at most, a scorer's for a "
        "`month`.",
        required=True,
        validate=OneOf(
            tuple(LASTS), error=say("Write one of {choices:and}.", choices=tuple(LASTS))
        ),
    )


DeviceSchema = shape_of("Device", DeviceView)
EventSchema = shape_of("Event", EventView, without=("sentence",))
LinkSchema = shape_of(
    "Link",
    LinkView,
    without=("nonce",),
    address=Text(
        "Its URL; null if the link has ended or was made by an earlier version, which did not store it.",
        allow_none=True,
        metadata={"format": "uri"},
    ),
)
TokenSchema = shape_of("Token", TokenView)
NewTokenSchema = shape_of(
    "NewToken", TokenView, secret=Text("For the header `Authorization: Bearer …`. Shown only once.")
)


class NewClubSchema(ResponseShape):
    """A new club and its owner's token."""

    club = Part(ClubSchema)
    token = Part(NewTokenSchema)


class PlayerDraft(Shape):
    """A player's name."""

    name = Text("Any Unicode name of up to 64 characters, unique in the club.", required=True)


class MarkDraft(Shape):
    """A player's colour, with its mark, and emoji; what is left out stays."""

    colour = WholeNumber("The number of a colour, from 0 to 11.")
    emoji = Text("One emoji; empty for none.")


class PictureDraft(Shape):
    """A player's picture."""

    picture = Text(
        f"A JPEG of {SIDE} × {SIDE} pixels and at most {MOST_BYTES:,} bytes without metadata, in base64.",
        required=True,
    )


class ArchivedDraft(Shape):
    """Whether a player is archived."""

    archived = Flag("An archived player is offered no seat.", required=True)


PlayerSchema = shape_of("Player", PlayerView)


class SafekeepingSchema(ResponseShape):
    """The backups of the ledger, and the head of the club's journal."""

    backups = Rows(Part(shape_of("Backup", Backup, without={"file", "digest"})), "Newest first.")
    daily = Text(
        "The time of the daily backup by the server's clock, as `HH:MM`; null if none is made.",
        allow_none=True,
    )
    missed = Moment("When the last daily backup was due, if it was not made.", allow_none=True)
    head = Text(
        "The digest of the club's newest entry, which seals all entries before it; null before the first. "
        "Keep it elsewhere: `solo-ledger verify --expect` checks that the ledger still has it.",
        allow_none=True,
    )
