"""The club's journal as a feed for other programs: a list, or a stream that goes on with every new entry."""

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import Any, cast

from flask import Response, after_this_request, json, request
from marshmallow import ValidationError

from ledger.api.access import Read, View
from ledger.api.blueprint import Blueprint, Page
from ledger.api.schemas.books import FeedEntrySchema
from ledger.api.schemas.lists import ListQuery
from ledger.api.smorest_internals import documented
from ledger.http.failures import from_messages
from ledger.http.flask_app import vary
from ledger.http.subscription import STREAM, Subscription, stream
from ledger.services.reads import feed, followed

blueprint = Blueprint("feed", __name__, "Every entry of the club's journal, once and in order.")

ENTRIES_AT_ONCE = 100
"""The most entries that a stream reads in one transaction and sends at once."""


def _streams(view: View) -> View:
    """Answer a request that accepts a stream of events with one."""

    @wraps(view)
    def choosing(read: Read) -> Any:
        @after_this_request
        def _vary(response: Response) -> Response:
            vary(response, "Accept")
            return response

        accepted = request.accept_mimetypes.best_match(["application/json", STREAM])
        return _stream(read) if accepted == STREAM else view(read)

    documenting: Callable[..., Any] = blueprint.alt_response(
        200,
        schema={"type": "string"},
        content_type=STREAM,
        description="The entries, or a stream of them that goes on with each new one",
    )
    return documented(choosing, documenting)


@blueprint.reads("/entries", FeedEntrySchema(many=True), extra=["LAST_EVENT"])
@_streams
@blueprint.pages(size=100, largest=1000)
def follow_entries(read: Read, page: Page) -> list[feed.FeedEntry]:
    """List the club's whole journal, oldest entry first, so that a program can follow it.

    Keep the id of the last entry that you have, and ask for those `after` it: nothing is ever changed,
    removed or added before it. After a backup was restored, entries that you have may be gone: the answer is
    422 at `after`, or the next entry's `previous_digest` is not the `digest` that you have. Then begin again.

    With `Accept: text/event-stream` the answer is a stream: each entry is an event with its id and, as data,
    its JSON; first those after `Last-Event-ID` or `after`, then each new one as it is saved. The stream takes
    no `page` and no `page_size`. It ends if the token is revoked or the server stops: connect again, as
    `EventSource` does, and it goes on after `Last-Event-ID`.
    """
    views = feed.entries(read.session, read.access, **page.span, **page.query)
    total = feed.number_of_entries(read.session, **page.query)
    return page.of(views, total, attrgetter("id"))


def _stream(read: Read) -> Response:
    """Return the events of the next entries, with a subscription to those after them."""
    values = request.args.to_dict()
    if "Last-Event-ID" in request.headers:
        values["after"] = request.headers["Last-Event-ID"]
    try:
        query = ListQuery().load(values)
    except ValidationError as error:
        raise from_messages(cast("dict[str, Any]", error.messages)) from error
    entries = feed.entries(read.session, read.access, **query, limit=ENTRIES_AT_ONCE)
    shape = FeedEntrySchema()
    content = "".join(
        f"id: {entry.id}\ndata: {json.dumps(shape.dump(entry))}\n\n" for entry in entries
    )
    number, event = followed.of_club(read.session)
    last = entries[-1].id if entries else query.get("after", 0)
    club, holder = read.access.club_id, read.access.holder
    subscription = Subscription(club, 0, number, event, holder, last)
    return stream(subscription, content) or Response(content, mimetype=STREAM)
