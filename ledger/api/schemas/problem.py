"""The one shape of a failure (RFC 9457), and of where a page is in its list."""

from ledger.api.schemas.base import Answer, Part, Rows, Table, Text, Whole


class FaultSchema(Answer):
    """One thing wrong with what was sent."""

    field = Text("Where: a dotted path, such as `contract.trump`; empty for the whole.")
    code = Text("Which rule: a stable slug. It is explained on the page of `type`, too.")
    message = Text("What is wrong, and what would be right.")
    where = Table("The place in more detail: field, seat, card.")
    legal = Rows(Text(), "The allowed choices, if there are few.")


class ProblemSchema(Answer):
    """Why a request was refused. Nothing of it was saved."""

    type = Text(
        "Where the code is explained: a URI reference, relative to the address that was asked."
    )
    title = Text()
    status = Whole("The HTTP status, repeated.")
    code = Text("A stable slug for programs.")
    detail = Text("A sentence for people.")
    errors = Rows(Part(FaultSchema), "Field by field.")


class PageSchema(Answer):
    """Where a page is in the whole list; a page outside it has no number."""

    total = Whole("How many rows there are in total.")
    total_pages = Whole()
    first_page = Whole(may_miss=True)
    last_page = Whole(may_miss=True)
    page = Whole(may_miss=True)
    previous_page = Whole(may_miss=True)
    next_page = Whole(may_miss=True)
