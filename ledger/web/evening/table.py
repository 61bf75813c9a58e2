"""Pages of changes at the table: joining, sitting out, leaving, seats, pausing and deleting."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from flask import request
from flask.typing import ResponseReturnValue

from ledger.database.models import SessionState
from ledger.services.club import players
from ledger.services.hands.preview import Move
from ledger.services.money import currency
from ledger.services.session.view import SessionView
from ledger.services.table import cash_out, lifecycle, seating
from ledger.services.undo import leaving as undo_leaving
from ledger.web.frame.context import SESSION, Here, saves, shows
from ledger.web.frame.figures import number_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors, errors_of
from ledger.words.problems import Conflict, Invalid, Problem

_INPUTS = {"player": "player", "position": "place", "reason": "reason", "order": ""}


@shows(f"{SESSION}/table", writing=True)
def table(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the page of the seats with everything that can be changed between hands."""
    view = here.view
    present = {seat.name for seat in view.present}
    others = [p.name for p in players.coming(here.session) if p.name not in present]
    return here.page(
        "table.html",
        errors,
        others=others,
        form=request.form,
        at=request.path.rsplit("/", 1)[1],
        returns=dict(_returns(here, view)),
        may_be_deleted=lifecycle.may_be_deleted(here.session, view.id),
    )


@saves(f"{SESSION}/table/join", table, _INPUTS)
def join(here: Here) -> ResponseReturnValue:
    """Seat a late player: the typed new name, which is added to the club, or else the chosen player."""
    name = request.form.get("new_name", "").strip() or _player()
    place = number_of(request.form.get("place"))
    seating.join(here.write, here.session_id, player=name, position=place)
    return here.to("table", done="joined", who=name)


@saves(f"{SESSION}/table/sit-out", table, _INPUTS)
def sit_out(here: Here) -> ResponseReturnValue:
    """Make a player sit out from the next hand on, until they come back."""
    seating.sit_out(here.write, here.session_id, player=_player())
    return here.to("table", done="sits-out", who=_player())


@saves(f"{SESSION}/table/come-back", table, _INPUTS)
def come_back(here: Here) -> ResponseReturnValue:
    """Deal a player in again after sitting out."""
    seating.come_back(here.write, here.session_id, player=_player())
    return here.to("table", done="is-back", who=_player())


@saves(f"{SESSION}/table/return", table, _INPUTS)
def take_leaving_back(here: Here) -> ResponseReturnValue:
    """Undo a player's last leaving: seat, chips and money are restored."""
    reason = request.form.get("reason", "")
    undo_leaving.take_back(here.write, here.session_id, player=_player(), reason=reason)
    return here.to("table", done="returned", who=_player())


@saves(f"{SESSION}/table/pause", table, _INPUTS)
def pause(here: Here) -> ResponseReturnValue:
    """Pause the session: no hand can be recorded until it is resumed."""
    lifecycle.pause(here.write, here.session_id)
    return here.to("table", done="paused")


@saves(f"{SESSION}/table/rename", table, {"title": "title"})
def rename_session(here: Here) -> ResponseReturnValue:
    """Rename the session; an unchanged name is refused."""
    lifecycle.rename(here.write, here.session_id, title=request.form.get("title", ""))
    return here.to("table", done="renamed")


@saves(f"{SESSION}/table/end", table, {"at": "ends"})
def agree_end(here: Here) -> ResponseReturnValue:
    """Set the agreed end of the session, or remove it if the field is empty."""
    lifecycle.agree_end(here.write, here.session_id, at=request.form.get("ends", ""))
    return here.to("table", done="end")


@saves(f"{SESSION}/table/delete", table, _INPUTS)
def delete_session(here: Here) -> ResponseReturnValue:
    """Delete a session without records or one on paper, and redirect to the club; any other is refused."""
    lifecycle.delete(here.write, here.session_id)
    return here.to("club", done="deleted")


@saves(f"{SESSION}/table/resume", table, _INPUTS)
def resume(here: Here) -> ResponseReturnValue:
    """Resume the session, so that hands can be recorded, and return to the scoreboard."""
    lifecycle.resume(here.write, here.session_id)
    return here.to("board", done="resumed")


@shows(f"{SESSION}/table/leave", writing=True)
def leave_table(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the preview of cashing a player out; if that is refused, the table's page with the error."""
    name = request.values.get("player", "")
    try:
        quote = cash_out.leave(here.dry_run, here.session_id, player=name)
    except (Invalid, Conflict) as refused:
        return table(here, errors or errors_of(refused, {}))
    return here.page(
        "leave.html",
        errors,
        quote=quote,
        currency=currency.show(here.session).currency,
        reason=request.form.get("reason", ""),
    )


@saves(f"{SESSION}/table/leave", leave_table, {"reason": "reason"})
def cash_player_out(here: Here) -> ResponseReturnValue:
    """Cash a player out: all chips go to the bank and, if the session has a rate, become money."""
    reason = request.form.get("reason") or None
    cash_out.leave(here.write, here.session_id, player=_player(), reason=reason)
    return here.to("table", done="left", who=_player())


@shows(f"{SESSION}/table/seats", writing=True)
def seats(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the order of seats with the taps so far applied; if other players sit here now, their order."""
    submitted = request.form.getlist("order")
    here_now = [seat.name for seat in here.view.present]
    order = submitted if sorted(submitted) == sorted(here_now) else here_now
    return here.page(
        "seats.html",
        errors,
        now=here_now,
        order=_moved_up(order, request.form.get("up")),
        changed=order != here_now or "up" in request.form,
    )


@saves(f"{SESSION}/table/seats", seats, _INPUTS)
def change_seats(here: Here) -> ResponseReturnValue:
    """Save the order of seats, or return the page after another tap; an unchanged order is refused."""
    if request.form.get("do") != "save":
        return seats(here)
    seating.change_seats(here.write, here.session_id, order=request.form.getlist("order"))
    return here.to("table", done="seated")


def _moved_up(order: list[str], name: str | None) -> list[str]:
    """Return the order with one player moved up by one place; the first changes places with the last.

    An unknown name changes nothing.
    """
    if name not in order:
        return order
    place = order.index(name)
    moved = list(order)
    moved[place - 1], moved[place] = moved[place], moved[place - 1]
    return moved


def _player() -> str:
    return request.form.get("player", "")


def _returns(here: Here, view: SessionView) -> Iterator[tuple[str, Sequence[Move]]]:
    """Yield each player with a leaving that can be undone, and its effect on balances; none once closed."""
    for seat in view.seats if view.state != SessionState.CLOSED else ():
        if seat.has_left:
            with suppress(Problem):
                preview = undo_leaving.take_back(here.dry_run, view.id, player=seat.name)
                yield seat.name, preview.moves
