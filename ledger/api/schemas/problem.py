"""Schemas of failures (RFC 9457) and of pagination."""

from ledger.api.schemas.base import Part, ResponseShape, Rows, Table, Text, WholeNumber


class FaultSchema(ResponseShape):
    """One error in a request."""

    field = Text("A dotted path such as `contract.trump`; empty for the whole body.")
    code = Text("A stable slug of the broken rule, explained on the page of `type`.")
    message = Text("The error, and what would be valid.")
    where = Table("The place in more detail: field, trick and position in it, seat, card.")
    legal = Rows(Text(), "The allowed choices, if there are few.")


class ProblemSchema(ResponseShape):
    """A rejected request. Nothing was saved."""

    type = Text("The page that explains the code: a URI reference relative to the requested URL.")
    title = Text()
    status = WholeNumber("The HTTP status, repeated.")
    code = Text("A stable slug for programs.")
    detail = Text("A sentence for people.")
    errors = Rows(Part(FaultSchema), "Field by field.")


class PageSchema(ResponseShape):
    """A page's position in the whole list; a page beyond its end has no number."""

    total = WholeNumber("How many rows there are in total.")
    total_pages = WholeNumber()
    first_page = WholeNumber(may_miss=True)
    last_page = WholeNumber(may_miss=True)
    page = WholeNumber(may_miss=True)
    previous_page = WholeNumber(may_miss=True)
    next_page = WholeNumber(may_miss=True)
