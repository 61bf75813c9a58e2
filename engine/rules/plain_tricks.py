"""German Solo's result: tricks, prime, tout and matadors (003 and the rules sheet)."""

from dataclasses import dataclass

from engine.cards.cards import Suit
from engine.errors import Problems, Violation
from engine.rules.aims import Aim, Counting, Result, judge_margin, missing
from engine.rules.bids import Bid
from engine.rules.card_points import ResultValues, Tally, TrickPoints, check_tricks
from engine.rules.tariffs import Judgement
from engine.words.language import Sentence
from engine.words.sentences import later, say

TRICKS = Counting("tricks")
ALONE_KEYS = ("contract.announced_tout", "tricks_won", "matadors", "first_tricks_won", "stopped")
"""The keys that decide a hand without a partner."""
RESULT_KEYS = (*ALONE_KEYS, "asked_partner")

ASK_AFTER = 4
"""The tricks after which the declarer may ask for the partner if the called card is still hidden (003)."""

PRIME = "prime"
TOUT = "tout"
ANNOUNCED_TOUT = "announced-tout"
OWN_MATADORS = "matadors-declarers"
THEIR_MATADORS = "matadors-defenders"


@dataclass(frozen=True, slots=True)
class MostTricks(Aim):
    """The aim to take `needed` of all the tricks, `of`.

    A side that wins the first `needed` tricks may stop (prime). If it plays on, or announced tout with the
    bid, it must take every trick (tout). A declarer who has asked for the partner gets no slam and still
    needs only `needed` when playing on (the source forbids the slam; that the aim stays is our reading).
    """

    needed: int
    of: int
    source: str
    counting: Counting = TRICKS
    result_keys: tuple[str, ...] = RESULT_KEYS

    def problems(self, result: Result) -> list[Violation]:
        """Return violations for keys that contradict each other, and for a missing `first_tricks_won`.

        That key is not needed after a stop, an announced tout or a question for the partner.
        """
        problems: Problems = []
        tricks, needed = result.tricks_won, self.needed

        def refuse(code: str, key: str, message: str) -> None:
            problems.append(Violation(code, message, {"field": key}))

        if result.stopped:
            if result.announced_tout:
                message = say(
                    "A declarer who announced tout plays for every trick and cannot stop."
                )
                refuse("stopped-after-tout", "stopped", message)
            elif result.first_tricks_won is False:
                message = say(
                    "Only a side that has won the first {needed} tricks may stop.", needed=needed
                )
                refuse("stopped-too-early", "stopped", message)
            elif tricks != needed:
                message = say(
                    "A side that stops after the first {needed} tricks has won {needed}, not {tricks}.",
                    needed=needed,
                    tricks=tricks,
                )
                refuse("stopped-against-tricks", "tricks_won", message)
        elif result.first_tricks_won is None:
            if not (result.announced_tout or result.asked_partner):
                message = say(
                    "Say whether the first {needed} tricks were all the declarer's side's.",
                    needed=needed,
                )
                problems.append(missing("first_tricks_won", message))
        elif tricks is not None and (
            tricks < needed if result.first_tricks_won else tricks == self.of
        ):
            won = later("With {tricks} of {of} tricks the side cannot have won the first {needed}.")
            lost = later(
                "With {tricks} of {of} tricks the side cannot have lost any of the first {needed}."
            )
            message = say(
                won if result.first_tricks_won else lost, tricks=tricks, of=self.of, needed=needed
            )
            refuse("first-tricks-against-tricks", "first_tricks_won", message)
        if result.asked_partner and result.announced_tout:
            message = say(
                "A declarer who announced tout cannot ask for the partner: then no slam counts."
            )
            refuse("asked-after-tout", "asked_partner", message)
        return problems

    def judge(self, result: Result, trump: Suit | None) -> Judgement:  # noqa: ARG002
        """Return won with the needed tricks or, in a tout, with every trick; else lost, by the difference.

        Its feats are an announced tout, a tout or prime, and all matadors on one side.
        """
        tricks = result.tricks_won or 0
        feat = self._feat(result)
        needed = self.of if feat in (TOUT, ANNOUNCED_TOUT) else self.needed
        feats = (feat,) if feat else ()
        if result.matadors in ("declarers", "defenders"):
            feats = (*feats, f"matadors-{result.matadors}")
        margin = tricks - needed
        values = {"tricks": tricks, "needed": needed, "of": self.of, "off": abs(margin)}
        return judge_margin(margin, ("tricks-made", "tricks-missed"), values, self.source, feats)

    def needed_in(self, trump: Suit | None) -> int:  # noqa: ARG002
        """Return the number of tricks that makes the contract without a tout, in any suit."""
        return self.needed

    @property
    def goal(self) -> Sentence:
        """The tricks that win, as a sentence for a tariff card: "5 of 8 tricks"."""
        return say("{needed} of {of} tricks", needed=self.needed, of=self.of)

    def example(self, *, made: bool, trump: Suit | None) -> Result:  # noqa: ARG002
        """Return a result of exactly the needed tricks, or of one less; the matadors are split.

        The first tricks are not all won, so that it is neither prime nor a tout.
        """
        tricks = self.needed if made else self.needed - 1
        return Result(tricks_won=tricks, first_tricks_won=False, matadors="split")

    def _feat(self, result: Result) -> str | None:
        """Return an announced tout, else prime or a tout if the first tricks were won, else `None`.

        After a question for the partner there is no tout.
        """
        if result.announced_tout:
            return ANNOUNCED_TOUT
        if not result.first_tricks_won:
            return None
        if result.stopped:
            return PRIME
        return None if result.asked_partner else TOUT


