"""Pages for founding a club, entering it by passcode, and the club's own page."""

from collections.abc import Sequence

from flask import current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from ledger.database.access import Role
from ledger.http.failures import is_open, must_be_open, waiting
from ledger.runtime.secrets import founders_key
from ledger.services.club import clubs, links, players
from ledger.services.club import devices as club_devices
from ledger.services.club.clubs import ClubView, NameTaken
from ledger.services.club.founding_limit import FoundingLimit
from ledger.services.money import currency
from ledger.services.reads import session
from ledger.services.reads import sessions as read_sessions
from ledger.services.session.session_filter import EVERY_SESSION
from ledger.services.table import same_table
from ledger.services.table import start as table_start
from ledger.web.club.example import example
from ledger.web.frame import cookies, live
from ledger.web.frame.context import (
    CLUB,
    Here,
    database,
    go,
    pages,
    safe_next,
    saves,
    secret,
    shows,
)
from ledger.web.frame.figures import number_of, page_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors, errors_of, form_key, new_key, sent_key
from ledger.words.problems import Problem, WrongPasscode
from ledger.words.translation import reader, term

A_PAGE = 30
"""The sessions listed on one page."""

A_CROWD = 12
"""The players with a link on the club's page; the others are behind *Everybody*."""


@pages.get("/")
def home() -> ResponseReturnValue:
    """Return the home page with the clubs that this device has access to, the last entered first."""
    with database().read() as session:
        entered = cookies.entered_clubs(session)[::-1]
    titles = reader().join([term(sheet.title) for sheet in GAMES.values()], reader().conjunction)
    return render_template(
        "home.html", clubs=entered, games=titles, open=is_open(), example=example()
    )


@pages.route("/start", methods=["GET", "POST"])
def start() -> ResponseReturnValue:
    """Return the form for a new club, or found it and redirect to its page.

    An error shows the form again. If the operator has closed sign-up, GET raises ``SignUpClosed``.
    """
    if request.method == "GET":
        must_be_open()
        return render_template("start.html", form={}, errors={}, key=new_key())
    form = request.form
    name, passcode, author = (form.get(field, "") for field in ("name", "passcode", "author"))
    try:
        must_be_open()
        club = _found_or_enter(name, passcode, author)
    except Problem as problem:
        page = render_template(
            "start.html", form=form, errors=errors_of(problem), key=form_key(problem)
        )
        return page, problem.status, waiting(problem)
    return go(url_for("web.club", club_id=club.id))


def _found_or_enter(name: str, passcode: str, author: str) -> ClubView:
    """Found a club with a viewer link for a year, and sign this device in as its owner.

    If the name is taken and the passcode is right, the device enters that club instead; a second tap on the
    same form therefore finds the club, with this device as the owner. Raises ``NameTaken`` for a taken name
    with another passcode, and the errors of ``clubs.creating``.
    """
    fields = {"name": name, "passcode": passcode, "author": author}
    most = current_app.extensions["ledger.settings"].clubs_per_hour
    limit = FoundingLimit(most, cookies.this_device().origin.network)
    try:
        with clubs.creating(database(), **fields, limit=limit) as (session, access, club):
            links.add(session, access, secret(), Role.VIEWER, "year")
            key = club_devices.add(session, access, cookies.this_device(), key=_founders_key(club))
    except NameTaken as taken:
        try:
            access, club = clubs.enter(database(), **fields, device=cookies.this_device())
        except WrongPasscode:
            raise taken from None
        cookies.remember(database(), access, key=_founders_key(club))
    else:
        cookies.store_key(access, key)
    return club


def _founders_key(club: ClubView) -> str:
    return founders_key(secret(), sent_key(), club.id)


@pages.route("/enter", methods=["GET", "POST"])
def enter() -> ResponseReturnValue:
    """Return the form for a passcode, or sign this device in and redirect.

    It redirects to ``next`` if that is on this site, else to the club. An error shows the form again.
    """
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
            device=cookies.this_device(),
        )
    except Problem as problem:
        page = render_template("enter.html", form=form, errors=errors_of(problem), onwards=onwards)
        return page, problem.status, waiting(problem)
    cookies.remember(database(), access)
    return go(safe_next(onwards, url_for("web.club", club_id=club.id)))


@shows(CLUB, of_books=True)
def club(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the club's page: the evening in play, and the sessions, newest first.

    If none is in play, scorers are offered one like the last. A request with the club's current ``number`` is
    answered 204, unless errors are shown.
    """
    number = live.standing(here)
    if live.is_known(number, errors):
        return "", 204
    page = page_of(request.args.get("page", "1"))
    sessions = table_start.list_all(here.session, offset=(page - 1) * A_PAGE, limit=A_PAGE)
    last = same_table.newest(here.session)
    tonight = same_table.being_played(here.session, last)
    people = players.everyone(here.session)
    playing: Sequence[str] = ()
    board = table = None
    if tonight is not None:
        board = session.board(here.session, tonight.id)
        playing = [line.name for line in board.standings]
    elif last is not None and here.access.may_write:
        table = same_table.same_table(here.session, last.id)
    return here.page(
        "club.html",
        errors,
        number=number,
        board=board,
        same_table=table,
        currency=currency.show(here.session).currency,
        example=example(),
        sessions=sessions,
        voids=read_sessions.void_hands(here.session, [evening.id for evening in sessions]),
        games=GAMES,
        page=page,
        more=EVERY_SESSION.count(here.session) > page * A_PAGE,
        people=people,
        crowd=[p for p in people if not p.archived and p.name not in playing][:A_CROWD],
    )


@saves(f"{CLUB}/sessions/again", club, {})
def start_again(here: Here) -> ResponseReturnValue:
    """Start a session like the one named in the form, and redirect to its board.

    If a newer one was started since, nothing is saved and the club's page is shown again.
    """
    like = number_of(request.form.get("like")) or 0
    started = same_table.start_again(here.write, like, last=like)
    return here.to("board", session_id=started["id"], done="again")
