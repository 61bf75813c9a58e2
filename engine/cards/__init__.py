"""The cards: suits, ranks and packs, sets of cards, which card beats which, and how they are dealt."""
