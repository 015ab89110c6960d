"""What a profile says: plain frozen records, without a connection."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from prepsql.profile.finding import Example, Finding

# what kind of thing a cell is: the macro cell_kind
CELL_KINDS = (
    "empty", "blank", "null word", "boolean", "integer", "decimal", "number", "digits", "date", "timestamp", "month",
    "time", "text",
)  # fmt: skip
# what a cell says nothing by
MISSING = ("empty", "blank", "null word")
NUMBERS = ("integer", "decimal", "number")
DATES = ("date", "timestamp", "month")


@dataclass(frozen=True)
class Shape:
    """Cells of a column that look alike: of one kind, form and mask.

    `form` is how a number is dressed (macro cell_number_form) or a date written (cell_date_form), else ''. `mask` is
    that of the macro value_mask. `cells` counts rows, `values` distinct values; `example` is the first value, `row` its
    row (from 0, in the stacked table), `table` and `line` where that is.
    """

    kind: str
    form: str
    mask: str
    cells: int
    values: int
    example: str
    row: int
    table: str
    line: int


@dataclass(frozen=True)
class Frequent:
    """A frequent value, and how many cells have it."""

    value: str
    cells: int


@dataclass(frozen=True)
class Numbers:
    """The numbers of a column, however dressed: how many cells, and their statistics over those cells.

    Quantiles are interpolated where they fall between two numbers, and approximate where `exact` is false (beyond a
    million rows). `currencies` and `units` are the
    signs and words beside the numbers, each with its cells. `decimal_sign` is ',' or '.', None where no cell decides.
    `histogram` counts the cells of each bin, low to high: see prepsql/profile/histogram.py.
    """

    cells: int
    minimum: float
    quarter: float
    median: float
    three_quarters: float
    maximum: float
    mean: float
    exact: bool
    decimal_sign: str | None
    thousands_sign: str | None
    currencies: dict[str, int]
    units: dict[str, int]
    histogram: tuple[int, ...] = ()


@dataclass(frozen=True)
class Reading:
    """One way to read the dates of a column: the order of their parts, dmy, mdy or ymd, and how many cells fit it.

    `only` counts the cells that no other order fits, and `example` with `line` is the first of those: the row that
    decides ('' and 0 where there is none). `earliest` and `latest` are ISO dates of the cells that fit.
    """

    order: str
    cells: int
    only: int
    example: str
    table: str
    line: int
    earliest: str
    latest: str


@dataclass(frozen=True)
class Column:
    """The facts of one column, over all its rows.

    `kinds` counts cells by kind (CELL_KINDS); `type` is the kind of most cells that say something, numbers of all sorts
    together as integer, decimal or number, 'text' where no kind has four fifths, 'empty' where no cell says anything.
    `distinct` counts distinct values, '' left out; it is approximate where `exact` is false. Lengths are in characters
    over filled cells. `minimum` and `maximum` are numbers in a column of numbers, ISO text in one of dates (None where
    nobody knows what their digits mean), else, as `first_text` and `last_text` always, the first and the last of the
    filled cells in the order of code points. `error` says why a column has no facts.
    """

    name: str
    position: int
    rows: int
    type: str = "empty"
    kinds: dict[str, int] = field(default_factory=dict)
    null_words: tuple[Frequent, ...] = ()
    distinct: int = 0
    exact: bool = True
    minimum: str | float | None = None
    maximum: str | float | None = None
    first_text: str | None = None
    last_text: str | None = None
    shortest: int = 0
    longest: int = 0
    mean_length: float = 0.0
    padded: int = 0
    doubled: int = 0
    invisible: int = 0
    non_ascii: int = 0
    frequent: tuple[Frequent, ...] = ()
    shapes: tuple[Shape, ...] = ()
    numbers: Numbers | None = None
    readings: tuple[Reading, ...] = ()
    error: str = ""

    def cells(self, *kinds: str) -> int:
        """Return how many cells are of these kinds."""
        return sum(self.kinds.get(kind, 0) for kind in kinds)

    @property
    def unfilled(self) -> int:
        """How many cells are empty or blank."""
        return self.cells("empty", "blank")

    @property
    def filled(self) -> int:
        """How many cells are neither empty nor blank."""
        return self.rows - self.unfilled

    @property
    def said(self) -> int:
        """How many cells say something: neither empty nor blank nor a null word."""
        return self.rows - self.cells(*MISSING)


@dataclass(frozen=True)
class Key:
    """Columns whose values together differ in every row; minimal: no part of them does.

    An empty cell is a value like others. Where `repeated` isn't 0 the key is only a near one: a single column where so
    few rows have a value that came before.
    """

    table: str
    columns: tuple[str, ...]
    repeated: int = 0


@dataclass(frozen=True)
class Dependency:
    """Each value of `determinant` has one value of `dependent`, but for `exceptions` rows.

    `rows` counts the rows where both are filled; of them each value's rows with another than its most frequent partner
    are exceptions, the first of which is in `examples`, with the determinant's value. `one_to_one`: the dependent says
    the determinant too.
    """

    table: str
    determinant: str
    dependent: str
    rows: int
    exceptions: int
    one_to_one: bool = False
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True)
class Join:
    """Two columns of two tables that can be joined.

    `left_rate` is the share of the left table's cells that say something which have a partner, `right_rate` likewise,
    after `normalisation`: '' none, the macro to call on both sides (match_key, strip_space, parse_number,
    parse_any_date, keep_digits), 'lower' of strip_space, or 'part' where a part of the one side's values, between
    marks, is the other's whole value. `plain_left_rate` and `plain_right_rate` are without it. `overlap` counts the
    distinct values that both have, normalised. `left_unmatched` and `right_unmatched` are some values without a
    partner, the most frequent first. `sql` joins the two tables.
    """

    left: str
    left_column: str
    right: str
    right_column: str
    normalisation: str
    overlap: int
    left_rate: float
    right_rate: float
    plain_left_rate: float
    plain_right_rate: float
    score: float
    left_unmatched: tuple[str, ...] = ()
    right_unmatched: tuple[str, ...] = ()
    sql: str = ""


@dataclass(frozen=True)
class Variant:
    """A value that likely stands for another one: how many cells have it, and where the first of them is.

    `kind` is why: the kind of finding that names it.
    """

    value: str
    kind: str
    cells: int
    table: str
    line: int


@dataclass(frozen=True)
class Spelling:
    """Values of one column that are likely one: the likeliest form, `canonical`, and the others, by their first rows.

    The likeliest form is the most frequent; among equals one in proper case, then the first. `cells` counts the cells
    that have it: 0 where no cell has, and it is what a value becomes when a word in it is mended.
    """

    table: str
    column: str
    canonical: str
    cells: int
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class TableProfile:
    """One table, or tables of one shape stacked: where they came from, how they were read, and their columns.

    `rows` counts the rows of all `tables`; `ledger` lists what the reader noticed, table by table.
    """

    name: str
    tables: tuple[str, ...]
    paths: tuple[str, ...]
    rows: int
    columns: tuple[Column, ...]
    ledger: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A part of a profile that couldn't be made, such as 'rule null words' or 'keys', and why: one line.

    `table` is the first table of those it was about, '' for all of them. What the part found before it failed is kept.
    """

    part: str
    table: str
    error: str


@dataclass(frozen=True)
class Profile:
    """Everything found in some tables. `findings` stand in the order in which they should be read.

    `failures` are the parts that couldn't be made: the others are whole. A column without facts is not among them.
    """

    tables: tuple[TableProfile, ...]
    findings: tuple[Finding, ...]
    keys: tuple[Key, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    joins: tuple[Join, ...] = ()
    spellings: tuple[Spelling, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of all tables, in order."""
        return tuple(column for table in self.tables for column in table.columns)

    def prompt(self, max_chars: int = 4000) -> str:
        """Return what a model must know, in at most `max_chars` characters, the most decisive first."""
        from prepsql.profile.prompt import prompt

        return prompt(self, max_chars)

    def to_dict(self) -> dict[str, Any]:
        """Return the profile as plain JSON values."""
        return {
            "findings": [finding.to_dict() for finding in self.findings],
            **{name: [asdict(item) for item in getattr(self, name)] for name in _PARTS},
        }


_PARTS = ("tables", "keys", "dependencies", "joins", "spellings", "failures")
