"""``solo-ledger convert``: every notation into every other, hand by hand, with nothing lost."""

import json
from dataclasses import replace
from io import StringIO
from itertools import islice, pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.games import GAMES
from engine.guide.random_hands import random_hands
from engine.notation.common import Reading
from engine.notation.compact import write
from engine.notation.compact_text import check_of
from engine.record import HandRecord
from engine.scoring.canonical import canonical
from ledger.cli import convert as command
from ledger.cli import hand_files, main
from ledger.cli.hand_files import NOTATIONS, reader, writer
from tests.evening.load import GAMES as EVENINGS
from tests.evening.load import hands_file

MIXED = [next(random_hands(game, seed="convert")) for game in GAMES]
LINE = write(MIXED[1])


def run(*arguments: str, text: str | bytes | None = None) -> Result:
    """Run ``solo-ledger convert`` with ``text`` on standard input."""
    return CliRunner().invoke(main, ["convert", *arguments], input=text)


def read(text: str, notation: str) -> list[Reading]:
    """Read the hands of a text."""
    return list(reader(notation)(StringIO(text)))


@pytest.mark.parametrize("source", NOTATIONS)
@pytest.mark.parametrize("target", NOTATIONS)
def test_every_notation_becomes_every_other(source: str, target: str, tmp_path: Path) -> None:
    """The same hands come out; through a compact line those that it stands for."""
    hands = [canonical(hand) for hand in MIXED] if source == "line" else MIXED
    file = tmp_path / f"hands.{source}"
    file.write_text("".join(writer(source)(hands)), encoding="utf-8")
    result = run("--to", target, str(file))
    assert result.exit_code == 0
    assert result.stderr == ""
    right = [canonical(hand) for hand in hands] if target == "line" else hands
    assert read(result.stdout, target) == right
    assert run("--check", "--to", target, str(file)).stdout == ""
    assert run("--check", "--to", target, str(file)).exit_code == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_hundred_random_hands_lose_nothing_as_lines(game: str) -> None:
    """Read again, each has the same verdict and the same line."""
    text = "".join(writer("jsonl")(islice(random_hands(game, seed="lossless"), 100)))
    result = run("--check", "--to", "line", "-", text=text)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening_is_converted_to_and_from_lines(game: str) -> None:
    """Forty-eight hands of which the result is recorded."""
    lines = run("--to", "line", str(hands_file(game)))  # type: ignore[arg-type]
    assert lines.exit_code == 0
    assert len(lines.stdout.splitlines()) == 48
    result = run("--format", "line", "--to", "toml", "-", text=lines.stdout)
    assert result.exit_code == 0
    assert run("--format", "toml", "--to", "line", "-", text=result.stdout).stdout == lines.stdout


def test_json_is_one_hand_or_a_list_across_files(tmp_path: Path) -> None:
    """As other programs expect."""
    one, two = tmp_path / "one.line", tmp_path / "two.line"
    one.write_text(LINE + "\n")
    two.write_text("\n")
    assert isinstance(json.loads(run("--to", "json", str(one)).stdout), dict)
    assert json.loads(run("--to", "json", str(two)).stdout) == []
    assert len(json.loads(run("--to", "json", str(one), str(two), str(one)).stdout)) == 2


def test_a_refused_hand_is_named_and_does_not_stop_the_next() -> None:
    """Exit status 1."""
    result = run("--format", "line", "-", text=f"{LINE}\noops\n\n{LINE}\n")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr.startswith("-, hand 2: The line cannot be read at character 1: ")


