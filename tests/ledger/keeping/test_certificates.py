"""The authority that phones trust and the server's certificate: openssl and Python judge both."""

import os
import socket
import ssl
import stat
import subprocess
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ledger.keeping import certificates
from ledger.keeping.certificates import Certificates, Issued, NoCertificate, load, load_or_create

NOW = datetime(2026, 11, 28, 20, 15, tzinfo=UTC)
ADDRESS = "127.0.0.1"
NAME = "solo-ledger.local"


@pytest.fixture
def made(tmp_path: Path) -> Certificates:
    """An authority for this machine's own network, and a certificate for an address and a name of it."""
    new = load_or_create(tmp_path / "https", ADDRESS, "kitchen-pi", NOW)
    assert new.renew([ADDRESS, NAME], NOW)
    return new


def authority_file(made: Certificates) -> Path:
    """The authority's certificate alone, as a phone has it."""
    file = made.folder / "phone.crt"
    file.write_text(ssl.DER_cert_to_PEM_cert(made.authority.der))
    return file


def verdict(made: Certificates, *options: str, at: datetime = NOW) -> str:
    """What openssl finds about the server's certificate if it trusts nothing but the authority."""
    strictly = ("-x509_strict", "-purpose", "sslserver", "-no-CApath", "-no-CAstore")
    trusting = ("-CAfile", authority_file(made), "-attime", str(int(at.timestamp())))
    done = subprocess.run(
        ["openssl", "verify", *strictly, *trusting, *options, made.file],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "options", [("-verify_ip", ADDRESS), ("-verify_hostname", NAME)], ids=["address", "name"]
)
def test_openssl_accepts_the_certificate_by_the_authority_alone(
    made: Certificates, options: tuple[str, str]
) -> None:
    """Strictly, for a web server, under the address and under the name."""
    assert verdict(made, *options).endswith("server.pem: OK\n")


@pytest.mark.parametrize(
    "name", ["bank.example", "192.168.99.1", "::1", "local.example", "solo-ledger.localhost"]
)
def test_openssl_refuses_a_certificate_beyond_the_limits(made: Certificates, name: str) -> None:
    """Should the key be stolen: neither another site nor another network's address, in either version."""
    _write(made, certificates._new_server(made.authority, [name], NOW))
    assert "permitted subtree violation" in verdict(made)


def _write(made: Certificates, issued: Issued) -> None:
    certificates._write(made.file, issued, replace=True)


def test_the_limits_are_critical_and_allow_no_authority_below(made: Certificates) -> None:
    """A browser that doesn't know the limits has to refuse; the key signs certificates and nothing else."""
    done = subprocess.run(
        ["openssl", "x509", "-noout", "-ext", "basicConstraints,keyUsage,nameConstraints"],
        input=authority_file(made).read_bytes(),
        capture_output=True,
        check=True,
        timeout=30,
    )
    text = " ".join(done.stdout.decode().split())
    assert "Basic Constraints: critical CA:TRUE, pathlen:0" in text
    assert "Key Usage: critical Certificate Sign X509v3" in text
    assert "Name Constraints: critical Permitted: IP:127.0.0.0/255.255.255.0 DNS:local" in text


@pytest.fixture
def accepted_by_python(made: Certificates) -> Callable[[str], str]:
    """Shake hands with a server that has the certificate, trusting the authority alone."""
    # The handshake judges by this machine's clock, so both are issued at its time.
    here = load_or_create(made.folder / "now", ADDRESS, "pi", datetime.now(UTC))
    here.renew([ADDRESS, NAME], datetime.now(UTC))
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(here.file)
    trusting = ssl.create_default_context(cafile=str(authority_file(here)))

    def shake(host: str) -> str:
        ours, theirs = socket.socketpair()
        server = threading.Thread(target=_answer, args=(serving, theirs))
        server.start()
        try:
            with trusting.wrap_socket(ours, server_hostname=host) as line:
                return str(line.version())
        finally:
            ours.close()
            server.join(10)

    return shake


def _answer(serving: ssl.SSLContext, line: socket.socket) -> None:
    try:
        serving.wrap_socket(line, server_side=True).close()
    except ssl.SSLError:
        line.close()


