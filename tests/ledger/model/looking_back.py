"""The statistics of many evenings: every sum of the model's own hands, added up each time.

The ledger keeps its sums as it goes; here they are counted from the first hand on, by the rules of
``paying``, and never kept.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import timedelta
from operator import attrgetter

from hypothesis.stateful import invariant
from sqlmodel import select

from ledger.database.models import Player, PlayerTally
from ledger.services.club import players
from ledger.services.reads import club_statistics, head_to_head, records, statistics, tallies
from ledger.services.reads import sessions as reads_sessions
from ledger.services.reads.player_sums import TallyRow
from ledger.services.session.load import load
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter
from tests.ledger.model.clients import FIRST_DAY
from tests.ledger.model.evening import SCORES, Evening
from tests.ledger.model.expense_rules import SharedCosts
from tests.ledger.model.record_rules import largest_feats
from tests.ledger.table import ask

EVERY = 8
"""The number of steps between two comparisons of all sums."""

Counted = tuple[int, int, int, int, int]
"""Hands, won, lost, tied and chips."""


@dataclass
class Sums:
    """The sums of one club."""

    tallies: dict[tuple[str, str, str, str], Counter[str]] = field(default_factory=dict)
    between: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    brought: dict[tuple[str, bool], list[tuple[int, int, int]]] = field(default_factory=dict)
    bids: Counter[tuple[int, bool]] = field(default_factory=Counter)

    def add(self, at: Evening) -> None:
        """Count the hands of an evening that stand, or its result on paper."""
        for who, won in net_of(at).items() if at.on_paper else ():
            tally = self.tallies.setdefault((who, at.game.slug, "", ON_PAPER), Counter())
            tally.update({"total": won, "on_paper": won})
        of = {seat.id: seat.player for seat in at.seats}
        for number, paid in at.play().hands.items():
            hand = at.hands[number]
            said, got = hand.said[-1], paid.got
            bid, sides = said["contract"]["bid"], hand.game.sides(hand.players, said)
            called = {name: of[seat] for name, seat in zip(hand.players, hand.seats, strict=True)}
            for name, seat in zip(hand.players, hand.seats, strict=True):
                key = (called[name], hand.game.slug, bid, sides[name])
                tally = self.tallies.setdefault(key, Counter())
                tally.update({"hands": 1, paid.ended: 1, "total": got[name]})
                kind = called[name], hand.game.slug == SCORES
                self.brought.setdefault(kind, []).append((got[name], at.id, number))
                if sides[name] == "bidder":
                    self.bids.update([(seat, False), *[(seat, True)] * (paid.ended == "won")])
            for (payer, payee), amount in paid.between.items():
                if amount:
                    pair = called[payer], called[payee]
                    hands, before = self.between.get(pair, (0, 0))
                    self.between[pair] = hands + 1, before + amount

    def record(self, player: str, *sides: str, game: str = "", bid: str = "") -> statistics.Record:
        """Add up a player's results on these sides, in one game and with one bid or in all for chips."""
        results: Counter[str] = Counter()
        for (who, of_game, of_bid, side), tally in self.tallies.items():
            counts = game == of_game or (not game and of_game != SCORES)
            if who == player and side in sides and counts and bid in ("", of_bid):
                results.update(tally)
        return statistics.Record(
            *(results[each] for each in ("hands", "won", "lost", "tied", "total", "on_paper"))
        )


SIDES = ("bidder", "partner", "opponent")
ON_PAPER = ""
"""The side of an evening that was scored on paper."""
PLAYED = (*SIDES, ON_PAPER)


