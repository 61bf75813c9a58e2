"""The club, its devices, links and tokens, and its players."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import wraps
from operator import attrgetter
from typing import Any

from flask import Response, after_this_request, current_app, request, url_for

from ledger.api.access import Read, database, keeper, reader, with_tag
from ledger.api.blueprint import Blueprint, Json, Page
from ledger.api.schemas import clubs as shapes
from ledger.books import journal
from ledger.database.access import Access, Role
from ledger.http.failures import must_be_open, public, rate
from ledger.keeping import nightly
from ledger.services.club import clubs, devices, events, links, players, tokens
from ledger.services.club.clubs import ClubView
from ledger.services.club.founding_limit import FoundingLimit
from ledger.services.club.links import LinkView
from ledger.services.club.passcodes import origin_of
from ledger.services.common.writing import Write
from ledger.words.problems import Problem

PICTURE = {"type": "string", "format": "binary"}
"""The schema of a response that is a picture."""

blueprint = Blueprint(
    "clubs", __name__, "The people who play together, and the keys to their ledger."
)


def limited(view: Callable[..., Json]) -> Callable[..., Json]:
    """Add headers to a view's responses: the number of clubs that the caller's network may still found.

    If the ledger can't be read, they are left out.
    """

    @wraps(view)
    def founding(*settings: Any, **place: Any) -> Json:
        after_this_request(_name_allowance)
        return view(*settings, **place)

    return founding


def _name_allowance(response: Response) -> Response:
    with suppress(Problem), database().read() as session:
        current = _limit().allowance(session)
        response.headers.update(rate(current.most, current.left, current.until.timestamp()))
    return response


def _limit() -> FoundingLimit:
    most = current_app.extensions["ledger.settings"].clubs_per_hour
    return FoundingLimit(most, origin_of(request.remote_addr).network)


@blueprint.serves("POST", "/clubs", shapes.NewClubSchema, 201, refuses=(403, 409), limited=True)
@limited
@blueprint.accepts(
    shapes.ClubDraft,
    examples={"a club": {"name": "Friday", "passcode": "four aces", "author": "Ann"}},
)
def found_club(body: Json) -> Json:
    """Found a club and get its first token.

    The only write that needs no token. The new token is an owner's; its secret is shown in this response and
    never again. The passcode opens the club in a browser. 403 if sign-up is closed on this server.
    """
    must_be_open()
    with clubs.creating(database(), **body, limit=_limit()) as (session, access, club):
        key, _ = links.add(session, access, _secret(), Role.VIEWER, "year")
        secret, token = tokens.add(session, access, label=access.author, role=Role.OWNER)
    return {"club": _club(access, club, key), "token": {**asdict(token), "secret": secret}}


@blueprint.reads("/club", shapes.ClubSchema, let_in=reader, tag=None)
def show_club(read: Read) -> tuple[Json, dict[str, str]]:
    """Show the token's club."""
    key = links.for_viewers(read.session, _secret()) if read.access.may_write else None
    view = _club(read.access, clubs.show(read.session), key)
    return view, {"Cache-Control": "no-store"}  # holds a secret, the viewer link


@blueprint.owns("PATCH", "/club/passcode", shapes.ClubSchema)
@blueprint.accepts(shapes.PasscodeDraft)
def change_passcode(access: Access, body: Json) -> Json:
    """Set a new passcode.

    Signs every scorer's device out; owners' devices, tokens and links stay.
    """
    club = clubs.change_passcode(database(), access, **body)
    with database().read(access) as session:
        return _club(access, club, links.for_viewers(session, _secret()))


@blueprint.serves(
    "POST", "/club/viewer-link", shapes.ClubSchema, 201, let_in=keeper, refuses=(403,)
)
def renew_viewer_link(access: Access) -> Json:
    """Make a new viewer link, and revoke older ones with the devices that used them."""
    key = links.renew(database(), access, _secret())
    with database().read(access) as session:
        return _club(access, clubs.show(session), key)


@blueprint.reads("/devices", shapes.DeviceSchema(many=True), let_in=reader, refuses=(403,))
def list_devices(read: Read) -> list[devices.DeviceView]:
    """List the devices with access to the club, last used first. For owners only."""
    return devices.list_all(read.session, read.access)