def test_python_accepts_it_for_its_names_and_for_no_other(
    accepted_by_python: Callable[[str], str],
) -> None:
    """A handshake that checks chain, limits, time and host."""
    assert accepted_by_python(ADDRESS) == "TLSv1.3"
    assert accepted_by_python(NAME) == "TLSv1.3"
    with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
        accepted_by_python("other.local")


def test_the_keys_are_for_their_owner_only_under_any_umask(tmp_path: Path) -> None:
    """Also for one that lets everybody read and write."""
    before = os.umask(0)
    try:
        made = load_or_create(tmp_path / "https", ADDRESS, "pi", NOW)
        made.renew([ADDRESS], NOW)
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in made.folder.iterdir()}
    assert modes == {"authority.pem": 0o600, "server.pem": 0o600}
    assert stat.S_IMODE(made.folder.stat().st_mode) == 0o700


def test_a_restart_finds_the_authority_and_the_certificate_again(made: Certificates) -> None:
    """Phones that trust it need nothing, and nothing is issued."""
    again = load_or_create(made.folder, "10.0.0.7", "another name", NOW + timedelta(days=30))
    assert again.authority.fingerprint == made.authority.fingerprint
    assert again.names == (ADDRESS, NAME)
    assert not again.renew([ADDRESS, NAME], NOW + timedelta(days=30))


def test_no_certificate_lasts_longer_than_phones_accept(made: Certificates) -> None:
    """An iPhone has a limit of 825 days; the authority, which people trust by hand, lasts ten years."""
    stored = load(made.folder)
    assert stored is not None
    assert stored.ends is not None
    assert timedelta(days=390) < stored.ends - NOW < timedelta(days=398)
    assert timedelta(days=3_649) < made.authority.ends - NOW < timedelta(days=3_651)
    assert made.authority.title == "Solo Ledger kitchen-pi 2026-11-28"


def test_it_is_renewed_before_it_ends_and_by_the_same_authority(made: Certificates) -> None:
    """At an evening every few weeks a phone never meets one that has ended."""
    assert not made.renew([ADDRESS, NAME], NOW + timedelta(days=330))
    later = NOW + timedelta(days=340)
    assert made.renew([ADDRESS, NAME], later)
    assert not made.renew([ADDRESS, NAME], later)
    assert "OK" in verdict(made, at=later + timedelta(days=390))


def test_another_address_or_name_gets_a_new_certificate_at_once(made: Certificates) -> None:
    """A router gives the machine another address; what the authority may not vouch for is left out."""
    assert made.renew(["127.0.0.9", NAME, "10.0.0.9", "bank.example", "x_y.local"], NOW)
    assert made.names == ("127.0.0.9", NAME)
    assert "OK" in verdict(made, "-verify_ip", "127.0.0.9")
    assert not made.renew(["127.0.0.9", NAME, "10.0.0.9"], NOW)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.178.20", "192.168.178.0/24"),
        ("fd00::5", "fd00::/64"),
        ("93.184.215.14", "93.184.215.14/32"),
    ],
)
def test_the_limit_is_the_home_network_or_one_public_address(
    tmp_path: Path, address: str, network: str
) -> None:
    """A router's addresses change within it; a public address has strangers for neighbours."""
    made = load_or_create(tmp_path, address, "pi", NOW)
    assert [str(each) for each in made.authority.networks] == [network]
    assert made.authority.may_vouch_for(address)


def test_a_clock_that_was_set_back_renews_for_names_only(made: Certificates) -> None:
    """A machine without a battery starts in the past: phones, whose clocks are right, keep what is valid."""
    past = datetime(2001, 1, 1, tzinfo=UTC)
    assert not made.renew([ADDRESS, NAME], past)
    assert made.renew([ADDRESS], past)
    assert "OK" in verdict(made, "-verify_ip", ADDRESS)


def test_one_issued_with_a_clock_ahead_is_issued_again(made: Certificates) -> None:
    """Phones would not believe it for years."""
    made.renew([ADDRESS], NOW + timedelta(days=800))
    assert made.renew([ADDRESS], NOW)
    assert "OK" in verdict(made)


