"""Check entries other than hands: the accounts they may move, and the money paid for chips at their rate.

The entries of hands are checked with the hands; that a reversal is the opposite is checked for all entries.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ledger.books import balances
from ledger.books.sealed_columns import ROWS
from ledger.database.json import SPOILED
from ledger.database.kinds.accounts import AccountKind
from ledger.database.kinds.entries import KINDS, ChipOwners, EntryKind, may_move
from ledger.services.audit import conversion
from ledger.services.audit.lookups import Lookups
from ledger.services.audit.pots import PotMove
from ledger.services.audit.register import Register
from ledger.services.audit.row_types import AccountRow, EntryRow
from ledger.services.common import apportion

_REVERSAL = EntryKind.REVERSAL.value


class OtherEntries:
    """Checks these entries in order and collects their effects for later checks.

    Attributes:
        advanced: Each seat's chips from the bank.
        converted: Each seat's chips that became money.
        won: Each player's winnings by these entries.
        closed: Whether each session that was ever closed still is.
        pot_moves: Chips moved into and out of pots.
        successors: The seat that took over the turn of each seat left.
        register: The values that sealed rows were set to.
        left_at: The rate at which each seat was left, if there was one.

    """

    def __init__(self, lookups: Lookups, total: Callable[[int], int]) -> None:
        """Prepare the checks; ``total`` returns an account's sum of postings so far, without scores."""
        self.lookups = lookups
        self.advanced: Counter[int] = Counter()
        self.converted: Counter[int] = Counter()
        self.won: Counter[int] = Counter()
        self.closed: dict[int | None, bool] = {}
        self.pot_moves: list[PotMove] = []
        self.successors: dict[int, int | None] = {}
        self.register = Register(lookups)
        self.left_at: dict[int, Mapping[str, int] | None] = {}
        self._total = total
        # The chips of each seat cashed in when it was left, or by hands changed since.
        self._cashed: Counter[int] = Counter()
        self._cash_outs: set[int] = set()
        # The conversions in force of each session, by entry.
        self._cashed_in: dict[int | None, dict[int, conversion.Converted]] = defaultdict(dict)
        # For each entry that moves chips of the bank, the chips of each seat that became money.
        self._conversions: dict[int, Mapping[int, int]] = {}
        self._winnings: set[int] = set()
        self._seats: dict[int | None, list[int]] = defaultdict(list)
        for seat in lookups.seats.values():
            self._seats[seat.session_id].append(seat.id)

    def check(
        self, entry: EntryRow, details: Mapping[str, Any], amounts: Mapping[int, int]
    ) -> None:
        """Note accounts the kind may not move, mixed currencies and wrong pay for chips; collect effects.

        A reversal only subtracts effects. At a value that can't be read it notes that and stops.
        ``details`` are those covered by its digest, else empty.
        """
        accounts = self.lookups.accounts
        # Postings to an account that is gone are reported with the balances.
        rows = [accounts[account_id] for account_id in amounts if account_id in accounts]
        try:
            if entry.kind == _REVERSAL:
                self._reverse(entry, rows, amounts)
            else:
                self._add(entry, details, rows, amounts)
        except SPOILED as error:
            self.lookups.note(entry, f"it can't be read ({error!r})")

    def _reverse(
        self, entry: EntryRow, rows: Sequence[AccountRow], amounts: Mapping[int, int]
    ) -> None:
        converted = self._conversions.get(entry.reverses_id or 0)
        if converted is not None:
            back = {seat_id: -part for seat_id, part in converted.items()}
            self._add_bank_chips(rows, amounts, back)
            if entry.reverses_id in self._cash_outs:
                self._cashed.update(back)
        self._cashed_in[entry.session_id].pop(entry.reverses_id or 0, None)
        if entry.reverses_id in self._winnings:
            self._add_winnings(rows, amounts)

    def _add(
        self,
        entry: EntryRow,
        details: Mapping[str, Any],
        rows: Sequence[AccountRow],
        amounts: Mapping[int, int],
    ) -> None:
        kind = KINDS[entry.kind]
        if kind.changes_rows:
            self.register.add(entry, details)
        elif ROWS in details:
            self.lookups.note(entry, f"only the register changes rows, and this is a {entry.kind}")
        for row in rows:
            if not may_move(entry.kind, entry.session_id, row.kind, row.session_id):
                self.lookups.note(entry, f"no {entry.kind} there may move {row.key}")
            elif row.kind == AccountKind.POT:
                place = details.get("again", entry.id)
                move = PotMove(place, entry.id, entry.session_id, row.name or "", amounts[row.id])
                self.pot_moves.append(move)
        if len({row.unit for row in rows} - {balances.CHIPS}) > 1:
            self.lookups.note(entry, "it moves money of more than one currency")
        if kind.shares_cost:
            self._check_expense(entry, rows, details, amounts)
        if kind.has_content and not _are_texts(details.get("content")):
            self.lookups.note(entry, "the digests of what was entered are none")
        if kind.is_won:
            self._winnings.add(entry.id)
            self._add_winnings(rows, amounts)
        if kind.closes is not None:
            self.closed[entry.session_id] = kind.closes
        if kind.is_advanced:
            parts = details.get("converted", {})
            converted = {int(seat_id): part for seat_id, part in parts.items()}
            self._conversions[entry.id] = converted
            self._add_bank_chips(rows, amounts, converted)
            if "successor" in details:
                self.successors[details["seat"]] = details["successor"]
            if kind.converts:
                self._check_conversion(entry, rows, details, amounts, converted)

    def _check_expense(
        self,
        entry: EntryRow,
        rows: Iterable[AccountRow],
        details: Mapping[str, Any],
        amounts: Mapping[int, int],
    ) -> None:
        """Note an expense that does not move the amount by the shares in its details."""
        shares = {int(player_id): number for player_id, number in details["shares"].items()}
        if not all(type(number) is int and number > 0 for number in shares.values()):
            raise ValueError(f"shares of {shares}")
        expected = apportion.moved_by_expense(details["amount"], details["payer"], shares)
        if {row.player_id: amounts[row.id] for row in rows} != expected:
            self.lookups.note(entry, "it does not share its amount as it says")

    def _add_bank_chips(
        self, rows: Iterable[AccountRow], amounts: Mapping[int, int], converted: Mapping[int, int]
    ) -> None:
        """Add the chips that seats got from the bank and those converted, or subtract reversed ones."""
        self.advanced.update({row.seat_id: amounts[row.id] for row in rows if row.seat_id})
        self.converted.update(converted)

    def _add_winnings(self, rows: Iterable[AccountRow], amounts: Mapping[int, int]) -> None:
        """Add the amounts on seats to the players' winnings by other entries."""
        for row in rows:
            if row.seat_id in self.lookups.seats:
                self.won[self.lookups.seats[row.seat_id].player_id] += amounts[row.id]

    def _check_conversion(
        self,
        entry: EntryRow,
        rows: Sequence[AccountRow],
        details: Mapping[str, Any],
        amounts: Mapping[int, int],
        converted: Mapping[int, int],
    ) -> None:
        """Note chips that became other money than they are worth, or none.

        An entry without a rate must move no money. The rate and chips of a seat that was left are stored.
        """
        paid: Counter[int] = Counter()
        for row in rows:
            if row.player_id is not None:
                paid[row.player_id] += amounts[row.id]
        kind = KINDS[entry.kind]
        if kind.of_hand:
            if details.get("rate") not in (None, self.left_at.get(details["seat"])):
                self.lookups.note(entry, "its rate is not the one at which the player left")
        elif "seat" in details:
            self.left_at[details["seat"]] = details.get("rate")
        if "rate" not in details:
            if paid:
                self.lookups.note(entry, "it moves money, and says no rate")
            return
        tills = [row.id for row in rows if row.kind == AccountKind.TILL]
        if kind.converts is ChipOwners.ONE:
            seats = list(converted)
            dues = conversion.cashed_out(converted, self._cashed, **details["rate"])
            self._cashed.update(converted)
            self._cash_outs.add(entry.id)
        else:
            seats = self._seats[entry.session_id]
            from_till = -sum(amounts[till] for till in tills)
            own = conversion.Converted(details["rate"], converted, from_till)
            earlier = self._cashed_in[entry.session_id]
            if "hand" in details:
                dues = conversion.changed(seats, own, earlier.values())
            else:
                dues = conversion.converted(seats, converted, total=from_till, **details["rate"])
            earlier[entry.id] = own
            if any(map(self._total, tills)):
                self.lookups.note(entry, "its till holds money after it")
        for seat_id in seats:
            account_id = self.lookups.seat_accounts[seat_id]
            chips = 0 if account_id is None or kind.of_hand else self._total(account_id)
            if chips or self.advanced[seat_id] + self.converted[seat_id]:
                self.lookups.note(entry, f"seat {seat_id} has chips after it that became no money")
        self._check_payments(entry, paid, dues)

    def _check_payments(
        self, entry: EntryRow, paid: Mapping[int, int], dues: Mapping[int, conversion.Due]
    ) -> None:
        """Note each player with another payment than is due to their seats."""
        lowest, highest = Counter[int](), Counter[int]()
        for seat_id, (least, most) in dues.items():
            player_id = self.lookups.seats[seat_id].player_id
            lowest[player_id] += least
            highest[player_id] += most
        for player_id in sorted(paid.keys() | lowest.keys()):
            if not lowest[player_id] <= paid.get(player_id, 0) <= highest[player_id]:
                message = f"it does not pay player {player_id} what their chips are worth"
                self.lookups.note(entry, message)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
