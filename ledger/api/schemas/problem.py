"""The one shape of a failure (RFC 9457), and of where a page lies in its list."""

from ledger.api.schemas.base import Answer, Part, Rows, Table, Text, Whole, says


class FaultSchema(Answer):
    """One thing wrong with what was sent."""

    field = Text(
        metadata=says("Where: a dotted path, such as `contract.trump`; empty for the whole."),
    )
    code = Text(metadata=says("Which rule: a stable slug."))
    message = Text(metadata=says("What is wrong, and what would be right."))
    where = Table(metadata=says("The place in more detail: field, seat, card."))
    legal = Rows(Text(), metadata=says("The allowed choices, if there are few."))


class ProblemSchema(Answer):
    """Why a request was refused. Nothing of it was saved."""

    type = Text(metadata=says("Always `about:blank`; use `code`."))
    title = Text()
    status = Whole(metadata=says("The HTTP status, repeated."))
    code = Text(metadata=says("A stable slug for programs."))
    detail = Text(metadata=says("A sentence for people."))
    errors = Rows(Part(FaultSchema), metadata=says("Field by field."))


class PageSchema(Answer):
    """Where a page lies in the whole list; a page outside it has no number."""

    total = Whole(metadata=says("How many rows there are in total."))
    total_pages = Whole()
    first_page = Whole(metadata={"may_miss": True})
    last_page = Whole(metadata={"may_miss": True})
    page = Whole(metadata={"may_miss": True})
    previous_page = Whole(metadata={"may_miss": True})
    next_page = Whole(metadata={"may_miss": True})
