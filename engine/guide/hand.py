"""A hand from the first card dealt to the last one played, guided step by step.

`begin` opens it; each step returns the hand after it. A guide reads `phase`, `to_act` and `legal`;
`engine.guide.transcript` returns the record so far. A record is checked by the same phases
(`engine.replay.replay`).
"""

from typing import Any, NamedTuple, cast

from engine.cards.cards import Card, Suit
from engine.errors import Refused, Violation, refuse_any
from engine.phases.actions import (
    Action,
    Announcement,
    DealtCard,
    DrawnCard,
    Ending,
    HandPart,
    problem_of,
)
from engine.phases.bidding.auction import Auction
from engine.phases.deal_out import HandingOut
from engine.phases.exchange import Exchanging
from engine.phases.tricks import Play
from engine.record import PASS, Call, Contract, Deal
from engine.replay.auction import cannot_name, make_call, outcome_of
from engine.replay.deal import KnownDeal, holder_of, read_deal
from engine.replay.holdings import side_of
from engine.replay.naming import Naming
from engine.replay.spit import Spitting
from engine.replay.stated_result import CONCEDED, complete_result, side_takes
from engine.rules.aims import Result
from engine.rules.plain_tricks import ASK_AFTER
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Rules
from engine.words.sentences import say

Phase = HandingOut | Spitting | Auction | Naming | Exchanging | Play

PARTS: dict[type, tuple[HandPart, Any]] = {
    HandingOut: (HandPart.DEAL, DealtCard),
    Spitting: (HandPart.DEAL, DealtCard | DrawnCard),
    Auction: (HandPart.AUCTION, Call),
    Naming: (HandPart.NAMING, Suit | Card | Call),
    Exchanging: (HandPart.EXCHANGE, Card),
    Play: (HandPart.PLAY, Card),
}
"""The part of a hand that each phase belongs to, and the type of its actions."""


