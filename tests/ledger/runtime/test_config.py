"""Settings: a default for each, a variable for each, and a sentence for each that can't be used."""

import stat
import sys
from datetime import time
from ipaddress import ip_network
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from ledger.cli import main
from ledger.runtime import config
from ledger.runtime.config import BadSetting, Settings, load
from tests.support.together import let_go

KEY = "c29sbyBsZWRnZXIncyB0ZXN0cyBvbmx5LCBubyBrZXk="
"""A signing key of 32 bytes."""


def load_in(folder: Path, **variables: str) -> Settings:
    """Read settings with a data folder and the variables given, without their prefix."""
    named = {f"LEDGER_{name}": value for name, value in variables.items()}
    return load({"LEDGER_DATA_DIR": str(folder), **named})


def refusal(folder: Path, **variables: str) -> str:
    """Return the message about a bad setting."""
    with pytest.raises(BadSetting) as caught:
        load_in(folder, **variables)
    return str(caught.value)


def test_every_setting_has_a_default_for_a_kitchen_table(tmp_path: Path) -> None:
    """One SQLite file in the data folder, on this machine only, over plain HTTP."""
    settings = load_in(tmp_path)
    assert settings.database_url == f"sqlite:///{tmp_path}/ledger.sqlite"
    assert settings.database_place == f"{tmp_path}/ledger.sqlite"
    assert settings.data_dir == tmp_path
    assert (settings.host, settings.port, settings.threads) == ("127.0.0.1", 8000, 8)
    assert settings.https is False


def test_without_a_data_folder_the_users_own_is_taken_and_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is new and nobody else's to read."""
    own = tmp_path / "share" / "solo-ledger"
    monkeypatch.setattr(config, "user_data_path", lambda *_, **__: own)
    assert load({}).database_place == str(own / "ledger.sqlite")
    assert stat.S_IMODE(own.stat().st_mode) == 0o700


def test_each_variable_is_heard(tmp_path: Path) -> None:
    """Every setting can be given from outside; an empty variable is none."""
    settings = load_in(
        tmp_path / "data",
        DATABASE_URL=f"sqlite:///{tmp_path}/books/ours.db",
        SECRET_KEY="told from outside",
        SIGNING_KEY=KEY,
        HTTPS="1",
        PUBLIC_URL="https://cards.example/",
        TRUSTED_PROXY="10.0.0.7",
        HOST="0.0.0.0",  # noqa: S104 - an address to read, not one to listen on
        PORT="0",
        THREADS="512",
        LOG="JSON",
        METRICS="127.0.0.1",
    )
    assert settings == Settings(
        database_url=f"sqlite:///{tmp_path}/books/ours.db",
        data_dir=tmp_path / "data",
        secret_key="told from outside",
        signing_key=KEY,
        signing_key_file=tmp_path / "books" / "signing-key",
        https=True,
        public_url="https://cards.example",
        trusted_proxies=(ip_network("10.0.0.7"),),
        host="0.0.0.0",  # noqa: S104
        port=0,
        threads=512,
        log="json",
        metrics_for=(ip_network("127.0.0.1"),),
    )
    assert (tmp_path / "books").is_dir()
    assert not (tmp_path / "books" / "secret-key").exists()
    assert load_in(tmp_path, PORT="", HOST="", HTTPS=" ", DATABASE_URL="").port == 8000