def test_none_outlasts_the_authority_and_its_end_names_the_remedy(made: Certificates) -> None:
    """In the last year the certificate ends with it, and is not issued again each minute."""
    late = made.authority.ends - timedelta(days=30)
    assert made.renew([ADDRESS], late)
    assert made.ends == made.authority.ends
    assert not made.renew([ADDRESS], late + timedelta(days=29))
    with pytest.raises(NoCertificate, match="has expired, or this machine's clock is wrong"):
        made.renew([ADDRESS], made.authority.ends)


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"-----BEGIN CERTIFICATE-----\nx"])
def test_a_damaged_authority_is_not_replaced_and_the_remedy_is_named(
    made: Certificates, content: bytes
) -> None:
    """Phones trust it: only the operator may decide to start again."""
    file = made.folder / "authority.pem"
    file.write_bytes(content)
    with pytest.raises(
        NoCertificate, match=r"damaged.*Put your copy of it back; or remove the folder"
    ):
        load_or_create(made.folder, ADDRESS, "pi", NOW)
    assert file.read_bytes() == content


def test_a_key_of_another_certificate_counts_as_damaged(made: Certificates, tmp_path: Path) -> None:
    """And so does a certificate without limits, such as the server's own."""
    other = load_or_create(tmp_path / "other", ADDRESS, "pi", NOW)
    file, own = made.folder / "authority.pem", made.file.read_bytes()
    key = (other.folder / "authority.pem").read_bytes().partition(b"-----BEGIN CERT")[0]
    file.write_bytes(key + b"-----BEGIN CERT" + file.read_bytes().partition(b"-----BEGIN CERT")[2])
    for content in (file.read_bytes(), own):
        file.write_bytes(content)
        with pytest.raises(NoCertificate, match="damaged"):
            load(made.folder)


def test_an_unreadable_authority_and_an_unwritable_folder_name_the_remedy(tmp_path: Path) -> None:
    """Each as the user would meet it: a folder in its place, a file in the folder's."""
    (tmp_path / "https" / "authority.pem").mkdir(parents=True)
    with pytest.raises(NoCertificate, match=r"can't be read .*Give it to the user"):
        load(tmp_path / "https")
    (tmp_path / "file").touch()
    with pytest.raises(NoCertificate, match=r"can't be made .*Give the folder to the user"):
        load_or_create(tmp_path / "file", ADDRESS, "pi", NOW)


def test_a_certificate_that_cant_be_written_names_the_remedy(made: Certificates) -> None:
    """Its place is taken by a folder."""
    made.file.unlink()
    made.file.mkdir()
    with pytest.raises(NoCertificate, match="can't be written"):
        made.renew(["127.0.0.3"], NOW)


@pytest.mark.parametrize("damage", ["nothing", "text", "another authority's"])
def test_a_lost_or_damaged_server_certificate_is_issued_again(
    made: Certificates, tmp_path: Path, damage: str
) -> None:
    """Nobody has to trust anything for that."""
    if damage == "nothing":
        made.file.unlink()
    elif damage == "text":
        made.file.write_text("text")
    else:
        other = load_or_create(tmp_path / "other", ADDRESS, "pi", NOW)
        other.renew([ADDRESS, NAME], NOW)
        made.file.write_bytes(other.file.read_bytes())
    again = load(made.folder)
    assert again is not None
    assert again.names == ()
    assert again.ends is None
    assert again.renew([ADDRESS, NAME], NOW)
    assert "OK" in verdict(again)


def test_without_an_authority_there_is_nothing_to_load(tmp_path: Path) -> None:
    """Looking creates none."""
    assert load(tmp_path / "https") is None
    assert not (tmp_path / "https").exists()


def test_two_servers_that_start_together_use_one_authority(
    made: Certificates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second finds the file when it wants to write its own."""
    first = (made.folder / "authority.pem").read_bytes()
    place = tmp_path / "both"
    real = certificates._new_authority

    def meanwhile(*given: object) -> Issued:
        (place / "authority.pem").write_bytes(first)
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(certificates, "_new_authority", meanwhile)
    both = load_or_create(place, ADDRESS, "pi", NOW)
    assert both.authority.fingerprint == made.authority.fingerprint
    assert [path.name for path in place.iterdir()] == ["authority.pem"]
