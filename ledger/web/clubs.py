"""The way into a club: start one, enter with its passcode, or follow by its link."""

from urllib.parse import urlsplit

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.errors import join
from engine.games import GAMES
from ledger.access import Access
from ledger.http import public, waiting
from ledger.problems import Problem, WrongPasscode
from ledger.security import devices
from ledger.services.club import clubs, players
from ledger.services.club.clubs import ClubView, NameTaken
from ledger.services.table import start as table_start
from ledger.web.context import (
    CLUB,
    Here,
    database,
    errors_of,
    go,
    hold_back_founding,
    in_club,
    origin,
    pages,
    safe_next,
    shows,
)
from ledger.web.figures import page_of

A_PAGE = 30
"""How many sessions a club's page lists."""


@pages.get("/")
def home() -> ResponseReturnValue:
    """Show the clubs that this device knows."""
    with database().read() as session:
        known = devices.known(session)[::-1]
    titles = join([sheet.title for sheet in GAMES.values()])
    return render_template("home.html", known=known, games=titles)


@pages.route("/start", methods=["GET", "POST"])
def start() -> ResponseReturnValue:
    """Start a club."""
    if request.method == "GET":
        return render_template("start.html", form={}, errors={})
    hold_back_founding()
    form = request.form
    name, passcode, author = (form.get(field, "") for field in ("name", "passcode", "author"))
    try:
        access, club = _found_or_enter(name, passcode, author)
    except Problem as problem:
        page = render_template("start.html", form=form, errors=errors_of(problem))
        return page, problem.status, waiting(problem)
    devices.remember(access, club)
    return go(url_for("web.club", club_id=club.id))


def _found_or_enter(name: str, passcode: str, author: str) -> tuple[Access, ClubView]:
    """Found the club. A second tap on the same button finds it there, and opens it."""
    try:
        return clubs.found(database(), name=name, passcode=passcode, author=author)
    except NameTaken as taken:
        try:
            return clubs.enter(
                database(), name=name, passcode=passcode, author=author, origin=origin()
            )
        except WrongPasscode:
            raise taken from None


@pages.route("/enter", methods=["GET", "POST"])
def enter() -> ResponseReturnValue:
    """Let this device into a club by the passcode."""
    onwards = request.values.get("next")
    if request.method == "GET":
        return render_template("enter.html", form=request.args, errors={}, onwards=onwards)
    form = request.form
    try:
        access, club = clubs.enter(
            database(),
            name=form.get("name", ""),
            passcode=form.get("passcode", ""),
            author=form.get("author", ""),
            origin=origin(),
        )
    except Problem as problem:
        page = render_template("enter.html", form=form, errors=errors_of(problem), onwards=onwards)
        return page, problem.status, waiting(problem)
    devices.remember(access, club)
    return go(safe_next(onwards, url_for("web.club", club_id=club.id)))


@pages.get("/v/<viewer_key>")
def read_along(viewer_key: str) -> ResponseReturnValue:
    """Let this device follow, and show the club."""
    access, club = clubs.read_along(database(), viewer_key)
    devices.remember(access, club)
    return go(url_for("web.club", club_id=club.id))


@shows(CLUB)
def club(here: Here) -> ResponseReturnValue:
    """Show a club: its sessions, newest first."""
    page = page_of(request.args.get("page", "1"))
    every = table_start.every(here.session, offset=(page - 1) * A_PAGE, limit=A_PAGE)
    return here.page(
        "club.html",
        sessions=every,
        games=GAMES,
        page=page,
        more=table_start.count(here.session) > page * A_PAGE,
        people=players.everyone(here.session),
    )


@shows(f"{CLUB}/share")
def share(here: Here) -> ResponseReturnValue:
    """Show the viewer link, as text and as a QR code that others scan off this screen.

    Who makes the code is loaded with the first: nobody who starts the service waits for it.
    """
    import segno

    link = public(url_for("web.read_along", viewer_key=here.club.viewer_key))
    host = urlsplit(link).hostname or ""
    page = here.page(
        "share.html",
        link=link,
        qr=segno.make(link, error="m").svg_data_uri(scale=8, border=2),
        only_here=host in {"localhost", "::1"} or host.startswith("127."),
    )
    page.cache_control.no_store = True  # shows a secret
    return page


@pages.post(f"{CLUB}/leave")
@in_club()
def leave(here: Here) -> ResponseReturnValue:
    """Make this device forget the club."""
    devices.forget(here.club.id)
    return go(url_for("web.home"))
