"""Journals that Beancount and hledger accept, with the ledger's own balances."""

import os
import re
import subprocess
from collections import defaultdict
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from beancount import loader
from beancount.core import data
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.cli.demo_club import club as demo_club
from ledger.database.access import Access, Role
from ledger.database.models import Account, JournalEntry
from ledger.keeping.exports.account_names import AccountNames
from ledger.keeping.exports.csv_text import DIALECTS
from ledger.keeping.exports.journals import _in_line
from tests.ledger.evenings import CardClub
from tests.ledger.keeping.exports.files import HOSTILE, SCRIPTS, exported, rows
from tests.ledger.test_state_machine import Books
from tests.ledger.turned import TurnedDatabase
from tests.support.needs import executable, unavailable


def read_by_beancount(club: CardClub) -> list[Any]:
    """Return the entries of a club's journal; Beancount finds nothing wrong, balances included."""
    entries: list[Any]
    entries, errors, _ = loader.load_string(exported(club, "beancount"))
    assert errors == []
    return entries


def run_hledger(*arguments: str) -> str:
    """Return hledger's output; it finds nothing wrong."""
    hledger = executable("LEDGER_TEST_HLEDGER", ["hledger"], [])
    if hledger is None:
        unavailable("This test needs hledger. Debian: apt install hledger.")
    said = subprocess.run(
        [hledger, *arguments],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
    )
    assert said.stderr == ""
    assert said.returncode == 0
    return said.stdout


def must_pass_hledger(club: CardClub, folder: Path) -> None:
    """Check a club's journal with hledger: all accounts and commodities are declared, all balances hold."""
    file = folder / "club.journal"
    file.write_text(exported(club, "hledger"), "utf-8")
    run_hledger("check", "--strict", "-f", str(file))


def balances(entries: list[Any]) -> dict[str, Decimal]:
    """Return the balance of each account by the postings, by its key; chips and points together."""
    keys = {
        entry.account: entry.meta["account"] for entry in entries if isinstance(entry, data.Open)
    }
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for entry in entries:
        for posting in entry.postings if isinstance(entry, data.Transaction) else ():
            units: Any = posting.units
            totals[keys[posting.account]] += units.number
    return totals


def test_both_programs_accept_the_journal(ours: CardClub, tmp_path: Path) -> None:
    """Beancount comes to the same balances by adding up all postings."""
    entries = read_by_beancount(ours)
    must_pass_hledger(ours, tmp_path)
    totals = balances(entries)
    for account in ours.read(lambda session: session.exec(select(Account)).all()):
        places = 2 if account.unit == "EUR" else 0
        assert totals[account.key] == Decimal(account.balance).scaleb(-places), account.key


def test_a_wrong_balance_is_found(ours: CardClub) -> None:
    """The journal states what the ledger has; Beancount adds up the postings."""
    text = exported(ours, "beancount")
    _, errors, _ = loader.load_string(
        re.sub(r"( balance \S+  )-?\d+ CHIP", r"\g<1>7777 CHIP", text)
    )
    assert errors


def test_entries_have_digests_and_reversals_a_link(ours: CardClub) -> None:
    """Of every entry that moved anything."""
    transactions = {
        int(entry.meta["entry"]): entry
        for entry in read_by_beancount(ours)
        if isinstance(entry, data.Transaction)
    }
    stored = ours.read(lambda session: session.exec(select(JournalEntry)).all())
    reversals = 0
    for entry in stored:
        if entry.id in transactions:
            written = transactions[entry.id]
            assert written.meta["digest"] == entry.digest
            if entry.reverses_id:
                reversals += 1
                common = written.links & transactions[entry.reverses_id].links
                assert common == {f"entry-{entry.reverses_id}"}
    assert reversals


def test_players_with_hostile_names_or_any_script_keep_their_own_accounts(
    database: Database, club: Access, tmp_path: Path
) -> None:
    """Names whose letters are the same stay apart; the real name is metadata."""
    for number, names in enumerate((HOSTILE, SCRIPTS), 1):
        hosts = CardClub(database, club)
        evening = hosts.start(names, starting_stack=50)
        evening.lend(names[0], 10)
        seats = [
            entry
            for entry in read_by_beancount(hosts)
            if isinstance(entry, data.Open) and ":Seats:" in entry.account
        ]
        assert len({entry.account for entry in seats}) == len(seats) == 7 * number
        assert {entry.meta["player"] for entry in seats} >= set(names)
        must_pass_hledger(hosts, tmp_path)


def test_the_joiners_of_a_name_stay_and_line_ends_go() -> None:
    """A family emoji is one character on the screen, joined from three."""
    assert _in_line("Ann \u2028\x1b\tB") == "Ann B"
    assert _in_line("👩\u200d👩\u200d👧 نام\u200cها") == "👩\u200d👩\u200d👧 نام\u200cها"


def test_names_that_give_the_same_slug_get_different_ones() -> None:
    """The oldest player has the plain one, so that it stays when others come."""
    names = AccountNames({1: "Ann", 2: "ann!", 3: "Ann 2", 4: "ANN"})
    slugs = [names.by_key(f"player/{number}/EUR", number) for number in range(1, 5)]
    assert slugs == [f"Assets:Money:{each}" for each in ("Ann", "Ann-2", "Ann-2-3", "ANN-4")]


class Exported(Books):
    """All rules of the state machine; the journals of both clubs are checked as they grow."""

    def look_back(self) -> None:
        """Let Beancount read both."""
        super().look_back()
        for access, _ in self.clubs:
            read_by_beancount(CardClub(self.database, access))


def test_journals_of_random_clubs_are_accepted(empty_books: Path) -> None:
    """All games, changes, renamings and undoings."""
    Exported.empty, Exported.turned = empty_books, TurnedDatabase(empty_books)
    run_state_machine_as_test(
        Exported,
        settings=settings(
            max_examples=int(os.environ.get("LEDGER_TEST_EXAMPLES", "3")),
            stateful_step_count=40,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_year_of_a_club_is_accepted_by_both(tmp_path: Path) -> None:
    """The club of the demo, which played every game."""
    demo_club.create(tmp_path, date(2026, 3, 2))
    database = Database(demo_club.settings_of(tmp_path).database_url)
    year = CardClub(database, Access(1, Role.OWNER, "Sue"))
    entries = read_by_beancount(year)
    must_pass_hledger(year, tmp_path)
    assert len([entry for entry in entries if isinstance(entry, data.Transaction)]) > 300
    assert balances(entries)
    database.close()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["entries", "hands", "evenings"])
def test_hledger_reads_a_table_by_its_rules(
    ours: CardClub, tmp_path: Path, dialect: str, name: str
) -> None:
    """In either dialect; what is on one side of all entries is on the other."""
    file = tmp_path / f"{name}.csv"
    file.write_bytes(exported(ours, f"csv-{name}", dialect).encode())
    Path(f"{file}.rules").write_text(exported(ours, f"rules-{name}", dialect), "utf-8")
    lines = run_hledger("-f", str(file), "balance", "--flat", "--no-total", "-E").splitlines()
    if name == "entries":
        balances = {row["account"]: row for row in rows(exported(ours, "csv-balances"))}
        whole = [line.split() for line in lines if len(line.split()) == 3 and "seat" in line]
        assert whole
        for amount, _, account in whole:
            assert amount == balances[account]["balance"]
        assert lines[-1].split() == ["0", "transfers"]
    else:
        assert any("Ann" in line for line in lines)
