"""Seasons: named periods with a table of their own."""

from collections.abc import Callable
from typing import Any

from flask import Response, request

from ledger import report
from ledger.api.access import Read, reader, with_tag
from ledger.api.blueprint import Blueprint, Json
from ledger.api.schemas.lists import PDF, PaperQuery
from ledger.api.schemas.seasons import SeasonDraft, SeasonSchema, SeasonTableSchema
from ledger.http import downloads
from ledger.runtime.clock import local, now
from ledger.services.club import seasons
from ledger.services.club.seasons import SeasonView
from ledger.services.common.writing import Write, WriteResponse
from ledger.services.reads import seasons as season_reads
from ledger.services.table import season_end

blueprint = Blueprint("seasons", __name__, "Named periods, each with a table, a prize and rules.")

SEASON = "/seasons/<id:season_id>"
_EXAMPLE = {
    "name": "2026",
    "first_day": "2026-01-01",
    "last_day": "2026-12-31",
    "method": "ranks",
    "least_evenings": 10,
    "tie_breaks": ["wins", "evenings"],
    "prize": "Dinner",
}


@blueprint.reads("/seasons", SeasonSchema(many=True))
def list_seasons(read: Read) -> list[SeasonView]:
    """List the club's seasons, the latest first, without their tables."""
    return seasons.list_all(read.session)


@blueprint.writes("/seasons", SeasonSchema, 201, tag="STATE")
@blueprint.accepts(SeasonDraft, examples={"ranks": _EXAMPLE})
def create_season(write: Write, body: Json) -> Any:
    """Create a season. Its table consists of all evenings of its days, also of earlier ones."""
    return _tagged(seasons.create(write, **body))


@blueprint.reads(SEASON, SeasonTableSchema, tag="STATE")
def show_season(read: Read, season_id: int) -> Any:
    """Show a season with its table, and the changes by corrections since its closing."""
    table = season_reads.show(read.session, season_id)
    return table, {"ETag": f'"{table.season.tag}"'}


@blueprint.writes(SEASON, SeasonSchema, method="PUT", matches=True, tag="STATE")
@blueprint.accepts(SeasonDraft, examples={"ranks": _EXAMPLE})
def change_season(write: Write, body: Json, season_id: int) -> Any:
    """Replace the name and rules of an open season; a field left out gets its default."""
    return _tagged(seasons.change(write, season_id, **body))


@blueprint.writes(f"{SEASON}/close", SeasonSchema, matches=True, tag="STATE")
def close_season(write: Write, season_id: int) -> Any:
    """Close a season: its table of this moment is stored, and later corrections are shown as changes."""
    return _tagged(season_end.close(write, season_id))


@blueprint.writes(f"{SEASON}/reopen", SeasonSchema, matches=True, tag="STATE")
def reopen_season(write: Write, season_id: int) -> Any:
    """Reopen a closed season; the stored table is forgotten."""
    return _tagged(seasons.reopen(write, season_id))


@blueprint.writes(SEASON, SeasonSchema, method="DELETE", matches=True)
def delete_season(write: Write, season_id: int) -> Any:
    """Delete an open season, and return it as it was; its evenings stay."""
    return SeasonView.from_mapping(seasons.delete(write, season_id))


@blueprint.reads(
    f"{SEASON}/report.pdf", PDF, let_in=reader, tag=None, content_type="application/pdf"
)
@blueprint.accepts(PaperQuery, "query")
def print_season(read: Read, query: Json, season_id: int) -> Response:
    """Return a season as a PDF: its table and changes, and the games, records and evenings of its days."""
    return _pdf(report.season_pdf, read, query, season_id)


@blueprint.reads(
    f"{SEASON}/poster.pdf",
    PDF,
    let_in=reader,
    tag=None,
    content_type="application/pdf",
    refuses=[409],
)
@blueprint.accepts(PaperQuery, "query")
def print_poster(read: Read, query: Json, season_id: int) -> Response:
    """Return the poster of a closed season's winners as a PDF of one page."""
    return _pdf(report.poster_pdf, read, query, season_id)


def _pdf(
    printed: Callable[..., tuple[bytes, str]], read: Read, query: Json, season_id: int
) -> Response:
    paper_size = report.paper_size_for(query.get("paper"), request.accept_languages.best)
    return downloads.pdf(
        *printed(read.session, season_id, printed_at=local(now()), paper_size=paper_size)
    )


def _tagged(written: WriteResponse) -> Any:
    return with_tag(SeasonView.from_mapping(written))
