"""The records of a club by the plainest rules: every hand and evening of the model is looked at again."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from tests.ledger.model.evening import Evening

Feats = dict[str, list[tuple[int, str]]]
"""Maps the kind of a record to all amounts with their players."""


def largest_feats(evenings: Iterable[Evening]) -> dict[str, tuple[int, set[str]]]:
    """Return the amount and the players of each record that isn't of a hand, of evenings in their order."""
    feats: Feats = {}
    won: dict[str, list[bool]] = {}
    ahead: dict[str, list[bool]] = {}
    made: dict[str, list[bool]] = {}
    for at in evenings:
        chips, scores = Counter[str](), Counter[str]()
        in_hand, points = at.chips(), at.scores()
        for seat in at.seats:
            chips[seat.player] += in_hand[seat.id] - at.advanced[seat.id]
            scores[seat.player] += points[seat.id]
        for unit, sums in (("chips", chips), ("score", scores)):
            for who, amount in sums.items():
                if amount:
                    kind = "best-evening" if amount > 0 else "worst-evening"
                    feats.setdefault(f"{kind} {unit}", []).append((amount, who))
        sums = chips if any(chips.values()) else scores
        if any(sums.values()):
            uneven = len(set(sums.values())) > 1
            for who, amount in sums.items():
                won.setdefault(who, []).append(uneven and amount == max(sums.values()))
                ahead.setdefault(who, []).append(amount > 0)
        bids: dict[str, list[bool]] = {}
        hands = at.play().hands
        for number in sorted(hands):
            hand = at.hands[number]
            said = hand.said[-1]
            of = {seat.id: seat.player for seat in at.seats}
            sides = hand.game.sides(hand.players, said)
            for name, seat_id in zip(hand.players, hand.seats, strict=True):
                if sides[name] == "bidder" and said["contract"]["bid"] != "pass":
                    bids.setdefault(of[seat_id], []).append(hands[number].ended == "won")
        for who, results in bids.items():
            feats.setdefault("bids-made count", []).append((sum(results), who))
            made.setdefault(who, []).extend(results)
        feats.setdefault("most-hands count", []).append((len(hands), ""))
    feats["evenings-won count"] = [(sum(flags), who) for who, flags in won.items()]
    for kind, runs in (
        ("evenings-won-in-a-row", won),
        ("evenings-ahead-in-a-row", ahead),
        ("bids-made-in-a-row", made),
    ):
        feats[f"{kind} count"] = [
            (run, who) for who, flags in runs.items() if (run := _longest_run(flags)) > 1
        ]
    largest = {}
    for kind, amounts in feats.items():
        most = max((abs(amount) for amount, _ in amounts), default=0)
        if most:
            equal = [(amount, who) for amount, who in amounts if abs(amount) == most]
            largest[kind] = equal[0][0], {who for _, who in equal if who}
    return largest


def _longest_run(flags: Iterable[bool]) -> int:
    return max((len([*run]) for is_set, run in groupby(flags) if is_set), default=0)
