"""Schemas of a club's import."""

from ledger.api.schemas.base import ResponseShape, Shape, Text, WholeNumber


class ImportQuery(Shape):
    """The settings of an import."""

    name = Text("The club's name here, if a club here has the archive's.", load_default="")


class ImportedSchema(ResponseShape):
    """An imported club."""

    club = WholeNumber("Its number here.")
    name = Text("Its name here.")
    entries = WholeNumber("The number of entries added.")
    link = Text(
        "Opens the club for an owner, once in the next 12 hours; null if nothing was added.",
        allow_none=True,
        metadata={"format": "uri"},
    )
