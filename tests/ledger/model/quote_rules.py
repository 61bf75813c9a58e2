"""Compares leaving, converting and their undo with the quotes requested right before."""

from collections import Counter
from contextlib import suppress

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from ledger.services.hands.preview import Move
from ledger.services.money import convert
from ledger.services.table import cash_out
from ledger.services.undo import leaving as undo_leaving
from ledger.services.undo import payment as undo_payment
from ledger.words.problems import Problem
from tests.ledger.model import evening
from tests.ledger.model.clients import ANYBODY, EVENINGS, RATES, WHO, Who, rate_of
from tests.ledger.model.evening import Entry, Evening
from tests.ledger.model.games import DRAWN, Drawn
from tests.ledger.model.hand_rules import WHICH
from tests.ledger.model.looking_back import LookingBack
from tests.ledger.model.promises import Line
from tests.ledger.table import ask, dry

BANK, TILL = ("bank", "bank"), ("till", "till")
Promised = Counter[tuple[str, str]]
"""What accounts are to get (or, negative, give), by kind and name."""


class Quotes(LookingBack):
    """Requests a quote, acts, and compares."""

    @rule(at=EVENINGS, who=WHO, whose=ANYBODY)
    def leave(self, at: Evening, who: Who, whose: int) -> None:
        """Cash out as quoted; without a quote, nobody leaves."""
        player, free, in_chips = self.somebody(at, whose), self.free(at, who), at.in_chips
        quote = None
        with suppress(Problem):
            quote = ask(
                self.database, self.access(at, who), dry(cash_out.leave), at.id, player=player
            )
        before, revision = self.books(at.club), at.revision
        went = self.went(at, who, whose, "leave")
        assert went == (free and quote is not None)
        if went and quote is not None:
            assert (quote.player, quote.revision) == (player, revision)
            assert quote.chips - quote.borrowed == quote.won
            chips = quote.chips if in_chips else 0
            promised = Counter({("seat", player): -chips, BANK: chips})
            promised.update({("player", player): quote.money or 0, TILL: -(quote.money or 0)})
            self.came_true(at, before, promised)

    @rule(at=EVENINGS, who=WHO, rate=st.sampled_from(RATES))
    def convert(self, at: Evening, who: Who, rate: tuple[int, int] | None) -> None:
        """Convert as was quoted; with no quote, while something waits, or with nothing there, nothing is."""
        at = next((each for each in self.evenings if each.moved[evening.TILL]), at)
        quote = None
        with suppress(Problem):
            quote = ask(self.database, self.access(at, who), convert.quote, at.id, rate_of(rate))
        may = quote and quote.anything and quote.rate is not None and not quote.waits
        free, till = self.free(at, who), at.moved[evening.TILL]
        before, revision, chips = self.books(at.club), at.revision, at.chips().total()
        went = self.went(at, who, rate, "convert")
        assert went == (bool(may) and free)
        if not went or quote is None:
            return
        assert (quote.paid_before, quote.revision) == (-till, revision)
        promised: Promised = Counter({BANK: chips, TILL: quote.paid_before})
        for each in quote.players:
            assert each.chips - each.borrowed == each.won
            promised["seat", each.player] -= each.chips
            promised["player", each.player] += each.money or 0
        self.came_true(at, before, promised)

    @rule(at=EVENINGS, rate=st.sampled_from(RATES[1:]), leaving=st.lists(ANYBODY, max_size=2))
    def go_home(self, at: Evening, rate: tuple[int, int], leaving: list[int]) -> None:
        """Agree on a rate, let some go, share out the differences, and convert the rest."""
        writer = Who(0, careful=False)
        self.agree(at, writer, rate)
        for player in leaving:
            self.leave(at, writer, player)
        for pots in (*(True for _ in self.evenings), False):
            self.share(at, writer, pots)
        self.convert(at, writer, None)

    @rule(
        at=EVENINGS, rate=st.sampled_from(RATES[1:]), which=WHICH, drawn=st.lists(DRAWN, max_size=3)
    )
    def find_mistakes(
        self, at: Evening, rate: tuple[int, int], which: int, drawn: list[Drawn]
    ) -> None:
        """Go home and close the session; on the next days correct a hand, void it and undo that."""
        at, writer = self.played(at), Who(0, careful=False)
        if at.state != "closed":
            self.go_home(at, rate, [])
            self.close_or_reopen(at, writer, sure=True)
        for each in drawn:
            self.correct(at, writer, which, each)
        self.void(at, writer, which)
        self.undo(at, writer)

    @rule(
        at=EVENINGS,
        rate=st.sampled_from(RATES),
        leaving=st.lists(ANYBODY, min_size=1, max_size=3),
        changes=st.lists(st.tuples(st.integers(0, 50), DRAWN | st.none()), min_size=1, max_size=5),
    )
    def change_hands_of_those_who_left(
        self,
        at: Evening,
        rate: tuple[int, int] | None,
        leaving: list[int],
        changes: list[tuple[int, Drawn | None]],
    ) -> None:
        """Let some go, then correct hands that they played, void them, or restore void ones."""
        writer = Who(0, careful=False)
        at = self.played(at)
        self.agree(at, writer, rate)
        for player in leaving:
            self.leave(at, writer, player)
        left = {seat.id for seat in at.seats if seat.state == "left"}
        theirs = [number for number, hand in at.hands.items() if left & {*hand.seats}]
        for which, drawn in changes if theirs else ():
            number = theirs[which % len(theirs)]
            if at.hands[number].void:
                void = [each for each, hand in at.hands.items() if hand.void]
                self.restore(at, writer, void.index(number))
            elif drawn is None:
                self.void(at, writer, number - 1)
            else:
                self.correct(at, writer, number - 1, drawn)

    @rule(at=EVENINGS, who=WHO, whose=ANYBODY)
    def come_back_for_good(self, at: Evening, who: Who, whose: int) -> None:
        """Undo a leaving, and compare it with its preview."""
        player = self.somebody(at, whose, here=False)
        self.promised = None
        with suppress(Problem):
            self.promised = ask(
                self.database,
                self.access(at, who),
                dry(undo_leaving.take_back),
                at.id,
                player=player,
            )
        possible = self.promised is not None and self.free(at, who)
        assert self.went(at, who, whose, "come_back_for_good") == possible

    @precondition(lambda self: self.payments)
    @rule(which=st.integers(0, 50))
    def take_payment_back(self, which: int) -> None:
        """Undo a payment, and compare it with its preview."""
        club, entry, *_ = self.payments[which % len(self.payments)]
        look: tuple[Move, ...] = ()
        with suppress(Problem):
            look = ask(self.database, self.clubs[club][0], dry(undo_payment.take_back), entry).moves
        before = self.books(club)
        super().take_payment_back(which)
        assert sorted(self.moved_since(club, before).values()) == sorted(
            (each.kind, each.name, each.amount, each.balance, each.unit) for each in look
        )

    def free(self, at: Evening, who: Who) -> bool:
        """Return whether a write is not refused for its time."""
        stale = who.careful and self.seen[who.client, at.club, at.id] != at.revision
        return at.state != "closed" and not stale

    def went(self, at: Evening, who: Who, said: object, deed: str) -> bool:
        """Do something, and return whether it was done; ``look_again`` writes nothing but of the break."""
        kinds = {"leave": "cash-out", "convert": "conversion", "come_back_for_good": "reversal"}
        length = len(at.order)
        getattr(super(), deed)(at, who, said)
        return any(
            isinstance(each, Entry) and each.kind == kinds[deed] for each in at.order[length:]
        )

    def came_true(self, at: Evening, before: dict[str, Line], promised: Promised) -> None:
        """Compare the moves with those promised, by kind of account and name."""
        moved: Promised = Counter()
        for kind, name, amount, _, _ in self.moved_since(at.club, before).values():
            moved[kind, name] += amount
        assert +moved == +promised
        assert -moved == -promised