@blueprint.owns("PATCH", "/devices/<id:device_id>", shapes.DeviceSchema, refuses=(409,))
@blueprint.accepts(shapes.RoleDraft, examples={"an owner": {"role": "owner"}})
def change_device(access: Access, body: Json, device_id: int) -> devices.DeviceView:
    """Change a device's role. The club's last owner can't be changed."""
    return devices.change_role(database(), access, device_id, role=Role(body["role"]))


@blueprint.owns("DELETE", "/devices/<id:device_id>", shapes.DeviceSchema, refuses=(409,))
def revoke_device(access: Access, device_id: int) -> devices.DeviceView:
    """Revoke a device's access. The club's last owner can't be revoked."""
    return devices.revoke(database(), access, device_id)


@blueprint.reads("/links", shapes.LinkSchema(many=True), let_in=reader, tag=None, refuses=(403,))
def list_links(read: Read) -> tuple[list[Json], dict[str, str]]:
    """List the club's invitation links, newest first. For owners only."""
    view = [_link(link) for link in links.list_all(read.session, read.access)]
    return view, {"Cache-Control": "no-store"}  # holds secrets


@blueprint.owns("POST", "/links", shapes.LinkSchema, 201)
@blueprint.accepts(
    shapes.LinkDraft, examples={"for tonight's scorer": {"role": "scorer", "lasts": "evening"}}
)
def make_link(access: Access, body: Json) -> Json:
    """Make a link that gives each browser that opens it the link's role."""
    settings = {"role": Role(body["role"]), "lasts": body["lasts"]}
    _, link = links.make(database(), access, _secret(), **settings)
    return _link(link)


@blueprint.owns("DELETE", "/links/<id:link_id>", shapes.LinkSchema, refuses=(409,))
def revoke_link(access: Access, link_id: int) -> Json:
    """Revoke a link and every device that used it. The club's last owner can't be revoked.

    Revoking a link twice has no further effect.
    """
    return _link(links.revoke(database(), access, link_id))


@blueprint.reads("/log", shapes.EventSchema(many=True), let_in=reader, refuses=(403,))
def list_events(read: Read) -> list[events.EventView]:
    """List the newest 500 lines of the club's log. For owners only."""
    return events.list_all(read.session, read.access, limit=500)


@blueprint.reads("/tokens", shapes.TokenSchema(many=True), let_in=reader, refuses=(403,))
def list_tokens(read: Read) -> list[tokens.TokenView]:
    """List the club's tokens, newest first, without their secrets. For owners only."""
    return tokens.list_all(read.session, read.access)


@blueprint.owns("POST", "/tokens", shapes.NewTokenSchema, 201)
@blueprint.accepts(
    shapes.TokenDraft, examples={"a viewer": {"label": "Scoreboard", "role": "viewer", "days": 30}}
)
def issue_token(access: Access, body: Json) -> Json:
    """Make a token. Its secret is shown in this response and never again."""
    settings = {**body, "role": Role(body["role"])}
    secret, token = tokens.issue(database(), access, **settings)
    return {**asdict(token), "secret": secret}


@blueprint.owns("DELETE", "/tokens/<id:token_id>", shapes.TokenSchema, refuses=(409,))
def revoke_token(access: Access, token_id: int) -> tokens.TokenView:
    """Revoke a token. The club's last owner can't be revoked.

    An owner's token with an expiry date does not count as an owner. Revoking twice has no further effect.
    """
    return tokens.revoke(database(), access, token_id)


@blueprint.reads("/club/safekeeping", shapes.SafekeepingSchema, let_in=reader, refuses=(403,))
def show_safekeeping(read: Read) -> Json:
    """Show the backups of the ledger, and the head of the club's journal. For scorers and owners.

    A backup holds every club of the server, so it can be copied only by whoever runs it.
    """
    read.access.must_write()
    state = nightly.state_of(current_app.extensions["ledger.settings"])
    return {
        "backups": state.backups,
        "daily": state.daily and state.daily.strftime("%H:%M"),
        "missed": state.missed,
        "head": journal.head(read.session),
    }


