"""The auction: whose turn it is, which calls are legal, and what each call leads to.

An `Auction` is a frozen value; the procedures, which a rule sheet names, say how it goes on. A sheet
composes one of `Duel`, `InTurn`, `OneRound` and `Doubling`.
"""

from engine.phases.bidding.auction import Auction, Bidding, Ladder, Procedure
from engine.phases.bidding.doubling import Doubling
from engine.phases.bidding.duel import Duel
from engine.phases.bidding.rounds import InTurn, OneRound

__all__ = [
    "Auction",
    "Bidding",
    "Doubling",
    "Duel",
    "InTurn",
    "Ladder",
    "OneRound",
    "Procedure",
]
