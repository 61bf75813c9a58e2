"""The name that a server publishes: one that is free, or none and the reason."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.server import mdns
from ledger.server.mdns import CannotPublish, PublishedName, publish
from tests.support.needs import unavailable

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.9"


@pytest.fixture
def zeroconf() -> Any:
    """The real package."""
    try:
        import zeroconf
    except ImportError:
        unavailable("zeroconf is not installed: pip install '.[mdns]'.")
    return zeroconf


def looked_up(zeroconf: Any, host: str) -> list[str]:
    """The addresses that another machine in the network finds for a name."""
    asking = zeroconf.Zeroconf(interfaces=[HERE])
    try:
        resolver = zeroconf.AddressResolverIPv4(f"{host}.")
        return list(resolver.parsed_addresses()) if resolver.request(asking, 2_000) else []
    finally:
        asking.close()


def test_a_name_is_found_by_others_until_it_is_withdrawn(zeroconf: Any) -> None:
    """A second server on another machine takes the next name; one on the same machine shares its name."""
    with ThreadPoolExecutor(1) as apart:  # zeroconf would join a browser's loop in this thread
        apart.submit(publish_look_up_and_withdraw, zeroconf).result(60)


def publish_look_up_and_withdraw(zeroconf: Any) -> None:
    """Publish names as two machines do, look them up as a third one, and withdraw them."""
    other = publish(HERE, 8443)
    try:
        assert other.host == "solo-ledger.local"
        assert looked_up(zeroconf, other.host) == [HERE]
        responder = zeroconf.Zeroconf(interfaces=[HERE])
        second = PublishedName(mdns._register(zeroconf, responder, ELSEWHERE, 8443), responder)
        assert second.host == "solo-ledger-2.local"
        assert looked_up(zeroconf, second.host) == [ELSEWHERE]
        second.close()
        third = publish(HERE, 8444)
        assert third.host == "solo-ledger.local"
        third.close()
    finally:
        other.close()
    assert looked_up(zeroconf, "solo-ledger.local") == []


class Network:
    """A made-up ``zeroconf``: every name has these addresses already."""

    def __init__(self, *taken: str, fault: Exception | None = None) -> None:
        self.taken, self.fault, self.closed = list(taken), fault, threading.Event()
        self.tried: list[str] = []

    def Zeroconf(self, interfaces: list[str]) -> "Network":  # noqa: N802, D102
        if not interfaces[0][0].isdigit():
            raise OSError(f"no interface {interfaces[0]}")
        return self

    def AddressResolverIPv4(self, host: str) -> Any:  # noqa: N802, D102
        self.tried.append(host)
        return SimpleNamespace(request=lambda *_: self.taken, parsed_addresses=lambda: self.taken)

    def ServiceInfo(self, *_: object, **named: object) -> object:  # noqa: N802, D102
        return named

    def register_service(self, _info: object, **_named: object) -> None:  # noqa: D102
        if self.fault:
            raise self.fault

    def close(self) -> None:  # noqa: D102
        self.closed.set()


def published_in(
    network: Any, monkeypatch: pytest.MonkeyPatch, address: str = HERE
) -> PublishedName:
    """Publish a name in a made-up network; None has no ``zeroconf``."""
    monkeypatch.setitem(sys.modules, "zeroconf", network)
    return publish(address, 8443)


def test_without_the_package_the_notice_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default installation is without it."""
    with pytest.raises(CannotPublish, match=r"pip install '\.\[mdns\]'"):
        published_in(None, monkeypatch)


def test_nine_names_are_tried_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that answers for every name doesn't hold the server up for longer; nothing stays open."""
    network = Network(ELSEWHERE)
    with pytest.raises(CannotPublish, match=r"other machines have solo-ledger\.local and 8 more"):
        published_in(network, monkeypatch)
    assert network.tried[0] == "solo-ledger.local."
    assert network.tried[-1] == "solo-ledger-9.local."
    assert len(network.tried) == 9
    assert network.closed.is_set()


def test_a_network_that_fails_is_a_notice_not_a_failed_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The port for such names is taken, there is no such interface, or the package fails without a word."""
    with pytest.raises(CannotPublish, match="no interface"):
        published_in(Network(), monkeypatch, "nowhere")
    for fault, reason in (
        (OSError(98, "Address in use"), "Address in use"),
        (KeyError(), "KeyError"),
    ):
        network = Network(fault=fault)
        with pytest.raises(CannotPublish, match=reason):
            published_in(network, monkeypatch)
        assert network.closed.is_set()


def test_withdrawing_a_name_takes_no_longer_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends the server although the network has gone; an error there is nobody's."""
    monkeypatch.setattr(mdns, "ENDS_WITHIN", 0.1)
    released = threading.Event()
    begun = time.monotonic()
    PublishedName("a.local", SimpleNamespace(close=lambda: released.wait(20))).close()
    assert time.monotonic() - begun < 5
    released.set()
    PublishedName("a.local", SimpleNamespace()).close()
