"""The books of a session, as answered."""

from ledger.api.schemas.base import Answer, Flag, Moment, Part, Rows, Table, Text, Whole, says
from ledger.models import AccountKind, EntryKind


class StandingSchema(Answer):
    """Where a player stands."""

    name = Text()
    balance = Whole(metadata=says("Chips won or, if negative, lost."))
    chips = Whole(metadata=says("Chips in hand, including those from the bank."))
    rank = Whole(metadata=says("From 1; shared by equal balances."))
    hands_bid = Whole(metadata=says("How many hands they bid."))
    hands_won = Whole(metadata=says("How many of these they won."))


class AccountSchema(Answer):
    """An account of a session."""

    id = Whole()
    kind = Text(metadata=says("Whose it is.", enum=[kind.value for kind in AccountKind]))
    seat = Text(allow_none=True, metadata=says("The player's name, for a seat's account."))
    name = Text(allow_none=True, metadata=says("Which pot, for a pot's account."))
    closed = Flag(metadata=says("Whether it is closed to postings because its player has left."))
    unit = Text()
    balance = Whole()


class PostingSchema(Answer):
    """One account's part of an entry."""

    account = Whole(attribute="account.id")
    kind = Text(attribute="account.kind")
    seat = Text(attribute="account.seat", allow_none=True)
    player = Text(
        attribute="account.player",
        allow_none=True,
        metadata=says("The player's name, for a player's money."),
    )
    unit = Text(attribute="account.unit", metadata=says("`chips`, or the club's currency."))
    amount = Whole(metadata=says("What the account got or, if negative, gave."))
    balance = Whole(metadata=says("What it held after the entry."))


class EntrySchema(Answer):
    """A journal entry: a balanced change of accounts that never changes itself."""

    id = Whole()
    kind = Text(metadata=says("What it was for.", enum=[kind.value for kind in EntryKind]))
    details = Table(metadata=says("Further details, such as the rate of a conversion."))
    hand = Whole(allow_none=True, metadata=says("The number of the hand that it is for."))
    reverses = Whole(allow_none=True, metadata=says("The entry that it reverses."))
    author = Text()
    reason = Text(allow_none=True)
    occurred_at = Moment(metadata=says("When it happened, such as when the hand was played."))
    entered_at = Moment(metadata=says("When it was recorded."))
    digest = Text(
        metadata=says("A digest of this entry and of the one before it in the club's ledger.")
    )
    postings = Rows(Part(PostingSchema), metadata=says("They sum to zero in each unit."))


class PaymentSchema(Answer):
    """One payment that settles up."""

    payer = Text()
    payee = Text()
    amount = Whole()


class SettlementSchema(Answer):
    """What would settle a session now."""

    unit = Text()
    even = Flag(
        metadata=says(
            "Whether what is still in chips sums to zero, so that payments can settle it. Never "
            "true while a hand played for scores counts, as nobody pays those."
        )
    )
    payments = Rows(
        Part(PaymentSchema), metadata=says("The fewest possible, for up to twelve players.")
    )
