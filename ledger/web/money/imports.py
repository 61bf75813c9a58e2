"""The page that imports balances from other programs for shared expenses: choose a file, check, save."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from flask import request
from flask.typing import ResponseReturnValue

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.http.failures import FILE_FORM, MOST_BYTES
from ledger.keeping.imports.cells import MOST_MEMBERS, ORDERS, decode
from ledger.keeping.imports.columns import MOST_COLUMNS, ForeignColumns
from ledger.keeping.imports.formats import FORMATS, TABLE, first_rows, read_book, recognize
from ledger.services.club import players
from ledger.services.common import names
from ledger.services.common.writing import DryRun, Write, WriteResponse
from ledger.services.money import currency as club_money_settings
from ledger.services.money.foreign_book import ForeignBook
from ledger.services.money.import_book import MoneyImport, import_book
from ledger.web.frame.context import CLUB, Here, saves, shows
from ledger.web.frame.figures import number_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.words.problems import Invalid

A_PREVIEW = 5
"""The rows of a preview."""

MOST_REJECTED = 50
"""The rejected rows that a page lists."""

COLUMNS: Mapping[str, Sentence] = {
    "date": say("Day"),
    "text": say("Description"),
    "cost": say("Amount"),
    "currency": say("Currency"),
    "payer": say("Who paid"),
    "owers": say("For whom (names separated by commas)"),
    "members": say("First member; the columns to its right are members, too"),
}
"""The labels of the columns to choose."""

_INPUTS = {"file": "file", "reason": "reason"} | {
    f"members.{place}": f"member-{place}" for place in range(MOST_MEMBERS)
}


@dataclass(frozen=True, slots=True)
class ImportForm:
    """The submitted form: the text of the file, its format, and for a table its columns and first rows."""

    content: str
    slug: str
    columns: ForeignColumns
    rows: Sequence[Sequence[str]]

    @property
    def needs_columns(self) -> bool:
        """Whether it is a table of which no column was chosen yet."""
        return self.slug == TABLE and self.columns == ForeignColumns(order=self.columns.order)

    def book(self, currency: str) -> ForeignBook:
        """Return the content of the file. Raises ``Invalid`` at ``file``."""
        return read_book(self.content, self.slug, currency, self.columns)


@shows(f"{CLUB}/money{FILE_FORM}", writing=True)
def money_import(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the page that imports a file; once there is a file, with a preview."""
    currency = club_money_settings.show(here.session).currency
    form, book, preview = None, None, None
    try:
        form = _form()
        if form is not None and not form.needs_columns:
            book = form.book(currency)
            preview = None if errors else _import(here.dry_run, book)
    except Invalid:
        if not errors:
            raise  # and if there are errors, they are those of the file
    everyone = players.everyone(here.session)
    return here.page(
        "import.html",
        errors,
        formats=FORMATS,
        orders=ORDERS,
        labels=COLUMNS,
        form=form,
        book=book,
        preview=preview,
        currency=currency,
        people=everyone,
        same={names.key(player.name): player.name for player in everyone},
        key_of=names.key,
        most=MOST_BYTES * 9 // 10,  # the form has other fields, too
        a_preview=A_PREVIEW,
        most_rejected=MOST_REJECTED,
    )


@saves(f"{CLUB}/money{FILE_FORM}", money_import, _INPUTS)
def import_money(here: Here) -> ResponseReturnValue:
    """Show the preview of the submitted file, or import it; then show the club's balances."""
    form = _form()
    if form is None:
        raise Invalid.at("file", "ill-formed", say("Choose a file, or paste its text."))
    if request.form.get("do") != "save" or form.needs_columns:
        return money_import(here)
    book = form.book(club_money_settings.show(here.session).currency)
    response = _import(here.write, book)
    return here.to("club_money", done="imported-rows" if response["rows"] else "no-new-rows")


def _form() -> ImportForm | None:
    """Return the submitted form, or None without a file. Raises ``Invalid`` at ``file``."""
    file = request.files.get("file")
    upload = b""
    if file:
        file.seek(0)  # it is read again if the form is shown again
        upload = file.read()
    content = request.form.get("content", "")
    content = decode(upload) if upload else content.replace("\r\n", "\n")
    if not content.strip():
        return None
    slug = request.form.get("format", "")
    slug = slug if slug in FORMATS else recognize(content)
    order = request.form.get("order", "")
    chosen: dict[str, Any] = {name: _column(name) for name in COLUMNS}
    columns = ForeignColumns(**chosen, order=order if order in ORDERS else "")
    return ImportForm(content, slug, columns, first_rows(content, 2) if slug == TABLE else [])


def _column(name: str) -> int:
    """Return the submitted number of a column, 0 for none."""
    number = number_of(request.form.get(f"column-{name}")) or 0
    return number if number <= MOST_COLUMNS else 0


@overload
def _import(write: Write, book: ForeignBook) -> WriteResponse: ...
@overload
def _import(write: DryRun, book: ForeignBook) -> MoneyImport: ...
def _import(write: Write | DryRun, book: ForeignBook) -> WriteResponse | MoneyImport:
    """Import a book with the submitted players and choices, or preview it."""
    chosen: dict[str, str | None] = {}
    for place, member in enumerate(book.members):
        typed = request.form.get(f"member-{place}")
        if typed is not None and request.form.get(f"of-{place}") == member:
            chosen[member] = typed or None
    return import_book(
        write,
        book=book,
        players_by_member=chosen,
        each_row=request.form.get("as") == "rows",
        all_or_nothing="whole" in request.form,
        reason=request.form.get("reason"),
    )
