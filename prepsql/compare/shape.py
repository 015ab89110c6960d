"""The shape of one comparison: which compared column is what, and the SQL expressions that follow from it.

Inside DuckDB all names are positional, so that any header works: compared column `i` of the config is `c<i>`,
part `j` of the key is `k<j>`, its exact digits `e<j>`.
"""

from __future__ import annotations

from dataclasses import dataclass

from prepsql.compare.config import TYPE_NAMES, TableConfig

# what a config's type calls; any other type name compares the text as it stands
NORMALISERS = {name: f"norm_{name}" for name in TYPE_NAMES}
# rows with these may fail against themselves in the published evaluator
_FAULTY = {
    "number": "regexp_matches(c{i}, '(?i)inf|nan')",
    "boolean": "coalesce(norm_boolean(c{i}) NOT IN ('true', 'false'), false)",
}


def normalised(type_: str, cell: str) -> str:
    """Return the SQL of a cell as it is compared."""
    return f"{NORMALISERS[type_]}({cell})" if type_ in NORMALISERS else cell


@dataclass(frozen=True)
class Shape:
    """A config as positions; `absent` are the compared columns that the candidate lacks."""

    types: tuple[str, ...]
    key: tuple[int, ...]
    absent: tuple[int, ...] = ()
    tolerance: tuple[tuple[int, float], ...] = ()

    @classmethod
    def of(cls, config: TableConfig, absent: tuple[int, ...] = ()) -> Shape:
        """Return the shape of a config."""
        place = {name: i for i, (name, _) in enumerate(config.columns)}
        return cls(
            tuple(type_ for _, type_ in config.columns),
            tuple(place[part] for part in config.key),
            absent,
            tuple((place[name], value) for name, value in config.tolerance),
        )

    @property
    def values(self) -> tuple[int, ...]:
        """The compared columns, key and absent ones apart."""
        return tuple(i for i in range(len(self.types)) if i not in self.key and i not in self.absent)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The parts of the key that are numbers."""
        return tuple(j for j, i in enumerate(self.key) if self.types[i] == "number")

    @property
    def others(self) -> tuple[int, ...]:
        """The parts of the key that are no numbers."""
        return tuple(j for j, i in enumerate(self.key) if self.types[i] != "number")

    def key_columns(self, exact: bool) -> list[str]:
        """Return the columns that make a key: with their exact digits where some number needs them."""
        return [f"k{j}" for j in range(len(self.key))] + ([f"e{j}" for j in self.numbers] if exact else [])

    def key_expressions(self) -> list[str]:
        """Return what fills the key columns from the cells."""
        return [f"{normalised(self.types[i], f'c{i}')} AS k{j}" for j, i in enumerate(self.key)]

    def digit_expressions(self) -> list[str]:
        """Return what fills the columns of exact digits from the cells and the key columns."""
        return [f"exact_number(c{self.key[j]}, k{j}) AS e{j}" for j in self.numbers]

    def fingerprint(self) -> str:
        """Return two hashes of all compared values as one number: rows in which they are equal need no other look.

        Two of 64 bits, the second over the cells in reverse, take half the time of one cryptographic hash.
        """
        cells = [f"c{i}" for i in self.values]
        if not cells:
            return "0"
        return f"hash({', '.join(cells)})::UHUGEINT * 18446744073709551616 + hash({', '.join(cells[::-1])}, 1)"

    def faulty(self, published: bool) -> str:
        """Return whether equal cells of a row may still fail in the published evaluator."""
        tests = [_FAULTY[self.types[i]].format(i=i) for i in self.values if self.types[i] in _FAULTY]
        return " OR ".join(tests) if published and tests else "false"


def same(columns: list[str], left: str = "g", right: str = "c") -> str:
    """Return the join condition under which null equals null."""
    return " AND ".join(f"{left}.{name} IS NOT DISTINCT FROM {right}.{name}" for name in columns)
