"""The phases of a hand as frozen values: deal, auction, exchange and tricks, each with its legal actions."""
