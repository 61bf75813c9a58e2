"""Tables as CSV: complete, readable by other programs, and harmless to spreadsheets."""

import re
import shutil
import subprocess
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, func, select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, PlayerResult, Posting
from ledger.keeping.exports.csv_text import DIALECTS, harmless
from ledger.keeping.exports.formats import FORMATS, file_name
from ledger.runtime.clock import now
from ledger.services.reads import club_statistics
from ledger.services.session.session_filter import SessionFilter
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.keeping.exports.files import HOSTILE, SCRIPTS, exported, rows
from tests.ledger.services.audit.books import FOREIGN

TABLES = [slug for slug in FORMATS if slug.startswith("csv-")]


@pytest.mark.parametrize("slug", TABLES)
@pytest.mark.parametrize(("dialect", "separator"), [("standard", ","), ("excel-de", ";")])
def test_a_table_is_csv_by_rfc_4180_in_utf_8_with_a_mark(
    ours: CardClub, slug: str, dialect: str, separator: str
) -> None:
    """Every row has every column, and ends in CR LF."""
    text = exported(ours, slug, dialect)
    table_rows = rows(text, separator)
    assert table_rows
    assert all(None not in row and None not in row.values() for row in table_rows)
    assert "\r\n" in text
    assert not re.search(r"(?<!\r)\n|\r(?!\n)", text)


def test_there_is_a_row_of_hands_for_each_hand_and_player(ours: CardClub) -> None:
    """A standing hand's results are those that are stored; a void hand pays nobody."""
    hands = rows(exported(ours, "csv-hands"))
    stored = ours.read(
        lambda session: session.exec(
            select(PlayerResult.hand_id, PlayerResult.player_id, PlayerResult.amount)
        ).all()
    )
    standing = {
        (int(row["hand_id"]), int(row["player_id"]), int(row["won"]))
        for row in hands
        if row["state"] == "standing"
    }
    assert standing == set(stored)
    void = [row for row in hands if row["state"] == "void"]
    assert {row["won"] for row in void} == {"0"}
    assert len(hands) == len({(row["hand_id"], row["player_id"]) for row in hands})
    first = hands[0]
    assert (first["bidder"], first["partner"], first["trump"]) == ("Ann", "Bob", "H")
    assert (first["bidder_id"], first["partner_id"], first["side"]) == ("1", "2", "bidder")
    assert (first["points"], first["unit"], first["called"]) == ("46", "chips", "AH")
    assert {row["unit"] for row in hands if row["game"] == "german-solo"} == {"score"}


def test_there_is_a_row_of_entries_for_each_posting(ours: CardClub) -> None:
    """Money has the decimals of its currency, chips are whole, and each entry sums to zero."""
    entries = rows(exported(ours, "csv-entries"))
    assert len(entries) == ours.read(
        lambda session: session.exec(select(func.count(col(Posting.id)))).one()
    )
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for row in entries:
        assert re.fullmatch(r"-?\d+\.\d\d" if row["unit"] == "EUR" else r"-?\d+", row["amount"])
        sums[row["entry_id"], row["unit"]] += float(row["amount"])
    assert {round(total, 9) for total in sums.values()} == {0}
    assert {row["unit"] for row in entries} == {"chips", "score", "EUR"}
    reversals = [row for row in entries if row["kind"] == "reversal"]
    assert all(int(row["reverses_id"]) < int(row["entry_id"]) for row in reversals)
    assert reversals


def test_postings_sum_to_the_balance_of_each_account(ours: CardClub) -> None:
    """In the table of balances, and in the last posting of the account."""
    sums: dict[str, float] = defaultdict(float)
    last: dict[str, str] = {}
    for row in rows(exported(ours, "csv-entries")):
        sums[row["account_id"]] += float(row["amount"])
        last[row["account_id"]] = row["balance"]
    balances = {row["account_id"]: row["balance"] for row in rows(exported(ours, "csv-balances"))}
    moved = {account: balance for account, balance in balances.items() if account in sums}
    assert moved == last
    assert {account: round(total, 2) for account, total in sums.items()} == {
        account: float(balance) for account, balance in moved.items()
    }
    count = ours.read(lambda session: session.exec(select(func.count(col(Account.id)))).one())
    assert len(balances) == count


def test_statistics_and_evenings_are_those_of_the_pages(ours: CardClub) -> None:
    """Every player in each unit, and every evening with everybody who was seated."""
    statistics = rows(exported(ours, "csv-statistics"))
    units = ours.read(club_statistics.of_club).units
    assert [(row["unit"], int(row["total"])) for row in statistics] == [
        (unit.unit, line.total) for unit in units for line in unit.standings
    ]
    chosen: dict[str, Any] = {"first_day": now().date(), "game": "crazy-solo"}
    of_game = ours.read(club_statistics.of_club, SessionFilter(**chosen)).units
    some = rows(exported(ours, "csv-statistics", **chosen))
    assert [int(row["total"]) for row in some] == [
        line.total for unit in of_game for line in unit.standings
    ]
    assert some
    assert some != statistics
    evenings = rows(exported(ours, "csv-evenings"))
    assert {row["session_id"] for row in evenings} == {"1", "3", "2"} | {
        row["session_id"] for row in rows(exported(ours, "csv-hands"))
    }
    assert all(row["player_id"] for row in evenings)
    assert any(float(row["money"]) for row in evenings)


