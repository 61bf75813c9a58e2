"""The pages of a club's players, where they are added, renamed, archived, and get their marks."""

from flask import Response, request
from flask.typing import ResponseReturnValue

from ledger.services.club import players
from ledger.web.frame.context import CLUB, ID, Here, saves, shows
from ledger.web.frame.forms import NOTHING_WRONG, Errors, new_key
from ledger.web.frame.stored_files import for_good
from ledger.words.player_marks import MANY, MARK_WORDS, PLAYER_COLOURS


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


@shows(f"{CLUB}/players/<{ID}:player_id>/mark", writing=True)
def player_mark(here: Here, player_id: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the form for a player's colour, emoji and picture. Raises ``NotFound``."""
    person = players.show(here.session, player_id)
    return here.page(
        "player_mark.html",
        errors,
        person=person,
        chosen=_colour(person.colour),
        emoji=request.form.get("emoji", person.emoji),
        chosen_picture="" if "picture" in errors else request.form.get("picture", ""),
        colours=PLAYER_COLOURS,
        mark_words=MARK_WORDS,
        key=new_key(),
    )


@saves(f"{CLUB}/players/<{ID}:player_id>/mark", player_mark)
def change_mark(here: Here, player_id: int) -> ResponseReturnValue:
    """Change a player's colour, emoji and picture, then show the player; no chosen picture leaves it."""
    colour = _colour(-1)
    emoji = request.form.get("emoji", "")
    is_removed = request.form.get("without") == "picture"
    picture = "" if is_removed else request.form.get("picture") or None
    players.change_mark(here.write, player_id, colour=colour, emoji=emoji, picture=picture)
    return here.to("player", player_id=player_id, done="marked")


@shows(f"{CLUB}/players/<{ID}:player_id>/picture/<version>.jpg")
def picture(here: Here, player_id: int, version: str) -> ResponseReturnValue:
    """Return a player's picture, to be stored for good if ``version`` is its own. Raises ``NotFound``."""
    content, digest = players.picture_of(here.session, player_id)
    if not version or not digest.startswith(version):
        return Response(content, mimetype="image/jpeg")
    response = for_good(content, "image/jpeg", public=False)
    response.set_etag(digest)
    return response.make_conditional(request)


@saves(f"{CLUB}/players/<{ID}:player_id>/archive", people)
def archive_player(here: Here, player_id: int) -> ResponseReturnValue:
    """Archive a player if the form's ``archived`` is "yes", else restore them."""
    archived = request.form.get("archived") == "yes"
    players.archive(here.write, player_id, archived=archived)
    return here.to("people", done="archived" if archived else "unarchived")


def _colour(otherwise: int) -> int:
    """Return the form's colour, or ``otherwise`` if it has none of the twelve."""
    numbers = {str(number): number for number in range(MANY)}
    return numbers.get(request.form.get("colour", ""), otherwise)
