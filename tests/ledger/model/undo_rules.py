"""Rules for undo and redo, compared with copies of the session and with their previews."""

from hypothesis.stateful import rule

from ledger.services.hands.preview import Preview
from ledger.services.session.load import load
from ledger.services.undo import last as undo
from ledger.services.undo.last import NothingToRedo, NothingToUndo
from ledger.services.undo.reverse import CannotUndo
from ledger.words.currencies import decimals
from ledger.words.problems import Problem, SessionClosed, SessionPaused
from tests.ledger.model import stack
from tests.ledger.model.clients import EVENINGS, WHO, Who
from tests.ledger.model.evening import Entry, Evening
from tests.ledger.model.hand_rules import Hands
from tests.ledger.table import ask, dry


class Undoing(Hands):
    """Rules for undo and redo."""

    @rule(at=EVENINGS, who=WHO)
    def undo(self, at: Evening, who: Who) -> None:
        """Undo the last step that was not undone, after requesting its preview."""
        last, refusals = at.last, self.against_undoing(at)
        look = self.looked(at, who, last, *refusals)
        if self.write(
            at,
            who,
            lambda write: undo.undo(write, at.id),
            *refusals,
            of_hands=isinstance(last, tuple),
            is_step=False,
            after_closing=isinstance(last, tuple),
        ):
            before = at.done.pop()
            at.undone.append(stack.kept(at))
            stack.bring_back(at, before)
            self.comes_to(at, who, look)

    @rule(at=EVENINGS, who=WHO)
    def redo(self, at: Evening, who: Who) -> None:
        """Redo the last undone step, if nothing else was done since."""
        refusals: tuple[type[Problem], ...] = (NothingToRedo,)
        after = at.undone[-1] if at.undone else None
        if after is not None:
            refusals = (CannotUndo,) if self.means_another_sum(at, after) else ()
        access, foretold = self.access(at, who), None
        of_hand = after is not None and isinstance(after.last, tuple)
        if not refusals and (at.state == "open" or (at.state == "closed" and of_hand)):
            look = ask(self.database, access, dry(undo.redo), at.id)
            view = ask(self.database, access, undo.look, at.id)
            assert view.redo == look.last
            foretold = self.promised = look.preview
        if self.write(
            at,
            who,
            lambda write: undo.redo(write, at.id),
            *refusals,
            of_hands=of_hand,
            is_step=False,
            after_closing=of_hand,
        ):
            assert after is not None
            at.done.append(stack.kept(at))
            stack.bring_back(at, at.undone.pop())
            self.comes_to(at, who, foretold)

    @rule(at=EVENINGS, who=WHO, back=WHO)
    def undo_and_redo(self, at: Evening, who: Who, back: Who) -> None:
        """Undo, then redo, by one scorer or two."""
        self.undo(at, who)
        self.redo(at, back)

    def comes_to(self, at: Evening, who: Who, look: Preview | None) -> None:
        """Compare the foretold balances with everybody's present ones."""
        after = ask(self.database, self.access(at, who), load, at.id)
        for seat in after.present if look is not None else ():
            assert look is not None
            assert look.balances[seat.name] in {after.balance_of(seat, "chips"), seat.scored}

    def against_undoing(self, at: Evening) -> tuple[type[Problem], ...]:
        """Return the obstacles to an undo."""
        if at.last is None:
            return (NothingToUndo,)
        never = isinstance(at.last, Entry) and self.is_never_undone(at.last)
        return (CannotUndo,) if never or self.means_another_sum(at, at.done[-1]) else ()

    @staticmethod
    def means_another_sum(at: Evening, then: Evening) -> bool:
        """Whether a rate would come back in a currency of other decimals."""
        changes = then.rate not in (None, at.rate)
        return changes and decimals(then.currency) != decimals(at.currency)

    def looked(
        self, at: Evening, who: Who, last: Entry | tuple[str, int] | None, *refusals: type[Problem]
    ) -> Preview | None:
        """Look at the preview of undoing: the step it would reverse, or the reason of its refusal."""
        access = self.access(at, who)
        view = ask(self.database, access, undo.look, at.id)
        assert view.revision == at.revision
        if isinstance(last, tuple):
            assert view.last is not None
            assert (view.last.what, view.last.hand) == last
        elif last is None or self.is_never_undone(last):
            assert view.last is None
        else:
            assert view.last is not None
            assert view.last.hand is None
        if at.state == "closed" and not isinstance(last, tuple):
            refusals = (SessionClosed,)
        elif isinstance(last, tuple) and at.state == "paused":
            refusals = (SessionPaused,)
        if refusals:
            assert isinstance(view.refusal, refusals)
            return None
        look = ask(self.database, access, dry(undo.undo), at.id)
        assert (view.last, view.preview) == (look.last, look.preview)
        self.promised = look.preview
        return look.preview