def test_backups_are_kept_beside_the_ledger_unless_told(tmp_path: Path) -> None:
    """None each day, and fourteen of them, without a setting."""
    plain = load_in(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/books/ours.db")
    assert plain.backups == tmp_path / "books" / "backups"
    assert (plain.backup_at, plain.backups_kept) == (None, 14)
    told = load_in(tmp_path, BACKUP_AT="03:30", BACKUP_DIR=f"{tmp_path}/safe", BACKUPS_KEPT="0")
    assert told.backups == tmp_path / "safe"
    assert (told.backup_at, told.backups_kept) == (time(3, 30), 0)
    assert "LEDGER_BACKUP_AT is '3'; it takes a time of day" in refusal(tmp_path, BACKUP_AT="3")


def test_figures_without_their_package_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the package to install, before anything is served."""
    monkeypatch.setattr(config, "find_spec", lambda _: None)
    assert load_in(tmp_path).metrics_for == ()
    assert "pip install '.[metrics]'" in refusal(tmp_path, METRICS="127.0.0.1")


def test_every_command_names_the_extra_of_a_driver_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them reads the settings before it connects; restoring names a database of its own."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    url, dump = "postgresql://host/ledger", tmp_path / "a.dump"
    dump.write_bytes(b"PGDMP")
    env = {"LEDGER_DATABASE_URL": url, "LEDGER_DATA_DIR": str(tmp_path)}
    commands = [[name] for name in ("serve", "verify", "backup", "doctor", "prune")]
    commands += [[name, "Kitchen"] for name in ("report", "token", "link")]
    for command in commands:
        result = CliRunner().invoke(main, command, env=env)
        assert (result.exit_code, "pip install '.[postgres]'" in result.output) == (1, True), (
            command
        )
    restored = ["restore", str(dump), "--to", url]
    result = CliRunner().invoke(main, restored, env={"LEDGER_DATA_DIR": str(tmp_path)})
    assert (result.exit_code, "pip install '.[postgres]'" in result.output) == (1, True)


def test_settings_are_read_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a mapping it is the process's own variables."""
    monkeypatch.setenv("LEDGER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("LEDGER_PORT", "8123")
    assert load().port == 8123


@pytest.mark.parametrize(
    ("word", "on"), [("1", True), ("yes", True), ("ON", True), ("0", False), ("false", False)]
)
def test_https_is_switched_by_the_usual_words(tmp_path: Path, word: str, on: bool) -> None:
    """Capitals make no difference."""
    assert load_in(tmp_path, HTTPS=word).https is on


@pytest.mark.parametrize(
    ("name", "value", "takes"),
    [
        ("HTTPS", "maybe", "takes 1 or 0"),
        ("PORT", "eighty", "whole number from 0 to 65535"),
        ("PORT", "65536", "whole number from 0 to 65535"),
        ("PORT", "-1", "whole number from 0 to 65535"),
        ("PORT", "٨٠", "whole number from 0 to 65535"),
        ("THREADS", "0", "whole number from 1 to 512"),
        ("THREADS", "2.5", "whole number from 1 to 512"),
        ("PUBLIC_URL", "cards.example", "such as https://cards.example.org"),
        ("PUBLIC_URL", "https://cards.example/solo", "such as https://cards.example.org"),
        ("PUBLIC_URL", "https://cards.example?club=1", "such as https://cards.example.org"),
        ("PUBLIC_URL", "ftp://cards.example", "such as https://cards.example.org"),
        ("PUBLIC_URL", "https://cards.example:99999", "such as https://cards.example.org"),
        ("PUBLIC_URL", "https://cards.example:0", "such as https://cards.example.org"),
        ("PUBLIC_URL", "https://cards.example:port", "such as https://cards.example.org"),
        ("PUBLIC_URL", "https://[::1", "such as https://cards.example.org"),
        ("LOG", "xml", "takes plain or json"),
        ("TRUSTED_PROXY", "proxy", "such as 127.0.0.1,10.0.0.0/8"),
        ("DATABASE_URL", "/books/ledger.sqlite", "is not a database URL"),
        ("DATABASE_URL", "mysql://ann@host/ledger", "kept in sqlite or postgresql"),
        ("DATABASE_URL", "postgresql+asyncpg://host/ledger", "sqlite or postgresql+psycopg"),
    ],
)
def test_a_bad_value_is_named_with_what_its_variable_takes(
    tmp_path: Path, name: str, value: str, takes: str
) -> None:
    """The message names the wrong variable and its valid values."""
    said = refusal(tmp_path, **{name: value})
    assert f"LEDGER_{name}" in said
    assert takes in said


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file::memory:?uri=true",
        "sqlite:///file:x?mode=memory&uri=true",
    ],
)
def test_a_database_in_memory_is_refused(tmp_path: Path, url: str) -> None:
    """It would forget the evening, and each connection would have its own."""
    assert "would forget the evening" in refusal(tmp_path, DATABASE_URL=url)


