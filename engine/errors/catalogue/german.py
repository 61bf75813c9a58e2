"""What can be wrong with a hand of German Solo."""

from collections.abc import Mapping

from engine.errors.catalogue.hands import FRAGE, Code, frage

_CARDS = (
    "8H AH QS TS, TD JS AD TH, AS KH QD 9S, JD 8S KD QH, "
    "KS JH 9D 7S, 8D TC 7D 9H, QC 7H AC JC, 9C 8C KC 7C"
)
OUT_AT_ONCE = [{"cards": trick} for trick in _CARDS.split(", ")]
"""Tricks of a frage with the called ace in the first one."""

CODES: Mapping[str, Code] = {
    "all-pass-is-played": Code(
        "An all-pass where somebody must then play.", frage({"bid": "pass"})
    ),
    "called-card-not-allowed": Code(
        "A called card that the bid does not let one call.", frage({"called": "AD"})
    ),
    "called-own-card": Code(
        "A called card that the bidder holds, where nobody may call their own.",
        frage(deal={"hands": {"Ann": "AH ? ? ? ? ? ? ?"}}),
    ),
    "forced-elsewhere": Code(
        "A forced bid by somebody who was not dealt the card that forces it.",
        frage({"bid": "force"}, deal={"hands": {"Cyd": "QC ? ? ? ? ? ? ?"}}),
    ),
    "alone-not-allowed": Code(
        "`alone = true` where nobody may call a card of their own.",
        {**FRAGE, "contract": {"bidder": "Ann", "bid": "frage", "trump": "D", "alone": True}},
    ),
    "first-tricks-against-tricks": Code(
        "Whether the first tricks were won contradicts the number of tricks.",
        frage(tricks_won=4, first_tricks_won=True),
    ),
    "stopped-too-early": Code("Stopped without having won the first tricks.", frage(stopped=True)),
    "stopped-against-tricks": Code(
        "Stopped, but with more or fewer tricks than those that let a side stop.",
        frage(stopped=True, tricks_won=6, first_tricks_won=True),
    ),
    "stopped-after-tout": Code(
        "Stopped although tout was announced.",
        frage({"announced_tout": True}, stopped=True),
    ),
    "asked-after-tout": Code(
        "Asked for the partner although tout was announced.",
        frage({"announced_tout": True}, asked_partner=True),
    ),
    "asked-too-late": Code(
        "Asked for the partner although the called card was played before the fifth trick.",
        frage(tricks=OUT_AT_ONCE, tricks_won=4, asked_partner=True),
    ),
    "no-partner-to-ask": Code(
        "Asked for the partner in a bid that is played alone.",
        {
            **FRAGE,
            "contract": {"bidder": "Ann", "bid": "solo", "trump": "D"},
            "asked_partner": True,
        },
    ),
    "key-twice": Code(
        "A key that appears twice in one table, so that nobody can say which was meant.",
        '{"game": "six-bid", "points": 74, "points": 47}',
    ),
}
