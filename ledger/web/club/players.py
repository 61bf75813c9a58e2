"""The page of a club's players, where they are added, renamed and archived."""

from flask import request
from flask.typing import ResponseReturnValue

from ledger.services.club import players
from ledger.web.frame.context import CLUB, ID, Here, saves, shows
from ledger.web.frame.forms import NOTHING_WRONG, Errors


@shows(f"{CLUB}/players", of_books=True)
def people(
    here: Here, errors: Errors = NOTHING_WRONG, player_id: int | None = None
) -> ResponseReturnValue:
    """Return the list of players, with a form if ``player_id`` is being renamed."""
    return here.page(
        "players.html",
        errors,
        people=players.everyone(here.session),
        renaming=player_id,
        typed=request.form.get("name", ""),
    )


@saves(f"{CLUB}/players", people)
def add_player(here: Here) -> ResponseReturnValue:
    """Add a player."""
    players.add(here.write, name=request.form.get("name", ""))
    return here.to("people", done="player")


@saves(f"{CLUB}/players/<{ID}:player_id>", people)
def rename_player(here: Here, player_id: int) -> ResponseReturnValue:
    """Rename a player; records already saved keep the old name."""
    players.rename(here.write, player_id, name=request.form.get("name", ""))
    return here.to("people", done="renamed")


@saves(f"{CLUB}/players/<{ID}:player_id>/archive", people)
def archive_player(here: Here, player_id: int) -> ResponseReturnValue:
    """Archive a player if the form's ``archived`` is "yes", else restore them."""
    archived = request.form.get("archived") == "yes"
    players.archive(here.write, player_id, archived=archived)
    return here.to("people", done="archived" if archived else "unarchived")
