"""The phases of a hand: the deal, the auction, the exchange and the tricks. Each says what is legal now."""
