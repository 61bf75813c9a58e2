"""Reads a grammar in ABNF (RFC 5234 and 7405), and matches texts with it.

A matcher returns every position at which a match from a position can end, so nothing depends on the order of
alternatives.
"""

import re
from collections.abc import Callable

Ends = frozenset[int]
Matcher = Callable[[str, int], Ends]
"""Returns the ends of all matches in a text from a position on."""

_TOKEN = re.compile(
    r'%s"(?P<exact>[^"]*)"|"(?P<any>[^"]*)"|%x(?P<first>[0-9A-F]+)(?:-(?P<last>[0-9A-F]+))?'
    r"|(?P<times>\d*\*\d*|\d+)|(?P<sign>[/()\[\]])|(?P<rule>[a-z][a-z-]*)"
)


class Grammar:
    """The rules of a grammar, by name."""

    def __init__(self, text: str) -> None:
        lines = re.sub(r"(?m)(?:^|\s+);.*$", "", text)
        found = re.findall(r"(?ms)^([a-z-]+)\s*=(.*?)(?=^[a-z]|\Z)", lines)
        self._rules = {name: _Rule(body, self) for name, body in found}
        self._found: dict[tuple[str, int], Ends] = {}

    def matches(self, rule: str, text: str) -> bool:
        """Return whether a rule matches the whole text. Raises `KeyError` for an unknown rule."""
        self._found.clear()
        return len(text) in self.ends(rule, text, 0)

    def ends(self, rule: str, text: str, at: int) -> Ends:
        """Return the ends of all matches of a rule."""
        key = (rule, at)
        if key not in self._found:
            self._found[key] = self._rules[rule].matcher(text, at)
        return self._found[key]


class _Rule:
    """The matcher of one rule, built from its right side."""

    def __init__(self, body: str, grammar: Grammar) -> None:
        assert not _TOKEN.sub("", body).strip(), body
        self._tokens = [*_TOKEN.finditer(body)][::-1]
        self._grammar = grammar
        self._characters: dict[Matcher, str] = {}
        """Matchers of one character, with the ranges of that character as in a regular expression."""
        self.matcher = self._alternatives()
        assert not self._tokens, body

    def _alternatives(self) -> Matcher:
        options = [self._sequence()]
        while self._tokens and self._tokens[-1]["sign"] == "/":
            self._tokens.pop()
            options.append(self._sequence())
        if len(options) == 1:
            return options[0]
        if all(option in self._characters for option in options):
            return self._character("".join(self._characters[option] for option in options))
        return lambda text, at: frozenset().union(*(option(text, at) for option in options))

    def _sequence(self) -> Matcher:
        items = []
        while self._tokens and self._tokens[-1]["sign"] not in ("/", ")", "]"):
            items.append(self._repeated())
        if len(items) == 1:
            return items[0]

        def match(text: str, at: int) -> Ends:
            ends: Ends = frozenset({at})
            for item in items:
                if not ends:
                    break
                ends = frozenset().union(*(item(text, end) for end in ends))
            return ends

        return match

    def _repeated(self) -> Matcher:
        times = self._tokens[-1]["times"]
        if times is None:
            return self._element()
        self._tokens.pop()
        least, star, most = times.partition("*")
        bounds = int(least or 0), int(most or 10**6) if star else int(least)
        return _repeat(self._element(), *bounds)

    def _element(self) -> Matcher:
        token = self._tokens.pop()
        if token["sign"]:
            inner = self._alternatives()
            self._tokens.pop()
            return _repeat(inner, 0, 1) if token["sign"] == "[" else inner
        if token["rule"]:
            name = token["rule"]
            return lambda text, at: self._grammar.ends(name, text, at)
        if token["first"]:
            first, last = (int(token[key] or token["first"], 16) for key in ("first", "last"))
            return self._character(f"{re.escape(chr(first))}-{re.escape(chr(last))}")
        literal = token["exact"] if token["any"] is None else token["any"]
        assert token["any"] is None or not re.search("[a-zA-Z]", literal), (
            "case makes no difference"
        )
        if len(literal) == 1:
            return self._character(re.escape(literal))
        return lambda text, at: (
            frozenset({at + len(literal)}) if text.startswith(literal, at) else frozenset()
        )

    def _character(self, ranges: str) -> Matcher:
        match = re.compile(f"[{ranges}]").match

        def matcher(text: str, at: int) -> Ends:
            return frozenset({at + 1}) if match(text, at) else frozenset()

        self._characters[matcher] = ranges
        return matcher


def _repeat(item: Matcher, least: int, most: int) -> Matcher:
    def match(text: str, at: int) -> Ends:
        ends, found, count = {at}, {at} if not least else set(), 0
        while ends and count < most:
            ends = {end for start in ends for end in item(text, start)}
            count += 1
            if count >= least:
                ends -= found
                found |= ends
        return frozenset(found)

    return match