class GuidedHand(NamedTuple):
    """A hand in progress, as a frozen value. `phase` is its current phase.

    `steps` holds every step with its part. `dealt` are the cards as dealt; `contract` the known part of the
    contract; `swap` the finished exchange; `ended` the early end of the hand, if any; `announcements` those
    of the declarer.
    """

    rules: Rules
    table: SeatingTable
    phase: Phase
    steps: tuple[tuple[HandPart, Action], ...] = ()
    dealt: KnownDeal | None = None
    contract: Contract | None = None
    swap: Exchanging | None = None
    ended: Ending | None = None
    announcements: tuple[Announcement, ...] = ()

    @property
    def part(self) -> HandPart:
        """The current part of the hand."""
        return PARTS[type(self.phase)][0]

    @property
    def over(self) -> bool:
        """Whether the hand ended: it was thrown in, ended early or played out."""
        return self.ended is not None or self.phase.over

    @property
    def to_act(self) -> str | None:
        """The seat that takes the next action; `None` if the hand is over."""
        return None if self.over else self.phase.to_act

    @property
    def legal(self) -> tuple[Action, ...]:
        """Every action that the seat to act may take; empty if the hand is over.

        Calls that the known cards forbid are left out. Endings, declarations of a higher contract and
        announcements have properties of their own.
        """
        if self.over:
            return ()
        legal: tuple[Action, ...] = self.phase.legal
        if isinstance(self.phase, Auction):
            # The cards may require or forbid a call, and the auction does not know them.
            return tuple(call for call in legal if self.allows(call))
        return legal

    @property
    def endings(self) -> tuple[Ending, ...]:
        """The ways to end the hand early now: by conceding, or by stopping after the first tricks.

        A side may concede only if the bid allows it and the tricks so far have not decided otherwise. Empty
        outside of the play.
        """
        if self.over or not isinstance(self.phase, Play) or self.contract is None:
            return ()
        bid = self.rules.by_slug[str(self.contract.bid)]
        side = side_takes(self.rules, side_of(self.contract, self.phase.seats), self.phase)
        facts = self.rules.tally.from_cards(bid, side)
        decided = bid.aim.decided(complete_result(Result(), facts, []), self.contract.trump)
        ways = [Ending(by) for by in bid.concessions if decided in (None, CONCEDED[by])]
        stop = self.rules.tally.stops_after
        may_stop = stop and Announcement.TOUT not in self.announcements
        if may_stop and self.phase.tricks == stop and not self.phase.trick and all(side.won):
            ways.append(Ending.STOPPED)
        return tuple(ways)

    @property
    def declarations(self) -> tuple[Call, ...]:
        """The higher contracts that the winner of the bidding may declare instead of the bid (003).

        Empty once trump or a card is named, and in other phases.
        """
        return self.phase.higher if isinstance(self.phase, Naming) else ()

    @property
    def open_announcements(self) -> tuple[Announcement, ...]:
        """The announcement open to the declarer in German Solo; empty after the first one.

        Tout is open before the first card; asking "partner?" after `ASK_AFTER` tricks, if there is a partner
        and the called card has not been played.
        """
        play, contract = self.phase, self.contract
        if self.over or self.announcements or contract is None or not isinstance(play, Play):
            return ()
        if not self.rules.tally.stops_after:
            return ()
        if not play.tricks and not play.trick:
            return (Announcement.TOUT,)
        hidden = contract.partner is not None and (HandPart.PLAY, contract.called) not in self.steps
        return (Announcement.PARTNER,) if hidden and play.tricks >= ASK_AFTER else ()

    def allows(self, action: Action) -> bool:
        """Return whether an action of any kind is allowed now: whether `after` accepts it."""
        return self.why_not(action) is None

    def why_not(self, action: Action) -> Violation | None:
        """Return the first violation for which `after` would refuse an action, or `None` if it is allowed."""
        return problem_of(self.after, action)

    def after(self, action: Action) -> "GuidedHand":
        """Return the hand after one action, at the next decision. Raises `Refused` if it is not allowed.

        Phases without a decision are passed over. A bid is also refused if the bidder's cards require a
        higher one, or the suit it is bound to leaves no card to call.
        """
        if isinstance(action, Ending):
            if action not in self.endings:
                message = say("The hand cannot be ended now by {what}.", what=action)
                where = {"field": action.key.path}
                raise Refused([Violation("not-now", message, where, self.endings)])
            return self._replace(ended=action, steps=(*self.steps, (self.part, action)))
        if isinstance(action, Announcement):
            return self._announce(action)
        phase: Any = self.phase
        if self.over or not isinstance(action, PARTS[type(phase)][1]):
            message = say("{what} does not belong in this part of the hand.", what=action)
            raise Refused([Violation("not-now", message, {"field": ""})])
        if isinstance(phase, Auction) and self.dealt is not None:
            phase = make_call(self.rules, phase, cast("Call", action), self.dealt)
            if phase.bidder == self.table.active.index(action.seat):
                # Nobody is led into a bid that they could not play, though it might be overcalled.
                refuse_any(cannot_name(self.rules, phase, self.dealt))
        else:
            phase = phase.after(action)
        hand = self._replace(phase=phase, steps=(*self.steps, (self.part, action)))
        if isinstance(phase, Naming) and self.contract is not None:
            hand = hand._replace(contract=self.contract._replace(bid=phase.bid.slug))
        return hand._onward() if phase.over else hand

    def _announce(self, announcement: Announcement) -> "GuidedHand":
        """Return the hand after an announcement; `Refused` if it is not open. Tout changes the contract."""
        key, contract = announcement.key, self.contract
        if announcement not in self.open_announcements or contract is None:
            where = {"field": key.path}
            message = say("“{what}” cannot be said now.", what=announcement)
            raise Refused([Violation("not-now", message, where, self.open_announcements)])
        if key.in_contract:
            contract = contract._replace(announced_tout=True)
        steps = (*self.steps, (self.part, announcement))
        return self._replace(
            announcements=(*self.announcements, announcement), contract=contract, steps=steps
        )

    def deal(self, deal: Deal) -> "GuidedHand":
        """Return the hand before its first call, with a recorded deal in place of dealing card by card.

        Raises `Refused` for an impossible deal, or one with unknown cards.
        """
        problems: list[Violation] = []
        dealt = read_deal(self.rules, self.table.active, deal, problems)
        refuse_any(problems)
        if dealt is None or not dealt.complete:
            message = say("Every card of the deal must be known to play it.")
            raise Refused([Violation("deal-size", message, {"field": "deal"})])
        return self._replace(dealt=dealt, phase=self.rules.auction(self.table.active))

    def _onward(self) -> "GuidedHand":
        """Return the hand after its finished phase, at the next phase that has a decision.

        A finished play is returned unchanged.
        """
        phase = self.phase
        if isinstance(phase, HandingOut | Spitting):
            count = len(self.table.active)
            hands, widow = phase.hands[:count], sum(phase.hands[count:])
            dealt = KnownDeal(hands, widow, (1 << count) - 1, True)
            return self._replace(dealt=dealt, phase=self.rules.auction(self.table.active))
        if isinstance(phase, Auction):
            return self._named(phase)
        if isinstance(phase, Naming):
            return self._exchanged(phase)
        return self._led(phase) if isinstance(phase, Exchanging) else self

    def _named(self, auction: Auction) -> "GuidedHand":
        """Return the hand after the auction, at the naming of trump suit and card if either is open.

        If all passed, the hand ends with the contract `pass`, unless somebody must then play. A winner whose
        cards require a higher bid gets that one.
        """
        dealt = cast("KnownDeal", self.dealt)
        seats = self.table.active
        outcome = outcome_of(self.rules, seats, auction.outcome, dealt)
        if outcome.bidder is None:
            return self._replace(contract=Contract(bid=PASS))
        duty, rungs = self.rules.duty, auction.ladder.above[0]
        own_cards = dealt.hands[seats.index(outcome.bidder)]
        if (
            duty
            and duty.owed_by(own_cards)
            and rungs.get(outcome.bid, rungs[duty.bid]) < rungs[duty.bid]
        ):
            # A bidder who could only open with a lower bid than the cards require declares the owed one.
            outcome = outcome._replace(bid=duty.bid, trump=None)
        bid = self.rules.by_slug[outcome.bid]
        contract = Contract(
            bidder=outcome.bidder,
            bid=outcome.bid,
            doubled=outcome.doubled or None,
            redoubled=outcome.redoubled or None,
        )
        naming = Naming.begin(
            self.rules, seats, dealt.hands, bid, seats.index(outcome.bidder), outcome.trump
        )
        hand = self._replace(contract=contract, phase=naming)
        return hand._exchanged(naming) if naming.over else hand

    def _exchanged(self, naming: Naming) -> "GuidedHand":
        """Return the hand after the naming, at the exchange, or at the play if nothing is exchanged.

        The contract gets trump, called card and partner; `alone` if the bidder holds the partner's card.
        """
        dealt = cast("KnownDeal", self.dealt)
        called = naming.called
        shared = called if naming.bid.has_partner else None
        holder = holder_of(shared, naming.seats, dealt.hands)
        alone = holder == naming.seats[naming.bidder]
        contract = cast("Contract", self.contract)._replace(
            trump=naming.trump,
            called=called,
            partner=None if alone else holder,
            alone=alone or None,
        )
        swap = Exchanging.begin(
            naming.bid.trade,
            naming.seats,
            dealt.hands,
            naming.bidder,
            widow=dealt.widow,
            called=called,
        )
        hand = self._replace(contract=contract, phase=swap)
        return hand._led(swap) if swap.over else hand

    def _led(self, swap: Exchanging) -> "GuidedHand":
        """Return the hand after the exchange, at the first card of the play."""
        contract = cast("Contract", self.contract)
        bid = self.rules.by_slug[str(contract.bid)]
        play = self.rules.play(bid, contract, swap.seats, swap.bidder, swap.hands)
        return self._replace(phase=play, swap=swap)


def begin(rules: Rules, table: SeatingTable, *, spit: bool = False) -> GuidedHand:
    """Return a hand before its first card is dealt; with `spit` crazy-solo's first one, from all 36 (002).

    With `spit`, raises `Refused` if no card is spit at this table.
    """
    seats = table.active
    if spit:
        spits = rules.dealing.spit
        if not spits:
            message = say("With {n} players no card is spit.", n=rules.seats)
            raise Refused([Violation("no-spit", message, {"field": "spit"})])
        return GuidedHand(rules, table, Spitting.begin(seats, rules.pack.mask, spits))
    packets = tuple(rules.dealing.packets(seats, len(rules.pack.cards)))
    return GuidedHand(rules, table, HandingOut.begin(seats, table.dealer, rules.pack.mask, packets))
