"""A session's pages: started, shown, its rules changed, closed, printed."""

from io import BytesIO

from flask import Response, request, send_file, url_for
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from ledger.clock import now_at_the_table
from ledger.models import AccountKind
from ledger.problems import Problem, RevisionMissing
from ledger.report import file_name, render
from ledger.services.chips import payout
from ledger.services.chips.change import ChipPayment
from ledger.services.club import players
from ledger.services.hands.pots import BESIDE_SEATS
from ledger.services.money import currency as money_currency
from ledger.services.money.till import TillNotEmpty
from ledger.services.reads import accounts, session
from ledger.services.session.load import find_row
from ledger.services.session.view import SessionView
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from ledger.web.context import CLUB, SESSION, Errors, Here, errors_of, go, in_club, pages
from ledger.web.convert import settling
from ledger.web.setup import Round, Setup
from ledger.web.stakes import INPUTS as STAKES
from ledger.web.stakes import Stakes

_INPUTS = {
    "players": "players",
    "rules": "game",
    "game": "game",
    "options": "options",
    "title": "title",
    "first_dealer": "first_dealer",
    **STAKES,
}


@pages.route(f"{CLUB}/sessions/new", methods=["GET", "POST"])
@in_club(writing=True)
def new_session(here: Here) -> ResponseReturnValue:
    """Ask who plays what; each tap shows the page as it then stands, the last one starts."""
    setup, table = Setup.read(request.form), Round.read(request.form)
    if request.form.get("do") != "start" or table.problem:
        return _setting_up(here, setup, table, {})
    try:
        stakes = Stakes.read(request.form, _currency(here), setup.sheet.stack)
        draft = SessionDraft(
            players=table.seated,
            game=setup.sheet.slug,
            variant=setup.variant,
            options=setup.chosen,
            title=request.form.get("title", ""),
            first_dealer=request.form.get("first_dealer") or None,
            starting_stack=stakes.starting_stack,
            rate=stakes.rate,
        )
        answer = start.start(here.write, draft)
    except Problem as problem:
        errors = errors_of(problem, _INPUTS)
        return _setting_up(here, setup, table, errors, problem.status)
    return go(url_for("web.board", club_id=here.club.id, session_id=answer["id"]))


def _setting_up(
    here: Here, setup: Setup, table: Round, errors: Errors, status: int = 200
) -> Response:
    people = [player.name for player in players.everyone(here.session)]
    dealer, currency = request.form.get("first_dealer"), _currency(here)
    return here.page(
        "session_new.html",
        status,
        setup=setup,
        games=GAMES.values(),
        table=table,
        others=[name for name in people if name not in table.seated],
        dealer=dealer if dealer in table.seated else next(iter(table.seated), None),
        title=request.form.get("title", ""),
        stakes=Stakes.read(request.form, currency, setup.sheet.stack),
        currency=currency,
        errors=errors,
    )


@pages.get(SESSION)
@in_club()
def board(here: Here) -> ResponseReturnValue:
    """Show the scoreboard. Asked with the ``revision`` it saw, it answers 204 while that still holds."""
    seen = request.args.get("revision")
    if seen and seen == str(find_row(here.session, here.session_id).revision):
        return "", 204
    return _board(here, {})


def _board(here: Here, errors: Errors, status: int = 200) -> Response:
    found = session.board(here.session, here.session_id)
    view = here.view
    every = accounts.books(here.session, here.session_id).accounts
    text = request.args.get("saved", "")
    saved = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    just = [found.last] if found.last else []
    if saved and saved not in [line.number for line in just]:
        just = session.hands(here.session, here.session_id, first=saved, last=saved)
    return here.page(
        "board.html",
        status,
        errors=errors,
        board=found,
        pots={each.name: each.balance for each in every if each.kind == AccountKind.POT},
        house_rules=list(session.house_rules(view.sheet, view.variant, view.options)),
        payments=()
        if view.state != "closed"
        else accounts.settlement(here.session, here.session_id).payments,
        saved=next((line for line in just if line.number == saved), None),
        in_chips=_in_chips(here, view, saved) if found.last and found.last.number == saved else [],
    )


def _in_chips(here: Here, view: SessionView, number: int) -> list[ChipPayment]:
    """Say how the hand just saved is paid in chips, where the table has any."""
    present = {seat.name for seat in view.present} | BESIDE_SEATS.keys()
    if not any(seat.lent for seat in view.present):
        return []
    record, verdict, version = session.version_record(here.session, view.id, number)
    seats = {seat.id: seat.name for seat in view.seats}
    names = dict(zip(record["players"], map(seats.__getitem__, version.seat_ids), strict=True))
    transfers = [
        (names.get(each["from"], each["from"]), names.get(each["to"], each["to"]), each["amount"])
        for each in verdict["transfers"]
    ]
    between = [each for each in transfers if {each[0], each[1]} <= present]
    return payout.in_chips(here.session, view.id, between, booked=True)


@pages.route(f"{SESSION}/rules", methods=["GET", "POST"])
@in_club(writing=True)
def rules(here: Here) -> ResponseReturnValue:
    """Change game, variant or house rules from the next hand on."""
    if request.method == "GET":
        view = here.view
        return _rules(here, Setup.of(view.game, view.variant, view.options), {})
    setup = Setup.read(request.form)
    if request.form.get("do") != "save":
        return _rules(here, setup, {})
    try:
        start.change_rules(
            here.write,
            here.session_id,
            game=setup.sheet.slug,
            variant=setup.variant,
            options=setup.chosen,
        )
    except Problem as problem:
        return _rules(here, setup, errors_of(problem, _INPUTS), problem.status)
    return go(_address(here, done="rules"))


def _rules(here: Here, setup: Setup, errors: Errors, status: int = 200) -> Response:
    currency = _currency(here)
    return here.page(
        "rules.html",
        status,
        setup=setup,
        games=GAMES.values(),
        stakes=Stakes.of_rate(here.view.rate, currency),
        currency=currency,
        errors=errors,
    )


@pages.post(f"{SESSION}/close")
@in_club(writing=True)
def close(here: Here) -> ResponseReturnValue:
    """Close a session; where money stands in the way, show what there is to settle first."""
    try:
        start.close(here.write, here.session_id)
    except TillNotEmpty as problem:
        return settling(here, errors_of(problem), problem.status)
    except RevisionMissing as problem:
        return _board(here, errors_of(problem), problem.status)
    return go(_address(here, done="closed"))


@pages.post(f"{SESSION}/reopen")
@in_club(writing=True)
def reopen(here: Here) -> ResponseReturnValue:
    """Reopen a closed session."""
    try:
        start.reopen(here.write, here.session_id)
    except RevisionMissing as problem:
        return _board(here, errors_of(problem), problem.status)
    return go(_address(here, done="reopened"))


@pages.get(f"{SESSION}/report.pdf")
@in_club()
def report(here: Here) -> ResponseReturnValue:
    """Give the session's summary as a PDF, named by its title and day."""
    evening = session.summary(here.session, here.session_id)
    return send_file(
        BytesIO(render(evening, printed_at=now_at_the_table())),
        mimetype="application/pdf",
        as_attachment=True,
        download_name=file_name(evening),
        max_age=0,
    )


def _currency(here: Here) -> str:
    return money_currency.show(here.session).currency


def _address(here: Here, done: str) -> str:
    return url_for("web.board", club_id=here.club.id, session_id=here.session_id, done=done)
