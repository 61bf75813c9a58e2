"""A club's keys: passcode, bearer tokens, and who owns it. What an owner does asks for the passcode again."""

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
"""The inputs of a form that asks for the passcode again."""
DAYS = {"": None, "7": 7, "30": 30, "365": 365}
"""For how long the page makes tokens."""
A_PAGE = 50
"""How many lines of the log are shown at once."""


@shows(f"{CLUB}/keys", writing=True)
def keys(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Show an owner tokens and passcode, and the token just made, this once; a scorer, whom to ask."""
    address = url_for("web.keys")
    owns = here.access.may_own
    page = here.page(
        "keys.html",
        errors,
        tokens=tokens.list_all(here.session, here.access) if owns else (),
        free=not owns and not owners.exist(here.session),
        secret=handover.taken(address) if owns and not errors else None,
        form=request.form,
    )
    page.cache_control.no_store = True  # shows a secret
    return page if errors else handover.drop(page, address)


@saves(f"{CLUB}/keys/own", keys, CONFIRMED)
def own_club(here: Here) -> ResponseReturnValue:
    """Make this scorer's device the owner's, in a club that has none."""
    here.confirm()
    devices.own(here.db, here.access)
    return here.to("keys", done="owner")


@saves(f"{CLUB}/keys/tokens", keys, CONFIRMED | {"label": "label", "days": "days"}, owning=True)
def make_token(here: Here) -> ResponseReturnValue:
    """Make a bearer token; the page that it leads to shows it once, and reloading makes no other."""
    here.confirm()
    sent = request.form
    role = Role(sent["role"]) if sent.get("role") in tuple(Role) else Role.SCORER
    days = number_of(sent.get("days"))
    secret, _ = tokens.issue(
        here.db, here.access, label=sent.get("label", ""), role=role, days=days
    )
    return handover.give(here.to("keys"), secret, url_for("web.keys"))


@shows(f"{CLUB}/keys/tokens/<{ID}:token_id>", owning=True)
def one_token(here: Here, token_id: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Show what a token is, to revoke it."""
    return here.page("token.html", errors, token=tokens.one(here.session, here.access, token_id))


@saves(f"{CLUB}/keys/tokens/<{ID}:token_id>/revoke", one_token, CONFIRMED, owning=True)
def revoke_token(here: Here, token_id: int) -> ResponseReturnValue:
    """Revoke a token."""
    here.confirm()
    tokens.revoke(here.db, here.access, token_id)
    return here.to("keys", done="revoked")


@saves(f"{CLUB}/keys/passcode", keys, CONFIRMED, owning=True)
def change_passcode(here: Here) -> ResponseReturnValue:
    """Set a new passcode. Owners' devices stay in; a scorer's has to enter it."""
    here.confirm()
    clubs.change_passcode(here.db, here.access, passcode=request.form.get("passcode", ""))
    return here.to("keys", done="passcode")


@shows(f"{CLUB}/log", owning=True)
def log(here: Here) -> ResponseReturnValue:
    """Show who was let in or out, and where a passcode was refused, newest first."""
    page = page_of(request.args.get("page", "1"))
    given = {"offset": (page - 1) * A_PAGE, "limit": A_PAGE + 1}
    every = events.list_all(here.session, here.access, **given)
    return here.page("log.html", events=every[:A_PAGE], page=page, more=len(every) > A_PAGE)
