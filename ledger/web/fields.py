"""The inputs of the hand form by name: which place in a hand record each is for, and what it is called."""

from collections.abc import Mapping

FIELDS = ("bidder", "bid", "trump", "called", "partner", "points", "points_against")
MORE_FIELDS = ("tricks_won", "matadors", "first_tricks", "conceded", "note", "blind_round")
SWITCHES = ("announced_tout", "asked_partner")
MARKS = ("doubled", "redoubled")
YES, NO = "yes", "no"

INPUTS: Mapping[str, str] = {
    "contract": "bidder",
    **{f"contract.{name}": name for name in ("bidder", "bid", "trump", "called", "partner")},
    **{f"contract.{name}": name for name in (*MARKS, "announced_tout")},
    "contract.alone": "partner",
    "first_tricks_won": "first_tricks",
    "stopped": "first_tricks",
    "blind_round": "blind_round",
    "blind_round.done": "blind_round",
    **{
        name: name
        for name in ("reason", "replace", "dealer", "lead", "active", "points", "points_against")
    },
    **{name: name for name in ("tricks_won", "matadors", "asked_partner", "conceded", "note")},
}
"""Which input of the form a place in the hand record belongs to."""

LABELS: Mapping[str, str] = {
    "bidder": "bidder",
    "bid": "bid",
    "trump": "trump",
    "called": "called card",
    "partner": "partner",
    "points": "card points",
    "tricks_won": "tricks won",
    "matadors": "matadors",
    "first_tricks": "the first tricks",
}
