"""Checks the result of a hand: points in range, no miscount, both sides adding up."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.cards.cards import Pack
from engine.errors import Problems, Violation
from engine.rules.aims import Counting, Result, missing
from engine.rules.bids import Bid
from engine.words.sentences import say


class TrickPoints(NamedTuple):
    """The card points in tricks when the hand ended.

    `ours` are the bidding side's, `theirs` the opponents', `aside` those of the widow or the discard, 0
    unless all tricks were played. `won` has for each trick whether the bidding side took it.
    """

    ours: int
    theirs: int
    aside: int
    won: Sequence[int]


ResultValues = dict[str, int | bool | str]


class Tally(ABC):
    """Reads the result of a game's hands, from cards or from stated keys."""

    stops_after: int = 0
    """The number of first tricks after which a side that won them all may stop; 0 if it may not."""

    @abstractmethod
    def from_cards(self, bid: Bid, side: TrickPoints) -> ResultValues:
        """Return the result keys, with their values, that follow from the tricks and points of both sides."""

    @abstractmethod
    def count(self, bid: Bid | None, record: Result, problems: Problems) -> Result | None:
        """Return a stated result, checked and completed; if it is wrong, extend `problems` and return `None`.

        Without a valid bid only the numbers themselves are checked. A conceded hand need not be counted. In
        both cases `None` may be returned without a violation.
        """

    def problems_aside(self, bid: Bid, record: Result, aside: int) -> Iterator[Violation]:  # noqa: ARG002
        """Yield violations of a result that contradicts the cards laid aside (bits); by default none.

        It is used if the tricks are not recorded.
        """
        return iter(())


@dataclass(frozen=True, slots=True)
class CardPoints(Tally):
    """The ace-ten count: the card points of a pack that is played in `tricks` tricks (002)."""

    pack: Pack
    tricks: int

    def from_cards(self, bid: Bid, side: TrickPoints) -> ResultValues:
        """Return both sides' card points and the number of tricks that the bidder's side won.

        The bidder gets the widow's points if the bid counts them. In a hand that was given up these are the
        points so far, without the widow, which was not turned up.
        """
        ours, theirs, aside, won = side
        if bid.aim.counting.counts_all:
            ours += aside
        return {"points": ours, "points_against": theirs, "tricks_won": sum(won)}

    def problems_aside(self, bid: Bid, record: Result, aside: int) -> Iterator[Violation]:
        """Yield a violation for points of a side that are impossible if these cards (bits) were laid aside.

        Nothing is checked if the bidder's points are missing or the hand was conceded.
        """
        points, worth = record.points, self.pack.count(aside)
        if points is None or record.conceded is not None:
            return
        rest = Pack(
            tuple(card for card in self.pack.cards if not aside >> card & 1), self.pack.worth
        )
        counts_aside = bid.aim.counting.counts_all
        if points - (worth if counts_aside else 0) not in rest.countable:
            message = say(
                "The cards laid aside are worth {worth}, so the bidder cannot have {points}"
                " {counts:term}.",
                worth=worth,
                points=points,
                counts=bid.counts,
            )
            yield Violation("points-against-aside", message, {"field": "points"})
        elif not counts_aside and record.points_against not in (None, rest.total - points):
            message = say(
                "The widow is worth {worth}, so of the other {rest} card points {right} are the"
                " opponents', not {against}.",
                worth=worth,
                rest=rest.total,
                right=rest.total - points,
                against=record.points_against,
            )
            where, legal = {"field": "points_against"}, (str(rest.total - points),)
            yield Violation("points-against-aside", message, where, legal)

    def count(self, bid: Bid | None, record: Result, problems: Problems) -> Result | None:
        """Return the result if its `points`, `points_against` and `tricks_won` are possible, else `None`.

        Violations are added to `problems`. Without a bid or points it returns `None` as well; missing points
        are a violation only if the bid needs them and the hand is neither conceded nor stated as made or
        lost.
        """
        before = len(problems)
        _check_points(self.pack, "points", record.points, problems)
        _check_points(self.pack, "points_against", record.points_against, problems)
        check_tricks(self.tricks, record.tricks_won, problems)
        if bid is None:
            return None
        if record.points is None:
            if record.conceded is None and record.made is None and "points" in bid.result_keys:
                message = say("Say how many {counts:term} the bidding side has.", counts=bid.counts)
                problems.append(missing("points", message))
            return None
        if len(problems) == before and record.points_against is not None:
            # In a hand that was given up only the points so far are known.
            rest = self.pack.total - record.points - record.points_against
            if record.conceded is None or rest < 0:
                counting = bid.aim.counting
                _check_sum(self.pack, counting, record.points, record.points_against, problems)
        if len(problems) == before:
            problems += bid.aim.problems(record) if record.conceded is None else ()
            if len(problems) == before and record.tricks_won is not None:
                problems += self._fit(bid, record, record.points, record.tricks_won)
        return record if len(problems) == before else None

    def _fit(self, bid: Bid, record: Result, points: int, tricks: int) -> Iterator[Violation]:
        """Yield a violation unless this number of tricks, with the widow if it counts, can hold the points.

        Only the fewest and the most card points of so many cards are compared.
        """
        size, spare = divmod(len(self.pack.cards), self.tricks)
        with_widow = bid.aim.counting.counts_all and record.conceded is None
        cards = tricks * size + (spare if with_widow else 0)
        least, most = self.pack.least_most[cards]
        if not least <= points <= most:
            message = say(
                "With {tricks:0=no tricks|trick|tricks} the bidder has {least} to {most} {counts:term},"
                " so it cannot be {points}.",
                tricks=tricks,
                least=least,
                most=most,
                counts=bid.counts,
                points=points,
            )
            yield Violation("tricks-against-points", message, {"field": "tricks_won"})


def check_tricks(most: int, tricks: int | None, problems: Problems) -> None:
    """Add a violation to `problems` if the number of tricks won is stated and not from 0 to `most`."""
    if tricks is not None and not 0 <= tricks <= most:
        message = say(
            "A hand has {most} tricks, so {tricks} cannot have been won.", most=most, tricks=tricks
        )
        problems.append(Violation("tricks-won-out-of-range", message, {"field": "tricks_won"}))


def _check_points(pack: Pack, key: str, points: int | None, problems: Problems) -> None:
    """Add a violation to `problems` if points are stated that no cards of the pack can have."""
    if points is None or points in pack.countable:
        return
    code = "miscount"
    message = say(
        "No set of tricks can hold exactly {points:card point|card points}: this is a miscount.",
        points=points,
    )
    if not 0 <= points <= pack.total:
        code = "points-out-of-range"
        message = say(
            "A hand holds 0 to {most} card points, not {points}.", most=pack.total, points=points
        )
    problems.append(Violation(code, message, {"field": key}))


def _check_sum(pack: Pack, counting: Counting, ours: int, theirs: int, problems: Problems) -> None:
    """Add a violation if the points that both sides leave over cannot be those of uncounted cards."""
    rest = pack.total - ours - theirs
    if rest in counting.outside:
        return
    legal: tuple[str, ...] = ()
    if counting.counts_all:
        legal = (str(pack.total - ours),)
        message = say(
            "{ours} and {theirs} card points make {sum}; together they must make {total}.",
            ours=ours,
            theirs=theirs,
            sum=ours + theirs,
            total=pack.total,
        )
    else:
        message = say(
            "{ours} and {theirs} card points in tricks leave {rest} for the widow, which no"
            " three cards are worth.",
            ours=ours,
            theirs=theirs,
            rest=rest,
        )
    problems.append(Violation("points-do-not-add-up", message, {"field": "points_against"}, legal))
