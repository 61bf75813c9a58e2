"""Everything that people read stands in the catalogues, whole, in every language."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest
from jinja2 import Environment, nodes

from ledger.runtime.paths import TEMPLATES
from ledger.words.languages import LANGUAGES
from tests.catalogues import IN_TEMPLATES, OTHERS, all_sentences, translations

SPOKEN = {"aria-label", "title", "placeholder", "alt", "data-label"}
"""Attributes whose text is read or heard."""

NAMES = {"Solo Ledger", "board", "screen", "scoring", "autofocus"}
"""Texts that are the same in every language, and words of the markup."""

WORD = re.compile(r"[^\W\d_]{2,}")
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}|^[A-Z][a-z]+[.:?…]?$")
GLUED = re.compile(r"^[A-Za-z]{2,} | [A-Za-z]{2,}$")
"""A word with a space towards what it is joined to: ``'the ' ~ name``; a sentence's values are terms."""


def fields(template: str) -> tuple[set[str], set[str]]:
    """Return the values that a sentence names, and those that only choose a form of a word."""
    found = [(name, how or "") for _, name, how, _ in Formatter().parse(template) if name]
    shown = {name for name, how in found if not how.startswith("~")}
    return shown, {name for name, _ in found}


@pytest.mark.parametrize("tag", OTHERS)
def test_every_sentence_has_its_translation(tag: str) -> None:
    """And the catalogue has no unused one; `python -m tests.catalogues` brings it up to date."""
    sentences, translated = all_sentences(), translations(tag)
    assert sorted(text for text in sentences if not translated.get(text)) == []
    assert sorted(set(translated) - set(sentences)) == []


@pytest.mark.parametrize("tag", OTHERS)
def test_a_translation_tells_the_same_values(tag: str) -> None:
    """No value is lost on the way, and none is asked for that the sentence does not have."""
    wrong = []
    for text, translated in translations(tag).items():
        shown, known = fields(text)
        translated_fields, _ = fields(translated)
        if not shown <= translated_fields or not translated_fields <= known:
            wrong.append(f"{text} → {translated}")
    assert wrong == []


@pytest.mark.parametrize(("tag", "forms"), [("en", 2), ("de", 2), ("ja", 1)])
def test_a_noun_has_as_many_forms_as_its_language_has_plurals(tag: str, forms: int) -> None:
    """In the order of CLDR's categories; a text for one value comes before them."""
    language = LANGUAGES[tag]
    texts = all_sentences() if tag == "en" else translations(tag).values()
    assert {language.plural(number) for number in range(-1, 120)} == set(range(forms))
    assert [text for text in texts if any(len(nouns) != forms for nouns in plurals(text))] == []


NO_NOUN = re.compile(r"|and|or|list|row|,|figure|term|head|\?.*", re.DOTALL)
"""The formats of values that do not count anything."""


def plurals(template: str) -> Iterator[list[str]]:
    """Yield the forms of each noun in a template.

    >>> list(plurals("{n:0=no hands|hand|hands} by {name:and}, {by:a=x|b=y}"))
    [['hand', 'hands']]
    """
    for _, name, how, _ in Formatter().parse(template):
        if name and not NO_NOUN.fullmatch(how or ""):
            forms = (how or "").removeprefix("~").split("|")
            if nouns := [form for form in forms if "=" not in form]:
                yield nouns


def unmarked(path: Path) -> Iterator[str]:
    """Find the texts of a template that stand outside ``_``: between tags, in attributes, in expressions."""
    tree = Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
    marked = {
        id(inner)
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name in IN_TEMPLATES
        for inner in call.find_all(nodes.Const)
    }
    kinds = {
        id(inner)
        for block in tree.find_all(nodes.Block)
        if block.name == "kind"  # of page: a class of the markup
        for inner in block.find_all(nodes.TemplateData)
    }
    joined = (each for complete in tree.find_all(nodes.Concat) for each in complete.nodes)
    plain = (each for each in joined if isinstance(each, nodes.Const) and id(each) not in marked)
    yield from filter(GLUED.search, (str(each.value) for each in plain))
    reader = _Reader()
    for node in tree.find_all((nodes.TemplateData, nodes.Const)):
        if id(node) in kinds:
            continue
        if isinstance(node, nodes.TemplateData):
            reader.feed(node.data)
        elif isinstance(node, nodes.Const) and isinstance(node.value, str):
            yield from filter(SENTENCE.search, [node.value] * (id(node) not in marked))
    yield from reader.found


class _Reader(HTMLParser):
    """Collects the visible text in the markup of a template, without its expressions."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.quiet = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at the attributes that are read; code is not a sentence."""
        self.quiet = tag in {"script", "style", "code"}
        for name, text in attrs:
            if name in SPOKEN and text and WORD.search(text):
                self.found.append(f"{name}={text}")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser's name
        """Listen again after code."""
        self.quiet = False

    def handle_data(self, data: str) -> None:
        """Take text down that has a word in it."""
        text = data.strip()
        if not self.quiet and WORD.search(text) and text not in NAMES and "=" not in text:
            self.found.append(text)


ENGLISH_ALONE = {"api_docs.html", "api_errors.html"}
"""What describes the API to programmers, as its document does."""


def test_no_template_says_anything_outside_the_catalogues() -> None:
    """Neither between tags, nor in an attribute that is read, nor in an expression."""
    found = {
        str(path.relative_to(TEMPLATES)): texts
        for path in sorted(TEMPLATES.rglob("*.html"))
        if (texts := list(unmarked(path)))
    }
    left = set(found) - ENGLISH_ALONE
    assert {name: found[name] for name in left} == {}


HALVES = re.compile(r"[぀-ヿ一-鿿] ?[(:;!?)]|[(:;!?)] ?[぀-ヿ一-鿿]")
"""A mark of half the width beside a Japanese character."""


PLAIN = re.compile(r"(?<![でま])す。|[うくぐつぬぶむる]。|(?<!さ)い。|(?<!まし)(?<!でし)た。|だ。")
"""A sentence that ends as among friends."""

ONE_WORD = {
    "だれ": "誰",
    "一つ": "1つ",
    "二度": "2回",
    "一人": "1人",
    "携帯": "スマホ",
    "計数": "カウント",
    "契約": "コントラクト",
    "入札": "ビッド",
    "グロース": "グロス",
    "未亡人": "ウィドウ",
}
"""Words that another stands for, each with that one."""


def test_japanese_speaks_in_one_style_and_calls_each_thing_by_one_word() -> None:
    """Whole sentences are polite; second words for the same thing are gone."""
    texts = translations("ja").values()
    assert [text for text in texts if PLAIN.search(text)] == []
    assert [text for text in texts if any(old in text for old in ONE_WORD)] == []


def test_japanese_has_marks_of_full_width() -> None:
    """No bracket or colon of half the width stands next to a Japanese character."""
    texts = translations("ja").values()
    assert [text for text in texts if HALVES.search(re.sub(r"<[^>]*>|{[^}]*}", "x", text))] == []
