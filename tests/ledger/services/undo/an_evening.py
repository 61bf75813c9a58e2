"""An evening to go back and forward in, and all that there is to compare of it."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import select

from ledger.database.models import Account, ChipCount, Player, PlaySession, Seat
from ledger.services.hands import record as hands_record
from ledger.services.reads import session as reads
from ledger.services.session.load import load
from ledger.services.undo import last
from tests.ledger import cash
from tests.ledger.evenings import CardClub, Evening

FROG_WON: Mapping[str, Any] = {"contract": {"bidder": "Bob", "bid": "frog"}, "points": 80}
POTS = {"pots": {"stake": 5}}


def tonight(club: CardClub) -> Evening:
    """Play two hands for pots among four, with stacks and a rate; Bob borrowed 40, Dee sits out."""
    terms: dict[str, Any] = {"starting_stack": 150, "rate": cash.TEN_FOR_ONE}
    evening = club.start(game="progressive", options=POTS, **terms)
    evening.lend("Bob", 40)
    for points in (40, 40, 80):
        frog(evening, points)
    evening.void(3)
    evening.sit_out("Dee")
    return evening


def frog(evening: Evening, points: int) -> None:
    """Record a frog of the player on the lead."""
    _, lead = evening.turn
    evening.record({"contract": {"bidder": lead, "bid": "frog"}, "points": points})


def state(evening: Evening) -> object:
    """Return the whole state of a table: seats, rules, balances, pots, sums, turn, hands."""
    with evening.club.db.read(evening.club.access) as session:
        view = load(session, evening.id)
        row = session.exec(select(PlaySession).where(PlaySession.id == evening.id)).one()
        seats = {
            seat.id: seat
            for seat in session.exec(select(Seat).where(Seat.session_id == evening.id))
            if seat.state != "left" or seat.advanced or seat.hands_bid or seat.converted
        }
        accounts = session.exec(select(Account)).all()
        try:
            turn: object = hands_record.propose(session, evening.id)
        except Exception as refusal:  # too few play now: that has to come back, too
            turn = str(refusal)
        return {
            "present": [(seat.name, seat.position, seat.state, seat.balance) for seat in view.present],
            "rules": (row.game, row.variant, row.options, row.state, row.first_dealer),
            "rate": (row.rate_chips, row.rate_money),
            "seats": {
                number: (seat.advanced, seat.converted, seat.scored, seat.hands_bid, seat.hands_won)
                for number, seat in seats.items()
            },
            "accounts": {account.key: account.balance for account in accounts if account.balance},
            "open": {
                account.key
                for account in accounts
                if account.closed_at is None and account.seat_id in seats
            },
            "sums": {
                player.name: player.by_other_entries
                for player in session.exec(select(Player))
                if player.by_other_entries
            },
            "counts": sorted(
                (count.seat_id, count.counted, count.expected, count.author, count.counted_at)
                for count in session.exec(select(ChipCount))
            ),
            "turn": turn,
            "hands": [
                (line.number, [*filter(None, line.deltas)])
                for line in reads.hands(session, evening.id)
                if line.state == "standing"
            ],
        }  # fmt: skip


def undo(evening: Evening) -> Mapping[str, Any]:
    """Undo one step, as its preview shows."""
    return _as_previewed(evening, last.undo)


def redo(evening: Evening) -> Mapping[str, Any]:
    """Redo one step, as its preview shows."""
    return _as_previewed(evening, last.redo)


def _as_previewed(evening: Evening, step: Any) -> Mapping[str, Any]:
    """Take a step and compare its moves with its preview, and the accounts."""
    preview = evening.preview(step)
    before = evening.club.accounts
    answer: Mapping[str, Any] = evening.do(step)
    assert answer["moves"] == preview.to_mapping()["moves"]
    after = evening.club.accounts
    moved = [after[key] - before.get(key, 0) for key in after if after[key] != before.get(key, 0)]
    assert sorted(moved) == sorted(move["amount"] for move in answer["moves"])
    return answer
