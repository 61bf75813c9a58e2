"""Who is at the table: join late, sit out, come back, leave, change seats; pause and resume."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from flask import request, url_for
from flask.typing import ResponseReturnValue

from ledger.models import SessionState
from ledger.problems import Conflict, Invalid, NotFound, Problem
from ledger.services.club import players
from ledger.services.common.idempotency import Answer
from ledger.services.hands.preview import Move
from ledger.services.money import currency
from ledger.services.session.view import SessionView
from ledger.services.table import cash_out, seating, start
from ledger.services.undo import leaving as undo_leaving
from ledger.web.context import SESSION, Errors, Here, errors_of, go, in_club, pages
from ledger.web.figures import place_of

_INPUTS = {"player": "player", "position": "place", "reason": "reason", "order": ""}


@pages.get(f"{SESSION}/table")
@in_club(writing=True)
def table(here: Here) -> ResponseReturnValue:
    """Show who sits where, and what can be changed between two hands."""
    return _page(here, {})


@pages.post(f"{SESSION}/table/join")
@in_club(writing=True)
def join(here: Here) -> ResponseReturnValue:
    """Seat somebody who comes late."""
    name = request.form.get("new_name", "").strip() or request.form.get("player", "")
    return _do(
        here,
        "joined",
        lambda: seating.join(
            here.write,
            here.session_id,
            player=name,
            position=place_of(request.form.get("place", "")),
        ),
        name,
    )


@pages.post(f"{SESSION}/table/sit-out")
@in_club(writing=True)
def sit_out(here: Here) -> ResponseReturnValue:
    """Deal somebody no hand for a while."""
    return _do(
        here,
        "sits-out",
        lambda: seating.sit_out(here.write, here.session_id, player=_player()),
        _player(),
    )


@pages.post(f"{SESSION}/table/come-back")
@in_club(writing=True)
def come_back(here: Here) -> ResponseReturnValue:
    """Deal somebody in again."""
    return _do(
        here,
        "is-back",
        lambda: seating.come_back(here.write, here.session_id, player=_player()),
        _player(),
    )


@pages.post(f"{SESSION}/table/return")
@in_club(writing=True)
def take_leaving_back(here: Here) -> ResponseReturnValue:
    """Put somebody back in their seat who has not left after all."""
    return _do(
        here,
        "returned",
        lambda: undo_leaving.take_back(
            here.write,
            here.session_id,
            player=_player(),
            reason=request.form.get("reason", ""),
        ),
        _player(),
    )


@pages.post(f"{SESSION}/table/pause")
@in_club(writing=True)
def pause(here: Here) -> ResponseReturnValue:
    """Pause the session."""
    return _do(
        here,
        "paused",
        lambda: start.pause(here.write, here.session_id),
    )


@pages.post(f"{SESSION}/table/resume")
@in_club(writing=True)
def resume(here: Here) -> ResponseReturnValue:
    """Go on."""
    return _do(
        here,
        "resumed",
        lambda: start.resume(here.write, here.session_id),
    )


@pages.route(f"{SESSION}/table/leave", methods=["GET", "POST"])
@in_club(writing=True)
def leave_table(here: Here) -> ResponseReturnValue:
    """Show what somebody would take, then cash them out."""
    errors: Errors = {}
    status = 200
    if request.method == "POST":
        try:
            cash_out.leave(
                here.write,
                here.session_id,
                player=_player(),
                reason=request.form.get("reason") or None,
            )
        except NotFound:
            raise
        except Problem as problem:
            errors, status = errors_of(problem, {"reason": "reason"}), problem.status
        else:
            return go(_address(here, "left", _player()))
    name = request.values.get("player", "")
    try:
        quote = cash_out.leave(here.dry_run, here.session_id, player=name)
    except (Invalid, Conflict) as refused:
        return _page(here, errors or errors_of(refused, {}), refused.status)
    return here.page(
        "leave.html",
        status,
        quote=quote,
        currency=currency.show(here.session).currency,
        reason=request.form.get("reason", ""),
        errors=errors,
    )


@pages.route(f"{SESSION}/table/seats", methods=["GET", "POST"])
@in_club(writing=True)
def seats(here: Here) -> ResponseReturnValue:
    """Change who sits where: tap by tap, then for good."""
    sent = request.form.getlist("order")
    errors: Errors = {}
    status = 200
    if request.form.get("do") == "save":
        try:
            seating.change_seats(here.write, here.session_id, order=sent)
        except NotFound:
            raise
        except Problem as problem:
            errors, status = errors_of(problem, _INPUTS), problem.status
        else:
            return go(_address(here, "seated"))
    here_now = [seat.name for seat in here.view.present]
    order = sent if sorted(sent) == sorted(here_now) else here_now
    return here.page(
        "seats.html",
        status,
        now=here_now,
        order=_moved_up(order, request.form.get("up")),
        changed=order != here_now or "up" in request.form,
        errors=errors,
    )


def _moved_up(order: list[str], name: str | None) -> list[str]:
    """Return the order after one more tap: somebody has changed places with who sat before them."""
    if name not in order:
        return order
    place = order.index(name)
    moved = list(order)
    moved[place - 1], moved[place] = moved[place], moved[place - 1]
    return moved


def _player() -> str:
    return request.form.get("player", "")


def _do(
    here: Here, done: str, write: Callable[[], Answer], who: str | None = None
) -> ResponseReturnValue:
    try:
        write()
    except NotFound:
        raise
    except Problem as problem:
        return _page(here, errors_of(problem, _INPUTS), problem.status)
    return go(_address(here, done, who))


def _page(here: Here, errors: Errors, status: int = 200) -> ResponseReturnValue:
    view = here.view
    present = {seat.name for seat in view.present}
    others = [p.name for p in players.everyone(here.session) if p.name not in present]
    return here.page(
        "table.html",
        status,
        others=others,
        form=request.form,
        errors=errors,
        at=request.path.rsplit("/", 1)[1],
        returns=dict(_returns(here, view)),
    )


def _returns(here: Here, view: SessionView) -> Iterator[tuple[str, Sequence[Move]]]:
    """Say what undoing each leaving would move, where it can be undone."""
    for seat in view.seats if view.state != SessionState.CLOSED else ():
        if seat.has_left:
            with suppress(Problem):
                preview = undo_leaving.take_back(here.dry_run, view.id, player=seat.name)
                yield seat.name, preview.moves


def _address(here: Here, done: str, who: str | None = None) -> str:
    return url_for(
        "web.table", club_id=here.club.id, session_id=here.session_id, done=done, who=who
    )
