"""Rules for a club's own settings: players' names, currency and chip values."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from ledger.services.club import players
from ledger.services.club.clubs import NameTaken
from ledger.services.common.writing import WriteResponse
from ledger.services.money import currency as money_currency
from ledger.words.problems import Conflict, Invalid, Problem, Unchanged
from tests.ledger import table
from tests.ledger.model.evening import Entry, Key
from tests.ledger.model.quote_rules import Quotes
from tests.ledger.table import ask

CLUB = st.integers(0, 1)
CURRENCIES = {"EUR": 2, "USD": 2, "JPY": 0}
CHIPS = [(5, 20, 30), (1, 5, 20), (10, 50, 100)]
NO_CHIPS = [(), (5, 5), (0, 5)]


def in_names(said: Any, old: str, new: str) -> Any:
    """Return the same with a player's new name."""
    if isinstance(said, Mapping):
        return {key: in_names(value, old, new) for key, value in said.items()}
    if isinstance(said, list | tuple):
        return type(said)(in_names(each, old, new) for each in said)
    return new if said == old else said


class ClubRules(Quotes):
    """Rules for names, currencies and chip values."""

    def __init__(self) -> None:
        super().__init__()
        self.currencies = ["EUR", "EUR"]

    @rule(club=CLUB, whose=st.integers(0, 8), how=st.sampled_from(["new", "new", "case", "taken"]))
    def rename(self, club: int, whose: int, how: str) -> None:
        """Rename a player, perhaps only in other capitals; a name in use is refused."""
        access = self.clubs[club][0]
        write = table.write(self.database, access)
        everyone = ask(self.database, access, players.everyone)
        one, other = everyone[whose % len(everyone)], everyone[(whose + 1) % len(everyone)]
        name = {"new": f"{one.name}{len(self.answers)}", "case": one.name.swapcase()}.get(
            how, other.name.swapcase()
        )
        if how == "taken":
            with pytest.raises(NameTaken):
                players.rename(write, one.id, name=name)
            return
        self.remember(club, write, lambda write: players.rename(write, one.id, name=name))
        self.call(club, one.name, name)

    def call(self, club: int, old: str, new: str) -> None:
        """Rename a player everywhere in the model."""

        def called(key: Key) -> Key:
            return ("player", new) if key == ("player", old) else key

        def again(count: Counter[Key]) -> Counter[Key]:
            return Counter({called(key): amount for key, amount in count.items()})

        self.players[club] = [new if name == old else name for name in self.players[club]]
        self.paid[club] = again(self.paid[club])
        self.apart[club] = again(self.apart[club])
        self.costs = [
            (of, entry, again(moved) if of == club else moved, separate)
            for of, entry, moved, separate in self.costs
        ]
        for place, (of, entry, payer, payee, amount) in enumerate(self.payments):
            if of == club:
                pair = in_names(payer, old, new), in_names(payee, old, new)
                self.payments[place] = of, entry, *pair, amount
        for at in (at for at in self.evenings if at.club == club):
            for then in (at, *at.done, *at.undone):
                then.moved = again(then.moved)
                for each in then.order:
                    if isinstance(each, Entry):
                        each.moved = again(each.moved)
                for hand in then.hands.values():
                    hand.players = in_names(hand.players, old, new)
                    hand.said = in_names(hand.said, old, new)
                for seat in then.seats:
                    seat.player = new if seat.player == old else seat.player
            self.touched = at

    @rule(club=CLUB, chips=st.sampled_from([*CHIPS, *CHIPS, *NO_CHIPS]))
    def change_chips(self, club: int, chips: tuple[int, ...]) -> None:
        """Change the chip values; earlier counts stay as they are."""
        if chips in NO_CHIPS or chips == self.denominations[club]:
            refusal = Invalid if chips in NO_CHIPS else Unchanged
            self.refused(club, (refusal,), denominations=chips)
            return
        self.change(club, denominations=chips)
        small, large, largest = chips
        self.denominations[club] = (small, large, largest)

    @rule(club=CLUB, currency=st.sampled_from([*CURRENCIES, "ABC"]))
    def change_currency(self, club: int, currency: str) -> None:
        """Change the currency, unless money was booked or a rate would mean another sum."""
        now = self.currencies[club]
        here = [at for at in self.evenings if at.club == club]
        if currency in ("ABC", now):
            refusal = Unchanged if currency == now else Invalid
            self.refused(club, (refusal,), currency=currency)
            return
        booked = (
            any(of == club for of, *_ in (*self.payments, *self.costs))
            or any(at.has_money_entries for at in here)
            or self.imported[club]
        )
        another_sum = CURRENCIES[currency] != CURRENCIES[now] and any(at.rate for at in here)
        if booked or another_sum:
            self.refused(club, (Conflict,), currency=currency)
            return
        self.change(club, currency=currency)
        self.currencies[club] = currency
        for at in here:
            at.currency = currency

    def change(self, club: int, **said: object) -> None:
        """Change the club's money or chips."""
        write = table.write(self.database, self.clubs[club][0])
        change: Callable[..., WriteResponse] = money_currency.change
        self.remember(club, write, lambda write: change(write, **said))

    def refused(self, club: int, refusals: tuple[type[Problem], ...], **said: object) -> None:
        """Try to change the club's money or chips."""
        before = ask(self.database, self.clubs[club][0], money_currency.show)
        with pytest.raises(refusals):
            self.change(club, **said)
        assert ask(self.database, self.clubs[club][0], money_currency.show) == before
        assert before.currency == self.currencies[club]
        assert before.denominations == self.denominations[club]
