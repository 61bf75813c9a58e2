"""Changed compact lines: every small mistake is noticed, and no change causes a traceback."""

import os
from collections.abc import Iterator
from dataclasses import replace

from engine.errors import Refused
from engine.notation.compact import read, write
from tests.engine.notation.test_compact import THREE, played, refusal, sealed
from tests.engine.notation.unordered import in_order
from tests.engine.playing import HOUSES, dice

COUNT = int(os.environ.get("MUTATED_LINES", "1000"))
"""The number of mutated lines; a hundred thousand take a minute."""


def test_every_wrong_character_and_every_swap_of_neighbours_is_noticed() -> None:
    """In a line with letters of several scripts, and in the check characters themselves."""
    line = write(replace(THREE, players=("Zoë", "文子", "Яна"), dealer="Яна", note="🂡 7+4"))
    rng = dice("characters")
    for at, character in enumerate(line):
        others = {*"aZ09/=,.$é文", chr(ord(character) + 1), chr(rng.randrange(0x10000, 0x10FFFF))}
        for other in others - {character}:
            assert refusal(line[:at] + other + line[at + 1 :]).code.startswith("line-")
        swapped = line[:at] + line[at + 1 : at + 2] + character + line[at + 2 :]
        if swapped != line:
            assert refusal(swapped).code.startswith("line-")


def mutated(lines: list[str], count: int) -> Iterator[str]:
    """Yield lines with one to four changes: characters replaced, removed, swapped, repeated or spliced."""
    rng = dice("mutated lines")
    signs = "".join(sorted({*"".join(lines), *"%<>\"'\\^`{|}~#\0\n 🂡é\ud800"}))
    for _ in range(count):
        line = rng.choice(lines)
        for _ in range(rng.randrange(1, 5)):
            at, to = sorted((rng.randrange(len(line) + 1), rng.randrange(len(line) + 1)))
            other = rng.choice(lines)
            line = rng.choice(
                (
                    line[:at] + rng.choice(signs) + line[at + 1 :],
                    line[:at] + rng.choice(signs) + line[at:],
                    line[:at] + line[at + 1 :],
                    line[:at] + line[at : at + 2][::-1] + line[at + 2 :],
                    line[:to] + line[at:to] + line[to:],
                    line[:at] + other[at:],
                )
            )
        yield sealed(line[:-5]) if rng.random() < 0.7 else line


def check_mutated(count: int) -> int:
    """Read mutated lines; each is refused with violations, or is written again. Return how many are read."""
    lines = [write(record) for house in HOUSES for record in played(house, 2)]
    good = 0
    for line in mutated(lines, count):
        try:
            record = read(line)
        except Refused:
            pass
        else:
            good += 1
            assert in_order(read(write(record))) == in_order(read(write(read(line))))
    return good


def test_no_changed_line_causes_another_error_than_a_refusal() -> None:
    """Most with the right check characters, so that they reach every part of the reader."""
    assert check_mutated(COUNT) > COUNT // 30
