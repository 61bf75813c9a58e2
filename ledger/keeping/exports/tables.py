"""The exported tables: hands, entries, balances, statistics and evenings; a line for each column."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ledger.database.scope import ScopedSession
from ledger.keeping.exports.columns import ExportTable, amount, day, number, text, time
from ledger.keeping.exports.entry_rows import entry_postings, exported_accounts
from ledger.keeping.exports.hand_rows import played_hands
from ledger.services.club import players
from ledger.services.reads import club_statistics, sessions
from ledger.services.reads.club_statistics import Standing
from ledger.services.reads.sessions import Evening, Sitting
from ledger.services.session.session_filter import SessionFilter

EVENINGS_AT_ONCE = 50


class PlayerStanding(NamedTuple):
    """A player's standing in one unit."""

    unit: str
    standing: Standing


class PlayerEvening(NamedTuple):
    """A player's result of an evening."""

    evening: Evening
    player_id: int
    sitting: Sitting


def _id_of(role: str) -> Any:
    """Return a function for the id of the player who has a role in a hand, or None."""
    return lambda row: row.hand.ids.get(getattr(row.hand.text, role))


def _in_hand(name: str) -> Any:
    """Return a function for a key of a hand's record."""
    return lambda row: row.hand.version.record.get(name)


def _counted(name: str) -> Any:
    """Return a function for a key of a hand's result."""
    return lambda row: row.hand.text.counts.get(name)


HANDS = ExportTable(
    (
        number("session_id", "hand.evening.id"),
        text("evening", "hand.evening.title"),
        day("day", "hand.evening.started_on"),
        number("hand_id", "hand.version.hand_id"),
        number("hand", "hand.version.number"),
        number("version", "hand.version.version"),
        text("state", "hand.version.state"),
        text("game", _in_hand("game")),
        text("variant", _in_hand("rules")),
        number("player_id", "owner.player_id"),
        text("player", "owner.name"),
        text("side", lambda row: row.hand.effects.sides[row.place]),
        number("won", "won"),
        text("unit", "hand.effects.unit"),
        text("bid", "hand.effects.bid"),
        number("bidder_id", _id_of("bidder")),
        text("bidder", "hand.text.bidder"),
        number("partner_id", _id_of("partner")),
        text("partner", "hand.text.partner"),
        text("trump", "hand.text.trump"),
        text("called", "hand.text.called"),
        number("points", _counted("points")),
        number("tricks", _counted("tricks")),
        text("outcome", "hand.effects.outcome"),
        number("amount", "hand.text.amount"),
        number("dealer_id", _id_of("dealer")),
        text("dealer", "hand.text.dealer"),
        time("played_at_utc", "hand.version.played_at"),
        time("entered_at_utc", "hand.version.entered_at"),
        text("entered_by", "hand.version.author"),
        text("note", "hand.text.note"),
    ),
    played_hands,
)

ENTRIES = ExportTable(
    (
        number("entry_id", "entry.id"),
        day("day", lambda row: row.entry.occurred_at.date()),
        text("kind", "entry.kind"),
        number("session_id", "entry.session_id"),
        text("evening", "entry.evening"),
        number("hand_id", "entry.hand_id"),
        number("hand", "entry.hand"),
        number("account_id", "posting.account_id"),
        text("account", "posting.account"),
        number("player_id", "posting.player_id"),
        text("player", "player"),
        text("unit", "posting.unit"),
        amount("amount", lambda row: (row.posting.amount, row.posting.unit)),
        amount("balance", lambda row: (row.posting.balance, row.posting.unit)),
        number("reverses_id", "entry.reverses_id"),
        time("occurred_at_utc", "entry.occurred_at"),
        time("entered_at_utc", "entry.entered_at"),
        text("entered_by", "entry.author"),
        text("reason", "entry.reason"),
        text("digest", "entry.digest"),
    ),
    entry_postings,
)

BALANCES = ExportTable(
    (
        number("account_id", "id"),
        text("account", "key"),
        text("kind", "kind"),
        number("session_id", "session_id"),
        text("evening", "evening"),
        number("player_id", "player_id"),
        text("player", "player"),
        text("pot", "name"),
        text("unit", "unit"),
        amount("balance", lambda row: (row.balance, row.unit)),
        number("score_in_balance", "scored"),
        text("state", lambda row: "closed" if row.is_closed else "open"),
    ),
    lambda session, _: exported_accounts(session),
)


def _standings(session: ScopedSession, chosen: SessionFilter) -> Iterator[PlayerStanding]:
    for unit in club_statistics.of_club(session, chosen).units:
        for standing in unit.standings:
            yield PlayerStanding(unit.unit, standing)


STATISTICS = ExportTable(
    (
        number("player_id", "standing.id"),
        text("player", "standing.name"),
        text("unit", "unit"),
        number("total", "standing.total"),
        number("hands", "standing.hands"),
        number("contracts", "standing.contracts"),
        number("contracts_made", "standing.made"),
        number("on_paper", "standing.on_paper"),
    ),
    _standings,
)


def _player_evenings(session: ScopedSession, chosen: SessionFilter) -> Iterator[PlayerEvening]:
    """Yield the results of evenings, newest first, as pages list them."""
    ids: Mapping[str, int] = {player.name: player.id for player in players.everyone(session)}
    while page := sessions.of_club(session, chosen, limit=EVENINGS_AT_ONCE):
        for evening in page:
            for sitting in evening.seats:
                yield PlayerEvening(evening, ids[sitting.player], sitting)
        chosen = replace(chosen, after=page[-1].session_id)


def _money(row: PlayerEvening) -> tuple[int, str]:
    return row.sitting.money, row.evening.currency


EVENINGS = ExportTable(
    (
        number("session_id", "evening.session_id"),
        text("evening", "evening.title"),
        day("day", "evening.started_on"),
        text("game", "evening.game"),
        text("variant", "evening.variant"),
        text("state", "evening.state"),
        number("hands", "evening.hands"),
        number("player_id", "player_id"),
        text("player", "sitting.player"),
        text("unit", "evening.unit"),
        number("won", "sitting.won"),
        number("scored", "sitting.scored"),
        number("not_cashed_in", "sitting.unpaid"),
        amount("money", _money),
        text("currency", "evening.currency"),
        text("scored_on", lambda row: "paper" if row.evening.on_paper else "pages"),
    ),
    _player_evenings,
)
