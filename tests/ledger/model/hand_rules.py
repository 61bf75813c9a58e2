"""Rules for hands: recording, correcting, voiding and restoring."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import MultipleResults, initialize, multiple, rule

from ledger.services.hands import correct as hands_correct
from ledger.services.hands import record as hands_record
from ledger.services.hands.plan import NotVoid
from ledger.services.hands.pots import PotsSpent
from ledger.services.hands.preview import Preview
from ledger.services.undo.reverse import CannotUndo
from ledger.words.problems import (
    AlreadyVoid,
    Conflict,
    Invalid,
    NotFound,
    Problem,
    SessionPaused,
    Unchanged,
)
from tests.ledger import table
from tests.ledger.model import after_closing
from tests.ledger.model.clients import A_GAME, EVENINGS, STACKS, WHO, Who
from tests.ledger.model.evening import SCORES, Entry, Evening, Hand
from tests.ledger.model.games import DRAWN, Drawn, Game
from tests.ledger.model.paying import Said
from tests.ledger.model.promises import Promises
from tests.ledger.table import ask, dry

WHICH = st.integers(0, 50)


class Hands(Promises):
    """Rules for hands."""

    @initialize(
        target=EVENINGS,
        games=st.lists(A_GAME, min_size=2, max_size=2),
        more=st.integers(0, 4),
        stack=STACKS,
        several=st.lists(DRAWN, min_size=3, max_size=6),
    )
    def begin(
        self, games: list[Game], more: int, stack: int, several: list[Drawn]
    ) -> MultipleResults[Evening]:
        """Start a session with some hands in each club."""
        for club in (0, 1):
            self.start(club, games[club], more, stack, None)
        one, two = self.evenings
        for drawn in several:
            for at in (one, two):
                self.record(at, Who(0, careful=True), drawn)
        return multiple(one, two)

    @rule(at=EVENINGS, who=WHO, drawn=DRAWN)
    def record(self, at: Evening, who: Who, drawn: Drawn) -> None:
        """Record the next hand; it is refused if too few or too many play."""
        playing, access = at.playing, self.access(at, who)
        players = tuple(seat.player for seat in playing)
        possible = len(playing) in at.game.seats
        said, sent = self.next_hand(at, drawn)
        blind = at.blind_of(at.proposal(said.get("dealer")))
        number = len(at.hands) + 1
        if possible and at.state == "open":
            self.promised = ask(self.database, access, dry(hands_record.record), at.id, sent)
        answer = self.write(
            at,
            who,
            lambda write: hands_record.record(write, at.id, sent),
            *(() if possible else (Invalid,)),
            of_hands=True,
        )
        if answer is not None:
            assert answer["hand"] == number
            seats = tuple(seat.id for seat in playing)
            at.hands[number] = Hand(at.game, seats, players, [said], [blind])
            at.order.append(number)
            at.last = "recorded", number

    @rule(at=EVENINGS, who=WHO, several=st.lists(DRAWN, min_size=2, max_size=5))
    def play_on(self, at: Evening, who: Who, several: list[Drawn]) -> None:
        """Record several hands."""
        for drawn in several:
            self.record(at, who, drawn)

    @rule(at=EVENINGS, who=WHO, which=WHICH, drawn=DRAWN)
    def correct(self, at: Evening, who: Who, which: int, drawn: Drawn) -> None:
        """Correct a hand; one that is void or is not changed by it is refused."""
        at = self.played(at)
        number, access = which % max(len(at.hands), 1) + 1, self.access(at, who)
        hand = at.hands.get(number)
        said = table.ALL_PASS if hand is None else hand.game.hand(hand.players, drawn)
        refusals = self.refusals(at, number, said)
        if hand is not None and not hand.void and hand.said[-1] == said:
            refusals = (Unchanged,)
        self.look(
            at,
            number,
            said,
            refusals,
            lambda: ask(self.database, access, dry(hands_correct.correct), at.id, number, said),
        )
        if self.write(
            at,
            who,
            lambda write: hands_correct.correct(write, at.id, number, said, reason="why"),
            *refusals,
            of_hands=True,
            after_closing=True,
        ):
            hand, cashed_in = at.hands[number], after_closing.is_cashed_in(at)
            hand.blinds.append(at.corrected_blind(hand, said))
            hand.said.append(said)
            after_closing.settle(at, cashed_in=cashed_in)
            at.last = "corrected", number

    @rule(at=EVENINGS, who=WHO, which=WHICH)
    def void(self, at: Evening, who: Who, which: int) -> None:
        """Void a hand; one that is void already is refused."""
        at = self.played(at)
        number, access = which % max(len(at.hands), 1) + 1, self.access(at, who)
        refusals = self.refusals(at, number, None)
        self.look(
            at,
            number,
            None,
            refusals,
            lambda: ask(self.database, access, dry(hands_correct.void), at.id, number),
        )
        if self.write(
            at,
            who,
            lambda write: hands_correct.void(write, at.id, number, reason="why"),
            *refusals,
            of_hands=True,
            after_closing=True,
        ):
            cashed_in = after_closing.is_cashed_in(at)
            at.hands[number].void = True
            after_closing.settle(at, cashed_in=cashed_in)
            at.last = "voided", number

    @rule(at=EVENINGS, who=WHO, which=WHICH)
    def restore(self, at: Evening, who: Who, which: int) -> None:
        """Restore a hand; one that is not void is refused."""
        at = next(
            (each for each in self.evenings if any(hand.void for hand in each.hands.values())), at
        )
        void = [number for number, hand in at.hands.items() if hand.void] or [1]
        number, access = void[which % len(void)], self.access(at, who)
        hand = at.hands.get(number)
        refusals: tuple[type[Problem], ...] = (NotFound if hand is None else NotVoid,)
        said = None if hand is None else hand.said[-1]
        if hand is not None and hand.void:
            refusals = self.brings(at, number, said)
        self.look(
            at,
            number,
            said,
            refusals,
            lambda: ask(self.database, access, dry(hands_correct.restore), at.id, number),
        )
        if self.write(
            at,
            who,
            lambda write: hands_correct.restore(write, at.id, number, reason="why"),
            *refusals,
            of_hands=True,
            after_closing=True,
        ):
            cashed_in = after_closing.is_cashed_in(at)
            at.hands[number].void = False
            after_closing.settle(at, cashed_in=cashed_in)
            at.last = "restored", number

    def played(self, at: Evening) -> Evening:
        """Return the session, or one in which something was played where there is one."""
        return at if at.hands else next((each for each in self.evenings if each.hands), at)

    def refusals(self, at: Evening, number: int, said: Said | None) -> tuple[type[Problem], ...]:
        """Return the refusals of a change of a hand that stands."""
        if number not in at.hands:
            return (NotFound,)
        if at.hands[number].void:
            return (AlreadyVoid,)
        return self.brings(at, number, said)

    @staticmethod
    def brings(at: Evening, number: int, said: Said | None) -> tuple[type[Problem], ...]:
        """Return the obstacle to a change: a pot that would owe, or would hold chips after the cashing in."""
        _, spent = at.following(number, said)
        if spent:
            return (PotsSpent,)
        then, cashed_in = after_closing.foreseen(at, number, said)
        return (Conflict,) * (cashed_in and any(then.play().pots.values()))

    def look(
        self,
        at: Evening,
        number: int,
        said: Said | None,
        refusals: tuple[type[Problem], ...],
        preview: Callable[[], Preview],
    ) -> None:
        """Look first: the preview knows the balances and the hands that follow, and writes nothing.

        It is refused in a break, as the deed is.
        """
        if at.state == "paused":
            with pytest.raises(SessionPaused):
                preview()
            return
        if refusals:
            return
        seen = self.promised = preview()
        now, then = at.play(), at.play({number: said})
        for_scores = number in at.hands and at.hands[number].game.slug == SCORES
        held = at.scores(then) if for_scores else at.chips(then)
        changed, _ = after_closing.foreseen(at, number, said)
        kept = changed.scores() if for_scores else changed.chips()
        for seat in at.present:
            assert seen.balances[seat.player] == kept[seat.id]
        self.money_is_foreseen(at, changed, seen)
        more = Counter[str]()
        for seat in (seat for seat in at.seats if seat.state == "left"):
            more[seat.player] += 0 if for_scores else held[seat.id]
        settled = Counter[str]()
        for after in seen.after_leaving:
            settled[after.player] += after.chips
        assert +settled == +more
        assert -settled == -more
        assert [each.number for each in seen.recalculated] == at.following(number, said)[0]
        for each in seen.recalculated:
            assert each.pots == then.before[each.number]
            got, hand = Counter(then.hands[each.number].got), at.hands[each.number]
            got.subtract(now.hands[each.number].got)
            assert each.deltas == {name: got[name] for name in hand.players if got[name]}

    @staticmethod
    def money_is_foreseen(at: Evening, after: Evening, seen: Preview) -> None:
        """Compare everybody's chips and money in the preview of a change of a cashed-in evening."""
        for line in seen.cashed_in:
            for then, chips, money in (
                (at, line.chips_before, line.money_before),
                (after, line.chips, line.money),
            ):
                converted, paid = Counter[str](), 0
                for each in after_closing.conversions(then):
                    paid += each.moved["player", line.player]
                    for seat in then.seats:
                        converted[seat.player] += each.converted[seat.id]
                assert (chips, money) == (converted[line.player], paid)

    def keeps(self, at: Evening, entry: Entry) -> tuple[type[Problem], ...]:
        """Return the obstacle to undoing an entry that is not a hand's."""
        sits = entry.kind == "cash-out" and any(
            entry.seat is not None and seat.player == entry.seat.player for seat in at.present
        )
        if self.is_never_undone(entry) or sits:
            return (CannotUndo,)
        return (CannotUndo,) if entry.rate not in (None, at.rate) else ()

    @staticmethod
    def is_never_undone(entry: Entry) -> bool:
        """Return whether it has its own way back, or is a starting stack."""
        began = entry.kind == "stack" and entry.seat is None
        return began or entry.kind in ("closing", "reopening")

    def take_back(self, at: Evening, entry: Entry) -> None:
        """Reverse an entry in the model, with the seats of the time."""
        at.enter(entry.backwards())
        if entry.kind == "cash-out":
            at.paid_alone.subtract(entry.converted)
            if entry.seat is not None and (settled := at.settled.pop(entry.seat.id, None)):
                at.paid_alone.subtract(settled.converted)
                at.add(settled.backwards())
        if entry.put_back is not None:
            entry.put_back()
        here = at.present
        if entry.kind == "cash-out" and entry.seat is not None and entry.before is not None:
            entry.seat.state, place = entry.before
            del at.heirs[entry.seat.id]
            at.arrange([*here[:place], entry.seat, *here[place:]])
        elif entry.seat is not None:
            at.vacate(entry.seat)
