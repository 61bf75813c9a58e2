"""The people of a club: entered and renamed."""

from flask import request, url_for
from flask.typing import ResponseReturnValue

from ledger.problems import Problem
from ledger.services.club import players
from ledger.web.context import CLUB, ID, Errors, Here, errors_of, go, in_club, pages


@pages.get(f"{CLUB}/players")
@in_club()
def people(here: Here) -> ResponseReturnValue:
    """List the club's players."""
    return _page(here)


@pages.post(f"{CLUB}/players")
@in_club(writing=True)
def add_player(here: Here) -> ResponseReturnValue:
    """Enter a player."""
    try:
        players.add(here.write, name=request.form.get("name", ""))
    except Problem as problem:
        return _page(here, errors=errors_of(problem), status=problem.status)
    return go(url_for("web.people", club_id=here.club.id, done="player"))


@pages.post(f"{CLUB}/players/<{ID}:player_id>")
@in_club(writing=True)
def rename_player(here: Here, player_id: int) -> ResponseReturnValue:
    """Give a player another name."""
    name = request.form.get("name", "")
    try:
        players.rename(here.write, player_id, name=name)
    except Problem as problem:
        if problem.status == 404:
            raise
        return _page(here, errors=errors_of(problem), status=problem.status, renaming=player_id)
    return go(url_for("web.people", club_id=here.club.id, done="renamed"))


def _page(
    here: Here, *, errors: Errors | None = None, status: int = 200, renaming: int | None = None
) -> ResponseReturnValue:
    return here.page(
        "players.html",
        status,
        people=players.everyone(here.session),
        errors=errors or {},
        renaming=renaming,
        typed=request.form.get("name", ""),
    )
