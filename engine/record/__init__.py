"""The hand record: one hand as it was played, as frozen values."""

from engine.record.hand import HandRecord
from engine.record.parts import PASS, Call, Contract, Deal, Exchange, Pots, Spit, Trick, Tricks

__all__ = [
    "PASS",
    "Call",
    "Contract",
    "Deal",
    "Exchange",
    "HandRecord",
    "Pots",
    "Spit",
    "Trick",
    "Tricks",
]