def test_german_spreadsheets_get_semicolons_and_decimal_commas(ours: CardClub) -> None:
    """The numbers are the same."""
    entries, german = (
        rows(exported(ours, "csv-entries", dialect), separator)
        for dialect, separator in (("standard", ","), ("excel-de", ";"))
    )
    money = [row["amount"] for row in german if row["unit"] == "EUR"]
    assert money
    assert all("," in amount for amount in money)
    assert [row["amount"].replace(",", ".") for row in german] == [row["amount"] for row in entries]


def test_days_game_and_evening_choose_rows(ours: CardClub) -> None:
    """Hands by their own game; payments belong to no evening, and are chosen by their day."""
    today = now().date()
    assert {row["game"] for row in rows(exported(ours, "csv-hands", game="german-solo"))} == {
        "german-solo"
    }
    assert {row["session_id"] for row in rows(exported(ours, "csv-hands", session_id=1))} == {"1"}
    everything = exported(ours, "csv-entries")
    assert exported(ours, "csv-entries", first_day=FOREIGN.rows[0].day) == everything
    recent = rows(exported(ours, "csv-entries", first_day=today - timedelta(days=2)))
    assert {row["kind"] for row in rows(everything)} - {row["kind"] for row in recent} == {
        "opening"
    }
    some = rows(exported(ours, "csv-entries", game="german-solo"))
    assert {row["unit"] for row in some} == {"score"}
    later: dict[str, Any] = {"first_day": today + timedelta(days=2)}
    assert all(
        rows(exported(ours, slug, **later)) == []
        for slug in ("csv-hands", "csv-entries", "csv-evenings", "csv-statistics")
    )


def test_no_name_is_a_formula_to_a_spreadsheet(database: Database, club: Access) -> None:
    """Text gets an apostrophe, negative numbers none; commas, quotes and semicolons stay in their cells."""
    hosts = CardClub(database, club)
    names = dict(zip(table.SEVEN, HOSTILE, strict=True))
    hand = {**table.HEARTS_74, "contract": {**table.HEARTS_74["contract"]}}
    hand["contract"] |= {"bidder": names["Ann"], "partner": names["Bob"]}
    hosts.start(HOSTILE).record(hand)
    for dialect, separator in (("standard", ","), ("excel-de", ";")):
        hands = rows(exported(hosts, "csv-hands", dialect), separator)
        assert [row["player"] for row in hands] == [harmless(name) for name in HOSTILE]
        assert [row["player"] for row in hands][:5] == [f"'{name}" for name in HOSTILE[:5]]
        assert any(row["won"].startswith("-") for row in hands)


@pytest.mark.parametrize("text", ["\t=1", "\r=1", "\n1", " =1", "＋1", "-", "@"])
def test_whatever_may_begin_a_formula_is_text(text: str) -> None:
    """Also behind blanks, and in wide characters."""
    assert harmless(text) == f"'{text}"


def test_names_in_six_scripts_are_written_as_they_are(
    database: Database, club: Access, tmp_path: Path
) -> None:
    """LibreOffice reads the same cells, where it is installed; elsewhere awk reads them."""
    hosts = CardClub(database, club)
    hosts.start(SCRIPTS)
    text = exported(hosts, "csv-evenings")
    assert {row["player"] for row in rows(text)} == set(SCRIPTS)
    file = tmp_path / "evenings.csv"
    file.write_bytes(text.encode())
    cells = [list(row.values()) for row in rows(text)]
    assert {row[-3] for row in cells} == {"0.00"}
    elsewhere = _cells_elsewhere(file, tmp_path)
    assert [[*row[:-3], float(row[-3]), *row[-2:]] for row in elsewhere] == [
        [*row[:-3], 0.0, *row[-2:]] for row in cells
    ]


def _cells_elsewhere(file: Path, folder: Path) -> list[list[str]]:
    """Return the rows below the headings as LibreOffice or else awk reads them."""
    office = shutil.which("soffice")
    if office is None:
        script = r'{sub(/\r$/, ""); n = split($0, cells, ","); '
        script += r'for (i = 1; i <= n; i++) printf "%s%s", cells[i], i < n ? "\t" : "\n"}'
        read = subprocess.run(["awk", script, file], capture_output=True, check=True)
        return [line.split("\t") for line in read.stdout.decode().splitlines()[1:]]
    subprocess.run(
        [
            *(office, f"-env:UserInstallation=file://{folder}/office", "--headless"),
            *("--convert-to", "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true"),
            *("--infilter=CSV:44,34,76,1", "--outdir", f"{folder}/out", str(file)),
        ],
        capture_output=True,
        check=True,
        timeout=240,
    )
    lines = (folder / "out" / file.name).read_text("utf-8-sig").splitlines()
    return [line.split("\t") for line in lines[1:]]


def test_an_export_takes_the_same_memory_for_any_number_of_hands(ours: CardClub) -> None:
    """It is written in pieces, none of which has more than two hundred rows."""
    with ours.db.read(ours.access) as session:
        pieces = list(FORMATS["csv-hands"].pieces(session, SessionFilter(), DIALECTS["standard"]))
    assert all(piece.count("\r\n") <= 200 for piece in pieces)


def test_a_file_is_named_after_its_club_and_content() -> None:
    """With the chosen days, and without characters that a system forbids in names."""
    chosen = SessionFilter(date(2026, 1, 1), date(2026, 12, 31), game="frog", session_id=3)
    assert file_name("A/B", "csv-hands", chosen) == (
        "A-B evening 3 from 2026-01-01 to 2026-12-31 frog hands.csv"
    )
    assert file_name("Thursday", "csv-entries", SessionFilter()) == "Thursday entries.csv"
