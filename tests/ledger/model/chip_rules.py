"""Rules for chips outside hands: the bank, adjustments and counts; then for the money they become."""

from collections import Counter

from hypothesis import strategies as st
from hypothesis.stateful import rule

from ledger.services.chips import adjust as chips_adjust
from ledger.services.chips import bank
from ledger.services.chips import count as chips_count
from ledger.services.money import convert as money_convert
from ledger.services.money.blockers import NotReady
from ledger.services.money.convert import RateFixed
from ledger.words.problems import Conflict, Invalid, Problem, Unchanged
from tests.ledger.model.clients import ANYBODY, EVENINGS, RATES, WHO, Who, rate_of
from tests.ledger.model.evening import (
    BANK,
    DIFFERENCES,
    TILL,
    Entry,
    Evening,
    Key,
    money_for,
    shared,
)
from tests.ledger.model.seat_rules import Table

SOME = st.integers(1, 200)


class Chips(Table):
    """Rules for the bank, pots, counts and money."""

    def __init__(self) -> None:
        super().__init__()
        self.denominations = [(5, 20, 30), (5, 20, 30)]

    @rule(at=EVENINGS, who=WHO, whose=ANYBODY, chips=SOME, back=st.booleans())
    def borrow(self, at: Evening, who: Who, whose: int, chips: int, back: bool) -> None:
        """Borrow from the bank or repay it; more than was lent, or than is in hand, is refused."""
        player = self.somebody(at, whose)
        seats = [seat for seat in at.present if seat.player == player]
        held = at.chips()
        too_much = back and any(chips > min(at.advanced[seat.id], held[seat.id]) for seat in seats)
        turn = bank.take_repayment if back else bank.lend
        if self.write(
            at,
            who,
            lambda write: turn(write, at.id, player=player, chips=chips),
            *at.chipless or ((Invalid,) if not seats or too_much else ()),
        ):
            amount, seat = -chips if back else chips, seats[0].id
            moved: Counter[Key] = Counter({("seat", seat): amount, BANK: -amount})
            at.enter(Entry("loan", moved, Counter({seat: amount})))

    @rule(
        at=EVENINGS,
        who=WHO,
        whose=ANYBODY,
        chips=SOME,
        pays=st.booleans(),
        pot=st.sampled_from([None, "frog", "solo"]),
    )
    def adjust(
        self, at: Evening, who: Who, whose: int, chips: int, pays: bool, pot: str | None
    ) -> None:
        """Adjust a player's chips against the differences or a pot that is not empty."""
        player = self.somebody(at, whose)
        seats = [seat for seat in at.present if seat.player == player]
        held = at.play().pots[pot] if pot else 0
        amount = -chips if pays else chips
        if not seats or (pot and not held):
            return
        if self.write(
            at,
            who,
            lambda write: chips_adjust.adjust(
                write, at.id, player=player, chips=amount, reason="why", pot=pot
            ),
            *at.chipless or ((Invalid,) if pot and amount > held else ()),
        ):
            other: Key = ("pot", pot) if pot else DIFFERENCES
            at.enter(Entry("adjustment", Counter({("seat", seats[0].id): amount, other: -amount})))

    @rule(at=EVENINGS, who=WHO, pots=st.booleans())
    def share(self, at: Evening, who: Who, pots: bool) -> None:
        """Share out the pots, or the differences."""
        held: dict[Key, int] = {DIFFERENCES: at.moved[DIFFERENCES]}
        if pots:
            at = next((each for each in self.evenings if any(each.play().pots.values())), at)
            held = {("pot", name): chips for name, chips in at.play().pots.items()}
        turn = chips_adjust.share_pots if pots else chips_adjust.share_differences
        possible = any(held.values()) and at.playing
        if self.write(
            at, who, lambda write: turn(write, at.id), *(() if possible else (Conflict,))
        ):
            moved: Counter[Key] = Counter()
            for account, chips in held.items():
                moved.update(shared(chips, at.playing))
                moved[account] -= chips
            at.enter(Entry("shared", moved))

    @rule(at=EVENINGS, who=WHO, pieces=st.integers(0, 9), post=st.booleans())
    def count(self, at: Evening, who: Who, pieces: int, post: bool) -> None:
        """Count everybody's chips; the difference is posted if the table agrees."""
        here, chips = at.present, at.chips()
        small, large, _ = self.denominations[at.club]
        counts = {seat.player: {small: seat.id % 7, large: pieces} for seat in here}
        answer = self.write(
            at,
            who,
            lambda write: chips_count.record(write, at.id, counts, post=post),
            *at.chipless or (() if here else (Invalid,)),
        )
        if answer is not None:
            moved: Counter[Key] = Counter(
                {
                    ("seat", seat.id): small * (seat.id % 7) + large * pieces - chips[seat.id]
                    for seat in here
                }
            )
            assert answer["differences"] == {seat.player: moved["seat", seat.id] for seat in here}
            if post and any(moved.values()):
                moved[DIFFERENCES] = -moved.total()
                at.enter(Entry("adjustment", moved))
            else:
                at.enter(Entry("count", Counter()))

    @rule(at=EVENINGS, who=WHO, rate=st.sampled_from(RATES))
    def agree(self, at: Evening, who: Who, rate: tuple[int, int] | None) -> None:
        """Set the session's rate."""
        if self.write(
            at,
            who,
            lambda write: money_convert.set_rate(write, at.id, rate=rate_of(rate)),
            *((Unchanged,) if rate == at.rate else self.fixed(at, rate)),
        ):
            self.set_rate(at, rate)

    @rule(at=EVENINGS, who=WHO, rate=st.sampled_from(RATES))
    def convert(self, at: Evening, who: Who, rate: tuple[int, int] | None) -> None:
        """Convert chips to money, at this rate or the session's."""
        agreed, held = rate or at.rate, at.accounts()
        refusals: tuple[type[Problem], ...] = self.fixed(at, agreed)
        waits = any(key[0] == "pot" or key == DIFFERENCES for key in held)
        won, till = at.won(), at.moved[TILL]
        if agreed is None:
            refusals = at.chipless or (Invalid,)
        elif not refusals and waits:
            refusals = (NotReady,)
        elif not refusals and not any(won.values()) and not till and not any(at.chips().values()):
            refusals = (Conflict,)
        if not self.write(
            at,
            who,
            lambda write: money_convert.convert(write, at.id, rate=rate_of(rate)),
            *refusals,
        ):
            return
        assert agreed is not None
        chips = at.chips()
        moved: Counter[Key] = Counter({("seat", seat): -held for seat, held in chips.items()})
        moved.update({BANK: chips.total(), TILL: -till})
        players = {seat.id: seat.player for seat in at.seats}
        for seat, amount in money_for(won, agreed, till).items():
            moved["player", players[seat]] += amount
        advanced = Counter({seat: -held for seat, held in chips.items()})
        was, at.rate = at.rate, agreed
        paid, at.paid_alone = at.paid_alone, Counter()

        def put_back() -> None:
            at.rate = was
            at.paid_alone.update(paid)

        at.enter(Entry("conversion", moved, advanced, Counter(won), rate=agreed, put_back=put_back))

    @staticmethod
    def set_rate(at: Evening, rate: tuple[int, int] | None) -> None:
        """Play at another rate, which can be taken back."""
        was, at.rate = at.rate, rate
        if was != rate:
            at.note("rate-set", lambda: setattr(at, "rate", was))

    @staticmethod
    def fixed(at: Evening, rate: tuple[int, int] | None) -> tuple[type[Problem], ...]:
        """Return whether the rate can't change: somebody was paid by it and the others were not.

        Nor is there one for scores.
        """
        if at.rate not in (None, rate) and any(at.paid_alone.values()):
            return (RateFixed,)
        return at.chipless if rate not in (None, at.rate) else ()
