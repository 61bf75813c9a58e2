"""The page about refusals, made from the catalogue: every code, its meaning, and a hand refused with it.

`python -m tests.refusals_page` prints it; `.docs/ERRORS.md` holds its last output, and a test
compares the two.
"""

import json
import sys
from collections.abc import Mapping

from engine.errors import Refused, Violation
from engine.errors.codes import CHAPTERS, examples
from engine.notation.compact import read_compact
from engine.notation.json_text import read_json
from engine.scoring.score import score

INTRODUCTION = """\
# Refusals

A hand that cannot be scored is refused with everything that is wrong with it, each as a violation: a
stable `code`, a `message` for the people at the table, `where` it lies, and, where a choice was wrong
and the right ones are few, the `legal` ones. Nothing is repaired or guessed.

`where` holds `field`, a dotted path into the hand record (places in lists count from 1), or the
`trick` with the `position` of the card in it; and the `seat` and the `card` where they help. In a
compact line it holds the `column`.

Below is each code with what it means, a hand that is refused with it, and what is then said. This
page is made from `engine/errors/codes.py` and `examples.json` by
`python -m tests.refusals_page > .docs/ERRORS.md`; do not edit it.
"""


def page() -> str:
    """Write the page: a chapter for each part of a hand, a section for each code."""
    lines = [INTRODUCTION]
    for title, codes in CHAPTERS.items():
        lines.append(f"**{title}:** " + ", ".join(f"[`{code}`](#{code})" for code in codes) + "\n")
    for title, codes in CHAPTERS.items():
        lines += [f"## {title}\n", *(_section(code, meaning) for code, meaning in codes.items())]
    return "\n".join(lines)


def score_example(example: Mapping[str, object] | str) -> None:
    """Score a hand, as an object, a JSON text or a compact line. Raises `Refused` with its violations."""
    text = example if isinstance(example, str) else json.dumps(example)
    (hand,) = read_json(text) if text.startswith("{") else read_compact([text])
    if isinstance(hand, Refused):
        raise hand
    score(hand)


def violation_of(code: str, example: Mapping[str, object] | str) -> Violation:
    """Draw the violation from a code's example; `LookupError` when the example does not draw it."""
    try:
        score_example(example)
    except Refused as refused:
        for violation in refused.violations:
            if violation.code == code:
                return violation
    raise LookupError(f"the example of {code} is not refused with it")


def _section(code: str, meaning: str) -> str:
    example = examples()[code]
    violation = violation_of(code, example)
    said = violation.to_mapping()
    text = example if isinstance(example, str) else _written(example)
    notation = "json" if text.startswith("{") else "text"
    lines = [f"### {code}", "", meaning, "", f"```{notation}", text, "```", ""]
    lines += [f"> {violation.message}", "", f"`where`: `{_inline(said['where'])}`"]
    if violation.legal:
        lines += ["", f"`legal`: {', '.join(f'`{choice}`' for choice in violation.legal)}"]
    return "\n".join(lines) + "\n"


def _written(hand: Mapping[str, object]) -> str:
    """Write a hand with one key per line, so that it can be read."""
    inner = ",\n".join(f"  {_inline(key)}: {_inline(value)}" for key, value in hand.items())
    return "{\n" + inner + "\n}"


def _inline(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.write(page())
