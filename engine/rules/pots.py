"""Pots: every seat antes each deal, and a won contract takes its pot (000 and the rules sheet)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from engine.errors import LARGEST, Violation, refuse_any
from engine.record import HandRecord, Pots
from engine.record.incidents import Transfer
from engine.record.names import name_key
from engine.rules.bids import Undertaking
from engine.rules.seating import SeatingTable
from engine.rules.settlement import Payout, Settlement
from engine.rules.tariffs import Price
from engine.rules.verdict import Outcome, Step
from engine.words.sentences import say

FROG_POT = "frog pot"
SOLO_POT = "solo pot"
"""The names of pots in transfers; no player at such a table may have them."""

POTS = {FROG_POT: "frog", SOLO_POT: "solo"}
"""The key of each pot in a record."""


@dataclass(frozen=True)
class WithPots(Settlement):
    """Adds two pots to another settlement.

    Each deal every seat, also an idle one, antes `stake` to the frog pot and `stake` × `solo_factor` to the
    solo pot. A won contract takes its pot with the antes, even at a price of 0. A lost one leaves it; with
    `match` the bidder then adds as much as it contains. If all pass, the antes stay. `pot_of` has the pot of
    each bid. A record's `pots` are those before the antes. A hand is refused if a pot would exceed the limit
    of records, as no hand could follow it.
    """

    inner: Settlement
    pot_of: Mapping[str, str]
    stake: int
    solo_factor: int
    match: bool
    source: str

    def problems(self, record: HandRecord) -> list[Violation]:
        """Return the inner settlement's violations, and those of missing or negative pots.

        A player named like a pot is one, too.
        """
        problems = self.inner.problems(record)
        names = set(map(name_key, record.players))
        for seat in POTS:
            if seat in names:
                message = say(
                    "At a table with pots nobody can be called {name}: that is the pot's name.",
                    name=seat,
                )
                where = {"field": "players", "seat": seat}
                problems.append(Violation("name-of-a-pot", message, where))
        if record.pots is None:
            message = say("Say what the frog pot and the solo pot held before the antes.")
            problems.append(Violation("pots-missing", message, {"field": "pots"}))
            return problems
        for pot, key in POTS.items():
            if (content := getattr(record.pots, key)) < 0:
                message = say(
                    "The {pot:term} cannot hold {held}; it is never negative.",
                    pot=pot,
                    held=content,
                )
                problems.append(Violation("pots-negative", message, {"field": f"pots.{key}"}))
        return problems

    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Return the inner settlement's payments for an amount of 1, without the pots."""
        return self.inner.terms(table, undertaking, outcome)

    def settle(
        self, terms: Payout, price: Price, undertaking: Undertaking, pots: Pots | None
    ) -> Payout:
        """Return the inner payout with the antes of all seats and the pot that the bidder takes or matches.

        The pot is taken after a win only. Raises `Refused` if a pot would exceed the limit of records.
        """
        settled = self.inner.settle(terms, price, undertaking, pots)
        contents, transfers, steps = self._antes(pots, settled.deltas)
        bidder, pot = undertaking.bidder, self.pot_of[undertaking.bid.slug]
        amount = contents[pot]
        values = {"name": bidder, "pot": pot, "amount": amount}
        if price.outcome is Outcome.WON:
            transfers.append(Transfer(pot, bidder, amount))
            steps.append(Step("pot-taken", values, self.source))
            contents[pot] = 0
        elif self.match:
            transfers.append(Transfer(bidder, pot, amount))
            steps.append(Step("pot-matched", values, "sheet"))
            contents[pot] += amount
        else:
            steps.append(Step("pot-stays", values, "sheet"))
        return _combined(settled, contents, transfers, steps)

    def thrown_in(self, pots: Pots | None, table: SeatingTable) -> Payout:
        """Return the payout of an all-pass: every seat antes, and the antes stay in the pots.

        Raises `Refused` if a pot would exceed the limit of records.
        """
        settled = self.inner.thrown_in(pots, table)
        return _combined(settled, *self._antes(pots, table.players))

    def _antes(
        self, pots: Pots | None, players: Collection[str]
    ) -> tuple[dict[str, int], list[Transfer], list[Step]]:
        """Return the pots' contents with the antes, by name, the payments of the antes, and their step."""
        antes = {FROG_POT: self.stake, SOLO_POT: self.stake * self.solo_factor}
        transfers = [Transfer(seat, pot, ante) for pot, ante in antes.items() for seat in players]
        contents = {
            pot: getattr(pots, key) + len(players) * antes[pot] for pot, key in POTS.items()
        }
        values = {key: antes[pot] for pot, key in POTS.items()}
        return contents, transfers, [Step("antes", values, self.source)]


def _combined(
    settled: Payout, contents: Mapping[str, int], transfers: list[Transfer], steps: list[Step]
) -> Payout:
    """Return a payout with the payments to and from the pots added; only seats have a delta.

    `contents` are those of the pots after the hand. Raises `Refused` if a pot would exceed the limit of
    records.
    """
    pots = {key: contents[pot] for pot, key in POTS.items()}
    refuse_any(_too_full(pots))
    deltas = {**settled.deltas, **dict.fromkeys(POTS, 0)}
    for payer, payee, amount in transfers:
        deltas[payer] -= amount
        deltas[payee] += amount
    return Payout(
        {seat: deltas[seat] for seat in settled.deltas},
        (*settled.transfers, *transfers),
        Pots(**pots),
        (*settled.steps, *steps),
    )


def _too_full(pots: Mapping[str, int]) -> Iterator[Violation]:
    """Yield a violation for each pot, by its key, that has more than `LARGEST`."""
    for pot, key in POTS.items():
        if (content := pots[key]) > LARGEST:
            message = say(
                "The {pot:term} can't hold more than {most:,}, and after this hand it would hold "
                "{held:,}; share it out first, or play for a smaller stake.",
                pot=pot,
                most=LARGEST,
                held=content,
            )
            yield Violation("pot-too-full", message, {"field": f"pots.{key}"})
