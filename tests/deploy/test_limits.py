"""The figures that stand in the examples are those of the service: each is compared with the code's own."""

import re

from ledger.http.failures import MOST_BYTES
from ledger.runtime.config import load
from ledger.server import DRAINED_WITHIN, KEPT_ALIVE, SPARED
from ledger.server.bridge import BODY_WITHIN
from ledger.server.protocol import HEAD_WITHIN
from tests.deploy.proxies import EXAMPLES


def said(file: str, name: str) -> str:
    """Return an example's value after a name."""
    match = re.search(
        rf"^[ \t#]*(?:.* )?{name}[ =]([^ ;\n]+)", (EXAMPLES / file).read_text(), re.MULTILINE
    )
    assert match, f"{file} does not say {name}"
    return match[1]


def test_a_proxy_takes_as_much_as_the_service_and_no_more() -> None:
    """Its limit of a body is the service's to the byte."""
    assert int(said("nginx.conf", "client_max_body_size")) == MOST_BYTES
    assert said("Caddyfile", "max_size") == f"{MOST_BYTES // 10**6}MB"
    large = re.compile(said("Caddyfile", "header_regexp Content-Length"))
    least = int(said("Caddyfile", "not header Content-Length"))
    assert least == MOST_BYTES
    assert not large.search(str(least - 1))
    assert large.search(str(least))


def test_a_proxy_waits_as_long_as_the_service() -> None:
    """For the head of a request, and for its body."""
    assert said("nginx.conf", "client_header_timeout") == f"{HEAD_WITHIN:.0f}s"
    assert said("nginx.conf", "client_body_timeout") == f"{BODY_WITHIN:.0f}s"
    assert said("Caddyfile", "read_header") == f"{HEAD_WITHIN:.0f}s"
    assert said("Caddyfile", "read_body") == f"{BODY_WITHIN:.0f}s"


def test_a_proxy_lets_a_connection_go_before_the_service_does() -> None:
    """A request that is sent just as the service hangs up is answered by nobody."""
    for file, name in (("nginx.conf", "keepalive_timeout"), ("Caddyfile", "keepalive")):
        assert int(said(file, name).removesuffix("s")) < KEPT_ALIVE, file


def test_who_stops_the_service_waits_until_it_has_drained() -> None:
    """If it were killed before that, requests under way would not end, nor the database be checkpointed."""
    assert int(said("solo-ledger.service", "TimeoutStopSec")) > DRAINED_WITHIN
    assert int(said("Containerfile", "--stop-timeout")) > DRAINED_WITHIN


def test_the_unit_grants_files_for_every_follower() -> None:
    """As many as may follow by default, and all other open files."""
    followers = load({}, make=False).followers
    assert int(said("solo-ledger.service", "LimitNOFILE")) >= followers + SPARED


def test_the_cluster_acknowledges_nothing_without_a_standby() -> None:
    """Otherwise a failover could lose hands that phones show as saved."""
    assert said("cluster/patroni.yml", "synchronous_mode:") == "true"
    assert said("cluster/patroni.yml", "synchronous_mode_strict:") == "true"


def test_a_node_is_left_long_before_its_lease_ends() -> None:
    """Another node takes over after that: nobody may read from the old one any more."""
    checks = int(said("cluster/haproxy.cfg", "fall"))
    within = int(said("cluster/haproxy.cfg", "inter")[0]) + int(
        said("cluster/haproxy.cfg", "timeout check")[0]
    )
    assert "on-marked-down shutdown-sessions" in (EXAMPLES / "cluster/haproxy.cfg").read_text()
    assert 2 * checks * within < int(said("cluster/patroni.yml", "ttl:"))
