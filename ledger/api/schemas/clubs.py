"""Clubs, their tokens and their players, as sent and answered."""

from marshmallow.validate import OneOf

from ledger.access import Role
from ledger.api.schemas.base import Answer, Moment, Part, Shape, Text, Whole, says

_ROLES = tuple(role.value for role in Role)


def _role() -> Text:
    message = "A token is for a scorer or a viewer: write scorer or viewer."
    return Text(
        required=True,
        validate=OneOf(_ROLES, error=message),
        metadata=says("A `scorer` reads and writes, a `viewer` only reads."),
    )


class ClubDraft(Shape):
    """What founds a club."""

    name = Text(required=True, metadata=says("Any Unicode name of up to 64 characters."))
    passcode = Text(
        required=True, metadata=says("4 to 128 characters; opens the club on a scorer's device.")
    )
    author = Text(
        load_default="", metadata=says("The name that the first token's changes are kept under.")
    )


class PasscodeDraft(Shape):
    """A new passcode."""

    passcode = Text(required=True, metadata=says("4 to 128 characters."))


class ClubSchema(Answer):
    """A club as its token sees it."""

    id = Whole()
    name = Text()
    role = Text(metadata=says("What this token may do: `scorer` or `viewer`."))
    viewer_link = Text(
        allow_none=True,
        metadata=says("Anyone with it can follow in a browser; null for viewers.", format="uri"),
    )


class TokenDraft(Shape):
    """What makes a token."""

    label = Text(required=True, metadata=says("Whose it is; its changes are kept under this name."))
    role = _role()


class TokenSchema(Answer):
    """A token in the list; its secret is not kept."""

    id = Whole()
    label = Text()
    role = _role()
    created_at = Moment()
    revoked_at = Moment(allow_none=True, metadata=says("When it was revoked, if it was."))


class NewTokenSchema(TokenSchema):
    """A token just made."""

    secret = Text(metadata=says("For the header `Authorization: Bearer …`. Shown only once."))


class NewClubSchema(Answer):
    """A club just founded, and its first scorer's token."""

    club = Part(ClubSchema)
    token = Part(NewTokenSchema)


class PlayerDraft(Shape):
    """A player's name."""

    name = Text(
        required=True,
        metadata=says("Any Unicode name of up to 64 characters, unique in the club."),
    )


class PlayerSchema(Answer):
    """A player of the club."""

    id = Whole()
    name = Text()