class LookingBack(SharedCosts):
    """Compares statistics, head to head and the list of evenings after every few steps."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    @invariant()
    def the_sums_are_those_of_the_hands(self) -> None:
        """Every so many steps: they take a while."""
        self.steps += 1
        if self.steps % EVERY == 0:
            self.look_back()

    def look_back(self) -> None:
        """Compare every sum of both clubs."""
        for club, (access, _) in enumerate(self.clubs):
            here, sums = [at for at in self.evenings if at.club == club], Sums()
            for at in here:
                self.proposed(at)
                sums.add(at)
                for seat in ask(self.database, access, load, at.id).seats:
                    bids = sums.bids[seat.id, False], sums.bids[seat.id, True]
                    assert (seat.hands_bid, seat.hands_won) == bids
            everyone = ask(self.database, access, players.everyone)
            seated = {seat.player for at in here for seat in at.seats}
            # Players of a removed evening on paper stay in the club.
            assert seated <= {each.name for each in everyone} <= {*self.players[club]}
            self.tallies_agree(club, sums)
            self.pairs_agree(club, sums)
            self.evenings_agree(club, here)
            self.records_agree(club, here)
            for each in everyone:
                self.statistics_agree(club, sums, here, each)
            for first, last in ((0, 0), (1, 1), (1, 9), (-9, 1), (20, 30)):
                self.period_agrees(club, first, last)

    def tallies_agree(self, club: int, sums: Sums) -> None:
        """Compare the rows that statistics are read from, game by game, bid by bid, side by side."""
        with self.database.read(self.clubs[club][0]) as session:
            rows = session.exec(
                select(Player.name, PlayerTally).where(
                    Player.id == PlayerTally.player_id, PlayerTally.hands != 0
                )
            ).all()
        values = attrgetter(*TallyRow._fields)
        assert {
            (name, row.game, row.bid, row.side): statistics.Record.of([TallyRow(*values(row))])
            for name, row in rows
        } == {
            key: sums.record(key[0], key[3], game=key[1], bid=key[2])
            for key in sums.tallies
            if key[3] != ON_PAPER
        }

    def period_agrees(self, club: int, first: int, last: int) -> None:
        """Compare the statistics of the evenings from day ``first`` to ``last``, and of each game."""
        sums, access = Sums(), self.clubs[club][0]
        for day, at in enumerate(self.evenings):
            if at.club == club and first <= day <= last:
                sums.add(at)
        first_day, last_day = (FIRST_DAY + timedelta(days=day) for day in (first, last))
        chosen = SessionFilter(first_day, last_day)
        found = ask(self.database, access, tallies.of_club, chosen)
        assert {
            (row.name, row.game, row.bid, row.side): statistics.Record.of([row.row])
            for row in found
        } == {key: sums.record(key[0], key[3], game=key[1], bid=key[2]) for key in sums.tallies}
        self.pairs_agree(club, sums, chosen)
        for unit in ask(self.database, access, club_statistics.of_club, chosen).units:
            kind = unit.unit == "score"
            brought = [got for key, won in sums.brought.items() if key[1] == kind for got in won]
            amounts = [amount for amount, _, _ in brought]
            most, least = max(amounts, default=0), min(amounts, default=0)
            assert (unit.best is None, unit.worst is None) == (most <= 0, least >= 0)
            for extreme, amount in ((unit.best, most), (unit.worst, least)):
                if extreme is not None:
                    hand = extreme.hand
                    assert hand.amount == amount
                    assert (hand.amount, hand.session_id, hand.hand) in brought
        for who in {key[0] for key in sums.tallies}:
            with self.database.read(access) as session:
                player = players.by_name(session, who, "player").id
                view = statistics.of_player(session, player, chosen)
            assert view.played == sums.record(who, *PLAYED)
            assert view.scored == sums.record(who, *PLAYED, game=SCORES)
            attended = {at.id for at in self.evenings if at.club == club}
            assert {each.session_id for each in view.evenings} <= attended
            for game in {key[1] for key in sums.tallies if key[0] == who}:
                one = ask(
                    self.database, access, statistics.of_player, player, replace(chosen, game=game)
                )
                assert [each.game for each in one.games] == [game]
                assert one.games[0].played == sums.record(who, *PLAYED, game=game)

    def pairs_agree(self, club: int, sums: Sums, chosen: SessionFilter = EVERY_SESSION) -> None:
        """Compare head to head, for each pair in both directions."""
        expected = [
            head_to_head.Pair(player, other, got, paid, hands_got, hands_paid)
            for player, other in {*sums.between, *(pair[::-1] for pair in sums.between)}
            for hands_got, got in [sums.between.get((other, player), (0, 0))]
            for hands_paid, paid in [sums.between.get((player, other), (0, 0))]
        ]
        access = self.clubs[club][0]
        assert ask(self.database, access, head_to_head.head_to_head, chosen) == sorted(expected)

    def evenings_agree(self, club: int, here: list[Evening]) -> None:
        """Compare everybody's winnings in each evening, newest first, and in money."""
        view = ask(self.database, self.clubs[club][0], reads_sessions.of_club)
        assert [each.session_id for each in view] == [at.id for at in reversed(here)]
        for each, at in zip(view, reversed(here), strict=True):
            net = net_of(at)
            assert {seat.player: seat.won for seat in each.seats} == net
            assert {seat.player: seat.scored for seat in each.seats} == scored_in(at)
            assert [seat.won for seat in each.seats] == sorted(net.values(), reverse=True)
            assert {seat.player: seat.money for seat in each.seats} == {
                player: at.moved["player", player] for player in net
            }
            assert (each.hands, each.state, each.game) == (len(at.hands), at.state, at.game.slug)
            assert (each.unit, each.on_paper) == (unit_of(at), at.on_paper)

    def records_agree(self, club: int, here: list[Evening]) -> None:
        """Compare the records of evenings, wins and series; those of hands are in ``period_agrees``."""
        found = ask(self.database, self.clubs[club][0], records.of_club)
        assert {
            f"{each.kind} {each.unit}": (each.amount, set(each.players))
            for each in found
            if each.hand is None
        } == largest_feats(here)

    def statistics_agree(
        self, club: int, sums: Sums, here: list[Evening], of: players.PlayerView
    ) -> None:
        """Compare a player's page: every record, best and worst hand, their evenings."""
        view, who = ask(self.database, self.clubs[club][0], statistics.of_player, of.id), of.name
        assert view.name == who
        assert view.played == sums.record(who, *PLAYED)
        assert view.sat_out == sums.record(who, "idle")
        assert view.as_bidder == sums.record(who, "bidder")
        assert view.scored == sums.record(who, *PLAYED, game=SCORES)
        assert view.scored_as_bidder == sums.record(who, "bidder", game=SCORES)
        games = {game for player, game, _, _ in sums.tallies if player == who}
        assert {
            each.game: (each.played, each.as_bidder, each.as_partner, each.as_opponent)
            for each in view.games
        } == {
            game: (
                sums.record(who, *PLAYED, game=game),
                *(sums.record(who, side, game=game) for side in SIDES),
            )
            for game in games
        }
        assert {(each.game, each.bid): each.record for each in view.contracts} == {
            (game, bid): sums.record(who, "bidder", game=game, bid=bid)
            for player, game, bid, side in sums.tallies
            if (player, side) == (who, "bidder")
        }
        for_chips = any(player == who and game != SCORES for player, game, _, _ in sums.tallies)
        unit = "score" if view.scored.hands and not for_chips else "chips"
        for extreme, most, of_scores in (
            (view.best, max, unit == "score"),
            (view.worst, min, unit == "score"),
            (view.best_scored, max, True),
            (view.worst_scored, min, True),
        ):
            brought = sums.brought.get((who, of_scores), [])
            assert (extreme is None) == (not brought)
            if extreme is not None:
                assert extreme.amount == most(amount for amount, _, _ in brought)
                assert (extreme.amount, extreme.session_id, extreme.hand) in brought
        totals, expected = Counter[str](), []
        for at in here:
            if who in (net := net_of(at)):
                unit, points = unit_of(at), scored_in(at)[who]
                totals["score"] += points
                totals["chips"] += net[who] if unit == "chips" else 0
                money = at.moved["player", who]
                mine = (at.id, net[who], totals[unit], money, unit, points, totals["score"])
                expected.append(mine)
        assert view.sessions == len(expected)
        assert [
            (
                *(each.session_id, each.won, each.total, each.money, each.unit),
                *(each.scored, each.total_scored),
            )
            for each in view.evenings
        ] == expected[::-1]


def unit_of(at: Evening) -> str:
    """Return the unit of an evening: scores if there are no chips."""
    return "chips" if at.in_chips else "score"


def net_of(at: Evening) -> dict[str, int]:
    """Return everybody's winnings in an evening, on all their seats: their chips less those from the bank.

    Without chips these are their scores.
    """
    if not at.in_chips:
        return scored_in(at)
    net: Counter[str] = Counter()
    chips = at.chips()
    for seat in at.seats:
        net[seat.player] += chips[seat.id] - at.advanced[seat.id]
    return dict(net)


def scored_in(at: Evening) -> dict[str, int]:
    """Return everybody's score in an evening, on all their seats."""
    scored, points = Counter[str](), at.scores()
    for seat in at.seats:
        scored[seat.player] += points[seat.id]
    return dict(scored)
