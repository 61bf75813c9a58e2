"""The model of a hand changed after its evening was closed: the difference is cashed in, too."""

from collections import Counter

from tests.ledger.model import stack
from tests.ledger.model.evening import BANK, TILL, Entry, Evening, Key, money_for
from tests.ledger.model.paying import Said


def conversions(at: Evening) -> list[Entry]:
    """Return the conversions in force at the session's rate."""
    entries = [each for each in at.order if isinstance(each, Entry)]
    return [each for each in entries if each.kind == "conversion" and each.rate == at.rate]


def is_cashed_in(at: Evening) -> bool:
    """Return whether the session is closed, and all its chips were cashed in."""
    return at.state == "closed" and bool(conversions(at)) and not any(at.won().values())


def settle(at: Evening, *, cashed_in: bool) -> bool:
    """Settle with those who have left; after a change of a ``cashed_in`` evening, cash in what it moved.

    Everybody gets the money of a single conversion of all their chips after the change, less that of one
    before it. Returns whether anything was cashed in.
    """
    at.settle()
    won, till = at.won(), at.moved[TILL]
    if not cashed_in or not (any(won.values()) or till):
        return False
    assert at.rate is not None
    old, total = Counter(dict.fromkeys(won, 0)), 0
    for each in conversions(at):
        old.update(each.converted)
        total -= each.moved[TILL]
    new = {seat: chips + won[seat] for seat, chips in old.items()}
    before = money_for({seat: old[seat] for seat in won}, at.rate, total)
    after = money_for({seat: new[seat] for seat in won}, at.rate, total + till)
    held = at.chips()
    moved: Counter[Key] = Counter({("seat", seat): -chips for seat, chips in held.items()})
    moved.update({BANK: held.total(), TILL: -till})
    for seat in at.seats:
        moved["player", seat.player] += after[seat.id] - before[seat.id]
    advanced = Counter({seat: -chips for seat, chips in held.items()})
    at.paid_alone = Counter()
    at.enter(Entry("conversion", moved, advanced, Counter(won), rate=at.rate))
    return True


def foreseen(at: Evening, number: int, said: Said | None) -> tuple[Evening, bool]:
    """Return a copy with a hand changed (None: void), and whether chips are cashed in by it."""
    then = stack.kept(at)
    hand = then.hands[number]
    hand.void = said is None
    if said is not None:
        hand.said.append(said)
    return then, settle(then, cashed_in=is_cashed_in(at))
