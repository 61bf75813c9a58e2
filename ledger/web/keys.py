"""A club's keys: passcode, viewer link, bearer tokens."""

from flask import request, url_for
from flask.typing import ResponseReturnValue

from ledger.access import Role
from ledger.security import devices, handover
from ledger.services.club import clubs, tokens
from ledger.web.context import CLUB, ID, NOTHING_WRONG, Errors, Here, saves, shows


@shows(f"{CLUB}/keys", writing=True)
def keys(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Show tokens and passcode; the token just made, this once."""
    address = url_for("web.keys")
    page = here.page(
        "keys.html",
        errors,
        tokens=tokens.every(here.session, here.access),
        secret=None if errors else handover.taken(address),
        form=request.form,
    )
    page.cache_control.no_store = True  # shows a secret
    return page if errors else handover.drop(page, address)


@saves(f"{CLUB}/keys/tokens", keys)
def make_token(here: Here) -> ResponseReturnValue:
    """Make a bearer token; the page that it leads to shows it once, and reloading makes no other."""
    role = Role.VIEWER if request.form.get("role") == Role.VIEWER else Role.SCORER
    label = request.form.get("label", "")
    secret, _ = tokens.issue(here.db, here.access, label=label, role=role)
    return handover.give(here.to("keys"), secret, url_for("web.keys"))


@saves(f"{CLUB}/keys/tokens/<{ID}:token_id>/revoke", keys)
def revoke_token(here: Here, token_id: int) -> ResponseReturnValue:
    """Revoke a token."""
    tokens.revoke(here.db, here.access, token_id)
    return here.to("keys", done="revoked")


@saves(f"{CLUB}/keys/passcode", keys)
def change_passcode(here: Here) -> ResponseReturnValue:
    """Set a new passcode. This device stays in; every other one has to enter it."""
    passcode = request.form.get("passcode", "")
    club = clubs.change_passcode(here.db, here.access, passcode=passcode)
    devices.remember(here.access, club)
    return here.to("keys", done="passcode")


@saves(f"{CLUB}/share/renew", keys)
def renew_link(here: Here) -> ResponseReturnValue:
    """Make a new viewer link; who has only the old one is out."""
    clubs.renew_viewer_link(here.db, here.access)
    return here.to("share", done="link")
