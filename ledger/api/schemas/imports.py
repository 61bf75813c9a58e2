"""Schemas of imports from other programs for shared expenses."""

from engine.words.sentences import say
from ledger.api.schemas.base import (
    Flag,
    OneOf,
    Part,
    Range,
    Shape,
    Table,
    Text,
    WholeNumber,
    shape_of,
)
from ledger.keeping.imports.cells import ORDERS
from ledger.keeping.imports.columns import MOST_COLUMNS
from ledger.keeping.imports.formats import FORMATS
from ledger.services.money.import_book import MoneyImport


def _choice(description: str, names: list[str]) -> Text:
    error = say("Choose {names:or}.", names=[*filter(None, names)])
    return Text(description, enum=names, validate=OneOf(names, error=error), load_default="")


def _column(description: str) -> WholeNumber:
    error = say("A column has a number from 1 to {most:,}; 0 is none.", most=MOST_COLUMNS)
    within = Range(min=0, max=MOST_COLUMNS, error=error)
    return WholeNumber(description, load_default=0, validate=within)


class ColumnsDraft(Shape):
    """The columns of a table, counted from 1; 0 for one that it lacks."""

    date = _column("The day.")
    text = _column("The description.")
    cost = _column("The amount.")
    currency = _column("The currency; a row in another one than the club's is rejected.")
    payer = _column("The name of the member who paid.")
    owers = _column("The names of the members for whom was paid equally, separated by commas.")
    members = _column(
        "The first of the members' columns, which are the last ones: with a payer the members' shares, else "
        "what each paid minus what they owe."
    )
    order = _choice("How days are written, if not as 2026-01-31 or 31.01.2026.", [*ORDERS])


class MoneyImportDraft(Shape):
    """A file of another program, and how to import it."""

    content = Text(
        "The text of the file, up to 10,000 characters; the page for imports takes longer files.",
        required=True,
    )
    format = _choice("If empty, what the headings show.", ["", *FORMATS])
    columns = Part(ColumnsDraft, "For the format `table`.", optional=True)
    members = Table(
        "The name of the player for each member with another name, also of a new player; null leaves out a "
        "member and the rows that concern them.",
        values=Text(allow_none=True),
        load_default=dict,
    )
    each_row = Flag(
        "Whether each row becomes an entry, with its day and text. Otherwise there is one entry, with the "
        "balances.",
        load_default=False,
    )
    all_or_nothing = Flag("Whether a rejected row refuses the file.", load_default=False)
    reason = Text("For the history.", optional=True)


MoneyImportSchema = shape_of(
    "MoneyImport", MoneyImport, entries=WholeNumber("The entries written; 0 for a dry run.")
)
