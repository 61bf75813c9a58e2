"""Clubs, their tokens and their players, as sent and answered."""

from marshmallow.validate import OneOf

from ledger.access import Role
from ledger.api.schemas.base import Answer, Part, Shape, Text, Whole, answer
from ledger.services.club.players import PlayerView
from ledger.services.club.tokens import TokenView


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
    role = Text("What this token may do: `scorer` or `viewer`.")
    viewer_link = Text(
        "Anyone with it can follow in a browser; null for viewers.",
        allow_none=True,
        metadata={"format": "uri"},
    )


class TokenDraft(Shape):
    """What makes a token."""

    label = Text("Whose it is; its changes are kept under this name.", required=True)
    role = Text(
        "A `scorer` reads and writes, a `viewer` only reads.",
        required=True,
        validate=OneOf(
            tuple(Role), error="A token is for a scorer or a viewer: write scorer or viewer."
        ),
    )


TokenSchema = answer("Token", TokenView)
NewTokenSchema = answer(
    "NewToken", TokenView, secret=Text("For the header `Authorization: Bearer …`. Shown only once.")
)


class NewClubSchema(Answer):
    """A club just founded, and its first scorer's token."""

    club = Part(ClubSchema)
    token = Part(NewTokenSchema)


class PlayerDraft(Shape):
    """A player's name."""

    name = Text("Any Unicode name of up to 64 characters, unique in the club.", required=True)


PlayerSchema = answer("Player", PlayerView)
