"""The club, the keys to it, and its players."""

from dataclasses import asdict
from typing import Any

from flask import url_for

from ledger.access import Access, Role
from ledger.api.access import Read, database, keeper, with_tag
from ledger.api.blueprint import Blueprint
from ledger.api.schemas import clubs as shapes
from ledger.http import public
from ledger.services.club import clubs, players, tokens
from ledger.services.club.clubs import ClubView
from ledger.services.common.writing import Write

blueprint = Blueprint(
    "clubs", __name__, "The people who play together, and the keys to their ledger."
)
Json = dict[str, Any]


@blueprint.serves("POST", "/clubs", shapes.NewClubSchema, 201, refuses=(409,), limited=True)
@blueprint.takes(
    shapes.ClubDraft,
    examples={"a club": {"name": "Friday", "passcode": "four aces", "author": "Ann"}},
)
def found_club(sent: Json) -> Json:
    """Found a club and get its first token.

    The only write that needs no token. The token's secret is shown in this answer and never again;
    the passcode opens the club in a browser.
    """
    access, club = clubs.found(database(), **sent)
    secret, token = tokens.issue(database(), access, label=access.author, role=Role.SCORER)
    return {"club": _club(access, club), "token": {**asdict(token), "secret": secret}}


@blueprint.reads("/club", shapes.ClubSchema, tag=None)
def show_club(read: Read) -> tuple[Json, dict[str, str]]:
    """Show the token's club."""
    shown = _club(read.access, clubs.show(read.session))
    return shown, {"Cache-Control": "no-store"}  # holds a secret, the viewer link


@blueprint.serves("PATCH", "/club/passcode", shapes.ClubSchema, let_in=keeper, refuses=(403,))
@blueprint.takes(shapes.PasscodeDraft)
def change_passcode(access: Access, sent: Json) -> Json:
    """Set a new passcode.

    Signs every scorer's device out; tokens and the viewer link stay.
    """
    return _club(access, clubs.change_passcode(database(), access, **sent))


@blueprint.serves(
    "POST", "/club/viewer-link", shapes.ClubSchema, 201, let_in=keeper, refuses=(403,)
)
def renew_viewer_link(access: Access) -> Json:
    """Make a new viewer link; the old one opens nothing from now on."""
    return _club(access, clubs.renew_viewer_link(database(), access))


@blueprint.reads("/tokens", shapes.TokenSchema(many=True), refuses=(403,))
def list_tokens(read: Read) -> list[tokens.TokenView]:
    """List the club's tokens, newest first, without their secrets. For scorers only."""
    return tokens.every(read.session, read.access)


@blueprint.serves("POST", "/tokens", shapes.NewTokenSchema, 201, let_in=keeper, refuses=(403,))
@blueprint.takes(
    shapes.TokenDraft, examples={"a viewer": {"label": "Scoreboard", "role": "viewer"}}
)
def issue_token(access: Access, sent: Json) -> Json:
    """Make a token. Its secret is shown in this answer and never again."""
    role = Role(sent["role"])
    secret, token = tokens.issue(database(), access, label=sent["label"], role=role)
    return {**asdict(token), "secret": secret}


@blueprint.serves(
    "DELETE", "/tokens/<id:token_id>", shapes.TokenSchema, let_in=keeper, refuses=(403,)
)
def revoke_token(access: Access, token_id: int) -> tokens.TokenView:
    """Revoke a token; it opens nothing from now on. Revoking it twice does no harm."""
    return tokens.revoke(database(), access, token_id)


@blueprint.reads("/players", shapes.PlayerSchema(many=True))
def list_players(read: Read) -> list[players.PlayerView]:
    """List the club's players, by name."""
    return players.everyone(read.session)


@blueprint.writes("/players", shapes.PlayerSchema, 201)
@blueprint.takes(shapes.PlayerDraft, examples={"a player": {"name": "Łukasz"}})
def add_player(write: Write, sent: Json) -> Any:
    """Add a player. Starting a session adds its new names automatically."""
    return players.add(write, **sent)


@blueprint.reads("/players/<id:player_id>", shapes.PlayerSchema, tag="STATE")
def show_player(read: Read, player_id: int) -> Any:
    """Show a player."""
    return with_tag(players.show(read.session, player_id))


@blueprint.writes(
    "/players/<id:player_id>", shapes.PlayerSchema, method="PATCH", matches=True, tag="STATE"
)
@blueprint.takes(shapes.PlayerDraft, examples={"another name": {"name": "Łukasz"}})
def rename_player(write: Write, sent: Json, player_id: int) -> Any:
    """Give a player another name from now on; records already written keep the old one."""
    return with_tag(players.PlayerView(**players.rename(write, player_id, **sent)))


def _club(access: Access, club: ClubView) -> Json:
    link = public(url_for("web.read_along", viewer_key=club.viewer_key))
    return {
        "id": club.id,
        "name": club.name,
        "role": access.role.value,
        "viewer_link": link if access.may_write else None,
    }
