"""The memory for bodies has bounds, in all and by network; players' forms always have room."""

import asyncio
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from typing import Any

import pytest

from ledger.http.failures import MOST_BYTES
from ledger.server import bodies
from ledger.server.bodies import FREE, MOST, MOST_OF_A_NETWORK, Bodies
from ledger.server.bridge import Bridge
from ledger.server.followers import Event
from ledger.server.rejections import TurnedAway
from tests.ledger.server.loops import in_a_loop_of_its_own
from tests.ledger.server.test_bridge import Counts, asked, body, reply, sent

PROXY = ip_network("192.0.2.0/24")


def from_address(address: str, *forwarded: str) -> dict[str, Any]:
    """Return the scope of a request from an address, which may name others."""
    headers = [(b"x-forwarded-for", each.encode()) for each in forwarded]
    return asked("POST", client=(address, 50_000), headers=headers)


def refused(room: Bodies, scope: dict[str, Any], size: int = FREE + 1) -> int:
    """Return the status that refuses a body of this size, 0 if it has room."""
    try:
        with room.room(scope) as grow:
            grow(size)
    except TurnedAway as away:
        return away.reason.status
    return 0


@contextmanager
def filled(room: Bodies, *scopes: dict[str, Any], size: int = MOST_OF_A_NETWORK) -> Iterator[None]:
    """Let bodies of so many bytes that count be under way."""
    if not scopes:
        yield
        return
    with room.room(scopes[0]) as grow, filled(room, *scopes[1:], size=size):
        grow(size // 2)
        grow(size + FREE)
        yield


def test_bodies_from_one_network_leave_room_to_others() -> None:
    """Its next one is refused, from whichever address; the next network has room, and so has a form."""
    room = Bodies()
    with filled(room, from_address("203.0.113.7")):
        assert refused(room, from_address("203.0.113.200")) == 429
        assert refused(room, from_address("203.0.113.7"), FREE) == 0
        assert refused(room, from_address("203.0.114.7"), MOST_BYTES) == 0
    assert room.size == 0
    assert refused(room, from_address("203.0.113.7"), MOST_BYTES) == 0
    with filled(room, from_address("2001:db8:1:2::7")):
        assert refused(room, from_address("2001:db8:1:2:ffff::1")) == 429
        assert refused(room, from_address("2001:db8:1:3::7")) == 0


def test_all_bodies_together_have_a_bound() -> None:
    """Beyond it only bodies as short as a form or a hand have room."""
    room = Bodies()
    many = [from_address(f"198.51.{number}.1") for number in range(MOST // MOST_OF_A_NETWORK)]
    with filled(room, *many):
        assert room.size == MOST
        assert refused(room, from_address("203.0.113.7")) == 503
        assert refused(room, from_address("203.0.113.7"), FREE) == 0
    assert room.size == 0


def test_behind_a_trusted_proxy_each_client_is_counted_by_its_own_address() -> None:
    """By the last that the proxy names; from anybody else the header is no more than a claim."""
    room = Bodies((PROXY,))
    with filled(room, from_address("192.0.2.1", "203.0.113.7", "192.0.2.9, 198.51.100.1")):
        assert refused(room, from_address("192.0.2.1", "198.51.100.9")) == 429
        assert refused(room, from_address("192.0.2.1", "203.0.113.7")) == 0
        assert refused(room, from_address("198.51.100.77", "203.0.113.7")) == 429
        assert refused(room, from_address("192.0.2.1")) == 0


def test_a_body_has_its_room_until_its_request_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of whole bodies that wait for a thread take memory as well; refusals are counted."""
    monkeypatch.setattr(bodies, "MOST_OF_A_NETWORK", 2 * (MOST_BYTES - FREE))
    end, counts = threading.Event(), Counts()

    def slow(_environ: Any, start: Any) -> Iterable[bytes]:
        end.wait(20)
        start("200 OK", [])
        return [b"ok"]

    over = Bridge(slow, 1, lambda: None, metrics=counts)
    statuses, retry = list[int](), list[bytes]()

    async def send(event: Event) -> None:
        if "status" in event:
            statuses.append(event["status"])
            retry.extend(value for name, value in event["headers"] if name == b"retry-after")

    async def many() -> None:
        scope = from_address("203.0.113.7")
        complete = [
            asyncio.create_task(over(scope, sent(body(b"x" * MOST_BYTES)), send)) for _ in range(2)
        ]
        while over.waiting < 2:
            await asyncio.sleep(0)
        await over(scope, sent(body(b"x" * FREE, more=True), body(b"y", more=True)), send)
        assert (statuses, retry) == ([429], [b"5"])
        end.set()
        await asyncio.gather(*complete)

    in_a_loop_of_its_own(many())
    assert statuses == [429, 200, 200]
    assert over.bodies.size == 0
    assert counts.noted == [("no-room-for-network", 429)]


def test_whoever_leaves_or_is_too_slow_gives_the_room_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bytes count no longer."""
    monkeypatch.setattr("ledger.server.bridge.BODY_WITHIN", 0.05)
    over = Bridge(lambda *_: [], 1, lambda: None)
    piece = body(b"x" * 100_000, more=True)
    assert reply(over, from_address("203.0.113.7"), piece, {"type": "http.disconnect"}) is None
    answer = reply(over, from_address("203.0.113.7"), piece)
    assert answer is not None
    assert answer[0] == 408
    assert over.bodies.size == 0


def test_who_has_a_hand_scored_keeps_no_save_waiting() -> None:
    """Anybody may have hands scored: one at a time, in a queue of its own."""
    end = threading.Event()
    running: list[str] = []

    def slow(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/api/v1/score":
            running.append("score")
            end.wait(20)
        start("200 OK", [])
        return [b"ok"]

    over = Bridge(slow, 4, lambda: None)
    statuses: list[int] = []

    async def send(event: Event) -> None:
        if "status" in event:
            statuses.append(event["status"])

    async def many() -> None:
        scope = asked("POST", "/api/v1/score")
        scorings = [asyncio.create_task(over(scope, sent(body()), send)) for _ in range(450)]
        while len(statuses) < 50:
            await asyncio.sleep(0)
        assert statuses == [503] * 50
        await over(asked("POST", "/api/v1/sessions/1/hands"), sent(body()), send)
        assert statuses[-1] == 200
        assert running == ["score"]
        end.set()
        await asyncio.gather(*scorings)

    in_a_loop_of_its_own(many())
    assert sorted(statuses) == [200] * 401 + [503] * 50
