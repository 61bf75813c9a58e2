"""``solo-ledger score``, as HAND_RECORD.md's answers and exit statuses have it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner, Result

from ledger.cli import main
from tests.evening.load import GAMES, Game, hands_file, load

PLAYERS = ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus"]
HAND = {
    "game": "crazy-solo",
    "players": PLAYERS,
    "dealer": "Gus",
    "contract": {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"},
    "points": 74,
}


def run(*arguments: str, text: str | None = None) -> Result:
    """Run ``solo-ledger score`` with ``text`` on standard input."""
    return CliRunner().invoke(main, ["score", *arguments], input=text)


def run_command(
    file: Path, *more: str, stdout: int | IO[str], stderr: int, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """Run it as a process in the file's folder."""
    return subprocess.run(
        [sys.executable, "-m", "ledger", "score", file.name, *more],
        cwd=file.parent,
        env={**os.environ, "TERM": "xterm", "PYTHONPATH": os.pathsep.join(sys.path), **env},
        stdout=stdout,
        stderr=stderr,
        check=False,
        timeout=60,
    )


def answers(result: Result) -> list[dict[str, object]]:
    """Return the printed answers, a line each."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_worked_example_of_002_is_answered_in_full() -> None:
    """Seven players, hearts, 74: 42, to the nearest 5 = 40; caller +120, partner +80."""
    result = run("-", text=json.dumps(HAND))
    (answer,) = answers(result)
    assert result.exit_code == 0
    assert answer["ok"] is True
    assert answer["amount"] == 40
    assert answer["deltas"] == dict(zip(PLAYERS, [120, 80, *[-40] * 5], strict=True))
    assert answer["next"] == {"dealer": "Ann", "lead": "Bob"}
    assert answer["explanation"] == [
        "74 card points, 14 over 60",
        "× 3 for hearts = 42",
        "to the nearest 5 = 40",
        "Ann is paid by Cyd, Dee and Eve; Bob by Fay and Gus",
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_evening_is_scored_line_by_line_in_order(game: Game) -> None:
    """A TOML file of 48 hands gives 48 answers with the payouts worked out by hand."""
    result = run(str(hands_file(game)))
    assert result.exit_code == 0
    assert [answer["deltas"] for answer in answers(result)] == [
        dict(payout.deltas) for payout in load(game).payouts
    ]


def test_a_refused_hand_does_not_stop_the_next_and_the_status_says_so() -> None:
    """Exit status 1 when any hand was refused; each has its own line."""
    bad = {**HAND, "points": 119}
    result = run("-", text="".join(json.dumps(hand) + "\n" for hand in (HAND, bad, HAND)))
    assert [answer["ok"] for answer in answers(result)] == [True, False, True]
    violation = answers(result)[1]["violations"][0]  # type: ignore[index]
    assert violation["code"] == "miscount"
    assert violation["where"] == {"field": "points"}
    assert result.exit_code == 1


def test_an_unfinished_hand_is_answered_with_the_state_of_the_play() -> None:
    """It isn't refused, so the status is 0; a file may be scored while the hand is played."""
    contract = {"bidder": "Ann", "bid": "solo", "trump": "S"}
    hand = {"game": "six-bid", "players": ["Ann", "Bob", "Cyd"], "dealer": "Cyd"}
    result = run("-", text=json.dumps({**hand, "contract": contract, "tricks": ["AS 6C 7S", "AH"]}))
    (answer,) = answers(result)
    assert result.exit_code == 0
    assert (answer["outcome"], answer["to_play"], answer["points"]) == ("unfinished", "Bob", 11)


def test_names_that_look_alike_are_refused_however_often_they_sit_down() -> None:
    """Read by the quick way or not; in capitals they are one name."""
    twin, capitals = "\u0410nn", "ANN"
    lines = []
    for name in (twin, capitals, "Zoe"):
        seated = {**HAND, "players": [*PLAYERS[:6], name], "dealer": name}
        lines += [json.dumps(seated)] * 2
    result = run("-", text="\n".join(lines))
    assert result.exit_code == 1
    codes = [
        [each["code"] for each in answer.get("violations", [])]  # type: ignore[attr-defined]
        for answer in answers(result)
    ]
    assert codes == [["name-looks-alike"]] * 2 + [["name-twice"]] * 2 + [[]] * 2


def test_a_file_that_cannot_be_read_is_named_with_line_and_column(tmp_path: Path) -> None:
    """Exit status 2; the other files are still scored."""
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps(HAND) + '\n{"game": nonsense}\n')
    good = tmp_path / "good.json"
    good.write_text(json.dumps([HAND, HAND]))
    result = run(str(broken), str(good))
    assert result.exit_code == 2
    assert len(answers(result)) == 3
    assert f"{broken}: line 2, column 10: " in result.stderr