@dataclass(frozen=True, slots=True)
class PlainTricks(Tally):
    """Reads the number of tricks of the declarer's side, whether it won all the first ones, and a stop."""

    of: int
    stops_after: int

    def from_cards(self, bid: Bid, side: TrickPoints) -> ResultValues:  # noqa: ARG002
        """Return the number of tricks won, and whether all of the first `stops_after` were won."""
        return {"tricks_won": sum(side.won), "first_tricks_won": all(side.won[: self.stops_after])}

    def count(self, bid: Bid | None, record: Result, problems: Problems) -> Result | None:
        """Return the result with `first_tricks_won` derived; if wrong, extend `problems` and return `None`.

        Card points are refused; the tricks won and the side with the matadors are required. Missing
        `stopped`, `asked_partner` and `announced_tout` count as false. Without a bid it returns `None`, too.
        """
        before = len(problems)
        for key in ("points", "points_against"):
            if getattr(record, key) is not None:
                message = say("Card points do not count in this game; leave {key} out.", key=key)
                problems.append(Violation("not-in-this-game", message, {"field": key}))
        tricks = record.tricks_won
        check_tricks(self.of, tricks, problems)
        if tricks is None:
            message = say("Say how many of the {of} tricks the declarer's side won.", of=self.of)
            problems.append(missing("tricks_won", message))
        if record.matadors is None:
            message = say("Say which side was dealt all three matadors, or that they were split.")
            problems.append(missing("matadors", message))
        if bid is None or tricks is None or len(problems) > before:
            return None
        result = record._replace(first_tricks_won=self._first_won(tricks, record))
        problems += bid.aim.problems(result)
        if result.asked_partner and not bid.has_partner:
            message = say(
                "In {bid:term} the declarer plays alone; there is no partner to ask.", bid=bid.title
            )
            where = {"field": "asked_partner"}
            problems.append(Violation("no-partner-to-ask", message, where))
        return result if len(problems) == before else None

    def _first_won(self, tricks: int, record: Result) -> bool | None:
        """Return whether all the first tricks were won, as stated or derived; `None` if it is unknown.

        It follows from a stop, from all tricks won, and from fewer tricks than the first ones.
        """
        if record.first_tricks_won is not None:
            return record.first_tricks_won
        if record.stopped or tricks == self.of:
            return True
        return False if tricks < self.stops_after else None
