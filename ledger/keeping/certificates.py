"""HTTPS at home: a private certificate authority and the server's certificate, in a folder beside the ledger.

Phones trust the authority once, for ten years: installing another one on every phone is what people give up
at. Its name constraints limit it to the network that the server was in and to names ending in ``.local``, so
that the key, if stolen, can't pass for a bank. The server's certificate is issued again before it expires
and when the server's address changes; iOS accepts none that lasts longer than 825 days.

The key of each certificate is in the same file as the certificate, so that no crash can separate them.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from ledger.runtime import files

AUTHORITY_LASTS = timedelta(days=3_650)
SERVER_LASTS = timedelta(days=397)
RENEWED_BEFORE = timedelta(days=60)
"""The time before a certificate's end at which it is issued again, longer than a summer's break."""

CLOCKS_APART = timedelta(days=1)
"""How far a phone's clock may be behind this machine's."""

FOLDER = "https"
"""The folder's name beside the ledger."""

LOCAL = "local"
AUTHORITY = "authority.pem"
SERVER = "server.pem"

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


class NoCertificate(Exception):
    """There is no usable certificate authority; the message gives the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A certificate and its private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey = field(repr=False)

    @property
    def begins(self) -> datetime:
        """The first moment at which it is valid."""
        return self.certificate.not_valid_before_utc

    @property
    def ends(self) -> datetime:
        """The last moment at which it is valid."""
        return self.certificate.not_valid_after_utc

    @property
    def names(self) -> tuple[str, ...]:
        """The names and addresses that it is for, in order."""
        extension = self.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
        return tuple(str(name.value) for name in extension.value)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 fingerprint in groups of two bytes, as people compare it."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(" ", 2).upper()

    @property
    def der(self) -> bytes:
        """The certificate without its key, in the format that phones install."""
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def title(self) -> str:
        """The certificate's name in a phone's list."""
        (name,) = self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        return str(name.value)

    @property
    def networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks whose addresses an authority may vouch for."""
        limits = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        return tuple(
            each.value
            for each in limits.permitted_subtrees or ()
            if isinstance(each, x509.IPAddress)
            and isinstance(each.value, IPv4Network | IPv6Network)
        )

    def may_vouch_for(self, name: str) -> bool:
        """Return whether an authority's limits permit this address or name."""
        with suppress(ValueError):
            return any(ip_address(name) in network for network in self.networks)
        host, _, domain = name.rpartition(".")
        return domain == LOCAL and all(map(_LABEL.fullmatch, host.split(".")))


class Certificates:
    """The authority and the server's certificate in a folder."""

    def __init__(self, folder: Path, authority: Issued, server: Issued | None) -> None:
        self.folder = folder
        self.authority = authority
        self._server = server

    @property
    def file(self) -> Path:
        """The file of the server's certificate and its key."""
        return self.folder / SERVER

    @property
    def names(self) -> tuple[str, ...]:
        """The names and addresses of the server's certificate; none before it is issued."""
        return self._server.names if self._server else ()

    @property
    def ends(self) -> datetime | None:
        """The last moment at which the server's certificate is valid."""
        return self._server.ends if self._server else None

    def renew(self, names: Iterable[str], at: datetime) -> bool:
        """Issue the server's certificate if it is due or for other names; return whether it was issued.

        Names that the authority may not vouch for are left out. With a clock from before the authority was
        made, which is wrong, a certificate is not renewed for its age. Raises ``NoCertificate`` if the
        authority has expired or the file can't be written.
        """
        if at >= self.authority.ends:
            raise NoCertificate(
                f"The certificate authority in {self.folder} has expired, or this machine's clock is wrong: "
                f"it shows {at:%Y-%m-%d}. Set the clock; or remove the folder, start again, and let every "
                "phone trust the new one."
            )
        permitted = tuple(filter(self.authority.may_vouch_for, names))
        if self._is_current(permitted, at):
            return False
        server = _new_server(self.authority, permitted, max(at, self.authority.begins))
        try:
            _write(self.file, server, replace=True)
        except OSError as error:
            raise NoCertificate(
                f"The certificate {self.file} can't be written ({error.strerror}). Give the folder to the "
                "user that runs the service."
            ) from error
        self._server = server
        return True

    def _is_current(self, names: tuple[str, ...], at: datetime) -> bool:
        server, authority = self._server, self.authority
        if server is None or server.names != names:
            return False
        is_late = at >= server.ends - RENEWED_BEFORE and server.ends < authority.ends
        return at < authority.begins or (server.begins <= at and not is_late)


class Home(NamedTuple):
    """The ports of a server that serves plain HTTP and HTTPS, and the certificates of the latter."""

    certificates: Certificates
    http_port: int
    https_port: int


