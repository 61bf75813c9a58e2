"""An evening to go back and forward in, and all that there is to compare of it."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, ChipCount, Player, PlaySession, Seat
from ledger.services.hands import record as hands_record
from ledger.services.reads import session as reads
from ledger.services.session.load import load
from ledger.services.table import seating
from ledger.services.undo import last
from tests.ledger import cash, table
from tests.ledger.table import ask, dry

FROG_WON: Mapping[str, Any] = {"contract": {"bidder": "Bob", "bid": "frog"}, "points": 80}
POTS = {"pots": {"stake": 5}}


def tonight(db: Database, access: Access) -> int:
    """Play two hands for pots among four, with stacks and a rate; Bob borrowed 40, Dee sits out."""
    played = table.start(
        db,
        access,
        table.FOUR,
        game="progressive",
        options=POTS,
        starting_stack=150,
        rate=cash.TEN_FOR_ONE,
    )
    cash.lend(db, access, played, "Bob", 40)
    for points in (40, 40, 80):
        frog(db, access, played, points)
    table.void(db, access, played, 3)
    seating.sit_out(table.write(db, access), played, player="Dee")
    return played


def frog(db: Database, access: Access, played: int, points: int) -> None:
    """Record a frog of whoever leads."""
    _, lead = table.turn(db, access, played)
    table.record(
        db, access, played, {"contract": {"bidder": lead, "bid": "frog"}, "points": points}
    )


def state(db: Database, access: Access, played: int) -> object:
    """Return all that a table knows: seats, rules, balances, pots, sums, whose turn it is, the hands."""
    with db.read(access) as session:
        view = load(session, played)
        row = session.exec(select(PlaySession).where(PlaySession.id == played)).one()
        seats = {
            seat.id: seat
            for seat in session.exec(select(Seat).where(Seat.session_id == played))
            if seat.state != "left" or seat.advanced or seat.hands_bid or seat.converted
        }
        try:
            turn: object = hands_record.propose(session, played)
        except Exception as refusal:  # too few play now: that has to come back, too
            turn = str(refusal)
        present = [
            (seat.name, seat.position, seat.state, seat.balance, seat.net) for seat in view.present
        ]
        return {
            "present": present,
            "rules": (
                row.game,
                row.variant,
                row.options,
                row.state,
                row.rate_chips,
                row.rate_money,
            ),
            "seats": {
                seat.id: (
                    seat.advanced,
                    seat.converted,
                    seat.scored,
                    seat.hands_bid,
                    seat.hands_won,
                )
                for seat in seats.values()
            },
            "accounts": {
                account.key: account.balance
                for account in session.exec(select(Account))
                if account.balance
            },
            "open": {
                account.key
                for account in session.exec(select(Account))
                if account.closed_at is None and account.seat_id in seats
            },
            "sums": {
                player.name: player.by_other_entries
                for player in session.exec(select(Player))
                if player.by_other_entries
            },
            "counts": sorted(
                (each.seat_id, each.counted, each.expected, each.author, each.counted_at)
                for each in session.exec(select(ChipCount))
            ),
            "turn": turn,
            "hands": [
                (line.number, [*filter(None, line.deltas)])
                for line in reads.hands(session, played)
                if line.state == "standing"
            ],
        }


def undo(db: Database, access: Access, played: int) -> Mapping[str, Any]:
    """Take one step back, which its dry run foretells."""
    foretold = ask(db, access, dry(last.undo), played)
    answer = last.undo(table.write(db, access), played)
    assert answer["moves"] == foretold.to_mapping()["moves"]
    return answer


def redo(db: Database, access: Access, played: int) -> Mapping[str, Any]:
    """Take one step forward, which its dry run foretells."""
    foretold = ask(db, access, dry(last.redo), played)
    answer = last.redo(table.write(db, access), played)
    assert answer["moves"] == foretold.to_mapping()["moves"]
    return answer
