"""Secrets: argon2 for passcodes that people choose, SHA-256 for tokens that chance chose.

A passcode is short and guessable, so its hash must be slow. A token has 256 random bits, so a plain
digest keeps it as safe and lets it be found by an index.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

_PASSCODES = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
_NOBODY = (
    "$argon2id$v=19$m=19456,t=2,p=1$t8YdsMOqukS+KIn8hycEbw"
    "$zmKZcwHQxl7X1B7bwWzz/dfKaXNHnVlQUb7xA36dxaM"
)
"""The hash of nobody's passcode; made once for all, as making it takes what one look at a passcode does."""
_TOKEN_PREFIX = "solo_"  # noqa: S105 - what a token begins with, for people who find one


def hash_passcode(passcode: str) -> str:
    """Return the argon2id hash to keep."""
    return _PASSCODES.hash(_as_bytes(passcode))


def passcode_opens(kept: str | None, passcode: str) -> bool:
    """Whether ``passcode`` is the one kept. ``None`` (no such club) takes as long, and is false."""
    try:
        _PASSCODES.verify(_NOBODY if kept is None else kept, _as_bytes(passcode))
    except (VerifyMismatchError, InvalidHashError):
        return False
    return kept is not None


def new_token() -> str:
    """Make a bearer token."""
    return _TOKEN_PREFIX + secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(_as_bytes(token)).hexdigest()


def new_device_key() -> str:
    """Make what a device's cookie holds: 128 bits."""
    return secrets.token_urlsafe(16)


def new_nonce() -> str:
    """Make what a link's key is worked out from, so that no two links share one."""
    return secrets.token_urlsafe(16)


def link_key(secret: str, nonce: str) -> str:
    """Work out the unguessable part of a link: 128 bits, of the secret that is kept beside the ledger."""
    return _worked_out(secret, f"link {nonce}")


def founders_key(secret: str, form: str, club_id: int) -> str:
    """Work out what the cookie of a founder's device holds, of the form that founds the club.

    So a form that is sent twice, by whoever got no answer, comes from one device. Sent with another name
    it founds another club, which has a device of its own.
    """
    return _worked_out(secret, f"founding of club {club_id} by {form}")


def _worked_out(secret: str, of: str) -> str:
    made = hmac.new(secret.encode(), of.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(made[:16]).rstrip(b"=").decode()


def _as_bytes(secret: str) -> bytes:
    # Half a character opens nothing, but it must not be a failure of ours either.
    return secret.encode("utf-8", "surrogatepass")
