"""Rules for the second pair of eyes: hands that wait until the other scorer's device confirms them."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from ledger.database.kinds.states import HandAction
from ledger.services.common.writing import WriteResponse
from ledger.services.hands import confirm, versions
from ledger.services.money import currency
from ledger.services.reads import session
from ledger.services.reads.summary import HandLine
from ledger.words.problems import NotFound, Problem, Stale
from tests.ledger import table
from tests.ledger.model.clients import EVENINGS, WHO, Act, Who
from tests.ledger.model.club_rules import CLUB, ClubRules
from tests.ledger.model.evening import Evening
from tests.ledger.model.hand_rules import WHICH
from tests.ledger.table import ask


class Confirming(ClubRules):
    """Rules for confirmations; the model has a hand's device from its write until its confirmation."""

    def __init__(self) -> None:
        super().__init__()
        self.confirm_from = [0, 0]
        self.waiting: dict[tuple[int, int, int], str] = {}
        self.versions: dict[tuple[int, int, int], int] = {}

    @rule(club=CLUB, amount=st.sampled_from([0, 1, 1, 40, 100]))
    def require(self, club: int, amount: int) -> None:
        """Change from which amount on hands must be confirmed; those before stay as they are."""
        if amount != self.confirm_from[club]:
            self.change(club, confirm_from=amount)
            self.confirm_from[club] = amount
        shown = ask(self.database, self.clubs[club][0], currency.show)
        assert shown.confirm_from == amount

    @rule(at=EVENINGS, who=WHO, which=WHICH)
    def confirm(self, at: Evening, who: Who, which: int) -> None:
        """Confirm a waiting hand where there is one; no balance and no revision changes."""
        at = self.played(at)
        access = self.access(at, who)
        waiting = [number for *session, number in self.waiting if session == [at.club, at.id]]
        number = (waiting or [*at.hands, 99])[which % len(waiting or [*at.hands, 99])]
        key = (at.club, at.id, number)
        # A line shows a hand that followed without other payments at the version before.
        stored = (
            ask(self.database, self.clubs[at.club][0], versions.of_hand, at.id, number)
            if (number in at.hands)
            else []
        )
        version = stored[-1].version if stored else 1
        refusal: type[Problem] | None = None
        seen = self.seen[who.client, at.club, at.id] if who.careful else None
        if seen not in (None, at.revision):
            refusal = Stale
        elif number not in at.hands:
            refusal = NotFound
        elif key not in self.waiting:
            refusal = confirm.NothingToConfirm
        elif self.waiting[key] == access.holder:
            refusal = confirm.SameDevice
        write = table.write(self.database, access, seen)
        if refusal is not None:
            with pytest.raises(refusal):
                confirm.confirm(write, at.id, number, version=version)
        else:
            self.remember(
                at.club, write, lambda write: confirm.confirm(write, at.id, number, version=version)
            )
            del self.waiting[key]
        self.touched = at
        self.compare(at)

    def write(
        self,
        at: Evening,
        who: Who,
        act: Act,
        *refusals: type[Problem],
        of_hands: bool = False,
        is_step: bool = True,
        after_closing: bool = False,
    ) -> WriteResponse | None:
        """Write; a hand that somebody changed waits for the other device if enough was won or lost."""
        answer = super().write(
            at,
            who,
            act,
            *refusals,
            of_hands=of_hands,
            is_step=is_step,
            after_closing=after_closing,
        )
        if answer is not None and of_hands:
            for line in self.lines(at):
                key = (at.club, at.id, line.number)
                if self.versions.get(key) == line.version:
                    continue
                self.versions[key] = line.version
                # A line shows a hand that followed without other payments as it was before.
                stored = ask(
                    self.database, self.clubs[at.club][0], versions.of_hand, at.id, line.number
                )
                if stored[-1].action == HandAction.FOLLOWED:
                    continue
                least, most = self.confirm_from[at.club], max(map(abs, line.deltas))
                self.waiting.pop(key, None)
                if line.state == "standing" and least and most >= least:
                    self.waiting[key] = self.access(at, who).holder
        self.compare(at)
        return answer

    def lines(self, at: Evening) -> tuple[HandLine, ...]:
        """Read the session's hands."""
        return tuple(ask(self.database, self.clubs[at.club][0], session.hands, at.id))

    def compare(self, at: Evening) -> None:
        """Compare the devices that hands wait for with the model's."""
        assert {
            (at.club, at.id, line.number): line.unconfirmed_from
            for line in self.lines(at)
            if line.unconfirmed_from is not None
        } == {key: device for key, device in self.waiting.items() if key[:2] == (at.club, at.id)}
