"""Write the example club through the services, so that its ledger verifies like any other."""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from ledger.books.transactions import Database
from ledger.cli.demo_club import hands, year
from ledger.cli.demo_club.hands import Hand
from ledger.cli.demo_club.year import DemoEvening
from ledger.database.access import Access, Role
from ledger.database.scope import ScopedSession
from ledger.keeping.migrate import open_books
from ledger.runtime import clock
from ledger.runtime.config import Settings, load
from ledger.services.chips import adjust, bank
from ledger.services.chips import count as chip_count
from ledger.services.club import clubs, devices, links, players, seasons
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.services.common.writing import Write, WriteResponse
from ledger.services.hands import correct, record
from ledger.services.money import convert, expenses, payments
from ledger.services.session import load as session_load
from ledger.services.session.view import Rate, SeatView
from ledger.services.table import cash_out, lifecycle, season_end, seating, start
from ledger.services.table.start import SessionDraft
from ledger.services.undo import last

CLUB_ID = 1
"""The number of the club, the first in its database."""

RATE = Rate(10, 5)
"""Ten chips for five cents."""

BETWEEN_WRITES = timedelta(minutes=6)
SETTLED_EVERY = 6
"""The evenings between two days on which the players pay each other."""


def create(folder: Path, today: date) -> None:
    """Make a ledger in a folder and write the club into it: a year of evenings.

    The last evening began on the day before ``today`` and is still open. The players, hands and payments are
    the same every time; only the dates follow ``today``.
    """
    with clock.stopped() as set_clock:
        set_clock(_begins(today, 0))
        with closing(open_books(settings_of(folder))) as database:
            access, _ = clubs.create(
                database, name=year.CLUB, passcode=year.PASSCODE, author=year.KEEPER
            )
            tablet = ClientDevice(origin_of("192.0.2.7"), f"{year.KEEPER}'s tablet", {})
            devices.admit(database, access, tablet)  # a club without an owner is warned of
            club = _Club(database, access, set_clock)
            with database.write(access) as club.session:
                for name in year.PLAYERS:
                    club.write(players.add, name=name)
            for number, evening in enumerate(year.EVENINGS, start=1):
                set_clock(_begins(today, number))
                with database.write(access) as club.session:
                    club.play(evening, number)
            with database.write(access) as club.session:
                club.hold_seasons(*(_begins(today, number).date() for number in (1, year.HALF)))


def settings_of(folder: Path) -> Settings:
    """Return the settings of an example club's ledger in this folder, with its keys created if missing.

    The environment has no effect.
    """
    return load({"LEDGER_DATA_DIR": str(folder)})


def owner_key(settings: Settings) -> str:
    """Store a new link that opens the club as its owner for twelve hours; return its key."""
    keeper = Access(CLUB_ID, Role.OWNER, year.KEEPER)
    with closing(open_books(settings)) as database:
        key, _ = links.make(database, keeper, settings.secret_key, role=Role.OWNER, lasts="evening")
    return key


def _begins(today: date, evening: int) -> datetime:
    """Return the beginning of an evening, at 18:00 UTC; the first is 1, and 0 is the founding."""
    day = today - timedelta(days=1) - (len(year.EVENINGS) - evening) * year.BETWEEN_EVENINGS
    return datetime.combine(day, time(18), UTC)


