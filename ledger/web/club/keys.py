"""Pages of a club's passcode, tokens, ownership and log. Owners' writes require the passcode."""

from flask import request, url_for
from flask.typing import ResponseReturnValue

from ledger.database.access import Role
from ledger.services.club import clubs, devices, events, owners, tokens
from ledger.web.club import handover
from ledger.web.frame.context import CLUB, ID, Here, saves, shows
from ledger.web.frame.figures import number_of, page_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.words.problems import NotThePasscode

CONFIRMED = {NotThePasscode.field: "confirm", "passcode": "passcode"}
"""The inputs of forms that require the passcode, by field of the error."""
A_PAGE = 50
"""The lines of the log on one page."""


@shows(f"{CLUB}/keys", writing=True)
def keys(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the page of tokens and passcode; a new token's secret is shown once, and its cookie deleted.

    Only owners see tokens. A scorer sees whether this device can become the owner of a club without one.
    """
    address = url_for("web.keys")
    owns = here.access.may_own
    page = here.page(
        "keys.html",
        errors,
        tokens=tokens.list_all(here.session, here.access) if owns else (),
        free=not owns and not owners.exist(here.session),
        secret=handover.carried_secret(address) if owns and not errors else None,
        form=request.form,
    )
    page.cache_control.no_store = True  # shows a secret
    return page if errors else handover.delete(page, address)


@saves(f"{CLUB}/keys/own", keys, CONFIRMED)
def own_club(here: Here) -> ResponseReturnValue:
    """Make this scorer's device the owner of a club without one, if the form has the right passcode."""
    here.confirm()
    devices.own(here.db, here.access)
    return here.to("keys", done="owner")


@saves(f"{CLUB}/keys/tokens", keys, CONFIRMED | {"label": "label", "days": "days"}, owning=True)
def make_token(here: Here) -> ResponseReturnValue:
    """Make a token and redirect to the page that shows its secret once.

    If the form has no valid role, it is a scorer's; without a number of days it is valid until it is revoked.
    """
    form = request.form
    role = Role(form["role"]) if form.get("role") in tuple(Role) else Role.SCORER
    days = number_of(form.get("days"))
    secret, _ = tokens.issue(
        here.db, here.access, label=form.get("label", ""), role=role, days=days
    )
    return handover.carry(here.to("keys"), secret, url_for("web.keys"))


@shows(f"{CLUB}/keys/tokens/<{ID}:token_id>", owning=True)
def one_token(here: Here, token_id: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return a token's page, with the form to revoke it."""
    return here.page("token.html", errors, token=tokens.one(here.session, here.access, token_id))


@saves(f"{CLUB}/keys/tokens/<{ID}:token_id>/revoke", one_token, CONFIRMED, owning=True)
def revoke_token(here: Here, token_id: int) -> ResponseReturnValue:
    """Revoke a token; the last owner's is refused."""
    tokens.revoke(here.db, here.access, token_id)
    return here.to("keys", done="revoked")


@saves(f"{CLUB}/keys/passcode", keys, CONFIRMED, owning=True)
def change_passcode(here: Here) -> ResponseReturnValue:
    """Set a new passcode and sign out every scorer's device."""
    clubs.change_passcode(here.db, here.access, passcode=request.form.get("passcode", ""))
    return here.to("keys", done="passcode")


@shows(f"{CLUB}/log", owning=True)
def log(here: Here) -> ResponseReturnValue:
    """Return the club's log of access and refused passcodes, newest first."""
    page = page_of(request.args.get("page", "1"))
    limits = {"offset": (page - 1) * A_PAGE, "limit": A_PAGE + 1}
    lines = events.list_all(here.session, here.access, **limits)
    return here.page("log.html", events=lines[:A_PAGE], page=page, more=len(lines) > A_PAGE)
