"""Pages of seasons: the list, a season's table, and the forms to create, change, close and delete one."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.words.sentences import say
from ledger import report
from ledger.database.kinds.seasons import ScoringMethod, TieBreak
from ledger.http import downloads
from ledger.runtime.clock import local, now, today
from ledger.services.club import players, seasons
from ledger.services.club.seasons import SeasonView
from ledger.services.common.writing import Write
from ledger.services.reads import season_rules
from ledger.services.reads import seasons as season_reads
from ledger.services.reads.season_rules import METHODS, TIE_BREAKS
from ledger.services.table import season_end
from ledger.web.frame import live
from ledger.web.frame.context import CLUB, ID, Here, saves, shows
from ledger.web.frame.figures import whole_number
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.words.problems import Invalid, Problem

SEASON = f"{CLUB}/seasons/<{ID}:season_id>"

_INPUTS = {
    name: name
    for name in (
        *("name", "first_day", "last_day", "game", "method", "least_evenings", "prize"),
        "tie_breaks",
    )
}


@shows(f"{CLUB}/seasons", of_books=True)
def season_list(here: Here) -> ResponseReturnValue:
    """Return the list of the club's seasons, the latest first.

    A request with the club's current ``number`` is answered 204.
    """
    current = live.standing(here)
    if live.is_known(current):
        return "", 204
    lines = season_reads.list_lines(here.session)
    return here.page("seasons.html", number=current, lines=lines, games=GAMES, methods=METHODS)


@shows(SEASON, of_books=True)
def season(here: Here, season_id: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return a season's page: its rules, its table and the changes since it was closed.

    A request with the club's current ``number`` is answered 204. Raises ``NotFound``.
    """
    current = live.standing(here)
    if live.is_known(current, errors):
        return "", 204
    table = season_reads.show(here.session, season_id)
    return here.page(
        "season.html",
        errors,
        number=current,
        table=table,
        season=table.season,
        people={player.id: player for player in players.everyone(here.session)},
        rules=season_rules.sentences(table),
        games=GAMES,
        methods=METHODS,
        unit=season_rules.unit_title(table),
        figure=lambda total: season_rules.figure(table, total),
        is_over=table.season.last_day < today(),
    )


@shows(f"{SEASON}/report.pdf")
def season_pdf(here: Here, season_id: int) -> ResponseReturnValue:
    """Return the report of a season as a PDF to download. Raises ``NotFound``."""
    return _pdf(here, report.season_pdf, season_id)


@shows(f"{SEASON}/poster.pdf")
def poster_pdf(here: Here, season_id: int) -> ResponseReturnValue:
    """Return the poster of a closed season's winners. Raises ``NotFound`` and ``NoWinner``."""
    return _pdf(here, report.poster_pdf, season_id)


def _pdf(
    here: Here, printed: Callable[..., tuple[bytes, str]], season_id: int
) -> ResponseReturnValue:
    paper_size = report.paper_size_for(request.args.get("paper"), request.accept_languages.best)
    pdf, name = printed(here.session, season_id, printed_at=local(now()), paper_size=paper_size)
    return downloads.pdf(pdf, name, as_attachment=True)


@shows(f"{CLUB}/seasons/new", writing=True)
def new_season(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the form of a new season, by default for this year."""
    year = today().year
    form: Mapping[str, Any] = {
        "name": str(year),
        "first_day": date(year, 1, 1),
        "last_day": date(year, 12, 31),
        "method": ScoringMethod.CHIPS.value,
        "tie_breaks": [TieBreak.WINS.value, TieBreak.EVENINGS.value],
    }
    return _form(here, errors, form, None)


@saves(f"{CLUB}/seasons/new", new_season, _INPUTS)
def create_season(here: Here) -> ResponseReturnValue:
    """Create a season, and show its page."""
    created = seasons.create(here.write, **_fields())
    return here.to("season", season_id=created["id"], done="season-saved")


@shows(f"{SEASON}/edit", writing=True)
def edit_season(here: Here, season_id: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the form of a season's name and rules. Raises ``NotFound``."""
    present = seasons.show(here.session, season_id)
    return _form(here, errors, present.to_mapping(), present)


@saves(f"{SEASON}/edit", edit_season, _INPUTS)
def change_season(here: Here, season_id: int) -> ResponseReturnValue:
    """Replace a season's name and rules, if it is as its writer has seen it."""
    seasons.change(_write(here), season_id, **_fields())
    return here.to("season", season_id=season_id, done="season-saved")


@saves(f"{SEASON}/close", season)
def close_season(here: Here, season_id: int) -> ResponseReturnValue:
    """Close a season with its present table."""
    season_end.close(_write(here), season_id)
    return here.to("season", season_id=season_id, done="season-closed")


@saves(f"{SEASON}/reopen", season)
def reopen_season(here: Here, season_id: int) -> ResponseReturnValue:
    """Reopen a closed season."""
    seasons.reopen(_write(here), season_id)
    return here.to("season", season_id=season_id, done="season-reopened")


@saves(f"{SEASON}/delete", season)
def delete_season(here: Here, season_id: int) -> ResponseReturnValue:
    """Delete an open season."""
    seasons.delete(_write(here), season_id)
    return here.to("season_list", done="season-deleted")


def _form(
    here: Here, errors: Errors, form: Mapping[str, Any], present: SeasonView | None
) -> ResponseReturnValue:
    chosen = request.form.getlist("tie_breaks") if errors else form["tie_breaks"]
    return here.page(
        "season_form.html",
        errors,
        form=request.form if errors else form,
        chosen=[slug for slug in chosen if slug in TIE_BREAKS],
        season=present,
        games=GAMES,
        methods=METHODS,
        tie_breaks=TIE_BREAKS,
        longest_prize=seasons.LONGEST_PRIZE,
    )


def _write(here: Here) -> Write:
    """Return the write of a form that names the season's tag as ``seen``."""
    tag = request.form.get("seen")
    return replace(here.write, seen=frozenset({tag}) if tag else None)


def _fields() -> dict[str, Any]:
    """Return the submitted fields of a season. Raises ``Invalid`` at a field."""
    form = request.form
    problems: list[Problem] = []
    fields: dict[str, Any] = {
        "name": form.get("name", ""),
        "game": form.get("game") or None,
        "method": form.get("method", ""),
        "tie_breaks": [slug for slug in form.getlist("tie_breaks") if slug],
        "prize": form.get("prize", ""),
    }
    for name in ("first_day", "last_day"):
        try:
            fields[name] = date.fromisoformat(form.get(name, ""))
        except ValueError:
            message = say("A day is written as {example}.", example="2026-01-31")
            problems.append(Invalid.at(name, "ill-formed", message))
    least = whole_number(form.get("least_evenings", "").strip() or "0")
    if isinstance(least, str):
        message = say("Write a number of evenings from 0 to {most:,}.", most=seasons.MOST_EVENINGS)
        problems.append(Invalid.at("least_evenings", "ill-formed", message))
    fields["least_evenings"] = least
    if problems:
        faults = [fault for problem in problems for fault in problem.faults]
        raise Invalid(problems[0].message, faults)
    return fields
