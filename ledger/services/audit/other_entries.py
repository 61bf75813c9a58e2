"""Other entries: that each moves what its kind may, and money for chips at the rate it says.

What hands move is checked with them; what takes one of these back is its opposite, which the journal's own
check sees to.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ledger.books import balances
from ledger.database.json import SPOILED
from ledger.database.kinds.accounts import AccountKind
from ledger.database.kinds.entries import KINDS, ChipOwners, EntryKind, may_move
from ledger.services.audit import conversion
from ledger.services.audit.lookups import Shelf
from ledger.services.audit.pots import PotMove
from ledger.services.audit.register import Register
from ledger.services.audit.row_types import AccountRow, EntryRow

_REVERSAL = EntryKind.REVERSAL.value


class OtherEntries:
    """Checks these entries in their order, and notes what differs.

    ``advanced`` and ``converted`` are, of each seat, the chips it has from the bank and those that became
    money; ``left_at`` is the rate at which each was left, if there was any; ``won`` is what each player won
    by these entries; ``closed`` says of each session that was ever closed whether it still is; ``apart`` is
    what went into pots, or out of them; ``register`` is what sealed rows were set to; ``successors`` says to
    which seat the turn of one that was left went. ``total`` answers what an account's postings came to so
    far, scores left out.
    """

    def __init__(self, shelf: Shelf, total: Callable[[int], int]) -> None:
        self.shelf = shelf
        self.advanced: Counter[int] = Counter()
        self.converted: Counter[int] = Counter()
        self.won: Counter[int] = Counter()
        self.closed: dict[int | None, bool] = {}
        self.apart: list[PotMove] = []
        self.successors: dict[int, int | None] = {}
        self.register = Register(shelf)
        self.left_at: dict[int, Mapping[str, int] | None] = {}
        self._total = total
        # The chips of each seat that became money by its leaving, and by hands that were changed since.
        self._cashed: Counter[int] = Counter()
        self._alone: set[int] = set()
        # Of the entries that move what the bank advanced: the chips of each seat that became money.
        self._of_the_bank: dict[int, Mapping[int, int]] = {}
        self._winnings: set[int] = set()
        self._seats: dict[int | None, list[int]] = defaultdict(list)
        for seat in shelf.seats.values():
            self._seats[seat.session_id].append(seat.id)

    def check(self, entry: EntryRow, details: Mapping[str, Any], moved: Mapping[int, int]) -> None:
        """Check an entry that is not a hand; ``details`` are those that were sealed."""
        try:
            if entry.kind == _REVERSAL:
                self._taken_back(entry, moved)
            else:
                self._made(entry, details, moved)
        except SPOILED as error:
            self.shelf.note(entry, f"it can't be read ({error!r})")

    def _taken_back(self, entry: EntryRow, moved: Mapping[int, int]) -> None:
        converted = self._of_the_bank.get(entry.reverses_id or 0)
        if converted is not None:
            back = {seat_id: -part for seat_id, part in converted.items()}
            self._banked(self._rows(moved), moved, back)
            if entry.reverses_id in self._alone:
                self._cashed.update(back)
        if entry.reverses_id in self._winnings:
            self._count_won(self._rows(moved), moved)

    def _made(self, entry: EntryRow, details: Mapping[str, Any], moved: Mapping[int, int]) -> None:
        kind, rows = KINDS[entry.kind], self._rows(moved)
        self.register.take(entry, details)
        for row in rows:
            if not may_move(entry.kind, entry.session_id, row.kind, row.session_id):
                self.shelf.note(entry, f"no {entry.kind} there may move {row.key}")
            elif row.kind == AccountKind.POT:
                place = details.get("again", entry.id)
                pot = PotMove(place, entry.id, entry.session_id, row.name or "", moved[row.id])
                self.apart.append(pot)
        if len({row.unit for row in rows} - {balances.CHIPS}) > 1:
            self.shelf.note(entry, "it moves money of more than one currency")
        if kind.is_won:
            self._winnings.add(entry.id)
            self._count_won(rows, moved)
        if kind.closes is not None:
            self.closed[entry.session_id] = kind.closes
        if kind.is_advanced:
            said = details.get("converted", {})
            converted = {int(seat_id): part for seat_id, part in said.items()}
            self._of_the_bank[entry.id] = converted
            self._banked(rows, moved, converted)
            if "successor" in details:
                self.successors[details["seat"]] = details["successor"]
            if kind.converts:
                self._into_money(entry, rows, details, moved, converted)

    def _banked(
        self, rows: Iterable[AccountRow], moved: Mapping[int, int], converted: Mapping[int, int]
    ) -> None:
        """Count the chips that seats got from the bank, and those that were cashed in, or are chips again."""
        self.advanced.update({row.seat_id: moved[row.id] for row in rows if row.seat_id})
        self.converted.update(converted)

    def _count_won(self, rows: Iterable[AccountRow], moved: Mapping[int, int]) -> None:
        """Count what players won by adjustments, and when pots were shared out."""
        for row in rows:
            if row.seat_id in self.shelf.seats:
                self.won[self.shelf.seats[row.seat_id].player_id] += moved[row.id]

    def _into_money(
        self,
        entry: EntryRow,
        rows: Sequence[AccountRow],
        details: Mapping[str, Any],
        moved: Mapping[int, int],
        converted: Mapping[int, int],
    ) -> None:
        """Check that chips became the money they are worth, and that none are left that should have."""
        paid: Counter[int] = Counter()
        for row in rows:
            if row.player_id is not None:
                paid[row.player_id] += moved[row.id]
        if KINDS[entry.kind].of_hand:
            if details.get("rate") not in (None, self.left_at.get(details["seat"])):
                self.shelf.note(entry, "its rate is not the one at which the player left")
        elif "seat" in details:
            self.left_at[details["seat"]] = details.get("rate")
        if "rate" not in details:
            if paid:
                self.shelf.note(entry, "it moves money, and says no rate")
            return
        tills = [row.id for row in rows if row.kind == AccountKind.TILL]
        kind = KINDS[entry.kind]
        if kind.converts is ChipOwners.ONE:
            seats = list(converted)
            due = conversion.cashed_out(converted, self._cashed, **details["rate"])
            self._cashed.update(converted)
            self._alone.add(entry.id)
        else:
            seats = self._seats[entry.session_id]
            from_till = -sum(moved[till] for till in tills)
            due = conversion.converted(seats, converted, total=from_till, **details["rate"])
            if any(map(self._total, tills)):
                self.shelf.note(entry, "its till holds money after it")
        for seat_id in seats:
            account_id = self.shelf.of_seats[seat_id]
            held = 0 if account_id is None or kind.of_hand else self._total(account_id)
            if held or self.advanced[seat_id] + self.converted[seat_id]:
                self.shelf.note(entry, f"seat {seat_id} has chips after it that became no money")
        self._paid(entry, paid, due)

    def _paid(
        self, entry: EntryRow, paid: Mapping[int, int], due: Mapping[int, conversion.Due]
    ) -> None:
        """Check what each player got against what their seats are due."""
        least, most = Counter[int](), Counter[int]()
        for seat_id, (at_least, at_most) in due.items():
            player_id = self.shelf.seats[seat_id].player_id
            least[player_id] += at_least
            most[player_id] += at_most
        for player_id in sorted(paid.keys() | least.keys()):
            if not least[player_id] <= paid.get(player_id, 0) <= most[player_id]:
                message = f"it does not pay player {player_id} what their chips are worth"
                self.shelf.note(entry, message)

    def _rows(self, moved: Iterable[int]) -> list[AccountRow]:
        """Return the accounts of an entry that there are; one that is gone is told of with its posting."""
        accounts = self.shelf.accounts
        return [accounts[account_id] for account_id in moved if account_id in accounts]