def load_or_create(folder: Path, address: str, hostname: str, at: datetime) -> Certificates:
    """Return the certificates in ``folder``; a missing authority is created for this address's network.

    Raises ``NoCertificate`` if the authority can't be read or written.
    """
    file = folder / AUTHORITY
    try:
        files.folder(folder)
        if not file.exists():
            with suppress(FileExistsError):  # another process was first
                _write(file, _new_authority(address, hostname, at), replace=False)
    except OSError as error:
        raise NoCertificate(
            f"The certificate authority {file} can't be made ({error.strerror}). Give the folder to the user "
            "that runs the service."
        ) from error
    stored = load(folder)
    assert stored is not None
    return stored


def load(folder: Path) -> Certificates | None:
    """Return the certificates in ``folder``, or None if no authority was created.

    An unreadable server certificate counts as missing, because it is issued again. Raises ``NoCertificate``
    if the authority can't be read.
    """
    file = folder / AUTHORITY
    if not file.exists():
        return None
    try:
        authority = _read(file)
        authority.networks  # noqa: B018 - raises for a certificate without limits
    except OSError as error:
        raise NoCertificate(
            f"The certificate authority {file} can't be read ({error.strerror}). Give it to the user that "
            "runs the service."
        ) from error
    except (ValueError, TypeError, UnsupportedAlgorithm, x509.ExtensionNotFound) as error:
        raise NoCertificate(
            f"{file} is damaged, or not a certificate authority. Put your copy of it back; or remove the "
            f"folder {folder}, start again, and let every phone trust the new one."
        ) from error
    return Certificates(folder, authority, _stored_server(folder / SERVER, authority))


def _stored_server(file: Path, authority: Issued) -> Issued | None:
    """Return the server's certificate; None if it is missing, damaged or by another authority."""
    with suppress(OSError, ValueError, TypeError, UnsupportedAlgorithm, InvalidSignature):
        server = _read(file)
        server.certificate.verify_directly_issued_by(authority.certificate)
        return server
    return None


def _network_of(address: str) -> IPv4Network | IPv6Network:
    """Return the part of a home network that a router gives addresses from; of others one address."""
    ip = ip_address(address)
    most, home = (32, 24) if ip.version == 4 else (128, 64)
    return ip_network((ip, home if ip.is_private else most), strict=False)


def _new_authority(address: str, hostname: str, at: datetime) -> Issued:
    key = ec.generate_private_key(ec.SECP256R1())
    # iOS lists an authority by its common name, and one without it not at all.
    name = _common_name(f"Solo Ledger {hostname[:30]} {at:%Y-%m-%d}")
    limits = [x509.IPAddress(_network_of(address)), x509.DNSName(LOCAL)]
    builder = (
        _certificate(name, name, key, key, at - CLOCKS_APART, at + AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage("key_cert_sign"), critical=True)
        .add_extension(x509.NameConstraints(limits, None), critical=True)
    )
    return Issued(builder.sign(key, hashes.SHA256()), key)


def _new_server(authority: Issued, names: Iterable[str], at: datetime) -> Issued:
    key = ec.generate_private_key(ec.SECP256R1())
    begins = max(at - CLOCKS_APART, authority.begins)
    ends = min(at + SERVER_LASTS - CLOCKS_APART, authority.ends)
    issuer = authority.certificate.subject
    builder = (
        _certificate(_common_name("Solo Ledger"), issuer, key, authority.key, begins, ends)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage("digital_signature"), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(map(_alternative, names)), critical=False)
    )
    return Issued(builder.sign(authority.key, hashes.SHA256()), key)


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signing_key: ec.EllipticCurvePrivateKey,
    begins: datetime,
    ends: datetime,
) -> x509.CertificateBuilder:
    """Return a certificate with the extensions that every certificate has, to be signed."""
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    signed_by = x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key())
    return (
        x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(own, critical=False)
        .add_extension(signed_by, critical=False)
    )


def _common_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _alternative(name: str) -> x509.GeneralName:
    with suppress(ValueError):
        return x509.IPAddress(ip_address(name))
    return x509.DNSName(name)


_USAGES = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
    *("key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)


def _usage(only: str) -> x509.KeyUsage:
    return x509.KeyUsage(**{usage: usage == only for usage in _USAGES})


def _read(file: Path) -> Issued:
    """Read a certificate and its key. Raises ``ValueError`` if either is damaged or they differ."""
    content = file.read_bytes()
    certificate = x509.load_pem_x509_certificate(content)
    key = serialization.load_pem_private_key(content, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != (
        certificate.public_key()
    ):
        raise ValueError("the key is not the certificate's")
    return Issued(certificate, key)


def _write(file: Path, issued: Issued, *, replace: bool) -> None:
    """Write a certificate with its key, complete and for its owner only. Raises ``OSError``.

    Without ``replace``, raises ``FileExistsError`` if the file exists.
    """
    content = issued.key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ) + issued.certificate.public_bytes(serialization.Encoding.PEM)
    files.write_whole(file, [content], replace=replace)
