"""The page that offers files of a club, or of one evening, for other programs; and these files."""

from dataclasses import replace

from flask import request, send_file
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.words.sentences import say
from ledger.keeping.exports import formats
from ledger.keeping.exports.csv_text import DIALECTS
from ledger.services.club import seasons as club_seasons
from ledger.services.session.session_filter import SessionFilter
from ledger.web.frame.context import CLUB, SESSION, Here, shows
from ledger.web.frame.figures import number_of
from ledger.web.frame.period import period_of
from ledger.words.problems import Invalid, NoSuchSession


@shows(f"{CLUB}/exports")
def exports(here: Here) -> ResponseReturnValue:
    """Return the page that offers a club's files."""
    choices = [(season.id, season.name) for season in club_seasons.list_all(here.session)]
    return here.page("exports.html", games=GAMES, seasons=choices and [("", "–"), *choices])


@shows(f"{SESSION}/exports")
def session_exports(here: Here) -> ResponseReturnValue:
    """Return the page that offers the files of one evening."""
    return here.page("exports.html", games=GAMES)


@shows(f"{CLUB}/exports/file")
def export_file(here: Here) -> ResponseReturnValue:
    """Return the chosen file to download. Raises ``Invalid``, ``NoSuchSession`` and ``TooLarge``."""
    slug, dialect = request.args.get("format", "csv-hands"), request.args.get("dialect", "standard")
    if slug not in formats.FORMATS:
        raise Invalid.at(
            "format", "out-of-range", say("Choose {names:or}.", names=[*formats.FORMATS])
        )
    if dialect not in DIALECTS:
        raise Invalid.at("dialect", "out-of-range", say("Choose {names:or}.", names=[*DIALECTS]))
    number = request.args.get("session", "")
    session_id = number_of(number)
    if number and session_id is None:
        raise NoSuchSession
    chosen = replace(_period(here), session_id=session_id)
    return send_file(
        formats.whole(here.session, slug, chosen, dialect),
        mimetype=formats.FORMATS[slug].media_type,
        as_attachment=True,
        download_name=formats.file_name(here.club.name, slug, chosen),
        max_age=0,
        conditional=False,
    )


def _period(here: Here) -> SessionFilter:
    """Return the chosen days and game. Raises ``Invalid`` where other pages would ignore a value."""
    period = period_of(here)
    chosen = period.chosen
    day = say("A day is written as {example}.", example="2026-01-31")
    game = say("Choose {names:or}.", names=[*GAMES])
    for name, value, message in (
        ("from", chosen.first_day, day),
        ("to", chosen.last_day, day),
        ("game", chosen.game, game),
        ("season", period.season, say("There is no such season in this club.")),
    ):
        if request.args.get(name) and value is None:
            raise Invalid.at(name, "ill-formed", message)
    if period.season and any(map(request.args.get, ("from", "to", "game"))):
        message = say("A season has its own days and game: leave these empty.")
        raise Invalid.at("season", "out-of-range", message)
    return chosen
