"""Pages of a club's devices and invitation links, with which owners give and revoke access."""

from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

from flask import Response, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger.database.access import Access, Role
from ledger.http.failures import public
from ledger.runtime.secrets import digest
from ledger.services.club import clubs, devices, links, owners
from ledger.services.club.clubs import clean_author
from ledger.services.table import same_table
from ledger.web.club.keys import CONFIRMED
from ledger.web.frame import cookies
from ledger.web.frame.context import CLUB, ID, Here, database, go, pages, saves, secret, shows
from ledger.web.frame.forms import NOTHING_WRONG, Errors, errors_of
from ledger.words.problems import NotFound, Problem


@pages.route("/v/<viewer_key>", methods=["GET", "POST"])
def read_along(viewer_key: str) -> ResponseReturnValue:
    """Sign this device in by a link and redirect: at once for viewers, for scorers after they entered a name.

    Until then scorers get a form for it. A HEAD request signs nobody in. Raises ``NotFound`` for an invalid
    link.
    """
    access, club, link_id = clubs.of_link(database(), viewer_key)
    if access.may_write:
        form = request.form
        errors: Errors = NOTHING_WRONG
        try:
            access = Access(access.club_id, access.role, clean_author(form.get("author", "")))
        except Problem as problem:
            errors = errors_of(problem)
        if errors or request.method == "GET":
            page = render_template("join.html", club=club, access=access, form=form, errors=errors)
            return make_response(page, 422 if errors else 200)
    if request.method != "HEAD":
        cookies.remember(database(), access, link_id=link_id)
    return go(_first_page(access))


def _first_page(access: Access) -> str:
    """Return the URL after signing in by a link: for viewers that of the current evening, else the club's."""
    with database().read(access) as session:
        tonight = same_table.being_played(session, same_table.newest(session))
        if access.may_write or tonight is None:
            return url_for("web.club", club_id=access.club_id)
        return url_for("web.board", club_id=access.club_id, session_id=tonight.id)


@shows(f"{CLUB}/share")
def share(here: Here) -> ResponseReturnValue:
    """Return the page with the viewer link and its QR code; without both if no link can be shown."""
    key = links.for_viewers(here.session, secret())
    alone = here.access.may_own and owners.is_only(here.session)
    unseen = key is None and links.works_unseen(here.session)
    page = here.page("share.html", alone=alone, unseen=unseen, **link_context(key))
    page.cache_control.no_store = True  # shows a secret
    return page


@saves(f"{CLUB}/share/renew", share)
def renew_link(here: Here) -> ResponseReturnValue:
    """Make a new viewer link, and revoke older ones with all devices that they admitted."""
    links.renew(here.db, here.access, secret())
    return here.to("share", done="link")


@saves(f"{CLUB}/share/make", share)
def make_viewer_link(here: Here) -> ResponseReturnValue:
    """Make another viewer link, valid for a year; older ones keep working."""
    links.make(here.db, here.access, secret(), role=Role.VIEWER, lasts="year")
    return here.to("share", done="link-made")


@shows(f"{CLUB}/devices", owning=True)
def club_devices(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the page that lists the club's admitted devices and valid links, for owners only."""
    return here.page(
        "devices.html",
        errors,
        devices=devices.list_all(here.session, here.access),
        links=links.list_all(here.session, here.access),
        holder_of=devices.holder_of,
        form=request.form,
    )


@saves(f"{CLUB}/links", club_devices, CONFIRMED | {"lasts": "lasts"}, owning=True)
def make_link(here: Here) -> ResponseReturnValue:
    """Make a link and redirect to its page. If the form has no valid role, it is a viewer's."""
    role = Role(request.form["role"]) if request.form.get("role") in tuple(Role) else Role.VIEWER
    lasts = request.form.get("lasts", "")
    _, link = links.make(here.db, here.access, secret(), role=role, lasts=lasts)
    return here.to("one_link", link_id=link.id)


@shows(f"{CLUB}/links/<{ID}:link_id>", owning=True)
def one_link(here: Here, link_id: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return a link's page, with the form to revoke it and, while it is valid, its QR code."""
    link = links.one(here.session, here.access, link_id)
    key = links.key_of(link, secret()) if link.is_live else None
    page = here.page("link.html", errors, invitation=link, **link_context(key))
    page.cache_control.no_store = True  # shows a secret
    return page


@saves(f"{CLUB}/links/<{ID}:link_id>/revoke", one_link, CONFIRMED, owning=True)
def revoke_link(here: Here, link_id: int) -> ResponseReturnValue:
    """Revoke a link and the devices that it admitted."""
    links.revoke(here.db, here.access, link_id)
    return here.to("club_devices", done="link-revoked")


@shows(f"{CLUB}/devices/<{ID}:device_id>", owning=True)
def one_device(here: Here, device_id: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return a device's page, with the forms to change its role and to revoke it."""
    device = devices.one(here.session, here.access, device_id)
    own = here.access.holder == devices.holder_of(device_id)
    return here.page("device.html", errors, device=device, own=own)


@saves(f"{CLUB}/devices/<{ID}:device_id>", one_device, CONFIRMED, owning=True)
def change_device(here: Here, device_id: int) -> ResponseReturnValue:
    """Revoke a device, or change its role; an unknown role changes nothing."""
    if request.form.get("do") == "revoke":
        devices.revoke(here.db, here.access, device_id)
        return here.to("club_devices", done="device-revoked")
    if request.form.get("role") in tuple(Role):
        devices.change_role(here.db, here.access, device_id, role=Role(request.form["role"]))
    return here.to("club_devices", done="role")


@pages.post(f"{CLUB}/leave")
def leave(club_id: int) -> ResponseReturnValue:
    """Sign this device out of the club, even if its access was revoked; redirect to the home page.

    Raises ``LastOwner`` if the club would be left without an owner.
    """
    cookies.leave(database(), club_id)
    return go(url_for("web.home"))


def link_context(key: str | None) -> dict[str, Any]:
    """Return a template's variables for a link: URL, QR code, and whether only this computer can open it.

    Without a key, URL and QR code are None.
    """
    if key is None:
        return {"link": None, "qr": None, "only_here": False}
    link = _link(key)
    return {
        "link": link,
        "qr": _code(link).svg_data_uri(scale=8, border=2),
        "only_here": only_here(link),
    }


@shows(f"{CLUB}/viewers-code.svg")
def viewers_code(here: Here) -> ResponseReturnValue:
    """Return the picture of the viewer link's QR code. Raises ``NotFound`` without a link."""
    key = links.for_viewers(here.session, secret())
    if key is None:
        raise NotFound
    picture = BytesIO()
    _code(_link(key)).save(picture, kind="svg", scale=8, border=2)
    response = Response(picture.getvalue(), mimetype="image/svg+xml")
    response.cache_control.no_store = True  # shows a secret
    return response


def code_address(key: str | None) -> str | None:
    """Return the URL of that picture, another for each link; None if no other device can open the link."""
    if key is None or only_here(_link(key)):
        return None
    return url_for("web.viewers_code", of=digest(key)[:8])


def _link(key: str) -> str:
    """Return the URL of the link with a key."""
    return public(url_for("web.read_along", viewer_key=key))


def _code(link: str) -> Any:
    """Return the QR code of a link."""
    import segno  # imported on demand: few pages need it

    return segno.make(link, error="m")


def only_here(link: str) -> bool:
    """Return whether a URL's host is a loopback address."""
    host = urlsplit(link).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")
