"""Base classes of the API's schemas: strict objects, and fields with errors that state the valid values."""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from types import UnionType
from typing import Annotated, Any, ClassVar, cast, get_args, get_origin, get_type_hints

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.words.translation import term, translate

Messages = dict[str, str | list[Any] | dict[Any, Any]]


def field_messages(sentence: str, *kinds: str) -> Messages:
    """Return a field's error messages: ``sentence`` for these ``kinds`` of errors, by default ``invalid``."""
    wrong = dict.fromkeys(kinds or ("invalid",), sentence)
    return {"required": say("This is missing."), "null": say("This can't be null."), **wrong}


class _SentenceValidator:
    """A validator that raises its sentence unchanged, so that it can be translated later."""

    def __init__(self, *args: Any, error: Sentence, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.sentence = error

    def __call__(self, value: Any) -> Any:
        """Return the value, or raise ``ValidationError`` with the sentence."""
        try:
            return super().__call__(value)  # type: ignore[misc]
        except ValidationError as wrong:
            raise ValidationError(self.sentence) from wrong


class Length(_SentenceValidator, validate.Length):
    """Limits the number of items."""


class Range(_SentenceValidator, validate.Range):
    """Limits a number to a range."""


class OneOf(_SentenceValidator, validate.OneOf):
    """Limits a field to these choices."""


class Regexp(_SentenceValidator, validate.Regexp):
    """Requires a text to match a pattern."""


class Shape(Schema):
    """A strict object: an unknown field is an error that lists the known ones."""

    class Meta:
        """Rejects unknown fields."""

        unknown = RAISE

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        names = [field.data_key or name for name, field in self.load_fields.items()]
        self.error_messages["type"] = say("An object belongs here.")
        self.error_messages["unknown"] = say(
            "There is no such field; the fields are {names:and}.", names=names
        )


class ResponseShape(Shape):
    """An object in a response: every field is present except those with the metadata ``may_miss``.

    ``by_type`` has the schemas of the values that services return.
    """

    by_type: ClassVar[dict[type, "type[ResponseShape]"]] = {}

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:  # noqa: ARG002
        """Mark a field as required in the document, unless it ``may_miss``."""
        field_obj.required = not field_obj.metadata.get("may_miss", False)


_DOCUMENTED = ("enum", "default", "may_miss", "type", "items", "properties")
"""The settings of a field that go into its metadata, for the document."""


class DescribedField(fields.Field[Any]):
    """A field with a description as its last argument; an ``optional`` field may be null or left out."""

    def __init__(self, *args: Any, optional: bool = False, **settings: Any) -> None:
        metadata = dict(settings.pop("metadata", {}))
        if args and isinstance(args[-1], str):
            *args, metadata["description"] = args  # type: ignore[assignment]
        metadata |= {key: settings.pop(key) for key in _DOCUMENTED if key in settings}
        if optional:
            settings |= {"load_default": None, "allow_none": True}
        super().__init__(*args, metadata=metadata, **settings)

    def make_error(self, key: str, **values: Any) -> ValidationError:
        """Return the error, with its sentence unchanged so that it can be translated later."""
        sentence = self.error_messages.get(key)
        if isinstance(sentence, Sentence):
            return ValidationError(sentence)
        return super().make_error(key, **values)

    def serialize(self, attr: str, obj: Any, *args: Any, **more: Any) -> Any:
        """Return the serialized value, read directly if possible: marshmallow's own lookup is slower."""
        name = self.attribute or attr
        value = obj.get(name, missing) if type(obj) is dict else getattr(obj, name, missing)
        if value is missing:
            return super().serialize(attr, obj, *args, **more)
        return self._serialize(value, attr, obj)


class Text(DescribedField, fields.String):
    """A text; the services check its content."""

    default_error_messages = field_messages(say('Text in quotes, such as "Ann", belongs here.'))

    def _serialize(self, value: Any, *_args: Any, **_more: Any) -> str | None:
        return value if value is None or type(value) is str else str(translate(value))


class Term(Text):
    """A word or sentence of the engine, translated into the reader's language."""

    def _serialize(self, value: Any, *_args: Any, **_more: Any) -> str:
        return term(value)


class WholeNumber(DescribedField, fields.Integer):
    """A whole number; ``"7"`` and ``7.5`` are rejected."""

    default_error_messages = field_messages(say("A whole number belongs here."))

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, strict=True, **settings)

    def _serialize(self, value: Any, *_args: Any, **_more: Any) -> int | None:
        return value if value is None else int(value)


