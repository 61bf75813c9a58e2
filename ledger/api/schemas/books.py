"""The books of a session, as answered."""

from ledger.api.schemas.base import Answer, Flag, Moment, Part, Rows, Table, Text, Whole
from ledger.models import AccountKind, EntryKind


class StandingSchema(Answer):
    """Where a player stands."""

    name = Text()
    balance = Whole("Chips won or, if negative, lost.")
    chips = Whole("Chips in hand, including those from the bank.")
    rank = Whole("From 1; shared by equal balances.")
    hands_bid = Whole("How many hands they bid.")
    hands_won = Whole("How many of these they won.")


class AccountSchema(Answer):
    """An account of a session."""

    id = Whole()
    kind = Text("Whose it is.", enum=[kind.value for kind in AccountKind])
    seat = Text("The player's name, for a seat's account.", allow_none=True)
    name = Text("Which pot, for a pot's account.", allow_none=True)
    closed = Flag("Whether it is closed to postings because its player has left.")
    unit = Text()
    balance = Whole()


class PostingSchema(Answer):
    """One account's part of an entry."""

    account = Whole(attribute="account.id")
    kind = Text(attribute="account.kind")
    seat = Text(attribute="account.seat", allow_none=True)
    player = Text(
        "The player's name, for a player's money.", attribute="account.player", allow_none=True
    )
    unit = Text("`chips`, or the club's currency.", attribute="account.unit")
    amount = Whole("What the account got or, if negative, gave.")
    balance = Whole("What it held after the entry.")


class EntrySchema(Answer):
    """A journal entry: a balanced change of accounts that never changes itself."""

    id = Whole()
    kind = Text("What it was for.", enum=[kind.value for kind in EntryKind])
    details = Table("Further details, such as the rate of a conversion.")
    hand = Whole("The number of the hand that it is for.", allow_none=True)
    reverses = Whole("The entry that it reverses.", allow_none=True)
    author = Text()
    reason = Text(allow_none=True)
    occurred_at = Moment("When it happened, such as when the hand was played.")
    entered_at = Moment("When it was recorded.")
    digest = Text("A digest of this entry and of the one before it in the club's ledger.")
    postings = Rows(Part(PostingSchema), "They sum to zero in each unit.")


class PaymentSchema(Answer):
    """One payment that settles up."""

    payer = Text()
    payee = Text()
    amount = Whole()


class SettlementSchema(Answer):
    """What would settle a session now."""

    unit = Text()
    even = Flag(
        "Whether what is still in chips sums to zero, so that payments can settle it. Never true "
        "while a hand played for scores counts, as nobody pays those."
    )
    payments = Rows(Part(PaymentSchema), "The fewest possible, for up to twelve players.")
