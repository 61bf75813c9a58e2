"""The keys that sign a ledger: those known here, and the remedy for a missing one."""

from ledger.runtime.config import Settings
from ledger.runtime.signing import SigningKey


def from_settings(settings: Settings) -> list[SigningKey]:
    """Return the keys of the settings, the signing one first."""
    own = [SigningKey.from_text(settings.signing_key)] if settings.signing_key else []
    return [*own, *map(SigningKey.from_public, settings.trusted_keys)]


def remedy(settings: Settings) -> str:
    """Return, as a sentence, the steps that make signatures of a missing key verifiable again."""
    from ledger.keeping import heads  # loads the audit, which starting the service does without

    keys = from_settings(settings)
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