class Flag(DescribedField, fields.Boolean):
    """True or false; ``"yes"`` and ``1`` are rejected."""

    default_error_messages = field_messages(say("Send true or false."))

    def _deserialize(self, value: Any, *_args: Any, **_more: Any) -> bool:
        if type(value) is bool:
            return value
        raise self.make_error("invalid")


class Day(DescribedField, fields.Date):
    """A calendar date."""

    default_error_messages = field_messages(say("A day, such as 2026-01-31, belongs here."))


class Moment(DescribedField, fields.AwareDateTime):
    """A time with a UTC offset."""

    default_error_messages = field_messages(
        say("A time with its offset, such as 2026-01-31T21:15:00Z, belongs here."),
        *("invalid", "invalid_awareness"),
    )


class Anything(DescribedField, fields.Raw):
    """A value that is parsed elsewhere."""


class Rows(DescribedField, fields.List[Any]):
    """A list."""

    default_error_messages = field_messages(say("A list belongs here."))


class Table(DescribedField, fields.Dict):
    """An object with arbitrary keys."""

    default_error_messages = field_messages(say("An object belongs here."))


class Part(DescribedField, fields.Nested):
    """A nested object."""

    default_error_messages = field_messages(say("An object belongs here."), "type")


class Average(DescribedField, fields.String):
    """An exact fraction as text with two decimals, for example `-12.50`; the API has no floats."""

    def _serialize(self, value: Any, *_args: Any, **_more: Any) -> str:
        hundredths = round(value * 100)
        sign = "-" if hundredths < 0 else ""
        return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


_OF_A_TYPE: Mapping[type, type[DescribedField]] = {
    int: WholeNumber,
    str: Text,
    bool: Flag,
    date: Day,
    datetime: Moment,
    Fraction: Average,
}


def shape_of(
    name: str,
    of: type,
    *properties: str,
    without: Collection[str] = (),
    **others: str | fields.Field[Any],
) -> type[ResponseShape]:
    """Return the schema of a value that a service returns, with a field for each of the value's fields.

    A field's description comes from its annotation: ``Annotated[int, "The number of hands."]``, followed by
    an enumeration if it is limited to one. The first schema of a type also serves inside others.

    Args:
        name: The schema's name without ``Schema``.
        of: The value's type.
        properties: Properties to include; their docstrings are the descriptions.
        without: Fields to leave out.
        others: Fields with another name (the name in the value) or another definition.
    """
    hints = get_type_hints(of, include_extras=True)
    left_out = {*without, *others, *(other for other in others.values() if isinstance(other, str))}
    schema_fields = {key: _field(hint) for key, hint in hints.items() if key not in left_out}
    for key in properties:
        getter = getattr(of, key).fget
        schema_fields[key] = _field(get_type_hints(getter)["return"], getter.__doc__)
    for key, other in others.items():
        schema_fields[key] = (
            _field(hints[other], attribute=other) if isinstance(other, str) else other
        )
    shape = cast(
        "type[ResponseShape]", ResponseShape.from_dict(schema_fields, name=f"{name}Schema")
    )
    ResponseShape.by_type.setdefault(of, shape)
    return shape


def _field(hint: Any, *description: str, **more: Any) -> fields.Field[Any]:
    """Return the field for a type hint."""
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
        words, *values = notes
        description = (words,)
        more |= {"enum": list(*values)} if values else {}
    if get_origin(hint) is UnionType:
        hint, *_ = get_args(hint)
        more["allow_none"] = True
    kind, inner = get_origin(hint), get_args(hint)
    if kind is tuple:
        return Rows(_field(inner[0]), *description, **more)
    if kind is Mapping:
        return Table(*description, values=WholeNumber() if inner[1] is int else None, **more)
    if issubclass(hint, StrEnum):
        return Text(*description, **more, enum=list(hint))
    if hint in _OF_A_TYPE:
        return _OF_A_TYPE[hint](*description, **more)
    return Part(
        ResponseShape.by_type.get(hint) or shape_of(hint.__name__, hint), *description, **more
    )
