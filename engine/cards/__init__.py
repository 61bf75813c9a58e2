"""The cards: suits, ranks and packs, sets of cards, their ranking, and the ways to deal them."""
