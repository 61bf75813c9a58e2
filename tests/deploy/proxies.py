"""Proxies from Debian with the examples' configuration: only ports, folders and times are put in."""

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support.needs import unavailable
from tests.support.server import free_port
from tests.support.tree import ROOT

EXAMPLES = ROOT / ".deploy"
NAME = "cards.example.org"
VISITOR = "127.0.0.2"
"""Where a visitor asks from, so that they are told apart from the proxy; all of 127 is this machine."""

NGINX_AROUND = """daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr;
{user}
events {{}}
http {{
    gzip on;
    gzip_proxied any;
    gzip_types *;
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""
"""What Debian puts around a site, with its compression on."""


class Certificate(NamedTuple):
    """A certificate for the name of the examples, and its key."""

    certificate: Path
    key: Path


def certified(folder: Path) -> Certificate:
    """Make a certificate that nobody but the tests believes."""
    made = Certificate(folder / "certificate.pem", folder / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    command += ["-addext", f"subjectAltName=DNS:{NAME}"]
    command += ["-out", str(made.certificate), "-keyout", str(made.key)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return made


class Proxy(NamedTuple):
    """A running proxy: its address, and the authority of its certificate."""

    port: int
    certificate: Path

    def connected(self) -> ssl.SSLSocket:
        """Connect as a visitor does, over HTTPS."""
        trusting = ssl.create_default_context(cafile=str(self.certificate))
        line = socket.create_connection(("127.0.0.1", self.port), 30, (VISITOR, 0))
        return trusting.wrap_socket(line, server_hostname=NAME)

    def ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send one request over a connection of its own."""
        line = http.client.HTTPConnection(NAME)
        line.sock = self.connected()
        line.request(method, path, body, dict(headers))
        answer = line.getresponse()
        text = answer.read()
        line.close()
        return answer, text


def needed(name: str) -> str:
    """Return where a program is; skip, or under CI fail, where it is missing."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    return found or unavailable(f"There is no {name} here: apt install {name}.")


def nginx(folder: Path, to: int, port: int, by: Certificate, times: str | None) -> list[str]:
    """Write nginx's configuration; return the command that starts it."""
    site = (EXAMPLES / "nginx.conf").read_text()
    for written, put_in in (
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{to};"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(by.certificate)),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(by.key)),
    ):
        assert written in site, f"nginx.conf no longer says {written}"
        site = site.replace(written, put_in)
    (folder / "site.conf").write_text(hurried(site, times))
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(NGINX_AROUND.format(folder=folder, user=user))
    return [needed("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def caddy(folder: Path, to: int, port: int, by: Certificate, times: str | None) -> list[str]:
    """Write Caddy's configuration, with a certificate of our own; return the command that starts it."""
    site = (EXAMPLES / "Caddyfile").read_text()
    for written, put_in in (
        ("\tservers {", "\tadmin off\n\tauto_https disable_redirects\n\tservers {"),
        (f"\n{NAME} {{", f"\nhttps://{NAME}:{port} {{\n\ttls {by.certificate} {by.key}"),
        ("reverse_proxy 127.0.0.1:8000", f"reverse_proxy 127.0.0.1:{to}"),
    ):
        assert written in site, f"Caddyfile no longer says {written}"
        site = site.replace(written, put_in)
    (folder / "Caddyfile").write_text(hurried(site, times))
    return [needed("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


KINDS = {"nginx": nginx, "caddy": caddy}


def hurried(site: str, times: str | None) -> str:
    """Put another time in for each one that a client may take."""
    return site if times is None else re.sub(r"\b[23]0s\b", times, site)


@contextmanager
def proxied(
    kind: str, folder: Path, to: int, by: Certificate, times: str | None = None
) -> Iterator[Proxy]:
    """Run a proxy in front of a service while this is open."""
    port = free_port()
    command = KINDS[kind](folder, to, port, by, times)
    own = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=own, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 30
        while not _listens(port):
            said = (folder / "log").read_text(errors="replace")
            assert process.poll() is None, f"{kind} ended:\n{said}"
            assert time.monotonic() < deadline, f"{kind} does not listen:\n{said}"
            time.sleep(0.02)
        yield Proxy(port, by.certificate)
    finally:
        process.terminate()
        process.wait(20)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
