"""A club's keys: passcode, viewer link, bearer tokens."""

from flask import Response, request, url_for
from flask.typing import ResponseReturnValue

from ledger.access import Role
from ledger.problems import Problem
from ledger.security import devices, handover
from ledger.services.club import clubs, tokens
from ledger.web.context import CLUB, ID, Errors, Here, errors_of, go, in_club, pages


@pages.get(f"{CLUB}/keys")
@in_club(writing=True)
def keys(here: Here) -> ResponseReturnValue:
    """Show tokens and passcode; the token just made, this once."""
    address = _address(here)
    return handover.drop(_page(here, secret=handover.taken(address)), address)


@pages.post(f"{CLUB}/keys/tokens")
@in_club(writing=True)
def make_token(here: Here) -> ResponseReturnValue:
    """Make a bearer token; the page that it leads to shows it once, and reloading makes no other."""
    role = Role.VIEWER if request.form.get("role") == Role.VIEWER else Role.SCORER
    try:
        secret, _ = tokens.issue(
            here.db, here.access, label=request.form.get("label", ""), role=role
        )
    except Problem as problem:
        return _page(here, errors=errors_of(problem), status=problem.status)
    return handover.give(go(_address(here)), secret, _address(here))


@pages.post(f"{CLUB}/keys/tokens/<{ID}:token_id>/revoke")
@in_club(writing=True)
def revoke_token(here: Here, token_id: int) -> ResponseReturnValue:
    """Revoke a token."""
    tokens.revoke(here.db, here.access, token_id)
    return go(url_for("web.keys", club_id=here.club.id, done="revoked"))


@pages.post(f"{CLUB}/keys/passcode")
@in_club(writing=True)
def change_passcode(here: Here) -> ResponseReturnValue:
    """Set a new passcode. This device stays in; every other one has to enter it."""
    try:
        club = clubs.change_passcode(
            here.db, here.access, passcode=request.form.get("passcode", "")
        )
    except Problem as problem:
        return _page(here, errors=errors_of(problem), status=problem.status)
    devices.remember(here.access, club)
    return go(url_for("web.keys", club_id=here.club.id, done="passcode"))


@pages.post(f"{CLUB}/share/renew")
@in_club(writing=True)
def renew_link(here: Here) -> ResponseReturnValue:
    """Make a new viewer link; who has only the old one is out."""
    clubs.renew_viewer_link(here.db, here.access)
    return go(url_for("web.share", club_id=here.club.id, done="link"))


def _address(here: Here) -> str:
    return url_for("web.keys", club_id=here.club.id)


def _page(
    here: Here, *, secret: str | None = None, errors: Errors | None = None, status: int = 200
) -> Response:
    return here.page(
        "keys.html",
        status,
        tokens=tokens.every(here.session, here.access),
        secret=secret,
        form=request.form,
        errors=errors or {},
    )
