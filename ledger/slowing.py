"""What one address may do only so often, as it costs much and anybody may ask for it."""

from collections.abc import Callable
from functools import cache

from flask import Response, after_this_request, request
from limits import RateLimitItem
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from ledger.clock import now
from ledger.problems import TooOften


@cache
def limiter() -> FixedWindowRateLimiter:
    """Return what counts for this process."""
    return FixedWindowRateLimiter(MemoryStorage())


def slow_down(
    limit: RateLimitItem, what: str, counts: Callable[[Response], bool] | None = None
) -> None:
    """Let the address that asks do ``what`` within ``limit``; its answer tells how often it still may.

    Beyond that it is ``TooOften``. Every attempt counts, or only those whose answer ``counts``.
    """
    counting, done = limiter(), (what, request.remote_addr or "")

    @after_this_request
    def tell(response: Response) -> Response:
        if counts and counts(response):
            counting.hit(limit, *done)
        stands = counting.get_window_stats(limit, *done)
        response.headers["X-RateLimit-Limit"] = str(limit.amount)
        response.headers["X-RateLimit-Remaining"] = str(stands.remaining)
        response.headers["X-RateLimit-Reset"] = str(int(stands.reset_time) + 1)
        return response

    if not (counting.test(limit, *done) if counts else counting.hit(limit, *done)):
        wait = counting.get_window_stats(limit, *done).reset_time - now().timestamp()
        raise TooOften(int(wait) + 1, is_long=limit.get_expiry() >= 3600)
