"""The cluster of `.deploy/cluster` on this machine, each of its nodes behind links that can be cut."""

import asyncio
import base64
import http.client
import json
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

from tests.support.server import free_port
from tests.support.tree import ROOT
from tests.trials.scorers import until

SCRIPT = ROOT / ".deploy" / "cluster" / "cluster"
PATRONI = os.environ.get("PATRONI", "patroni")
PROGRAMS = {PATRONI: "patroni", "etcd": "etcd-server", "haproxy": "haproxy"}
"""The programs that the cluster needs, and their packages beside `postgresql`."""

USER = "postgres"
NODES = (1, 2, 3)
LEADER = base64.b64encode(b"/service/ledger/leader").decode()


def missing() -> list[str]:
    """Return the packages that are not installed."""
    path = f"{os.environ['PATH']}:/usr/sbin"
    packages = [package for name, package in PROGRAMS.items() if not shutil.which(name, path=path)]
    if not packages:
        checked = subprocess.run([SCRIPT, "check"], capture_output=True, text=True, check=False)
        packages += [checked.stderr.strip()] if checked.returncode else []
    server = any(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return packages + ([] if server else ["postgresql"])


class Link:
    """Forwards connections to a port; while cut it forwards nothing, like a network that loses everything."""

    def __init__(self, loop: asyncio.AbstractEventLoop, target: int) -> None:
        self.port = free_port()
        self._loop, self._target, self._is_whole = loop, target, asyncio.Event()
        self._is_whole.set()
        serving = asyncio.start_server(self._serve, "127.0.0.1", self.port)
        asyncio.run_coroutine_threadsafe(serving, loop).result(10)

    def cut(self) -> None:
        """Lose everything from now on."""
        self._loop.call_soon_threadsafe(self._is_whole.clear)

    def mend(self) -> None:
        """Forward again, first all that was lost, as TCP sends it again."""
        self._loop.call_soon_threadsafe(self._is_whole.set)

    async def _serve(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        await self._is_whole.wait()
        try:
            answers, requests = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            sink.close()
            return
        await asyncio.gather(self._forward(source, requests), self._forward(answers, sink))

    async def _forward(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                await self._is_whole.wait()
                sink.write(data)
                await sink.drain()
        sink.close()


class Node:
    """A Patroni with its PostgreSQL; everything reaches it, and it reaches etcd, through links."""

    def __init__(self, cluster: "PatroniCluster", number: int) -> None:
        self.name, self.number, self._cluster = f"node{number}", number, cluster
        self._postgres, self._rest = free_port(), free_port()
        self._links = [
            Link(cluster.loop, port) for port in (self._postgres, self._rest, cluster.etcd)
        ]
        self.patroni: subprocess.Popen[bytes] | None = None

    @property
    def addresses(self) -> str:
        """The addresses of PostgreSQL and of Patroni, as the others reach them."""
        return ",".join(f"127.0.0.1:{link.port}" for link in self._links[:2])

    def start(self) -> None:
        """Start Patroni, which starts PostgreSQL."""
        self.patroni = self._cluster.run(
            "node",
            str(self.number),
            ETCD=f"127.0.0.1:{self._links[2].port}",
            PATRONI_ETCD3_USE_PROXIES="true",  # Patroni would go around the link
            POSTGRES_LISTEN=f"127.0.0.1:{self._postgres}",
            REST_LISTEN=f"127.0.0.1:{self._rest}",
        )

    def isolate(self) -> None:
        """Cut it off."""
        for link in self._links:
            link.cut()

    def reconnect(self) -> None:
        """Mend its links."""
        for link in self._links:
            link.mend()

    def signal(self, number: int, *, patroni: bool = True, postgres: bool = True) -> None:
        """Send a signal to its processes."""
        assert self.patroni
        servers = self._cluster.folder / self.name / "postmaster.pid"
        processes = family(self.patroni.pid) if patroni else []
        if postgres and servers.exists():
            processes += family(int(servers.read_text().split()[0]))
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def stop(self) -> None:
        """Stop both in order, and return when they have ended."""
        assert self.patroni
        self.patroni.send_signal(signal.SIGTERM)
        self.patroni.wait(120)


def family(process: int) -> list[int]:
    """Return a process and all its descendants; only itself if it has ended."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        children = ""
    return [process, *(each for child in children.split() for each in family(int(child)))]


class PatroniCluster:
    """etcd, three nodes and HAProxy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "cluster"
        self.loop = asyncio.new_event_loop()
        Thread(target=self.loop.run_forever, daemon=True).start()
        self.etcd, self.entry = free_port(), free_port()
        self.nodes = [Node(self, number) for number in NODES]
        self._environment = {
            **os.environ,
            "CLUSTER_DIR": str(self.folder),
            "NODES": " ".join(node.addresses for node in self.nodes),
            "ETCD_LISTEN": f"127.0.0.1:{self.etcd}",
            "ETCD_PEER": f"127.0.0.1:{free_port()}",
            "ENTRY": f"127.0.0.1:{self.entry}",
            "STATUS": f"127.0.0.1:{free_port()}",
        }
        self._others: list[subprocess.Popen[bytes]] = []

    def start(self) -> str:
        """Start everything; return the URL of the ledger's database."""
        self._others += [self.run("etcd"), self.run("proxy")]
        for node in self.nodes:
            node.start()
        until(self.is_complete, 180)
        made = subprocess.run(
            [SCRIPT, "database"], env=self._environment, capture_output=True, text=True, check=True
        )
        return made.stdout.partition("=")[2].strip().strip("'")

    def stop(self) -> None:
        """Kill everything."""
        for node in self.nodes:
            if node.patroni:
                node.signal(signal.SIGKILL)
                node.patroni.wait(10)
        for process in self._others:
            process.kill()
            process.wait(10)
        self.loop.call_soon_threadsafe(self.loop.stop)

    def run(self, *arguments: str, **variables: str) -> subprocess.Popen[bytes]:
        """Start one process by the script."""
        with (self.folder.parent / f"{''.join(arguments)}.log").open("ab") as log:
            return subprocess.Popen(
                [SCRIPT, *arguments],
                env=self._environment | variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def leader(self) -> str:
        """Return the name of the node that has the lease in etcd, empty if none has."""
        found = self._asked("/v3/kv/range", self.etcd, {"key": LEADER}).get("kvs", ())
        return base64.b64decode(found[0]["value"]).decode() if found else ""

    def primary(self) -> Node:
        """Return the node that has the lease."""
        (node,) = [node for node in self.nodes if node.name == self.leader()]
        return node

    def is_complete(self) -> bool:
        """Return whether all nodes run, one as the primary and one as its synchronous standby."""
        with suppress(OSError, http.client.HTTPException, ValueError):
            port = int(self.primary().addresses.rpartition(":")[2])
            members = self._asked("/cluster", port)["members"]
            roles = sorted(member["role"] for member in members)
            running = all(member["state"] in ("running", "streaming") for member in members)
            same = len({member.get("timeline") for member in members}) == 1
            return roles == ["leader", "replica", "sync_standby"] and running and same
        return False

    def _asked(self, path: str, port: int, body: Any = None) -> Any:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=3)
        try:
            line.request("POST" if body else "GET", path, json.dumps(body) if body else None)
            return json.loads(line.getresponse().read())
        finally:
            line.close()


class LeaseWatch(Thread):
    """Waits until a node no longer has the lease; ``ended_at`` is the time of that."""

    def __init__(self, cluster: PatroniCluster, name: str) -> None:
        super().__init__(daemon=True)
        self._cluster, self._name = cluster, name
        self.ended_at = 0.0

    def has_ended(self) -> bool:
        """Return whether the node has lost the lease."""
        return self.ended_at > 0

    def run(self) -> None:
        """Ask etcd twenty times a second."""
        while True:
            with suppress(OSError, http.client.HTTPException, ValueError):
                if self._cluster.leader() != self._name:
                    self.ended_at = time.monotonic()
                    return
            time.sleep(0.05)


@contextmanager
def running(folder: Path) -> Iterator[tuple[PatroniCluster, str]]:
    """Run a cluster; yield it and the URL of the ledger's database."""
    for place in (folder, *folder.parents):
        if place.stat().st_uid == os.getuid() and not place.stat().st_mode & 0o001:
            place.chmod(0o711)  # the nodes run as another user
    if os.getuid() == 0:
        user = pwd.getpwnam(USER)
        (folder / "cluster").mkdir()
        os.chown(folder / "cluster", user.pw_uid, user.pw_gid)
    cluster = PatroniCluster(folder)
    try:
        yield cluster, cluster.start()
    finally:
        cluster.stop()


Fault = Callable[[Node], Callable[[], None]]
"""Breaks a node, and returns the function that repairs it."""


def kill(node: Node) -> Callable[[], None]:
    """Kill all processes, as a power cut does."""
    node.signal(signal.SIGKILL)
    return node.start


def crash(node: Node) -> Callable[[], None]:
    """Kill PostgreSQL only; its Patroni goes on."""
    node.signal(signal.SIGKILL, patroni=False)
    return lambda: None


def hang(node: Node) -> Callable[[], None]:
    """Stop all processes, as a machine does that swaps."""
    node.signal(signal.SIGSTOP)
    return lambda: node.signal(signal.SIGCONT)


def hang_patroni(node: Node) -> Callable[[], None]:
    """Stop Patroni only: its PostgreSQL goes on as a primary, and nobody can stop it."""
    node.signal(signal.SIGSTOP, postgres=False)
    return lambda: node.signal(signal.SIGCONT, postgres=False)


def isolate(node: Node) -> Callable[[], None]:
    """Cut it off from etcd, from the other nodes and from HAProxy."""
    node.isolate()
    return node.reconnect


def restart(node: Node) -> Callable[[], None]:
    """Stop it in order, as for an upgrade of the machine."""
    node.stop()
    return node.start


FAULTS: tuple[Fault, ...] = (crash, restart, hang, isolate, kill, hang_patroni)