@blueprint.reads("/players", shapes.PlayerSchema(many=True))
@blueprint.pages(size=1000, largest=1000)
def list_players(read: Read, page: Page) -> list[players.PlayerView]:
    """List the club's players, by name."""
    people, total = players.page_of(read.session, **page.span, **page.query)
    return page.of(people, total, attrgetter("id"))


@blueprint.writes("/players", shapes.PlayerSchema, 201)
@blueprint.accepts(shapes.PlayerDraft, examples={"a player": {"name": "Łukasz"}})
def add_player(write: Write, body: Json) -> Any:
    """Add a player. Starting a session adds its new names automatically."""
    return players.add(write, **body)


@blueprint.reads("/players/<id:player_id>", shapes.PlayerSchema, tag="STATE")
def show_player(read: Read, player_id: int) -> Any:
    """Show a player."""
    return with_tag(players.show(read.session, player_id))


@blueprint.writes(
    "/players/<id:player_id>", shapes.PlayerSchema, method="PATCH", matches=True, tag="STATE"
)
@blueprint.accepts(shapes.PlayerDraft, examples={"another name": {"name": "Łukasz"}})
def rename_player(write: Write, body: Json, player_id: int) -> Any:
    """Rename a player; earlier records keep the old name."""
    return with_tag(players.PlayerView.from_mapping(players.rename(write, player_id, **body)))


@blueprint.writes("/players/<id:player_id>/mark", shapes.PlayerSchema, method="PUT", tag="STATE")
@blueprint.accepts(shapes.MarkDraft, examples={"a fox": {"colour": 7, "emoji": "🦊"}})
def mark_player(write: Write, body: Json, player_id: int) -> Any:
    """Change a player's colour, with its mark, and emoji."""
    return with_tag(players.PlayerView.from_mapping(players.change_mark(write, player_id, **body)))


@blueprint.reads("/players/<id:player_id>/picture", PICTURE, tag=None, content_type="image/jpeg")
def show_picture(read: Read, player_id: int) -> Response:
    """Return a player's picture, a JPEG of 96 × 96 pixels; 404 without one."""
    return Response(players.picture_of(read.session, player_id)[0], mimetype="image/jpeg")


@blueprint.writes("/players/<id:player_id>/picture", shapes.PlayerSchema, method="PUT", tag="STATE")
@blueprint.accepts(shapes.PictureDraft)
def change_picture(write: Write, body: Json, player_id: int) -> Any:
    """Set a player's picture, which pages show in place of their emoji or initials."""
    return with_tag(players.PlayerView.from_mapping(players.change_mark(write, player_id, **body)))


@blueprint.writes(
    "/players/<id:player_id>/picture", shapes.PlayerSchema, method="DELETE", tag="STATE"
)
def delete_picture(write: Write, player_id: int) -> Any:
    """Delete a player's picture; the journal keeps only its digest."""
    return with_tag(
        players.PlayerView.from_mapping(players.change_mark(write, player_id, picture=""))
    )


@blueprint.writes(
    "/players/<id:player_id>/archived", shapes.PlayerSchema, method="PUT", tag="STATE"
)
@blueprint.accepts(shapes.ArchivedDraft, examples={"no longer comes": {"archived": True}})
def archive_player(write: Write, body: Json, player_id: int) -> Any:
    """Archive a player, or restore them; their history stays."""
    return with_tag(players.PlayerView.from_mapping(players.archive(write, player_id, **body)))


def _club(access: Access, club: ClubView, key: str | None) -> Json:
    return {
        "id": club.id,
        "name": club.name,
        "role": access.role.value,
        "viewer_link": _address(key) if access.may_write else None,
    }


def _link(link: LinkView) -> Json:
    key = links.key_of(link, _secret()) if link.is_live else None
    fields = asdict(link)
    del fields["nonce"]
    return {**fields, "address": _address(key)}


def _address(key: str | None) -> str | None:
    return key and public(url_for("web.read_along", viewer_key=key))


def _secret() -> str:
    """Return the server's secret key."""
    return str(current_app.secret_key)
