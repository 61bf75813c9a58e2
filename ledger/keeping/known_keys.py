"""The keys that sign a ledger: those known here, and the remedy for a missing one."""

from sqlalchemy import select

from ledger.books.transactions import Database
from ledger.database.models import metadata
from ledger.runtime.config import Settings
from ledger.runtime.signing import SigningKey


def known(settings: Settings) -> list[SigningKey]:
    """Return the keys of the settings, the signing one first."""
    own = [SigningKey.from_text(settings.signing_key)] if settings.signing_key else []
    return [*own, *map(SigningKey.from_public, settings.trusted_keys)]


def notice(settings: Settings, database: Database) -> str:
    """Return a warning if the signing key is newer than signed entries, and no known key signed them.

    A lost key is replaced by a new one at start; without the warning only ``verify`` would notice.
    """
    keys = known(settings)
    since = keys[0].since if settings.signing_key else None
    if since is None:
        return ""
    entries = metadata.tables["journal_entry"].c
    query = select(entries.club_id, entries.digest, entries.signature, entries.entered_at)
    with database.engine.connect() as connection:
        oldest = query.where(entries.signature.is_not(None)).order_by(entries.id).limit(1)
        row = connection.execute(oldest).first()
    if row is None or row.entered_at >= since:
        return ""
    if any(key.verifies(row.signature, row.club_id, row.digest) for key in keys):
        return ""
    return (
        f"The signing key was made on {since:%Y-%m-%d at %H:%M} UTC, and earlier entries are signed by "
        f"another one, so solo-ledger verify will fail: {remedy(settings)}."
    )


def remedy(settings: Settings) -> str:
    """Return the steps that make signatures of a missing key verifiable again."""
    from ledger.keeping import heads  # loads the audit, which starting the service does without

    keys = known(settings)
    public = {key.public for key in keys}
    former = [key for key in heads.signing_keys(settings) if key not in public]
    named = f" (backups were signed by {' and '.join(former)})" if former else ""
    if not settings.signing_key:
        place = settings.signing_key_file
        return (
            f"put your copy of the signing key back as {place}, or set LEDGER_SIGNING_KEY as the service has "
            f"it; if it is lost, set LEDGER_TRUSTED_KEYS to its public key{named}, and solo-ledger serve "
            "makes a new one"
        )
    trusted = ",".join([*settings.trusted_keys, former[0] if former else "PUBLIC-KEY"])
    back = ",".join([*settings.trusted_keys, keys[0].public])
    return (
        f"if an earlier key was replaced, set LEDGER_TRUSTED_KEYS={trusted} with its public key{named}; or "
        f"put your copy of it back as {settings.signing_key_file or 'LEDGER_SIGNING_KEY'} and set "
        f"LEDGER_TRUSTED_KEYS={back}, then restart the service"
    )
