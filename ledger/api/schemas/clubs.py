"""Clubs, their tokens and their players, as sent and answered."""

from engine.words.sentences import say
from ledger.api.schemas.base import Answer, Flag, OneOf, Part, Shape, Text, Whole, answer
from ledger.database.access import Role
from ledger.services.club.devices import DeviceView
from ledger.services.club.events import EventView
from ledger.services.club.links import LASTS, LinkView
from ledger.services.club.players import PlayerView
from ledger.services.club.tokens import MOST_DAYS, TokenView


class ClubDraft(Shape):
    """What founds a club."""

    name = Text("Any Unicode name of up to 64 characters.", required=True)
    passcode = Text("6 to 128 characters; opens the club on a scorer's device.", required=True)
    author = Text("The name that the first token's changes are kept under.", load_default="")


class PasscodeDraft(Shape):
    """A new passcode."""

    passcode = Text("6 to 128 characters.", required=True)


class ClubSchema(Answer):
    """A club as its token sees it."""

    id = Whole()
    name = Text()
    role = Text("What this token may do.", enum=list(Role))
    viewer_link = Text(
        "Anyone with it can follow in a browser; null for viewers, and where none can be shown.",
        allow_none=True,
        metadata={"format": "uri"},
    )


def _role(told: str) -> Text:
    wrong = say("A role is owner, scorer or viewer.")
    return Text(told, required=True, validate=OneOf(tuple(Role), error=wrong))


class RoleDraft(Shape):
    """A role."""

    role = _role("What the device may do from now on.")


class TokenDraft(Shape):
    """What makes a token."""

    label = Text("Whose it is; its changes are kept under this name.", required=True)
    role = _role(
        "A `viewer` only reads, a `scorer` writes too, an `owner` does what is an owner's."
    )
    days = Whole(
        f"For how many days it opens the club, 1 to {MOST_DAYS}; without it, until it is revoked.",
        load_default=None,
        allow_none=True,
    )


class LinkDraft(Shape):
    """What makes a link."""

    role = _role("What whoever opens it may do.")
    lasts = Text(
        "For how long it opens the club: an owner's for an `evening` (12 hours) at most, a scorer's for a "
        "`month`.",
        required=True,
        validate=OneOf(
            tuple(LASTS), error=say("Write one of {choices:and}.", choices=tuple(LASTS))
        ),
    )


DeviceSchema = answer("Device", DeviceView)
EventSchema = answer("Event", EventView, without=("sentence",))
LinkSchema = answer(
    "Link",
    LinkView,
    without=("nonce",),
    address=Text(
        "What to open; null for one that has ended, and for one of an earlier version, which is not kept.",
        allow_none=True,
        metadata={"format": "uri"},
    ),
)
TokenSchema = answer("Token", TokenView)
NewTokenSchema = answer(
    "NewToken", TokenView, secret=Text("For the header `Authorization: Bearer …`. Shown only once.")
)


class NewClubSchema(Answer):
    """A club just founded, and its owner's token."""

    club = Part(ClubSchema)
    token = Part(NewTokenSchema)


class PlayerDraft(Shape):
    """A player's name."""

    name = Text("Any Unicode name of up to 64 characters, unique in the club.", required=True)


class ArchivedDraft(Shape):
    """Whether a player no longer comes."""

    archived = Flag("An archived player is offered no seat.", required=True)


PlayerSchema = answer("Player", PlayerView)
