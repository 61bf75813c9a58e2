"""A bid: its trumps, what it undertakes, what it costs, and whom it calls."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.cards.cards import Card, Suit
from engine.phases.exchange import Trade
from engine.record.results import MADE, RESULT, Choice, ResultKey, ResultKind, Stated
from engine.rules.aims import Aim
from engine.rules.calling import Calling
from engine.rules.tariffs import Flat, Tariff

CONCEDED = RESULT["conceded"]
BY_BIDDER, BY_OPPONENTS = CONCEDED.words


class Bid(NamedTuple):
    """One contract that a game offers.

    `trumps` are the suits the bidder may name: none for a bid without trumps, one where the bid
    itself says it. `concessions` says who may give the hand up early. A bid that is `lead_only`
    belongs to whoever is on the lead.

    For the play: `trade` is what changes hands first; with `left_leads` the next active seat left of
    the bidder leads; one that is not `biddable` is not a call of the auction (a forced bid, the blind
    one); with `partner_names_trump` the called card's holder shows themself and names trump.
    """

    slug: str
    title: str
    trumps: tuple[Suit, ...]
    aim: Aim
    tariff: Tariff
    calls: Calling | None = None
    has_partner: bool = False
    concessions: tuple[str, ...] = ()
    lead_only: bool = False
    trade: Trade | None = None
    left_leads: bool = False
    biddable: bool = True
    partner_names_trump: bool = False

    @property
    def calls_card(self) -> bool:
        """Whether the bidder names a card."""
        return self.calls is not None

    @property
    def is_flat(self) -> bool:
        """Whether it has one price, so that nobody need count by how much it was made or lost."""
        return isinstance(self.tariff, Flat)

    @property
    def counts(self) -> str:
        """What `points` counts, in plain words."""
        return self.aim.counting.words

    def takes(self, trump: Suit | None) -> bool:
        """Whether it can be played with such a trump; where there is no choice none need be said."""
        return trump in self.trumps or (trump is None and len(self.trumps) < 2)

    @property
    def asks(self) -> tuple[str, ...]:
        """The keys of the hand record that it is judged by."""
        return self.aim.asks

    @property
    def questions(self) -> tuple[ResultKey, ...]:
        """What people are asked of its result, in order; who may concede is among the choices.

        Where all card points count for one side or the other, the other side's say as much. Where the price
        is one, nothing is counted: it was made or lost.
        """
        asks = {MADE} if self.is_flat else {*self.asks}
        if self.concessions:
            asks.add(CONCEDED.path)
        if self.aim.counting.whole:
            asks |= {key.path for key in RESULT.values() if key.other_side_of in asks}
        ways = tuple(each for each in CONCEDED.choices if each.value in self.concessions)
        return tuple(
            key._replace(choices=ways) if key is CONCEDED else key
            for key in RESULT.values()
            if key.asked and key.path in asks
        )

    def asked(self, said: Stated, numbers: Mapping[str, int]) -> tuple[ResultKey, ...]:
        """What is asked after what was said so far, each with the choices that are left.

        A number has no choices, so that it is typed; but the only one, where it can be but few.
        """
        asked = [
            key._replace(choices=key.offered(said, numbers))
            for key in self.questions
            if key.is_asked(said, numbers)
        ]
        counts = [key for key in asked if key.kind is ResultKind.WHOLE]
        if len(counts) == 1 and counts[0].most:
            few = counts[0]
            sets = ((str(number), {few.name: number}) for number in range(numbers[few.most] + 1))
            choices = tuple(Choice(count, count, each) for count, each in sets)
            asked[asked.index(few)] = few._replace(choices=choices)
        return tuple(asked)


class Undertaking(NamedTuple):
    """A contract checked against its game: who plays what, with whom."""

    bid: Bid
    bidder: str
    trump: Suit | None
    called: Card | None
    partner: str | None
    doubled: tuple[str, ...] = ()
    redoubled: tuple[str, ...] = ()
