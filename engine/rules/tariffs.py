"""What a contract costs: so much a point, or one price. Amounts are whole numbers."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from engine.cards.cards import Suit
from engine.rules.verdict import Outcome, Step
from engine.words.language import Sentence
from engine.words.sentences import say


class ByTrump(NamedTuple):
    """A number that may be another one when hearts are trumps.

    >>> target = ByTrump(80, hearts=74)
    >>> target.of(Suit.HEARTS), target.of(Suit.CLUBS), ByTrump(40).of(None)
    (74, 80, 40)
    """

    plain: int
    hearts: int | None = None

    def of(self, trump: Suit | None) -> int:
        """Give the number for a trump suit, or for none."""
        return self.plain if self.hearts is None or trump is not Suit.HEARTS else self.hearts

    def among(self, trumps: Collection[Suit]) -> tuple[int, int | None]:
        """Give the number for such trumps, and what it is in hearts where that is another one.

        >>> by = ByTrump(2, hearts=3)
        >>> by.among([Suit.HEARTS, Suit.CLUBS]), by.among([Suit.HEARTS]), by.among([])
        ((2, 3), (3, None), (2, None))
        """
        numbers = sorted({self.of(trump) for trump in trumps or (None,)}, key=self.of(None).__ne__)
        return numbers[0], (numbers[1] if len(numbers) > 1 else None)

    def named(self, trump: Suit | None) -> str | None:
        """Name the trump suit when it makes a difference, so that the reasoning can."""
        return None if self.hearts is None or trump is None else trump.word


class Judgement(NamedTuple):
    """What an aim says of a hand: won or lost, by how many points off the mark, and why.

    `feats` are what else the side did or held, for a tariff that pays for it.
    """

    outcome: Outcome
    margin: int
    step: Step
    feats: tuple[str, ...] = ()


class Price(NamedTuple):
    """What one opponent pays or is paid, and the outcome: when nothing moves it may be a tie."""

    outcome: Outcome
    amount: int
    steps: tuple[Step, ...]


class PerPoint(NamedTuple):
    """So much for each point over or under the mark, rounded to the nearest `nearest` (0: not).

    The difference is rounded without its sign, so that a loss costs what a win of the same size
    brings. An exact half cannot occur when rounding to 5. When nothing is left to pay, the hand
    counts as `level`: tied (002) or won (000).
    """

    rate: ByTrump
    level: Outcome
    source: str
    nearest: int = 0

    def price(self, judged: Judgement, trump: Suit | None) -> Price:
        """Price the hand; the amount is never negative.

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
                rounded = {"nearest": self.nearest, "amount": amount}
                steps.append(Step("rounded", rounded, self.source))
        if amount:
            return Price(judged.outcome, amount, tuple(steps))
        steps.append(Step("level", {"outcome": self.level.value}, self.source))
        return Price(self.level, 0, tuple(steps))

    def costs(self, trumps: Collection[Suit]) -> Sentence:
        """Say what a point costs, as a tariff card does; how it is rounded is a house rule.

        >>> tariff = PerPoint(ByTrump(2, hearts=3), Outcome.TIED, "002")
        >>> tariff.costs(tuple(Suit)), tariff.costs([Suit.HEARTS])
        ('2 a point, 3 in hearts', '3 a point')
        """
        rate, hearts = self.rate.among(trumps)
        if hearts is None:
            return say("{rate} a point", rate=rate)
        return say("{rate} a point, {hearts} in hearts", rate=rate, hearts=hearts)


class Flat(NamedTuple):
    """One price, won or lost, however many points were taken."""

    cost: ByTrump
    source: str

    def price(self, judged: Judgement, trump: Suit | None) -> Price:
        """Price the hand."""
        amount = self.cost.of(trump)
        step = Step("price", {"amount": amount, "trump": self.cost.named(trump)}, self.source)
        return Price(judged.outcome, amount, (judged.step, step))

    def costs(self, trumps: Collection[Suit]) -> Sentence:
        """Say the price, as a tariff card does.

        >>> Flat(ByTrump(100, hearts=150), "000").costs(tuple(Suit))
        '100, in hearts 150'
        """
        price, hearts = self.cost.among(trumps)
        if hearts is None:
            return say("{price}", price=price)
        return say("{price}, in hearts {hearts}", price=price, hearts=hearts)


class BaseAndFeats(NamedTuple):
    """A base for the contract, and an addition for each feat, made or not (003).

    `feats` maps each feat to its addition; other feats add nothing. Those in `winners_only` add nothing to a
    loss.
    """

    title: str
    base: int
    feats: Mapping[str, int]
    source: str
    winners_only: frozenset[str] = frozenset()

    def price(self, judged: Judgement, trump: Suit | None) -> Price:  # noqa: ARG002
        """Add up the price.

        >>> judged = Judgement(Outcome.WON, 0, Step("thrown-in", {}, "003"), ("prime", "matadors"))
        >>> BaseAndFeats("Frage", 2, {"prime": 2}, "003").price(judged, None).amount
        4
        """
        amount = self.base
        steps = [judged.step, Step("base", {"bid": self.title, "amount": amount}, self.source)]
        lost = judged.outcome is Outcome.LOST
        for feat in judged.feats:
            more = self.feats.get(feat, 0)
            if more and not (lost and feat in self.winners_only):
                amount += more
                values = {"feat": feat, "more": more, "amount": amount}
                steps.append(Step("feat", values, self.source))
        return Price(judged.outcome, amount, tuple(steps))

    def costs(self, trumps: Collection[Suit]) -> Sentence:  # noqa: ARG002
        """Say the base, as a tariff card does; what is added to it stands beneath the card."""
        return say("{points:point|points}", points=self.base)


Tariff = PerPoint | Flat | BaseAndFeats
"""Turns a judged hand into what one opponent pays or is paid."""
