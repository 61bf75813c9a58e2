"""What was written last, undone."""

from hypothesis.stateful import rule

from ledger.problems import Problem
from ledger.services import sessions, undo
from ledger.services.undo import NothingToUndo
from tests.ledger.model.clients import EVENINGS, WHO, Who
from tests.ledger.model.evening import Entry, Evening
from tests.ledger.model.hand_rules import Hands
from tests.ledger.model.paying import Said


class Undoing(Hands):
    """One step back, whatever it was."""

    @rule(at=EVENINGS, who=WHO)
    def undo(self, at: Evening, who: Who) -> None:
        """Take back what was written last, whatever it was."""
        access, last = self.access(at, who), at.last
        refusals: tuple[type[Problem], ...] = ()
        if last is None:
            refusals = (NothingToUndo,)
        elif isinstance(last, Entry):
            refusals = self.keeps(at, last)
        else:
            refusals = self.brings(at, last[1], self.before(at, *last))
        can = not refusals and at.state != "closed"
        look = undo.preview(self.database, access, at.id).preview if can else None
        if not self.write(
            at,
            who,
            lambda key, seen: undo.undo(self.database, access, key, at.id, revision=seen),
            *refusals,
        ):
            return
        assert look is not None
        for seat in sessions.show(self.database, access, at.id).present:
            assert look.balances[seat.name] == seat.balance
        if isinstance(last, Entry):
            self.take_back(at, last)
        elif last is not None:
            action, number = last
            hand, said = at.hands[number], self.before(at, *last)
            hand.void = said is None
            if action == "corrected" and said is not None:
                hand.said.append(said)
            at.last = {"corrected": "corrected", "voided": "restored"}.get(action, "voided"), number

    @staticmethod
    def before(at: Evening, action: str, number: int) -> Said | None:
        """Return what a hand is to say when its last turn is undone; None: to be void."""
        said = at.hands[number].said
        return {"corrected": said[-2:][0], "voided": said[-1]}.get(action)
