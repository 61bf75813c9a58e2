"""What all shapes share: strictness, and messages that say what would have been right."""

from typing import Any

from marshmallow import RAISE, Schema, fields

Messages = dict[str, str | list[Any] | dict[Any, Any]]


def wants(what: str, kind: str = "invalid") -> Messages:
    """Return the messages of a field that holds ``what``."""
    return {
        "required": "This is missing.",
        "null": "This can't be null.",
        kind: f"{what} belongs here.",
    }


class Shape(Schema):
    """An object of our own: a field it does not know is refused, and the known ones are named."""

    class Meta:
        """Refuses what it does not know."""

        unknown = RAISE

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        known = ", ".join(field.data_key or name for name, field in self.load_fields.items())
        self.error_messages["type"] = "An object belongs here."
        self.error_messages["unknown"] = f"There is no such field; the fields are {known}."


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


class Text(Told, fields.String):
    """Any text; what may stand in it is for the services to say."""

    default_error_messages = wants('Text in quotes, such as "Ann",')


class Whole(Told, fields.Integer):
    """A whole number; ``"7"`` and ``7.5`` are none."""

    default_error_messages = wants("A whole number")

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, strict=True, **settings)


class Flag(Told, fields.Boolean):
    """True or false."""


class Day(Told, fields.Date):
    """A day of the calendar."""

    default_error_messages = wants("A day, such as 2026-01-31,")

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, format="iso", **settings)


_A_MOMENT = "A time with its offset, such as 2026-01-31T21:15:00Z,"
_MOMENTS = {**wants(_A_MOMENT), **wants(_A_MOMENT, "invalid_awareness")}


class Moment(Told, fields.AwareDateTime):
    """An instant, aware, in UTC."""

    default_error_messages = _MOMENTS

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, format="iso", **settings)


class Anything(Told, fields.Raw):
    """A value that is read elsewhere."""


class Rows(Told, fields.List[Any]):
    """A list."""

    default_error_messages = wants("A list")


class Table(Told, fields.Dict):
    """An object with keys of the sender's own."""

    default_error_messages = wants("An object")


class Part(Told, fields.Nested):
    """An object within the object."""

    default_error_messages = wants("An object", "type")
