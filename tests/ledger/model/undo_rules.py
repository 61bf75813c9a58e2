"""What was written last, undone; and what is said of it before."""

from hypothesis.stateful import rule

from ledger.problems import Problem, SessionClosed
from ledger.services.hands.preview import Preview
from ledger.services.session.load import load
from ledger.services.undo import last as undo
from ledger.services.undo.last import NothingToUndo
from tests.ledger.model.clients import EVENINGS, WHO, Who
from tests.ledger.model.evening import Entry, Evening
from tests.ledger.model.hand_rules import Hands
from tests.ledger.model.paying import Said
from tests.ledger.table import ask, dry


class Undoing(Hands):
    """One step back, whatever it was."""

    @rule(at=EVENINGS, who=WHO)
    def undo(self, at: Evening, who: Who) -> None:
        """Take back what was written last, whatever it was, after looking at it."""
        access, last = self.access(at, who), at.last
        refusals: tuple[type[Problem], ...] = ()
        if last is None:
            refusals = (NothingToUndo,)
        elif isinstance(last, Entry):
            refusals = self.keeps(at, last)
        else:
            refusals = self.brings(at, last[1], self.before(at, *last))
        look = self.looked(at, who, *refusals)
        if not self.write(
            at,
            who,
            lambda write: undo.undo(write, at.id),
            *refusals,
        ):
            return
        assert look is not None
        after = ask(self.database, access, load, at.id)
        for seat in after.present:
            assert look.balances[seat.name] in {after.held(seat, "chips"), seat.scored}
        if isinstance(last, Entry):
            self.take_back(at, last)
        elif last is not None:
            action, number = last
            hand, said = at.hands[number], self.before(at, *last)
            hand.void = said is None
            if action == "corrected" and said is not None:
                hand.said.append(said)
                hand.blinds.append(hand.blinds[-2:][0])
            at.settle()
            at.last = {"corrected": "corrected", "voided": "restored"}.get(action, "voided"), number

    def looked(self, at: Evening, who: Who, *refusals: type[Problem]) -> Preview | None:
        """Look at what undoing would do: what it would take back, or why it is refused."""
        access, last = self.access(at, who), at.last
        shown = ask(self.database, access, undo.look, at.id)
        assert shown.revision == at.revision
        if isinstance(last, tuple):
            assert shown.last is not None
            assert (shown.last.what, shown.last.hand) == last
        elif last is None or self.is_never_undone(last):
            assert shown.last is None
        else:
            assert shown.last is not None
            assert shown.last.hand is None
        if at.state == "closed":
            refusals = (SessionClosed,)
        if refusals:
            assert isinstance(shown.refusal, refusals)
            return None
        look = ask(self.database, access, dry(undo.undo), at.id)
        assert (shown.last, shown.preview) == (look.last, look.preview)
        self.promised = look.preview
        return look.preview

    @staticmethod
    def before(at: Evening, action: str, number: int) -> Said | None:
        """Return what a hand is to say when its last turn is undone; None: to be void."""
        said = at.hands[number].said
        return {"corrected": said[-2:][0], "voided": said[-1]}.get(action)