@pytest.mark.parametrize(
    "bad",
    [
        {"deal": {"hands": {"\ud800": "XX"}}},
        {"players": ["\ud800", "Bob", "Cyd"], "dealer": "\ud800"},
        {"\ud800": {}},
    ],
)
def test_half_a_character_in_a_hand_does_not_stop_the_next(bad: dict[str, object]) -> None:
    """However the refusal repeats it, the answer can be written and read."""
    lines = [json.dumps({**HAND, **bad}), json.dumps(HAND)]
    lines.append(json.dumps(HAND)[:-1] + ', "\\ud800": 1, "\\ud800": 2}')
    result = run("-", text="\n".join(lines))
    assert result.exit_code == 1
    assert [answer["ok"] for answer in answers(result)] == [False, True, False]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("nowhere.json", "No such file"), ("hands.txt", "end in .json, .jsonl, .toml or .line")],
)
def test_a_file_that_is_missing_or_of_no_known_kind_is_named(
    tmp_path: Path, name: str, sentence: str
) -> None:
    """Exit status 2, and the sentence names the valid kinds."""
    (tmp_path / "hands.txt").write_text("{}")
    result = run(str(tmp_path / name))
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    """A file that is not UTF-8 is unreadable, not a crash."""
    file = tmp_path / "latin.toml"
    file.write_bytes(b"players = ['Zo\xeb']")
    result = run(str(file))
    assert result.exit_code == 2
    assert "UTF-8" in result.stderr


def test_the_notation_can_be_named_for_standard_input() -> None:
    """``--format toml -`` reads TOML."""
    text = hands_file("six_bid").read_text(encoding="utf-8")
    result = run("--format", "toml", "-", text=text)
    assert result.exit_code == 0
    assert len(answers(result)) == 48


def test_progress_shows_on_a_terminal_and_the_answers_stay_clean(tmp_path: Path) -> None:
    """The bar is for the standard error of a terminal; piped, nothing but answers comes out."""
    file = tmp_path / "evening.jsonl"
    file.write_text((json.dumps(HAND) + "\n") * 200)
    screen, terminal = pty.openpty()
    result = run_command(file, stdout=subprocess.PIPE, stderr=terminal)
    assert result.returncode == 0
    os.close(terminal)
    shown = os.read(screen, 100_000).decode()
    os.close(screen)
    assert "evening.jsonl" in shown
    assert [json.loads(line)["amount"] for line in result.stdout.splitlines()] == [40] * 200
    piped = run(str(file))
    assert (len(answers(piped)), piped.stderr) == (200, "")


@pytest.mark.parametrize("piped", [True, False], ids=["piped", "terminal"])
def test_answers_are_utf_8_whatever_the_locale_but_as_a_terminal_has_it(
    tmp_path: Path, *, piped: bool
) -> None:
    """JSON is UTF-8; output to a terminal goes past the bar, in the terminal's own letters."""
    file = tmp_path / "evening.jsonl"
    file.write_text(json.dumps(HAND))
    screen, terminal = pty.openpty()
    stdout = subprocess.PIPE if piped else terminal
    result = run_command(file, stdout=stdout, stderr=terminal, PYTHONIOENCODING="latin-1")
    assert result.returncode == 0
    os.close(terminal)
    shown = os.read(screen, 100_000)
    os.close(screen)
    assert "× 3 for hearts".encode("utf-8" if piped else "latin-1") in (result.stdout or shown)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to be had here")
@pytest.mark.parametrize("name", ["evening.json", "evening.jsonl"])
def test_a_full_disk_is_not_blamed_on_the_file(tmp_path: Path, name: str) -> None:
    """Status 3 and a sentence about the answers; no other message, and the next file is not begun."""
    file = tmp_path / name
    file.write_text(json.dumps(HAND))
    with Path("/dev/full").open("w") as full:
        result = run_command(file, "nowhere.json", stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 3
    assert result.stderr == b"The answers could not be written: No space left on device\n"


def test_a_list_in_one_file_is_scored_as_it_comes(tmp_path: Path) -> None:
    """The hands before a fault are answered, as in the other notations."""
    file = tmp_path / "evening.json"
    file.write_text(json.dumps([HAND, HAND])[:-1] + ", oops]")
    result = run(str(file))
    assert result.exit_code == 2
    assert len(answers(result)) == 2
    assert f"{file}: line 1, column " in result.stderr
