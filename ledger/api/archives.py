"""The archive of a club, and the import of another one."""

from io import BytesIO
from typing import Any

from flask import Response, current_app, request, send_file, url_for

from ledger.api import body
from ledger.api.access import Read, database, keeper, reader
from ledger.api.blueprint import Blueprint
from ledger.api.schemas.archives import ImportedSchema, ImportQuery
from ledger.database.access import Access
from ledger.http.failures import must_be_open, public
from ledger.keeping.archive import transfer
from ledger.runtime.config import Settings
from ledger.services.club import clubs

blueprint = Blueprint(
    "archives", __name__, "A club in a file, for another installation or another program."
)

_BINARY = {"type": "string", "format": "binary"}


@blueprint.reads(
    "/club/archive",
    _BINARY,
    let_in=reader,
    tag=None,
    refuses=(403, 409),
    content_type=transfer.MEDIA_TYPE,
)
def download_archive(read: Read) -> Response:
    """Return the club's archive: everything recorded of it. For owners only.

    It contains no passcode, link, device or token. `.docs/ARCHIVE.md` describes the format.
    """
    read.access.must_own()
    return send_file(
        transfer.written(read.session, read.access.club_id, _settings()),
        mimetype=transfer.MEDIA_TYPE,
        download_name=transfer.file_name(clubs.show(read.session).name),
        max_age=0,
        conditional=False,
    )


@blueprint.serves("POST", "/archives", ImportedSchema, 201, let_in=keeper, refuses=(403, 409, 413))
@blueprint.receives(transfer.MEDIA_TYPE)
@blueprint.accepts(ImportQuery, "query")
def import_archive(access: Access, query: dict[str, Any]) -> dict[str, Any]:
    """Import the club in an archive, which is the body of the request. For owners of any club here.

    The archive is verified first: a faulty one is refused and changes nothing. It becomes a new club; the
    same archive again adds nothing and gets no link. 403 if sign-up is closed on this server.
    """
    access.must_own()
    must_be_open()
    body.must_be_of(transfer.MEDIA_TYPE, request.mimetype)
    club = transfer.received(database(), BytesIO(request.get_data()), _settings(), query["name"])
    link = club.key and public(url_for("web.read_along", viewer_key=club.key))
    return {"club": club.club_id, "name": club.name, "entries": club.entries, "link": link}


def _settings() -> Settings:
    settings: Settings = current_app.extensions["ledger.settings"]
    return settings
