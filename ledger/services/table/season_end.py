"""Closing a season with its table, which later corrections of evenings don't change."""

from ledger.services.club import seasons
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.reads import seasons as season_reads


@writes("close season")
def close(tx: WriteContext, season_id: int) -> WriteResponse:
    """Close a season, and store its table of this moment.

    Raises ``NotFound``, ``Stale`` and ``SeasonClosed``.
    """
    row = seasons.open_row(tx, season_id)
    row.closing = dict(season_reads.closing(season_reads.of_season(tx.session, row)))
    row.closed_at = tx.at
    return seasons.view(row).to_mapping()
