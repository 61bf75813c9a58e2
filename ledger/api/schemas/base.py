"""What all shapes share: strictness, and messages that say what would have been right."""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from types import UnionType
from typing import Annotated, Any, cast, get_args, get_origin, get_type_hints

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.words.translation import term, told

Messages = dict[str, str | list[Any] | dict[Any, Any]]


def wants(sentence: str, *kinds: str) -> Messages:
    """Return the messages of a field: the ``sentence`` says what belongs there, to ``kinds`` of mistakes."""
    wrong = dict.fromkeys(kinds or ("invalid",), sentence)
    return {"required": say("This is missing."), "null": say("This can't be null."), **wrong}


class _Said:
    """A check whose mistakes are told in one sentence as it is, so that any language can say it."""

    def __init__(self, *given: Any, error: Sentence, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.says = error

    def __call__(self, value: Any) -> Any:
        """Return the value, or raise ``ValidationError`` with the sentence."""
        try:
            return super().__call__(value)  # type: ignore[misc]
        except ValidationError as wrong:
            raise ValidationError(self.says) from wrong


class Length(_Said, validate.Length):
    """How many there may be."""


class Range(_Said, validate.Range):
    """From what to what a number goes."""


class OneOf(_Said, validate.OneOf):
    """What can be chosen."""


class Regexp(_Said, validate.Regexp):
    """How a text is written."""


class Shape(Schema):
    """An object of our own: a field it does not know is refused, and the known ones are named."""

    class Meta:
        """Refuses what it does not know."""

        unknown = RAISE

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        known = [field.data_key or name for name, field in self.load_fields.items()]
        self.error_messages["type"] = say("An object belongs here.")
        self.error_messages["unknown"] = say(
            "There is no such field; the fields are {names:and}.", names=known
        )


class Answer(Shape):
    """An object that we answer: every field is there, but those whose metadata say ``may_miss``."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:  # noqa: ARG002
        """Document the field as always there."""
        field_obj.required = not field_obj.metadata.get("may_miss", False)


_DOCUMENTED = ("enum", "default", "may_miss", "type", "items", "properties")
"""What else describes a field: its values or shape, what it is when left out, if an answer may lack it."""


class Told(fields.Field[Any]):
    """What our fields share: each is told in a sentence, given last; ``optional`` ones may be left out."""

    def __init__(self, *given: Any, optional: bool = False, **settings: Any) -> None:
        metadata = dict(settings.pop("metadata", {}))
        if given and isinstance(given[-1], str):
            *given, metadata["description"] = given  # type: ignore[assignment]
        metadata |= {key: settings.pop(key) for key in _DOCUMENTED if key in settings}
        if optional:
            settings |= {"load_default": None, "allow_none": True}
        super().__init__(*given, metadata=metadata, **settings)

    def make_error(self, key: str, **values: Any) -> ValidationError:
        """Tell a mistake in its sentence as it is; a message of marshmallow's own is filled in."""
        sentence = self.error_messages.get(key)
        if isinstance(sentence, Sentence):
            return ValidationError(sentence)
        return super().make_error(key, **values)

    def serialize(self, attr: str, obj: Any, *given: Any, **more: Any) -> Any:
        """Take the value from where nearly every answer has it, else look for it as marshmallow does."""
        name = self.attribute or attr
        found = obj.get(name, missing) if type(obj) is dict else getattr(obj, name, missing)
        if found is missing:
            return super().serialize(attr, obj, *given, **more)
        return self._serialize(found, attr, obj)


class Text(Told, fields.String):
    """Any text; what may stand in it is for the services to say."""

    default_error_messages = wants(say('Text in quotes, such as "Ann", belongs here.'))

    def _serialize(self, value: Any, *_given: Any, **_more: Any) -> str | None:
        return value if value is None or type(value) is str else str(told(value))


class Term(Text):
    """A word or a sentence of the games' own, answered in the reader's language."""

    def _serialize(self, value: Any, *_given: Any, **_more: Any) -> str:
        return term(value)


class Whole(Told, fields.Integer):
    """A whole number; ``"7"`` and ``7.5`` are none."""

    default_error_messages = wants(say("A whole number belongs here."))

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, strict=True, **settings)

    def _serialize(self, value: Any, *_given: Any, **_more: Any) -> int | None:
        return value if value is None else int(value)


