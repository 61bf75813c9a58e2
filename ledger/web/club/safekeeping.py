"""The page that lists the ledger's backups, writes the archive of a club and imports one."""

from flask import current_app, request, send_file, url_for
from flask.typing import ResponseReturnValue

from engine.words.sentences import say
from ledger.http.failures import MOST_BYTES, UPLOAD, must_be_open, public
from ledger.keeping import nightly
from ledger.keeping.archive import transfer
from ledger.web.club import handover
from ledger.web.frame.context import CLUB, Here, saves, shows
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.words.problems import Invalid

_PLACE = f"{CLUB}/safekeeping"


@shows(_PLACE, writing=True)
def safekeeping(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the list of backups, newest first, with a warning if a scheduled nightly one was not made.

    Owners can download an archive and import one; the owner's link of an imported club is shown once.
    """
    address = url_for("web.safekeeping")
    owns = here.access.may_own
    page = here.page(
        "safekeeping.html",
        errors,
        state=nightly.state_of(current_app.extensions["ledger.settings"]),
        most=MOST_BYTES,
        link=handover.carried_secret(address) if owns and not errors else None,
        form=request.form,
    )
    page.cache_control.no_store = True  # shows a link
    return page if errors else handover.delete(page, address)


@shows(f"{_PLACE}{UPLOAD}", owning=True)
def download_archive(here: Here) -> ResponseReturnValue:
    """Return the club's archive to download."""
    club_id, name = here.access.club_id, here.club.name
    archive = transfer.written(here.session, club_id, current_app.extensions["ledger.settings"])
    return send_file(
        archive,
        mimetype=transfer.MEDIA_TYPE,
        as_attachment=True,
        download_name=transfer.file_name(name),
        max_age=0,
        conditional=False,
    )


@saves(f"{_PLACE}{UPLOAD}", safekeeping, {"name": "name", "archive": "archive"})
def import_archive(here: Here) -> ResponseReturnValue:
    """Import the club in an uploaded archive, and redirect to the page that shows its owner's link once."""
    here.access.must_own()
    must_be_open()
    file = request.files.get("archive")
    if not file:
        raise Invalid.at("archive", "ill-formed", say("Choose the file of an archive."))
    settings = current_app.extensions["ledger.settings"]
    club = transfer.received(here.db, file.stream, settings, request.form.get("name", ""))
    if club.key is None:
        return here.to("safekeeping", done="nothing-new")
    page = here.to("safekeeping", done="imported")
    link = public(url_for("web.read_along", viewer_key=club.key))
    return handover.carry(page, link, url_for("web.safekeeping"))
