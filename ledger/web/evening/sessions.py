"""Pages that start, show, change, close and print a session."""

import secrets
from operator import itemgetter
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.words.sentences import say
from ledger.database.models import SessionState
from ledger.http import downloads
from ledger.report import file_name, paper_size_for, render, render_score_sheet
from ledger.runtime.clock import local, now
from ledger.services.chips import payout
from ledger.services.chips.change import ChipPayment
from ledger.services.club import players
from ledger.services.hands import versions
from ledger.services.hands.pots import BESIDE_SEATS
from ledger.services.money import currency as money_currency
from ledger.services.money.till import TillNotEmpty
from ledger.services.reads import accounts, session
from ledger.services.session.view import SessionView
from ledger.services.table import lifecycle, same_table, start
from ledger.services.table.start import SessionDraft
from ledger.web.evening.setup import Round, Setup
from ledger.web.frame.context import CLUB, SESSION, Here, saves, shows
from ledger.web.frame.figures import number_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors, errors_of
from ledger.web.frame.fragments import only_main
from ledger.web.frame.plot import Plot
from ledger.web.money.convert import settle
from ledger.web.money.ending import steps
from ledger.web.money.stakes import INPUTS as STAKES
from ledger.web.money.stakes import Stakes
from ledger.words.problems import RevisionMissing

_INPUTS = {
    "players": "players",
    "rules": "game",
    "game": "game",
    "options": "options",
    "title": "title",
    "first_dealer": "first_dealer",
    **STAKES,
}


