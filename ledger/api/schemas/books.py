"""Schemas of standings, accounts, journals and settlements."""

from ledger.api.schemas.base import Text, WholeNumber, shape_of
from ledger.services.reads.accounts import AccountView, EntryView, PostingView, SessionSettlement
from ledger.services.reads.feed import FeedEntry
from ledger.services.reads.summary import SeatLine

StandingSchema = shape_of("Standing", SeatLine)
AccountSchema = shape_of("Account", AccountView, without={"player"})
PostingSchema = shape_of(
    "Posting",
    PostingView,
    without={"account"},
    account=WholeNumber(attribute="account.id"),
    kind=Text(attribute="account.kind"),
    seat=Text(attribute="account.seat", allow_none=True),
    player=Text(
        "The player's name, for a player's money.", attribute="account.player", allow_none=True
    ),
    unit=Text("`chips`, or the club's currency.", attribute="account.unit"),
)
EntrySchema = shape_of("Entry", EntryView)
FeedEntrySchema = shape_of("FeedEntry", FeedEntry)
SettlementSchema = shape_of("Settlement", SessionSettlement, without={"scored"})
