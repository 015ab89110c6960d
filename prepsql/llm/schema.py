"""What in a value doesn't fit a JSON Schema, in words that help to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_CHOICES = ("const", "enum")


def schema_faults(value: Any, schema: Mapping[str, Any] | None) -> list[str]:
    """Return the faults of a value, each with its place, in the order of their places; none without a schema.

    Where a value may be of several kinds, the fault is that of the kind which it says to be.

    >>> schema_faults({"a": ["x"]}, {"properties": {"a": {"items": {"type": "integer"}}}})
    ["$.a[0]: 'x' is not of type 'integer'"]
    """
    if not schema:
        return []
    from jsonschema import Draft202012Validator

    found = Draft202012Validator(schema).iter_errors(value)
    return [
        _nearest(wrong) for wrong in sorted(found, key=lambda wrong: [str(p).zfill(9) for p in wrong.absolute_path])
    ]


def _nearest(wrong: ValidationError) -> str:
    """Follow a fault into the alternative that the value is nearest to."""
    while wrong.context:
        kinds: dict[Any, list[ValidationError]] = {}
        for inner in wrong.context:
            kinds.setdefault(inner.schema_path[0], []).append(inner)
        if all(any(_is_choice(inner) for inner in inners) for inners in kinds.values()):
            choices = [inner for inners in kinds.values() for inner in inners if _is_choice(inner)]
            if len({inner.json_path for inner in choices}) == 1:
                return _words(choices[0].json_path, f"{choices[0].instance!r} is none of {_named(choices)}")
        wrong = min(kinds.values(), key=lambda inners: (sum(map(_is_choice, inners)), len(inners)))[0]
    return _words(wrong.json_path, wrong.message)


def _is_choice(wrong: ValidationError) -> bool:
    return wrong.validator in _CHOICES


def _named(choices: Iterable[ValidationError]) -> str:
    values = [v for c in choices for v in (c.validator_value if c.validator == "enum" else [c.validator_value])]
    return ", ".join(dict.fromkeys(map(repr, values)))


def _words(where: str, message: str) -> str:
    line = " ".join(message.split())
    return f"{where}: {line if len(line) <= 400 else line[:300] + ' … ' + line[-90:]}"
