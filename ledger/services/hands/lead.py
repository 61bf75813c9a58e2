"""Who leads a hand, where the table says so itself.

A record carries no lead. In every game the lead is eldest hand, the first active seat on the dealer's
left, so who leads follows from who deals and who plays. Naming the lead says who deals: the seat on the
lead's right, and each seat can be made the lead like that.
"""

from collections.abc import Sequence

from engine import games
from engine.errors import Refused, show
from engine.record import HandRecord
from engine.rules.seating import clockwise
from engine.words.sentences import say
from ledger.words.problems import Invalid

KEY = "lead"
"""What a draft may say in a session, over and above the keys of a record."""


def dealer_for(lead: object, players: Sequence[str]) -> str:
    """Return who deals so that ``lead`` leads. Raises ``Invalid`` at ``lead`` for nobody of this hand.

    >>> dealer_for("Ann", ["Ann", "Bob", "Cyd"])
    'Cyd'
    """
    if lead not in players:
        raise Invalid.at(
            KEY,
            "unknown-seat",
            say(
                "{lead} can't lead: the players are {players}.",
                lead=show(lead),
                players=", ".join(players),
            ),
            tuple(players),
        )
    return clockwise(tuple(players), str(lead))[-1]


def must_lead(lead: str, record: HandRecord) -> None:
    """Raise ``Invalid`` at ``lead`` where dealer and active seats of a hand make another one the lead."""
    try:
        rules = games.find(record.game).rules(record.rules, record.options, len(record.players))
        table = rules.table(record.players, record.dealer, record.active)
    except Refused:
        return  # judging it says what is wrong
    if lead not in table.active:
        raise Invalid.at(
            KEY,
            "lead-sits-out",
            say("{lead} sits this hand out and can't lead it.", lead=lead),
            table.active,
        )
    if table.lead != lead:
        message = say(
            "With {dealer} dealing, {lead} leads. For {wanted} to lead, {other} must deal.",
            dealer=record.dealer,
            lead=table.lead,
            wanted=lead,
            other=dealer_for(lead, record.players),
        )
        raise Invalid.at(KEY, "lead-follows-dealer", message, (table.lead,))
