"""Tariffs: the price of a contract by the point, fixed, or with additions. Amounts are whole numbers."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from engine.cards.cards import Suit
from engine.rules.verdict import Outcome, Step
from engine.words.language import Sentence
from engine.words.sentences import say


class ByTrump(NamedTuple):
    """A number that may differ if hearts are trumps.

    >>> target = ByTrump(80, hearts=74)
    >>> target.of(Suit.HEARTS), target.of(Suit.CLUBS), ByTrump(40).of(None)
    (74, 80, 40)
    """

    plain: int
    hearts: int | None = None

    def of(self, trump: Suit | None) -> int:
        """Return the number for a trump suit, or for none; it differs only in hearts."""
        return self.plain if self.hearts is None or trump is not Suit.HEARTS else self.hearts

    def for_trumps(self, trumps: Collection[Suit]) -> tuple[int, int | None]:
        """Return the number that applies to these trump suits, and the number in hearts if it differs.

        If only hearts are among them, that number comes first; without suits, the plain one.

        >>> by = ByTrump(2, hearts=3)
        >>> by.for_trumps([Suit.HEARTS, Suit.CLUBS]), by.for_trumps([Suit.HEARTS]), by.for_trumps([])
        ((2, 3), (3, None), (2, None))
        """
        numbers = sorted({self.of(trump) for trump in trumps or (None,)}, key=self.of(None).__ne__)
        return numbers[0], (numbers[1] if len(numbers) > 1 else None)

    def named(self, trump: Suit | None) -> str | None:
        """Return the English name of the trump suit if the number may differ in hearts, else `None`."""
        return None if self.hearts is None or trump is None else trump.word


class Judgement(NamedTuple):
    """The result of an aim: the outcome, the distance from the target, and the step that states it.

    `feats` are achievements and cards for which a tariff may pay.
    """

    outcome: Outcome
    margin: int
    step: Step
    feats: tuple[str, ...] = ()


class Price(NamedTuple):
    """The payment of one opponent, and the outcome, which may be a tie if the payment is 0."""

    outcome: Outcome
    amount: int
    steps: tuple[Step, ...]


class PerPoint(NamedTuple):
    """A rate for each point above or below the target, rounded to a multiple of `nearest` (0: not rounded).

    Wins and losses of the same size cost the same. An exact half cannot occur when rounding to 5. With
    nothing to pay, the hand counts as `level`: tied (002) or won (000).
    """

    rate: ByTrump
    level: Outcome
    source: str
    nearest: int = 0

    def price(self, judged: Judgement, trump: Suit | None) -> Price:
        """Return the margin times the rate, rounded if the tariff rounds; at 0 the outcome is `level`.

        >>> judged = Judgement(Outcome.WON, 14, Step("thrown-in", {}, "002"))
        >>> PerPoint(ByTrump(2, hearts=3), Outcome.TIED, "002", 5).price(judged, Suit.HEARTS).amount
        40
        """
        rate = self.rate.of(trump)
        amount = judged.margin * rate
        steps = [judged.step]
        if amount:
            named = self.rate.named(trump)
            values = {"rate": rate, "trump": named, "amount": amount}
            steps.append(Step("rate-trump" if named else "rate", values, self.source))
            if self.nearest:
                amount = (amount + self.nearest // 2) // self.nearest * self.nearest
                values = {"nearest": self.nearest, "amount": amount}
                steps.append(Step("rounded", values, self.source))
        if amount:
            return Price(judged.outcome, amount, tuple(steps))
        steps.append(Step("level", {"outcome": self.level.value}, self.source))
        return Price(self.level, 0, tuple(steps))

    def costs(self, trumps: Collection[Suit]) -> Sentence:
        """Return the price of a point for a tariff card, which does not state the rounding.

        >>> tariff = PerPoint(ByTrump(2, hearts=3), Outcome.TIED, "002")
        >>> tariff.costs(tuple(Suit)), tariff.costs([Suit.HEARTS])
        ('2 a point, 3 in hearts', '3 a point')
        """
        rate, hearts = self.rate.for_trumps(trumps)
        if hearts is None:
            return say("{rate} a point", rate=rate)
        return say("{rate} a point, {hearts} in hearts", rate=rate, hearts=hearts)


class Flat(NamedTuple):
    """One price for any number of points."""

    cost: ByTrump
    source: str

    def price(self, judged: Judgement, trump: Suit | None) -> Price:
        """Return the fixed price for the trump suit with the judged outcome; the margin is ignored."""
        amount = self.cost.of(trump)
        step = Step("price", {"amount": amount, "trump": self.cost.named(trump)}, self.source)
        return Price(judged.outcome, amount, (judged.step, step))

    def costs(self, trumps: Collection[Suit]) -> Sentence:
        """Return the price for a tariff card, with that in hearts if it differs.

        >>> Flat(ByTrump(100, hearts=150), "000").costs(tuple(Suit))
        '100, in hearts 150'
        """
        price, hearts = self.cost.for_trumps(trumps)
        if hearts is None:
            return say("{price}", price=price)
        return say("{price}, in hearts {hearts}", price=price, hearts=hearts)


class BaseAndFeats(NamedTuple):
    """A base price, and an addition for each feat (003).

    `feats` maps feats to their additions, which also increase a loss, except those in `winners_only`.
    """

    title: str
    base: int
    feats: Mapping[str, int]
    source: str
    winners_only: frozenset[str] = frozenset()

    def price(self, judged: Judgement, trump: Suit | None) -> Price:  # noqa: ARG002
        """Return the base plus the addition of each feat; on a loss without those in `winners_only`.

        The margin and the trump suit are ignored.

        >>> judged = Judgement(Outcome.WON, 0, Step("thrown-in", {}, "003"), ("prime", "matadors"))
        >>> BaseAndFeats("Frage", 2, {"prime": 2}, "003").price(judged, None).amount
        4
        """
        amount = self.base
        steps = [judged.step, Step("base", {"bid": self.title, "amount": amount}, self.source)]
        lost = judged.outcome is Outcome.LOST
        for feat in judged.feats:
            addition = self.feats.get(feat, 0)
            if addition and not (lost and feat in self.winners_only):
                amount += addition
                values = {"feat": feat, "more": addition, "amount": amount}
                steps.append(Step("feat", values, self.source))
        return Price(judged.outcome, amount, tuple(steps))

    def costs(self, trumps: Collection[Suit]) -> Sentence:  # noqa: ARG002
        """Return the base price in points for a tariff card, without the additions."""
        return say("{points:point|points}", points=self.base)


Tariff = PerPoint | Flat | BaseAndFeats
"""Turns a judgement into the payment of one opponent."""
