"""Clubs, their tokens and their players, as sent and answered."""

from marshmallow.validate import OneOf

from ledger.access import Role
from ledger.api.schemas.base import Answer, Moment, Part, Shape, Text, Whole

_ROLES = tuple(role.value for role in Role)


def _role() -> Text:
    message = "A token is for a scorer or a viewer: write scorer or viewer."
    return Text(
        "A `scorer` reads and writes, a `viewer` only reads.",
        required=True,
        validate=OneOf(_ROLES, error=message),
    )


class ClubDraft(Shape):
    """What founds a club."""

    name = Text("Any Unicode name of up to 64 characters.", required=True)
    passcode = Text("4 to 128 characters; opens the club on a scorer's device.", required=True)
    author = Text("The name that the first token's changes are kept under.", load_default="")


class PasscodeDraft(Shape):
    """A new passcode."""

    passcode = Text("4 to 128 characters.", required=True)


class ClubSchema(Answer):
    """A club as its token sees it."""

    id = Whole()
    name = Text()
    role = Text("What this token may do: `scorer` or `viewer`.")
    viewer_link = Text(
        "Anyone with it can follow in a browser; null for viewers.",
        allow_none=True,
        metadata={"format": "uri"},
    )


class TokenDraft(Shape):
    """What makes a token."""

    label = Text("Whose it is; its changes are kept under this name.", required=True)
    role = _role()


class TokenSchema(Answer):
    """A token in the list; its secret is not kept."""

    id = Whole()
    label = Text()
    role = _role()
    created_at = Moment()
    revoked_at = Moment("When it was revoked, if it was.", allow_none=True)


class NewTokenSchema(TokenSchema):
    """A token just made."""

    secret = Text("For the header `Authorization: Bearer …`. Shown only once.")


class NewClubSchema(Answer):
    """A club just founded, and its first scorer's token."""

    club = Part(ClubSchema)
    token = Part(NewTokenSchema)


class PlayerDraft(Shape):
    """A player's name."""

    name = Text("Any Unicode name of up to 64 characters, unique in the club.", required=True)


class PlayerSchema(Answer):
    """A player of the club."""

    id = Whole()
    name = Text()
