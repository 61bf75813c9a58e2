"""Secrets: argon2 for passcodes chosen by people, SHA-256 for random tokens.

A passcode is short and guessable, so its hash must be slow. A token has 256 random bits, so a plain digest is
as safe, and an index can find it.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

_PASSCODES = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
NOBODY = (
    "$argon2id$v=19$m=19456,t=2,p=1$t8YdsMOqukS+KIn8hycEbw"
    "$zmKZcwHQxl7X1B7bwWzz/dfKaXNHnVlQUb7xA36dxaM"
)
"""A hash that no passcode has; a constant, as computing it takes as long as checking a passcode."""
_TOKEN_PREFIX = "solo_"  # noqa: S105 - lets people recognize a token


def hash_passcode(passcode: str) -> str:
    """Return a passcode's argon2id hash."""
    return _PASSCODES.hash(_as_bytes(passcode))


def passcode_opens(stored: str | None, passcode: str) -> bool:
    """Return whether a passcode has the stored hash.

    False for ``None`` (an unknown club), after the same time as for a wrong passcode, and for an invalid
    hash.
    """
    try:
        _PASSCODES.verify(NOBODY if stored is None else stored, _as_bytes(passcode))
    except (VerifyMismatchError, InvalidHashError):
        return False
    return stored is not None


def new_token() -> str:
    """Return a new bearer token: a prefix that people recognize, and 256 random bits."""
    return _TOKEN_PREFIX + secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return the digest stored for a token: its SHA-256 in hexadecimal."""
    return hashlib.sha256(_as_bytes(token)).hexdigest()


def new_key() -> str:
    """Return 128 new random bits as text: a device's key, or the nonce from which a link's is derived."""
    return secrets.token_urlsafe(16)


def link_key(secret: str, nonce: str) -> str:
    """Derive the unguessable part of a link, 128 bits as text, from the secret key and the link's nonce."""
    return _derived(secret, f"link {nonce}")


def founders_key(secret: str, form: str, club_id: int) -> str:
    """Return the key for the cookie of a founder's device; ``form`` is the form's idempotency key.

    The same form and club give the same key, so a retry after a lost response comes from one device.
    """
    return _derived(secret, f"founding of club {club_id} by {form}")


def _derived(secret: str, purpose: str) -> str:
    mac = hmac.new(secret.encode(), purpose.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(mac[:16]).rstrip(b"=").decode()


def _as_bytes(secret: str) -> bytes:
    # Half a surrogate pair opens nothing, but must not cause an error either.
    return secret.encode("utf-8", "surrogatepass")
