"""A table in plain words, for the tests: a dealer's button that is handed on when its owner goes."""

from engine.rules.seating import BLIND


class Button:
    """The seats of a table, the owner of the button, and the players already under in the blind round."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.here = list(names)
        self.out: set[str] = set()
        self.owner = names[0]
        self.been: set[str] | None = None
        self.heartless = 0
        self.last_under: str | None = None

    @property
    def playing(self) -> list[str]:
        """Return the players of the next hand, clockwise."""
        return [name for name in self.here if name not in self.out]

    def left_of(self, name: str) -> str:
        """Return the next player present to the left."""
        return self.here[(self.here.index(name) + 1) % len(self.here)]

    def leave(self, name: str) -> None:
        """Go, and hand the button to the left."""
        if self.owner == name:
            self.owner = self.left_of(name)
        self.here.remove(name)
        self.out.discard(name)

    @property
    def dealer(self) -> str:
        """Return the dealer: the owner of the button, or the next player of the hand."""
        found = self.owner
        while found in self.out:
            found = self.left_of(found)
        return found

    @property
    def lead(self) -> str:
        """Return the next player of the hand to the dealer's left."""
        found = self.left_of(self.dealer)
        while found in self.out:
            found = self.left_of(found)
        return found

    @property
    def under(self) -> str | None:
        """Return the player who is under."""
        return None if self.been is None or self.lead in self.been else self.lead

    def played(self, bid: str) -> None:
        """Hand the button on after a hand, or keep it."""
        dealer, lead, under = self.dealer, self.lead, self.under
        if under is None:
            self.been = {lead} if bid == BLIND else None
            self.owner = dealer if bid == "pass" else lead
            self.heartless = 0
            return
        before = self.heartless if self.last_under == under else 0
        again = bid != BLIND and before < 2
        self.heartless = before + 1 if again else 0
        self.last_under = under
        self.owner = dealer if again else lead
        if not again and self.been is not None:
            self.been.add(under)