def test_a_public_address_under_https_switches_https_on(tmp_path: Path) -> None:
    """Its cookies travel over nothing else, without a second setting."""
    assert load_in(tmp_path, PUBLIC_URL="https://cards.example").https is True
    assert load_in(tmp_path, PUBLIC_URL="HTTPS://cards.example").https is True
    assert load_in(tmp_path, PUBLIC_URL="http://cards.example").https is False


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A file is in the way: the setting is at fault, in one sentence."""
    (tmp_path / "file").touch()
    assert str(tmp_path / "file" / "below") in refusal(tmp_path / "file" / "below")


def test_a_postgresql_url_is_shown_without_its_password(tmp_path: Path) -> None:
    """``serve`` prints where the books are; the secret key stays in the data folder."""
    settings = load_in(tmp_path, DATABASE_URL="postgresql+psycopg://ann:secret@host/books")
    assert settings.database_place == "postgresql+psycopg://ann:***@host/books"
    assert (tmp_path / "secret-key").exists()


def test_the_secret_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    """It lies next to the database, so a copied folder keeps devices signed in."""
    url = f"sqlite:///{tmp_path}/books/ledger.sqlite"
    first = load_in(tmp_path, DATABASE_URL=url).secret_key
    file = tmp_path / "books" / "secret-key"
    assert len(first) >= 64
    assert file.read_text() == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert load_in(tmp_path, DATABASE_URL=url).secret_key == first
    assert load_in(tmp_path / "other").secret_key != first


def test_the_signing_key_is_made_once_where_it_is_wanted(tmp_path: Path) -> None:
    """Next to the database or in the named file, for its owner alone; just looking makes none."""
    assert load({"LEDGER_DATA_DIR": str(tmp_path)}, make=False).signing_key == ""
    assert list(tmp_path.iterdir()) == []
    for named in ({}, {"SIGNING_KEY_FILE": str(tmp_path / "elsewhere")}):
        key = load_in(tmp_path, **named).signing_key
        file = tmp_path / ("elsewhere" if named else "signing-key")
        assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == (key, 0o600)
        assert load_in(tmp_path, **named).signing_key == key


@pytest.mark.parametrize("name", ["SIGNING_KEY", "TRUSTED_KEYS"])
def test_what_is_no_key_signs_nothing(tmp_path: Path, name: str) -> None:
    """The variable is named, and the form of a key."""
    assert f"LEDGER_{name}: a key is 32 bytes in base64" in refusal(tmp_path, **{name: "guess"})


def test_an_empty_secret_key_signs_nothing(tmp_path: Path) -> None:
    """A file left empty by a full disk is refused, not used."""
    (tmp_path / "secret-key").touch()
    assert str(tmp_path / "secret-key") in refusal(tmp_path)


@pytest.mark.parametrize("name", ["secret-key", "signing-key"])
def test_a_key_file_that_is_no_text_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    """A file that somebody copied over it, or a broken disk: no command ends with a traceback."""
    (tmp_path / name).write_bytes(b"\x83\xff\x00")
    assert refusal(tmp_path) == (
        f"{tmp_path / name} does not hold text, so it can't be a key; put your copy of it back"
    )


def test_whoever_comes_second_takes_the_key_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process made its key between our looking and our making: theirs holds for both."""

    def meanwhile(_bytes: int) -> str:
        (tmp_path / "secret-key").write_text("the other's key")
        return "our own key"

    monkeypatch.setattr("ledger.runtime.config.secrets.token_urlsafe", meanwhile)
    assert load_in(tmp_path).secret_key == "the other's key"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret-key", "signing-key"]


def test_keys_are_made_where_files_know_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on exFAT: whole, once, and nothing is left lying about."""
    monkeypatch.setattr("os.link", Mock(side_effect=PermissionError))
    key = load_in(tmp_path).secret_key
    assert (tmp_path / "secret-key").read_text() == key
    assert load_in(tmp_path).secret_key == key
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret-key", "signing-key"]


def test_many_processes_that_start_together_share_one_secret_key(tmp_path: Path) -> None:
    """Six of them, let go at the same moment: one key, whole, and nothing left lying about."""
    file = tmp_path / "secret-key"
    ended = let_go(
        "import pathlib, ledger.runtime.config as config",
        f"print(config._stored_key(pathlib.Path({str(file)!r}), config._new_secret))",
        6,
    )
    assert {(each.status, each.said.strip()) for each in ended} == {(0, file.read_text())}, ended
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_a_secret_that_can_be_guessed_is_refused(tmp_path: Path) -> None:
    """A guesser would sign cookies of their own; the sentence states the least length."""
    stated = {"LEDGER_DATA_DIR": str(tmp_path), "LEDGER_SECRET_KEY": "x" * 15}
    with pytest.raises(BadSetting, match=r"LEDGER_SECRET_KEY has 15 characters.* 16 or more"):
        load(stated)
    assert load(stated | {"LEDGER_SECRET_KEY": "x" * 16}).secret_key == "x" * 16


def test_settings_show_no_secret(tmp_path: Path) -> None:
    """A log of them has no key and no password."""
    url = "postgresql+psycopg://sue:aces@localhost/ledger"
    found = Settings(url, tmp_path, "the secret key", signing_key="the signing key")
    for secret in ("aces", "the secret key", "the signing key"):
        assert secret not in repr(found)
