"""Names of columns and tables: which are equal, which are no names, and which are about the same thing."""

from __future__ import annotations

import re

# what readers call a column without a name
_PLACEHOLDER = re.compile("(?:unnamed|column)[0-9]*")
# what anything may have, and what any table may be called
_OF_KEYS = {"id", "ident", "identifier", "key", "pk", "uid", "no", "nr", "num", "number", "index", "idx", "code", "ref"}
_OF_ANYTHING = {*_OF_KEYS, "name", "title", "label", "description", "of", "the"}
_OF_ANY_TABLE = {
    "input", "output", "table", "sheet", "data", "file", "export", "part", "page", "test", "tbl", "csv", "t",
}  # fmt: skip
# of so many letters a word may be cut, such as cust of customer
_SHORTENED = 3


def fold_name(name: str) -> str:
    """Return a column's name in small letters without white space and marks; a name of marks alone stays."""
    return "".join(filter(str.isalnum, name.casefold())) or name


def is_placeholder(name: str) -> bool:
    """Return whether a name is what readers call a column without one, such as Unnamed: 3, or nothing."""
    return not name.strip() or _PLACEHOLDER.fullmatch(fold_name(name)) is not None


def about_same(table: str, name: str, other_table: str, other_name: str) -> bool | None:
    """Return whether two columns are by their names about the same thing; None where the names don't say.

    A name such as id says whose only with its table's: customer_id and id of customers are the same, id of orders and
    id of customers aren't, and of tables called input_01 and input_02 nobody knows.
    """
    one, other = _thing(table, name), _thing(other_table, other_name)
    if not one or not other:
        return None
    return any(_same_word(word, another) for word in one for another in other)


def telling_words(name: str) -> set[str]:
    """Return the words of a column's name, each in the singular, but for those that any name may have."""
    return _words(name) - _OF_ANYTHING


def is_of_a_key(name: str) -> bool:
    """Return whether a column's name says that it holds keys, such as id or customer number."""
    return bool(_words(name) & _OF_KEYS)


def _thing(table: str, name: str) -> set[str]:
    if is_placeholder(name):
        return set()
    return telling_words(name) or _words(table) - _OF_ANY_TABLE


def _words(name: str) -> set[str]:
    parted = re.sub("([a-z])([A-Z])", r"\1 \2", name)
    return {_singular(word) for word in re.findall(r"[^\W\d_]+", parted.casefold())}


def _singular(word: str) -> str:
    return word[:-3] + "y" if len(word) > 4 and word.endswith("ies") else word.rstrip("s") or word


def _same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _SHORTENED and long.startswith(short))
