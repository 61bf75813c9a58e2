"""German for the words of the games: suits, bids, roles, house rules. Data only."""

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "spades": "Pik",
    "hearts": "Herz",
    "diamonds": "Karo",
    "clubs": "Kreuz",
    "bidder": "Spielansager",
    "bidder by": "vom Spielansager",
    "opponents": "Gegner",
    "opponents by": "von den Gegnern",
    "won": "gewonnen",
    "tied": "unentschieden",
    "prime": "Prime",
    "tout": "Tout, da weitergespielt wurde",
    "announced-tout": "angesagter Tout",
    "matadors-declarers": "alle drei Matadore bei der Partei des Spielansagers",
    "matadors-defenders": "alle drei Matadore bei den Gegenspielern",
    "frog pot": "Frog-Pott",
    "solo pot": "Solo-Pott",
}