class Flag(Told, fields.Boolean):
    """True or false."""


class Day(Told, fields.Date):
    """A day of the calendar."""

    default_error_messages = wants(say("A day, such as 2026-01-31, belongs here."))


class Moment(Told, fields.AwareDateTime):
    """An instant, aware, in UTC."""

    default_error_messages = wants(
        say("A time with its offset, such as 2026-01-31T21:15:00Z, belongs here."),
        *("invalid", "invalid_awareness"),
    )


class Anything(Told, fields.Raw):
    """A value that is read elsewhere."""


class Rows(Told, fields.List[Any]):
    """A list."""

    default_error_messages = wants(say("A list belongs here."))


class Table(Told, fields.Dict):
    """An object with keys of the sender's own."""

    default_error_messages = wants(say("An object belongs here."))


class Part(Told, fields.Nested):
    """An object within the object."""

    default_error_messages = wants(say("An object belongs here."), "type")


class Average(Told, fields.String):
    """An exact fraction, as text to two places, such as `-12.50`: no number is ever a float."""

    def _serialize(self, value: Any, *_given: Any, **_more: Any) -> str:
        hundredths = round(value * 100)
        sign = "-" if hundredths < 0 else ""
        return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


_OF_A_TYPE: Mapping[type, type[Told]] = {
    int: Whole,
    str: Text,
    bool: Flag,
    date: Day,
    datetime: Moment,
    Fraction: Average,
}
_MADE: dict[type, type[Answer]] = {}
"""The shape that a value has in another."""


def answer(
    name: str,
    of: type,
    *properties: str,
    without: Collection[str] = (),
    **others: str | fields.Field[Any],
) -> type[Answer]:
    """Make the shape of a value that a service answers with: a field for each of its own, of its type.

    It tells of itself by ``Annotated[int, "What it is."]``, with an enumeration where it holds one of that.
    ``properties`` are answered, too, told by their docstrings; ``without`` are the fields that are not.
    ``others`` are called otherwise than in the value, or are not as it has them.
    """
    hints = get_type_hints(of, include_extras=True)
    left_out = {*without, *others, *(each for each in others.values() if isinstance(each, str))}
    made = {key: _field(hint) for key, hint in hints.items() if key not in left_out}
    for key in properties:
        getter = getattr(of, key).fget
        made[key] = _field(get_type_hints(getter)["return"], getter.__doc__)
    for key, other in others.items():
        made[key] = _field(hints[other], attribute=other) if isinstance(other, str) else other
    shape = cast("type[Answer]", Answer.from_dict(made, name=f"{name}Schema"))
    _MADE.setdefault(of, shape)
    return shape


def _field(hint: Any, *told: str, **more: Any) -> fields.Field[Any]:
    """Make the field for what is of a type."""
    if get_origin(hint) is Annotated:
        hint, *said = get_args(hint)
        words, *values = said
        told = (words,)
        more |= {"enum": list(*values)} if values else {}
    if get_origin(hint) is UnionType:
        hint, *_ = get_args(hint)
        more["allow_none"] = True
    kind, inner = get_origin(hint), get_args(hint)
    if kind is tuple:
        return Rows(_field(inner[0]), *told, **more)
    if kind is Mapping:
        return Table(*told, values=Whole() if inner[1] is int else None, **more)
    if issubclass(hint, StrEnum):
        return Text(*told, **more, enum=list(hint))
    if hint in _OF_A_TYPE:
        return _OF_A_TYPE[hint](*told, **more)
    return Part(_MADE.get(hint) or answer(hint.__name__, hint), *told, **more)
