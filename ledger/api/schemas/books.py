"""Schemas of a session's standings, accounts, journal and settlement."""

from ledger.api.schemas.base import Text, WholeNumber, answer
from ledger.services.reads.accounts import AccountView, EntryView, PostingView, SessionSettlement
from ledger.services.reads.summary import SeatLine

StandingSchema = answer("Standing", SeatLine)
AccountSchema = answer("Account", AccountView, without={"player"})
PostingSchema = answer(
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
EntrySchema = answer("Entry", EntryView)
SettlementSchema = answer("Settlement", SessionSettlement, without={"scored"})
