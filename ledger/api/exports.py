"""The files of a club for spreadsheets, accounting programs and scripts."""

from collections.abc import Callable
from typing import Any

from flask import Response, send_file

from ledger.api.access import Read, View, reader
from ledger.api.blueprint import Blueprint
from ledger.api.schemas.lists import ExportQuery
from ledger.api.smorest_internals import documented
from ledger.keeping.exports import formats
from ledger.services.club import clubs
from ledger.services.session import session_filter

blueprint = Blueprint("exports", __name__, "Files for spreadsheets and other programs.")

_FILE = {"type": "string"}


def _also_plain(view: View) -> View:
    """Document that a file may be plain text instead of CSV."""
    plain: Callable[..., Any] = blueprint.alt_response(
        200, schema=_FILE, content_type=formats.PLAIN, description="A table, or another file"
    )
    return documented(view, plain)


@blueprint.reads(
    "/club/export",
    _FILE,
    let_in=reader,
    tag=None,
    refuses=(404, 409),
    content_type=formats.CSV,
)
@_also_plain
@blueprint.accepts(ExportQuery, "query")
def export_club(read: Read, query: dict[str, Any]) -> Response:
    """Return a file of the club: a table as CSV, its journal for Beancount or hledger, or its hands.

    `.docs/EXPORTS.md` describes each format. A file has at most 20 MB; the command line writes larger ones.
    """
    slug, dialect = query.pop("slug"), query.pop("dialect")
    chosen = session_filter.of_query(read.session, query)
    return send_file(
        formats.whole(read.session, slug, chosen, dialect),
        mimetype=formats.FORMATS[slug].media_type,
        as_attachment=True,
        download_name=formats.file_name(clubs.show(read.session).name, slug, chosen),
        max_age=0,
        conditional=False,
    )
