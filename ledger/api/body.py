"""Strict parsing of JSON bodies. Ambiguous JSON is rejected.

A parsed body can be stored anywhere and processed safely: texts are valid in UTF-8 and PostgreSQL, numbers
are finite, keys are unique, and depth, length and number of values are bounded, most of them before parsing.
"""

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from engine.words.sentences import say
from ledger.words.problems import Invalid

DEEPEST = 16
"""The deepest nesting of objects and lists; a hand record needs six."""

MOST_MARKS = 5_000
"""The most commas and brackets, which bounds the number of values; a hand record needs a few hundred."""

LONGEST_TEXT, LONGEST_KEY = 10_000, 200
"""The most code points of a text and of a key; every field's own limit is lower."""

Place = tuple[str | int, ...]
"""The path to a value: keys and indexes."""

_SPOILED = re.compile("[\0\ud800-\udfff]")
_TOO_DEEP = say("The body is nested too deeply; the limit is {deepest} levels.", deepest=DEEPEST)
_OBJECT = say("an object, such as {example}", example='{"name": "Ann"}')


def read(mimetype: str, data: bytes) -> dict[str, Any]:
    """Return the JSON object in ``data``.

    Raises:
        UnsupportedMediaType: The body is not declared as JSON.
        BadRequest: It is not JSON, names a key twice, or is nested too deeply or too long.
        Invalid: It is not an object, or contains a value that can't be stored.
    """
    if mimetype != "application/json":
        declared = say("not {type}", type=mimetype) if mimetype else say("none was sent")
        raise UnsupportedMediaType(
            say(
                "Send JSON, with the header Content-Type: application/json ({sent}).", sent=declared
            )
        )
    if not data.strip():
        raise BadRequest(say("The body is empty; send {object}.", object=_OBJECT))
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_MARKS:
        raise BadRequest(
            say(
                "The body holds more than {most_marks:,} commas and brackets; send less.",
                most_marks=MOST_MARKS,
            )
        )
    body = _parse(data)
    if not isinstance(body, dict):
        message = say("The body is {body}; send {object}.", body=_kind(body), object=_OBJECT)
        raise Invalid.at("", "not-an-object", message)
    _check(body)
    return body


def must_be_of(media_type: str, sent_type: str) -> None:
    """Raise ``UnsupportedMediaType`` unless a body that is a file was sent as this type."""
    if sent_type != media_type:
        raise UnsupportedMediaType(
            say("Send the file as the body, with Content-Type: {type}.", type=media_type)
        )


def _parse(data: bytes) -> object:
    try:
        return json.loads(
            data.decode(), object_pairs_hook=_without_twins, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise BadRequest(
            say(
                "The body is not UTF-8: byte {start} does not begin a character.",
                start=error.start + 1,
            )
        ) from error
    except json.JSONDecodeError as error:
        raise BadRequest(
            say(
                "The body is not JSON: line {lineno}, column {colno}: {msg}.",
                lineno=error.lineno,
                colno=error.colno,
                msg=error.msg,
            )
        ) from error
    except RecursionError as error:
        raise BadRequest(_TOO_DEEP) from error
    except ValueError as error:  # Python reads no number of more than 4,300 digits
        raise BadRequest(say("The body holds a number with thousands of digits.")) from error


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = next(key for key, times in counted.items() if times > 1)
        raise BadRequest(
            say("“{twice}” appears twice in one object; keep one of them.", twice=_printable(twice))
        )
    return read


def _refuse_constant(name: str) -> NoReturn:
    raise BadRequest(say("{name} is not a number in JSON.", name=name))


def _check(body: object) -> None:
    """Raise an error with the path of the first value that is nested too deeply or can't be stored."""
    waiting: list[tuple[Place, Any]] = [((), body)]
    while waiting:
        place, value = waiting.pop()
        kind = type(value)
        if kind is str:
            if not _can_be_stored(value, LONGEST_TEXT):
                _refuse_text(_path(place), value, LONGEST_TEXT)
        elif kind is dict or kind is list:
            if len(place) >= DEEPEST:
                raise BadRequest(_TOO_DEEP)
            for key in value if kind is dict else ():
                if not _can_be_stored(key, LONGEST_KEY):
                    _refuse_text(_path((*place, _printable(key))), key, LONGEST_KEY)
            inside = value.items() if kind is dict else enumerate(value)
            waiting += [((*place, step), inner) for step, inner in inside]
        elif kind is float and not math.isfinite(value):
            path = _path(place)
            raise Invalid.at(
                path, "number-too-large", say("{path} is a number out of range.", path=path)
            )


def _can_be_stored(text: str, longest: int) -> bool:
    return len(text) <= longest and not _SPOILED.search(text)


def _path(place: Place) -> str:
    return ".".join(map(str, place))


def _refuse_text(path: str, text: str, longest: int) -> NoReturn:
    if len(text) > longest:
        message = say(
            "{what} has {n:,} characters; the limit is {longest:,}.",
            what=path,
            n=len(text),
            longest=longest,
        )
        raise Invalid.at(path, "text-too-long", message)
    if "\0" in text:
        message = say("{path} holds the character NUL; leave it out.", path=path)
    else:
        message = say(
            "{path} holds half a character (a lone surrogate); write the whole one.", path=path
        )
    raise Invalid.at(path, "not-text", message)


def _printable(key: str) -> str:
    """Return a key in printable form, at most 60 characters."""
    text = key.encode("utf-8", "replace").decode().replace("\0", "�")
    return text if len(text) <= 60 else text[:57] + "…"


def _kind(value: object) -> str:
    if isinstance(value, list):
        return say("a list")
    if isinstance(value, str):
        return say("a text")
    return say("nothing (null)") if value is None else say("a single value")