class _Club:
    """Writes to the club in its open transaction, each a few minutes after the one before."""

    session: ScopedSession

    def __init__(
        self, database: Database, access: Access, set_clock: Callable[[datetime], object]
    ) -> None:
        self._database, self._access, self._set_clock = database, access, set_clock
        self._chance = Random(36)  # noqa: S311 (hands, not keys)
        self._keys = count(1)
        self._session_id = 0
        self._hands: list[Hand] = []

    def write(
        self, service: Callable[..., WriteResponse], *args: Any, **kwargs: Any
    ) -> WriteResponse:
        """Move the clock forward, call a service with a new write, and return its response."""
        self._set_clock(clock.now() + BETWEEN_WRITES)
        key = f"demo-write-{next(self._keys)}"
        return service(
            Write(self._database, self._access, key, begun=self.session), *args, **kwargs
        )

    def play(self, evening: DemoEvening, number: int) -> None:
        """Play an evening with its incidents; cash in its chips and close it, except the last one.

        Every few evenings the players also settle up.
        """
        names = self._names(evening, number)
        draft = SessionDraft(
            names,
            evening.game,
            evening.variant,
            evening.options,
            evening.title,
            clock.now().date(),
            starting_stack=evening.stack,
            rate=RATE if evening.game != "german-solo" else None,
        )
        self._session_id = int(self.write(start.start, draft)["id"])
        self._hands = []
        for dealt in range(1, evening.hands + 1):
            self._record(evening.game)
            for incident, *args in evening.incidents.get(dealt, ()):
                getattr(self, f"_{incident}")(*args)
        if evening is not year.EVENINGS[-1]:
            if draft.rate is not None:
                self._in_session(convert.convert)
            self._in_session(lifecycle.close)
        if number % SETTLED_EVERY == 0:
            self._settle_up()

    def _names(self, evening: DemoEvening, number: int) -> tuple[str, ...]:
        """Draw the players of an evening from the members at the time; the keeper always plays."""
        absent = year.NEWCOMER if number <= year.CHANGED_AFTER else year.MOVED_AWAY
        members = [name for name in year.PLAYERS if name != absent]
        away = set(self._chance.sample(members[1:], len(members) - evening.seats))
        return tuple(name for name in members if name not in away)

    def _record(self, game: str) -> None:
        """Record a random hand between the active players; one deal in twelve is passed."""
        active = record.propose(self.session, self._session_id).table.active
        is_passed = self._chance.random() < 1 / 12 and game != "german-solo"
        hand = hands.PASSED if is_passed else hands.draw(self._chance, game, active)
        self._hands.append(hand)
        self._in_session(record.record, hand)

    def hold_seasons(self, first_day: date, middle: date) -> None:
        """Create a season of a year from its first day, and a closed one of its first half."""
        half = {"first_day": first_day, "last_day": middle - timedelta(days=1)}
        closed = self.write(seasons.create, **year.FIRST_HALF, **half)
        self.write(season_end.close, closed["id"])
        days = {"first_day": first_day, "last_day": first_day + timedelta(days=364)}
        self.write(seasons.create, **year.SEASON, **days)

    def _in_session(
        self, service: Callable[..., WriteResponse], *args: Any, **kwargs: Any
    ) -> WriteResponse:
        return self.write(service, self._session_id, *args, **kwargs)

    def _seats(self) -> list[SeatView]:
        """Return the occupied seats, the one with the fewest chips first."""
        playing = session_load.load(self.session, self._session_id).playing
        return sorted(playing, key=lambda seat: (seat.balance, seat.name))

    def _correct(self) -> None:
        """Correct the points of the last hand but one that has any."""
        *_, number, _ = (at for at, hand in enumerate(self._hands, start=1) if "points" in hand)
        hand = self._hands[number - 1]
        corrected = {**hand, "points": hand["points"] - 5}
        self._in_session(correct.correct, number, corrected, reason="the last trick was forgotten")

    def _void(self, number: int) -> None:
        self._in_session(correct.void, number, reason="a card was missing")

    def _restore(self, number: int) -> None:
        self._in_session(correct.restore, number, reason="the card lay under the cake")

    def _undo(self) -> None:
        self._in_session(last.undo)

    def _lend(self, chips: int) -> None:
        self._in_session(bank.lend, player=self._seats()[0].name, chips=chips)

    def _repay(self, chips: int) -> None:
        self._in_session(bank.take_repayment, player=self._seats()[-1].name, chips=chips)

    def _count(self) -> None:
        """Count all chips: the richest has ten fewer than in the journal; the table shares the difference."""
        counts = {seat.name: {5: seat.balance // 5} for seat in self._seats()}
        loser = self._seats()[-1].name
        counts[loser] = {5: counts[loser][5] - 2}
        self._in_session(chip_count.record, counts, post=True)
        self._in_session(adjust.share_differences)

    def _share_pots(self) -> None:
        self._in_session(adjust.share_pots)

    def _join(self) -> None:
        """Seat the first member without a seat, except the keeper and those who stayed short."""
        seated = {seat.name for seat in self._seats()}
        player = next(name for name in year.PLAYERS[1:] if name not in seated | year.STAYED_SHORT)
        self._in_session(seating.join, player=player)

    def _sit_out(self, player: str) -> None:
        self._in_session(seating.sit_out, player=player)

    def _come_back(self, player: str) -> None:
        self._in_session(seating.come_back, player=player)

    def _leave(self, player: str) -> None:
        self._in_session(cash_out.leave, player=player)

    def _change_rules(self, game: str, variant: str | None, options: dict[str, Any]) -> None:
        self._in_session(start.change_rules, game=game, variant=variant, options=options)

    def _settle_up(self) -> None:
        """Record all payments that settle the club, except the last; then share an evening's pizza."""
        for payment in payments.settle_up(self.session).payments[:-1]:
            self.write(
                payments.pay, payer=payment.payer, payee=payment.payee, amount=payment.amount
            )
        self.write(
            expenses.share,
            title="Pizza",
            amount=4250,
            payer=year.PLAYERS[0],
            shared_by=[(player, 1) for player in year.PLAYERS[:6]],
            separate=True,
        )
