"""Rules for shared expenses, settled with the card results or separately."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from ledger.services.money import expenses, payments
from ledger.services.undo import payment as undo_payment
from ledger.services.undo.reverse import AlreadyUndone
from tests.ledger import table
from tests.ledger.model.chip_rules import SOME
from tests.ledger.model.clients import EVENINGS, WHO, Who
from tests.ledger.model.evening import Evening, Key
from tests.ledger.model.payment_rules import Payments
from tests.ledger.table import ask


class SharedCosts(Payments):
    """Rules for expenses."""

    @precondition(lambda self: self.evenings)
    @rule(
        at=EVENINGS,
        who=WHO,
        payer=st.integers(0, 2),
        cost=SOME,
        shares=st.dictionaries(st.integers(0, 2), st.integers(1, 3), min_size=2),
        separate=st.booleans(),
    )
    def share_cost(
        self,
        at: Evening,
        who: Who,
        payer: int,
        cost: int,
        shares: Mapping[int, int],
        separate: bool,
    ) -> None:
        """Share what one of the first three paid among two or three of them."""
        people = self.players[at.club]
        moved: Counter[Key] = Counter(
            {("player", people[place]): -part for place, part in parts(cost, payer, shares)}
        )
        moved.update({("player", people[payer]): cost})
        if not any(moved.values()):
            return
        said: dict[str, Any] = {"title": "Pizza", "amount": cost, "payer": people[payer]}
        said["shared_by"] = [(people[place], number) for place, number in shares.items()]
        write = table.write(self.database, self.access(at, who))
        answer = self.remember(at.club, write, partial(expenses.share, **said, separate=separate))
        self.costs.append((at.club, answer["entry"], moved, separate))
        self.pool(at.club, separate).update(moved)
        self.touched = at

    @precondition(lambda self: self.costs)
    @rule(which=st.integers(0, 50))
    def take_cost_back(self, which: int) -> None:
        """Reverse an expense; a second time it is refused."""
        club, entry, moved, separate = self.costs[which % len(self.costs)]
        write = table.write(self.database, self.clubs[club][0])
        take_back = partial(undo_payment.take_expense_back, entry_id=entry, reason="why")
        if (club, entry) in self.taken_back:
            with pytest.raises(AlreadyUndone):
                take_back(write)
            return
        self.remember(club, write, take_back)
        self.taken_back.add((club, entry))
        self.pool(club, separate).subtract(moved)

    @precondition(lambda self: self.costs)
    @rule(which=st.integers(0, 50), amount=SOME)
    def pay_separately(self, which: int, amount: int) -> None:
        """Pay for the expenses that are settled separately."""
        club, *_ = self.costs[which % len(self.costs)]
        payer, payee = self.players[club][:2]
        said: dict[str, Any] = {"payer": payer, "payee": payee, "amount": amount, "separate": True}
        said["seen"] = self.apart[club]["player", payer]
        write = table.write(self.database, self.clubs[club][0])
        self.remember(club, write, partial(payments.pay, **said))
        self.apart[club].update({("player", payer): amount, ("player", payee): -amount})

    def pool(self, club: int, separate: bool) -> Counter[Key]:
        """Return the balances that an expense moves."""
        return self.apart[club] if separate else self.paid[club]

    @invariant()
    def the_separate_money_is_as_the_model_has_it(self) -> None:
        """Of every club; and the payments proposed for it bring it to nothing."""
        for club, (access, _) in enumerate(self.clubs):
            view = ask(self.database, access, payments.settle_up)
            owed = Counter({each.player: each.balance for each in view.separate_balances})
            expected = {
                str(name): amount for (_, name), amount in self.apart[club].items() if amount
            }
            assert owed == expected
            for each in view.separate_payments:
                owed.update({each.payer: each.amount, each.payee: -each.amount})
            assert not any(owed.values())


def parts(cost: int, payer: int, shares: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return each one's part: rounded down, and a unit more for the largest fractions.

    Of equal fractions those after the payer come first, in a circle.
    """
    exact = {
        place: Fraction(cost * number, sum(shares.values())) for place, number in shares.items()
    }
    floors = {place: part // 1 for place, part in exact.items()}
    order = sorted(exact, key=lambda place: (floors[place] - exact[place], (place - payer - 1) % 3))
    for place in order[: cost - sum(floors.values())]:
        floors[place] += 1
    return list(floors.items())