def test_a_hand_that_is_not_legal_is_converted() -> None:
    """Scoring judges it, in any notation; as a line it is refused for the same reason."""
    hand = {"game": "frog", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann", "points": 7}
    result = run("--to", "line", "-", text=json.dumps(hand))
    assert result.exit_code == 0
    assert run("--check", "--to", "line", "-", text=json.dumps(hand)).exit_code == 0
    assert "points=7" in result.stdout


def test_a_file_that_cannot_be_read_does_not_stop_the_next(tmp_path: Path) -> None:
    """Exit status 2, with the place of the fault."""
    (tmp_path / "bad.jsonl").write_text("{}}")
    (tmp_path / "bad.line").write_bytes(b"\xff")
    (tmp_path / "good.line").write_text(LINE)
    names = ("bad.jsonl", "bad.line", "none.toml", "hands.txt", "good.line")
    result = run(*(str(tmp_path / name) for name in names))
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 1
    for name, why in zip(
        names, ("line 1, column", "UTF-8", "No such file", "end in"), strict=False
    ):
        assert any(name in line and why in line for line in result.stderr.splitlines())


def test_a_hand_that_no_line_can_hold_is_named() -> None:
    """With the reason; the others are converted."""
    long = replace(MIXED[0], note="x" * 20_000)
    text = "".join(writer("jsonl")([long, MIXED[0]]))
    for options in ([], ["--check"]):
        result = run("--to", "line", *options, "-", text=text)
        assert result.exit_code == 1
        assert result.stderr == (
            "-, hand 1: it cannot be written as one line: it would have more than 16,384 characters\n"
        )
        assert len(result.stdout.splitlines()) == (0 if options else 1)


def test_check_finds_a_line_that_is_not_the_only_one_of_its_hand() -> None:
    """It was made by a program that stated a leader; converted to a line it is left out."""
    body = LINE[:-5].replace("/t:", f"/t:@{'abcdefghijkl'[_leader(MIXED[1])]}")
    other = f"{body}/{check_of(body)}\n"
    result = run("--check", "--to", "json", "--format", "line", "-", text=other)
    assert result.exit_code == 1
    assert "not the only one of its hand" in result.stderr
    assert run("--to", "line", "--format", "line", "-", text=other).stdout == LINE + "\n"


def _leader(hand: HandRecord) -> int:
    """Return the seat that led to the first trick."""
    assert hand.tricks
    return hand.players.index(str(hand.tricks[0].leader))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"dealer"', '"dealers"'), "would be refused"),
        (lambda text: text.replace('"points": 70', '"points": 72'), "another hand"),
        (lambda text: text.replace(", ", ","), "spelled differently"),
    ],
)
def test_check_reports_a_notation_that_loses_something(
    change: object, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that leaves out a key, changes a value or has two spellings."""
    hand = {"game": "frog", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann", "points": 70}
    right = writer("jsonl")
    first = [True]

    def spoiled(_: str) -> object:
        def written(records: list[HandRecord]) -> list[str]:
            texts = list(right(records))
            if first.pop() if first else False:
                return [change(text) for text in texts]  # type: ignore[operator]
            return texts

        return written

    monkeypatch.setattr(command, "writer", spoiled)
    result = run("--check", "-", text=json.dumps(hand))
    assert result.exit_code == 1
    assert message in result.stderr


@pytest.mark.parametrize("arguments", [["convert", "-"], ["deal", "--game", "frog"]])
def test_output_that_cannot_be_written_has_its_own_status(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for a full disk: 3."""

    def full(_: bytes) -> None:
        raise hand_files.Unwritten("No space left on device")

    module = __import__(f"ledger.cli.{arguments[0]}", fromlist=["write"])
    monkeypatch.setattr(module, "write", full)
    monkeypatch.setattr(hand_files, "drop_output", lambda: None)
    result = CliRunner().invoke(main, arguments, input="".join(writer("jsonl")(MIXED)))
    assert result.exit_code == 3
    assert "could not be written: No space left on device" in result.stderr


def test_hands_come_out_as_they_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is written before the next is read, so that a long file needs no memory."""
    steps: list[str] = []
    lines = reader("jsonl")

    def watched(_: str) -> object:
        def hands(stream: StringIO) -> object:
            for hand in lines(stream):
                steps.append("read")
                yield hand

        return hands

    monkeypatch.setattr(command, "reader", watched)
    monkeypatch.setattr(command, "write", lambda _: steps.append("written"))
    text = "".join(writer("jsonl")(MIXED))
    assert run("--to", "line", "-", text=text).exit_code == 0
    assert len(steps) == 2 * len(MIXED)
    assert all(one != other for one, other in pairwise(steps))
