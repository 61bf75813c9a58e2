"""The auction in progress, as a frozen value that every procedure shares."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from engine.cards.cards import Suit
from engine.errors import Refused, Violation, suggest
from engine.record import PASS, Call
from engine.words.language import CallCode
from engine.words.sentences import say

HOLD, DOUBLE, REDOUBLE = "hold", "double", "redouble"
OVER = -1
NOBODY = -1


class Ladder(NamedTuple):
    """The bids from low to high, one rung each; a bid that may be bid over itself takes several.

    `above` maps each rung (0: no bid yet) to the lowest higher rung of each bid. The upper rung of a bid is
    played in the `preferred` suit, if any: reached over an equal bid, or at once by a bid that names it,
    `frage-in-clubs` (003; the spelling is the record's own).
    """

    rungs: tuple[str, ...]
    above: tuple[Mapping[str, int], ...]
    preferred: Suit | None = None

    @classmethod
    def of(
        cls, bids: tuple[str, ...], repeats: Mapping[str, int], preferred: Suit | None = None
    ) -> "Ladder":
        """Build the ladder of bids, ordered from low to high, with one rung for each.

        `repeats` maps bids to their number of rungs if it is not 1. With a `preferred` suit, the upper rung
        of a bid is also reached by the bid that names it. Rung 0 stands for no bid.

        >>> Ladder.of(("solo", "heart-solo"), {"heart-solo": 2}).rungs
        ('', 'solo', 'heart-solo', 'heart-solo')
        """
        rungs = ("", *(bid for bid in bids for _ in range(repeats.get(bid, 1))))
        above = []
        for standing in range(len(rungs)):
            lowest: dict[str, int] = {}
            for rung in range(standing + 1, len(rungs)):
                lowest.setdefault(rungs[rung], rung)
                if preferred and rungs[rung] == rungs[rung - 1]:
                    lowest[f"{rungs[rung]}-in-{preferred.word}"] = rung
            above.append(lowest)
        return cls(rungs, tuple(above), preferred)

    @property
    def bids(self) -> Iterable[str]:
        """Every spelling of a bid once, from low to high; a bid that `above` does not reach comes last."""
        return dict.fromkeys((*self.above[0], *self.rungs[1:]))

    def suit(self, rung: int) -> Suit | None:
        """Return the preferred suit if a rung is the upper one of its bid, else `None`."""
        return self.preferred if self.rungs[rung] == self.rungs[rung - 1] else None

    def bid_reaching(self, rung: int) -> str:
        """Return the spelling of the call that reaches a rung if nobody has bid.

        For an upper rung it names the preferred suit, `frage-in-clubs`.
        """
        return {at: bid for bid, at in self.above[0].items()}.get(rung, self.rungs[rung])


class Bidding(NamedTuple):
    """The result of an auction: bidder, bid, and doublers; `bid` is `pass` if all passed.

    `trump` is the suit to which a bid is bound that names it, or was made over an equal one: clubs in German
    Solo.
    """

    bidder: str | None
    bid: str
    doubled: tuple[str, ...] = ()
    redoubled: tuple[str, ...] = ()
    trump: Suit | None = None


class Auction(NamedTuple):
    """The auction in progress. Seats are counted from eldest hand; sets of seats are bits.

    `turn` is the seat to call, or `OVER`; `high` the leading rung, 0 for none, bid by `bidder`; `reached` is
    the number of seats that the auction has reached; `out` are those that passed for good; `calls_made`
    counts the calls so far.
    """

    procedure: "Procedure"
    seats: tuple[str, ...]
    ladder: Ladder
    turn: int = 0
    high: int = 0
    bidder: int = NOBODY
    reached: int = 1
    out: int = 0
    doubled: int = 0
    redoubled: int = 0
    calls_made: int = 0

    @property
    def over(self) -> bool:
        """Whether the auction is over: no seat is in turn."""
        return self.turn == OVER

    @property
    def to_act(self) -> str | None:
        """The name of the seat in turn; `None` if the auction is over."""
        return None if self.turn == OVER else self.seats[self.turn]

    @property
    def legal(self) -> tuple[Call, ...]:
        """Every call that the seat to call may make: pass, hold, doubles, then bids from low to high.

        Empty if the auction is over. The cards, which may require or forbid a call, are not considered.
        """
        return tuple(self.following)

    @property
    def following(self) -> Mapping[Call, "Auction"]:
        """A mapping from each call the seat to call may make to the auction after it; empty if it is over."""
        if self.turn == OVER:
            return {}
        seat = self.seats[self.turn]
        calls = [Call(seat, word) for word in (PASS, HOLD, DOUBLE)]
        calls += [Call(seat, REDOUBLE, doubler) for doubler in self.seats]
        calls += [Call(seat, bid) for bid in self.ladder.bids]
        return {call: after for call in calls if (after := self._next(call))}

    def after(self, *calls: Call) -> "Auction":
        """Return the auction after some calls, also those out of turn that the procedure's `aside` accepts.

        Raises `Refused` with the violation of the first that may not be made. The cards are not considered.
        """
        auction = self
        for call in calls:
            following = auction._next(call)
            if following is None:
                raise Refused([auction._problem(call)])
            auction = following
        return auction

    def _next(self, call: Call) -> "Auction | None":
        """Return the auction after a call, in turn or not; `None` if it may not be made."""
        turn = self.turn
        if call.doubler is not None and call.call != REDOUBLE:
            return None
        if turn == OVER or call.seat != self.seats[turn]:
            return self.procedure.aside(self, call)
        return self.procedure.after(self, call)

    @property
    def outcome(self) -> Bidding:
        """The result so far: `pass` without a bidder if nobody has bid; final when the auction is over."""
        if self.bidder == NOBODY:
            return Bidding(None, PASS)
        return Bidding(
            self.seats[self.bidder],
            self.ladder.rungs[self.high],
            self._names(self.doubled) if self.doubled else (),
            self._names(self.redoubled) if self.redoubled else (),
            self.ladder.suit(self.high),
        )

    def _names(self, seats: int) -> tuple[str, ...]:
        """Return the names of a set of seats (bits), in order."""
        return tuple(seat for place, seat in enumerate(self.seats) if seats >> place & 1)

    def _problem(self, call: Call) -> Violation:
        """Return the violation of a call that may not be made: the auction is over, out of turn, or too low.

        Any other call is `call-not-allowed`.
        """
        number = self.calls_made + 1
        where: dict[str, str | int] = {"field": f"auction.{number}", "seat": call.seat}
        if self.turn == OVER:
            message = say(
                "Call {number}: the auction was over, and {seat} called {call}.",
                number=number,
                seat=call.seat,
                call=CallCode(call.call),
            )
            return Violation("not-now", message, where)
        speaker = self.seats[self.turn]
        if call.seat != speaker:
            message = say(
                "Call {number}: it was {speaker}'s turn, not {seat}'s.",
                number=number,
                speaker=speaker,
                seat=call.seat,
            )
            return Violation("out-of-turn", message, where, (speaker,))
        choices = tuple(_spelling(allowed) for allowed in self.legal)
        legal = tuple(map(str, choices))
        values = {"number": number, "seat": call.seat, "choices": choices}
        above = self.ladder.above
        # A bid that is high enough, or stands on no rung, is refused for whose it is.
        if call.call in above[0] and call.call not in above[self.high]:
            message = say(
                "Call {number}: {seat} bid {call}, which is not higher than {high};"
                " the choices were {choices:and}.",
                call=CallCode(call.call),
                high=CallCode(self.ladder.bid_reaching(self.high)),
                **values,
            )
            return Violation("bid-too-low", message, where, legal)
        message = say(
            "Call {number}: {seat} called {call}, which was not possible; the choices were {choices:and}.",
            call=_spelling(call),
            **values,
        )
        if call.call not in (*above[0], PASS, HOLD, DOUBLE, REDOUBLE):
            message = suggest(message, call.call, choices)
        return Violation("call-not-allowed", message, where, legal)


def _spelling(call: Call) -> str:
    """Return a call for a message, with the doubler if it is a redouble."""
    code = CallCode(call.call)
    return code if call.doubler is None else say("{call} {seat}", call=code, seat=call.doubler)


class Procedure(Protocol):
    """The rules by which an auction continues."""

    def ladder(self, bids: tuple[str, ...]) -> Ladder:
        """Return the ladder of the bids, which come from low to high; by default each has one rung."""
        return Ladder.of(bids, {})

    def after(self, auction: Auction, call: Call) -> Auction | None:
        """Return the auction after a call of the seat in turn; `None` if it may not be made."""
        ...

    def aside(self, auction: Auction, call: Call) -> Auction | None:  # noqa: ARG002
        """Return the auction after a call out of turn or after its end; by default `None`: not allowed."""
        return None