@shows(f"{CLUB}/sessions/new", writing=True)
def new_session(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the form for a new session, with the choices submitted so far, without archived players.

    Before anything was chosen it offers the last table, and proposes its game and house rules; with
    ``again`` in the URL its players sit already. The first dealer may be drawn by lot (003).
    """
    setup, table = Setup.read(request.form), Round.read(request.form)
    last = same_table.newest(here.session)
    before = same_table.same_table(here.session, last.id) if last else None
    dealer = request.form.get("first_dealer")
    if before and request.method == "GET":
        setup = Setup.of(before.draft.game, before.draft.variant, before.draft.options)
        if "again" in request.args:
            table, dealer = Round(tuple(before.draft.players)), before.draft.first_dealer
    people = [player.name for player in players.coming(here.session)]
    currency = _currency(here)
    if request.form.get("do") == "draw" and table.seated:
        dealer = secrets.choice(table.seated)
    return here.page(
        "session_new.html",
        errors,
        same_table=None if table.seated else before,
        setup=setup,
        games=GAMES,
        table=table,
        others=[name for name in people if name not in table.seated],
        dealer=dealer if dealer in table.seated else next(iter(table.seated), None),
        title=request.form.get("title", ""),
        stakes=Stakes.read(request.form, currency, setup.sheet.stack),
        currency=currency,
    )


@saves(f"{CLUB}/sessions/new", new_session, _INPUTS)
def start_session(here: Here) -> ResponseReturnValue:
    """Start the session and redirect to its board; return the form again if it isn't ready."""
    setup, table = Setup.read(request.form), Round.read(request.form)
    if request.form.get("do") != "start" or table.problem:
        return new_session(here)
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
    return here.to("board", session_id=start.start(here.write, draft)["id"])


@shows(SESSION)
def board(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the scoreboard: standings, next deal, last hand, and the hand numbered ``saved`` in the URL.

    For a closed session it has the settlement; an evening on paper redirects to its result. Charts are only
    in refreshed fragments, from the second hand on.
    """
    view = here.view
    if view.on_paper:
        return here.to("result")
    scoreboard = session.board(here.session, here.session_id)
    saved = number_of(request.args.get("saved")) or 0
    lines = [scoreboard.last] if scoreboard.last else []
    if saved and saved not in [line.number for line in lines]:
        lines = session.hands(here.session, here.session_id, first=saved, last=saved)
    closed = view.state == SessionState.CLOSED
    context: dict[str, Any] = {
        "pots": scoreboard.pots,
        "payments": accounts.settlement(here.session, here.session_id).payments if closed else (),
        "head": session.head_at_closing(here.session, here.session_id) if closed else None,
        "saved": next((line for line in lines if line.number == saved), None),
        "in_chips": _in_chips(here, view, saved)
        if scoreboard.last and scoreboard.last.number == saved
        else [],
    }
    rules = list(session.house_rules(view.sheet, view.variant, view.options))
    # The first request loads the chart separately; refreshed fragments contain it.
    plots = Plot.of_evening(here) if only_main() and view.hands_dealt > 1 else ()
    # The ETag covers these; standings, next deal and house rules follow from the session's revision.
    context["plots"] = plots
    counts = (scoreboard.void, scoreboard.unconfirmed)
    made_of = (scoreboard.last, *counts, *context.values())
    return here.page(
        "board.html", errors, made_of=made_of, board=scoreboard, house_rules=rules, **context
    )


def _in_chips(here: Here, view: SessionView, number: int) -> list[ChipPayment]:
    """Return the payments in chips of a saved hand between those still at the table and the pots.

    The list is empty if none of these players has chips from the bank.
    """
    present = {seat.name for seat in view.present} | BESIDE_SEATS.keys()
    if not any(seat.lent for seat in view.present):
        return []
    version = versions.find(here.session, view, number)
    record, verdict = version.record, version.verdict
    seats = {seat.id: seat.name for seat in view.seats}
    names = dict(zip(record["players"], map(seats.__getitem__, version.seat_ids), strict=True))
    transfers = [
        (names.get(payer, payer), names.get(payee, payee), amount)
        for payer, payee, amount in map(itemgetter("from", "to", "amount"), verdict["transfers"])
    ]
    between = [
        (payer, payee, amount) for payer, payee, amount in transfers if {payer, payee} <= present
    ]
    return payout.in_chips(here.session, view.id, between, booked=True)


@shows(f"{SESSION}/rules", writing=True)
def rules(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the form for game, variant and house rules: the session's on GET, else as submitted."""
    view, currency = here.view, _currency(here)
    now = Setup.of(view.game, view.variant, view.options)
    return here.page(
        "rules.html",
        errors,
        setup=now if request.method == "GET" else Setup.read(request.form),
        games=GAMES.values(),
        stakes=Stakes.of_rate(view.rate, currency),
        currency=currency,
    )


@saves(f"{SESSION}/rules", rules, _INPUTS)
def change_rules(here: Here) -> ResponseReturnValue:
    """Change game, variant or house rules from the next hand on, or return the form after another choice."""
    setup = Setup.read(request.form)
    if request.form.get("do") != "save":
        return rules(here)
    start.change_rules(
        here.write,
        here.session_id,
        game=setup.sheet.slug,
        variant=setup.variant,
        options=setup.chosen,
    )
    return here.to("board", done="rules")


@saves(f"{SESSION}/close", board, refused=RevisionMissing)
def close(here: Here) -> ResponseReturnValue:
    """Close a session; redirect to the result during the steps of the ending, otherwise to the board.

    If somebody, but not everybody, was cashed out for money, it stays open and the settlement page is
    returned.
    """
    try:
        lifecycle.close(here.write, here.session_id)
    except TillNotEmpty as problem:
        return settle(here, errors_of(problem))
    return here.to("result" if steps(here) else "board", done="closed")


@saves(f"{SESSION}/reopen", board, refused=RevisionMissing)
def reopen(here: Here) -> ResponseReturnValue:
    """Reopen a closed session, so that it can be changed again, and redirect to its board."""
    lifecycle.reopen(here.write, here.session_id)
    return here.to("board", done="reopened")


@shows(f"{SESSION}/report.pdf")
def report(here: Here) -> ResponseReturnValue:
    """Return the session's report as a PDF to download, on A4 or Letter."""
    evening = session.summary(here.session, here.session_id)
    paper_size = paper_size_for(request.args.get("paper"), request.accept_languages.best)
    pdf = render(evening, printed_at=local(now()), paper_size=paper_size)
    return downloads.pdf(pdf, file_name(evening), as_attachment=True)


@shows(f"{SESSION}/score-sheet.pdf")
def score_sheet(here: Here) -> ResponseReturnValue:
    """Return the session's score sheet as a PDF to download; with `?rows=blank` an empty one."""
    evening = session.summary(here.session, here.session_id)
    pdf = render_score_sheet(
        evening,
        printed_at=local(now()),
        paper_size=paper_size_for(request.args.get("paper"), request.accept_languages.best),
        blank=request.args.get("rows") == "blank",
    )
    name = file_name(evening, say("Score sheet"))
    return downloads.pdf(pdf, name, as_attachment=True)


def _currency(here: Here) -> str:
    return money_currency.show(here.session).currency
