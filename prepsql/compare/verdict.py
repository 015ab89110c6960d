"""One policy's reading of the facts of one pair of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb

from prepsql.compare import statements
from prepsql.compare.config import TableConfig
from prepsql.compare.facts import SIDES, Disorder, Facts
from prepsql.compare.policy import Policy
from prepsql.compare.reading import RawTable
from prepsql.compare.result import ColumnComparison, Example, FileComparison, RowExample
from prepsql.compare.words import key_shown, listed
from prepsql.tables import plural

_COUNTS = """
SELECT col, count(*), max(error) FILTER (isfinite(error)) FROM differences_{policy} GROUP BY col"""
_EXAMPLES = """
SELECT col, gold_row, candidate_row, gold, candidate, gold_value, candidate_value FROM differences_{policy}
QUALIFY row_number() OVER (PARTITION BY col ORDER BY gold_row, candidate_row) <= {limit}
ORDER BY col, gold_row, candidate_row"""
_FIRST_IS_UNKNOWN = "SELECT unknown_word FROM differences_{policy} ORDER BY gold_row, col LIMIT 1"
_ALONE = """
SELECT {side}_row FROM pairs
WHERE how = '{how}'{apart}
ORDER BY {side}_row LIMIT {limit}"""
_NOT_NEAR = " AND {side}_row NOT IN (SELECT {side}_row FROM near)"
_REPEATED = "SELECT first_row, rows FROM ({keys}) ORDER BY first_row LIMIT {limit}"
_KEY_TEXTS = "SELECT n, {cells} FROM {side}_cells WHERE n IN ({rows})"


class Reader:
    """Reads the facts that `find_facts` left on a connection; `limit` bounds each list of examples."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, config: TableConfig, facts: Facts, policy: Policy, limit: int
    ) -> None:
        self.con, self.config, self.facts, self.policy, self.limit = con, config, facts, policy, limit
        self.nearest = policy.alignment == "nearest" and facts.near > 0
        self.in_order = policy.alignment == "sequential" and facts.in_order

    def read(self, base: FileComparison, tables: tuple[RawTable, RawTable]) -> FileComparison:
        """Return `base` filled with all differences and the verdict of this policy."""
        facts, limit = self.facts, self.limit
        near = facts.near if self.nearest else facts.missing if self.in_order else 0
        missing, extra = facts.missing - near, facts.extra - near
        rough = self.policy.alignment == "sequential"
        duplicates = facts.rough_duplicates if rough else facts.duplicates
        table = replace(
            base,
            matched=tables[0].rows - missing,
            near=near,
            missing=missing,
            extra=extra,
            gold_duplicates=duplicates[0],
            candidate_duplicates=duplicates[1],
            missing_examples=self._alone("gold", "missing") if missing and limit else (),
            extra_examples=self._alone("candidate", "extra") if extra and limit else (),
            duplicate_examples=self._duplicates(duplicates, exact=facts.exact and not rough) if limit else (),
        )
        table = replace(table, columns=self._columns(table.matched or 0))
        error_type, reason, message = self._verdict(table)
        return replace(table, passed=not error_type, error_type=error_type, reason=reason, message=message)

    def _verdict(self, table: FileComparison) -> tuple[str, str, str]:
        """Return error type, reason and message of the first thing that is wrong, in the evaluator's order."""
        facts, published = self.facts, self.policy.alignment == "sequential"
        if table.missing_columns:
            return "MISSING_COLUMNS", "", f"the candidate has no column {listed(table.missing_columns)}"
        if table.gold_rows != table.candidate_rows:
            return "ROW_COUNT_MISMATCH", "", f"gold has {table.gold_rows} rows, the candidate {table.candidate_rows}"
        for side, row in zip(SIDES, facts.unknown_key, strict=True):
            if published and row is not None:
                return "EXCEPTION", "", f"a key of {side} holds an unknown truth word, first in row {row + 1}"
        for side, count in zip(SIDES, (table.gold_duplicates, table.candidate_duplicates), strict=True):
            if count:
                return (
                    "NON_UNIQUE_KEY",
                    "",
                    f"{plural(count, 'key')} of several rows in {side}{_first(table.duplicate_examples)}",
                )
        if published and facts.stop is not None:
            what = {"missing_key": "no", "multiple_matches": "several"}[facts.stop.reason]
            key = self._keys("gold", [facts.stop.row])[facts.stop.row]
            return (
                "KEY_MISMATCH",
                facts.stop.reason,
                f"gold row {key_shown(key)} matches {what} candidate rows within 2 %",
            )
        if table.missing:
            shown = _first(table.missing_examples)
            return "KEY_MISMATCH", "missing_key", f"{plural(table.missing, 'gold row')} without a partner{shown}"
        disorder = facts.near_disorder if self.nearest else facts.disorder
        if not published and disorder:
            return "KEY_MISMATCH", "row_order", self._disorder(disorder)
        return self._values(table)

    def _disorder(self, found: Disorder) -> str:
        key = key_shown(self._keys("gold", [found.gold_row])[found.gold_row])
        return (
            f"{plural(found.rows, 'row')} out of gold's order, which the config asks for; first {key} (row"
            f" {found.gold_row + 1} of gold): in row {found.candidate_row + 1} of the candidate, before the row that it"
            f" follows in gold (candidate row {found.before + 1})"
        )

    def _values(self, table: FileComparison) -> tuple[str, str, str]:
        wrong = [column for column in table.columns if column.differing]
        if not wrong:
            return "", "", ""
        names = listed([column.name for column in wrong])
        message = f"{plural(sum(column.differing for column in wrong), 'differing cell')} in {names}"
        if self.policy.evaluator_faults and self._one(_FIRST_IS_UNKNOWN) == (True,):
            return "ALIGNMENT_ERROR", "", f"{message}; the first holds an unknown truth word"
        return "VALUE_MISMATCH", "", message

    def _columns(self, matched: int) -> tuple[ColumnComparison, ...]:
        """Return every compared column in the config's order; key columns that agree by being matched included."""
        shape = self.facts.shape
        counts: dict[int, tuple[int, float | None]] = {}
        forgiven: dict[int, int] = {}
        examples: dict[int, list[Example]] = {}
        if self.facts.touched:
            hows = ["published"] if self.in_order else ["equal", *(["near"] if self.nearest else [])]
            self.con.execute(statements.differences_view(self.policy, hows))
            forgiven = dict(self.con.execute(statements.forgiven(self.policy, hows)).fetchall())
            found = self.con.execute(_COUNTS.format(policy=self.policy.name)).fetchall()
            counts = {col: (count, error) for col, count, error in found}
            examples = self._examples() if counts and self.limit else {}
        columns = []
        for i, (name, _) in enumerate(self.config.columns):
            if i not in shape.absent:
                differing, error = counts.get(i, (0, None))
                shown = tuple(examples.get(i, ()))
                columns.append(
                    ColumnComparison(
                        name,
                        shape.types[i] or None,
                        i in shape.key,
                        matched,
                        differing,
                        forgiven.get(i, 0),
                        error,
                        shown,
                    )
                )
        return tuple(columns)

    def _examples(self) -> dict[int, list[Example]]:
        rows = self.con.execute(_EXAMPLES.format(policy=self.policy.name, limit=self.limit)).fetchall()
        keys = self._keys("gold", [row[1] for row in rows])
        examples: dict[int, list[Example]] = {}
        for col, gold_row, candidate_row, *cells in rows:
            examples.setdefault(col, []).append(Example(keys[gold_row], gold_row + 1, candidate_row + 1, *cells))
        return examples

    def _alone(self, side: str, how: str) -> tuple[RowExample, ...]:
        apart = _NOT_NEAR.format(side=side) if self.nearest else ""
        query = _ALONE.format(side=side, how=how, apart=apart, limit=self.limit)
        rows = [row for (row,) in self.con.execute(query).fetchall()]
        keys = self._keys(side, rows)
        return tuple(RowExample(keys[row], row + 1) for row in rows)

    def _duplicates(self, duplicates: tuple[int, int], *, exact: bool) -> tuple[RowExample, ...]:
        """Return keys that repeat, of gold where it has any, else of the candidate."""
        for side, count in zip(SIDES, duplicates, strict=True):
            if count:
                keys = statements.duplicates(side, self.facts.shape, exact=exact)
                rows = self.con.execute(_REPEATED.format(keys=keys, limit=self.limit)).fetchall()
                texts = self._keys(side, [row for row, _ in rows])
                return tuple(RowExample(texts[row], row + 1, count) for row, count in rows)
        return ()

    def _keys(self, side: str, rows: Sequence[int]) -> Mapping[int, Mapping[str, str]]:
        """Return the key's raw cells of rows, by row and column name."""
        if not rows:
            return {}
        cells = ", ".join(f"c{i}" for i in self.facts.shape.key)
        query = _KEY_TEXTS.format(cells=cells, side=side, rows=", ".join(map(str, sorted(set(rows)))))
        names = self.config.key
        return {row: dict(zip(names, texts, strict=True)) for row, *texts in self.con.execute(query).fetchall()}

    def _one(self, query: str) -> Any:
        return self.con.execute(query.format(policy=self.policy.name)).fetchone()


def _first(examples: Sequence[RowExample]) -> str:
    return f", first {key_shown(examples[0].key)}" if examples else ""
