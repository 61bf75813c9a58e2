"""Rules for payments between a club's players, and for their debts."""

from collections import Counter, defaultdict
from datetime import date
from functools import partial
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from ledger.services.money import payments
from ledger.services.money.foreign_book import ForeignBook, ForeignRow
from ledger.services.money.import_book import import_book
from ledger.services.undo import payment as undo_payment
from ledger.services.undo.reverse import AlreadyUndone
from ledger.words.problems import Invalid, Stale
from tests.ledger import table
from tests.ledger.model.chip_rules import SOME, Chips
from tests.ledger.model.clients import EVENINGS, WHO, Who
from tests.ledger.model.evening import TILL, Evening, Key
from tests.ledger.table import ask

DAY = date(2026, 1, 3)
"""The day of everything that is imported."""


class Payments(Chips):
    """Rules for payments."""

    def __init__(self) -> None:
        super().__init__()
        self.payments: list[tuple[int, int, str, str, int]] = []
        self.taken_back: set[tuple[int, int]] = set()
        self.costs: list[tuple[int, int, Counter[Key], bool]] = []
        self.apart: defaultdict[int, Counter[Key]] = defaultdict(Counter)
        self.imported: dict[int, Counter[int]] = defaultdict(Counter)

    @precondition(lambda self: self.evenings)
    @rule(
        at=EVENINGS,
        who=WHO,
        payer=st.integers(0, 2),
        payee=st.integers(0, 2),
        amount=SOME,
        off=st.sampled_from([None, 0, 0, 1, -1]),
    )
    def pay(
        self, at: Evening, who: Who, payer: int, payee: int, amount: int, off: int | None
    ) -> None:
        """Pay somebody of the club: all, a part, more; nothing where the balance seen is another by now."""
        write = table.write(self.database, self.access(at, who))
        giver, taker = self.players[at.club][payer], self.players[at.club][payee]
        said: dict[str, Any] = {"payer": giver, "payee": taker, "amount": amount}
        if payer == payee:
            with pytest.raises(Invalid):
                payments.pay(write, **said)
            return
        if off is not None:
            said["seen"] = self.owed(at.club)["player", giver] + off
        if off:
            before = self.books(at.club)
            with pytest.raises(Stale):
                payments.pay(write, **said)
            assert not self.moved_since(at.club, before)
            return
        answer = self.remember(at.club, write, partial(payments.pay, **said))
        self.payments.append((at.club, answer["entry"], giver, taker, amount))
        self.paid[at.club].update({("player", giver): amount})
        self.paid[at.club].subtract({("player", taker): amount})
        self.touched = at

    @precondition(lambda self: self.evenings)
    @rule(
        at=EVENINGS, who=WHO, costs=st.lists(st.integers(1, 4), max_size=4), each_row=st.booleans()
    )
    def import_expenses(self, at: Evening, who: Who, costs: list[int], each_row: bool) -> None:
        """Import what the first player paid for two others; rows imported before stay out."""
        names = self.players[at.club][:3]
        rows = [
            ForeignRow(line, DAY, f"{cost}", {"A": 2 * cost, "B": -cost, "C": -cost}, False)
            for line, cost in enumerate(costs, 2)
        ]
        said: dict[str, Any] = {
            "book": ForeignBook("table", ("A", "B", "C"), tuple(rows), ()),
            "players_by_member": dict(zip("ABC", names, strict=True)),
            "each_row": each_row,
        }
        write = table.write(self.database, self.access(at, who))
        new = Counter(costs) - self.imported[at.club]
        answer = self.remember(at.club, write, partial(import_book, **said))
        assert (answer["rows"], answer["repeated"]) == (new.total(), len(costs) - new.total())
        self.imported[at.club] += new
        for cost in new.elements():
            self.paid[at.club].update({("player", names[0]): 2 * cost})
            self.paid[at.club].subtract({("player", name): cost for name in names[1:]})

    @precondition(lambda self: self.payments)
    @rule(which=st.integers(0, 50))
    def take_payment_back(self, which: int) -> None:
        """Reverse a payment; a second time it is refused."""
        club, entry, payer, payee, amount = self.payments[which % len(self.payments)]
        write = table.write(self.database, self.clubs[club][0])
        if (club, entry) in self.taken_back:
            with pytest.raises(AlreadyUndone):
                undo_payment.take_back(write, entry, reason="why")
            return
        self.remember(club, write, lambda write: undo_payment.take_back(write, entry, reason="why"))
        self.taken_back.add((club, entry))
        self.paid[club].subtract({("player", payer): amount})
        self.paid[club].update({("player", payee): amount})

    def owed(self, club: int) -> Counter[Key]:
        """Return every player's credit or debt: of all evenings, less their payments."""
        owed = Counter(self.paid[club])
        for at in self.evenings:
            if at.club == club:
                owed.update({k: amount for k, amount in at.moved.items() if k[0] == "player"})
        return owed

    @invariant()
    def the_money_is_as_the_model_has_it(self) -> None:
        """Of every player of every club; and the payments proposed bring it to nothing."""
        for club, (access, _) in enumerate(self.clubs):
            expected = self.owed(club)
            view = ask(self.database, access, payments.settle_up)
            owed = Counter({each.player: each.balance for each in view.balances})
            assert owed == {str(name): amount for (_, name), amount in expected.items() if amount}
            open_tills = [at.id for at in self.evenings if at.club == club and at.moved[TILL]]
            assert [each.id for each in view.unfinished] == sorted(open_tills)
            in_chips = {
                (at.id, name, chips)
                for at in self.evenings
                if at.club == club and at.rate and at.id not in open_tills
                for name, chips in at.won_by_player().items()
                if chips
            }
            assert in_chips == {
                (each.id, won.player, won.chips)
                for each in view.unconverted
                for won in each.players
            }
            for each in view.payments:
                owed.update({each.payer: each.amount})
                owed.subtract({each.payee: each.amount})
            assert not (view.payments if open_tills else any(owed.values()))
