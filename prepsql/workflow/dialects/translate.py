"""One expression in another dialect: DuckDB's own tree, node by node, by the dialect's allow-list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol

import sqlglot

from prepsql.macros import library
from prepsql.macros.expand import expand
from prepsql.sqltext import literal
from prepsql.workflow.dialects import patterns
from prepsql.workflow.dialects.dialect import Dialect, NotPortable
from prepsql.workflow.dialects.pieces import Piece, filled
from prepsql.workflow.dialects.signature import FAMILIES, Signature, kind_of
from prepsql.workflow.dialects.trees import (
    COMPARISONS,
    SAME_FUNCTION,
    cast_of,
    constant_kind,
    frame_of,
    interval_of,
    short,
    text_constant,
)
from prepsql.workflow.expression import node_of, to_sql
from prepsql.workflow.functions import catalogue

_FORMS = {" ordered": " with ORDER BY", " distinct": " of DISTINCT", " over": " over a window"}
_DAYS = ("%Y", "%m", "%d", "%b", "%B")


class Columns(Protocol):
    """The columns that an expression may name."""

    def column(self, parts: Sequence[str]) -> tuple[str, str]:
        """Return a column as SQL, and its DuckDB type."""

    def type_of(self, text: str) -> str:
        """Return the DuckDB type of an expression."""

    def constant(self, text: str) -> str:
        """Return the value of an expression without columns, as text."""


def translate(text: str, dialect: Dialect, columns: Columns, *, condition: bool = False) -> str:
    """Return a DuckDB expression in a dialect; raises NotPortable for what it can't say exactly."""
    translator = _Translator(dialect, columns)
    node = node_of(text)
    return (translator.condition(node) if condition else translator.value(node)).text


class _Translator:
    def __init__(self, dialect: Dialect, columns: Columns) -> None:
        self.dialect, self.columns = dialect, columns

    def value(self, node: dict[str, Any]) -> Piece:
        """Return an expression as a value."""
        piece = self._piece(node)
        if piece.condition and not self.dialect.booleans:
            return Piece(f"CASE WHEN {piece.text} THEN 1 WHEN NOT {piece.closed} THEN 0 END")
        return piece

    def condition(self, node: dict[str, Any]) -> Piece:
        """Return an expression as a condition."""
        piece = self._piece(node)
        if piece.condition or self.dialect.booleans:
            return piece
        return Piece(f"{piece.closed} = 1", False, True)

    def kind(self, node: dict[str, Any]) -> str:
        """Return the family of a node's type."""
        return kind_of(self.type(node))

    def type(self, node: dict[str, Any]) -> str:
        """Return the DuckDB type of a node."""
        if node["class"] == "COLUMN_REF":
            return self.columns.column(node["column_names"])[1]
        return self.columns.type_of(to_sql(node))

    def _piece(self, node: dict[str, Any]) -> Piece:
        visit = getattr(self, f"_visit_{node['class'].lower()}", None)
        if visit is None:
            raise NotPortable(f"{short(to_sql(node))} ({node['class'].lower()})")
        piece: Piece = visit(node)
        if node["class"] in ("FUNCTION", "CASE", "OPERATOR", "WINDOW"):
            self._exact(node)
        return piece

    def _exact(self, node: dict[str, Any]) -> None:
        """Refuse a result with more decimals than the dialect keeps."""
        found = re.fullmatch(r"DECIMAL\(\d+,(\d+)\)", self.type(node))
        if found and (self.dialect.scale is None or int(found[1]) > self.dialect.scale):
            limit = "it has no decimals" if self.dialect.scale is None else f"it keeps {self.dialect.scale} decimals"
            raise NotPortable(f"{short(to_sql(node))} is {self.type(node)}; {limit}", "cast it to DOUBLE")

    def _visit_column_ref(self, node: dict[str, Any]) -> Piece:
        return Piece(self.columns.column(node["column_names"])[0])

    def _visit_constant(self, node: dict[str, Any]) -> Piece:
        kind, text = node["literal"]["kind"], node["literal"].get("text", "")
        if kind == "STRING":
            return Piece(self._text(text))
        if kind == "NULL_LITERAL":
            return Piece("NULL")
        if kind == "BOOLEAN":
            return Piece(text.upper()) if self.dialect.booleans else Piece("1" if text == "true" else "0")
        if kind == "INTEGER" and -(2**63) <= int(text) < 2**63:
            return Piece(text, not text.startswith("-"))
        if kind == "NUMERIC":
            exact = "e" not in text.lower()
            return Piece(self.dialect.decimal.replace("{0}", text) if exact else text, not text.startswith("-"))
        raise NotPortable(f"the constant {short(to_sql(node))}")

    def _text(self, text: str) -> str:
        if "\0" in text:
            raise NotPortable("a text with the character NUL")
        shown = literal(text.replace("\\", "\\\\") if self.dialect.backslash else text)
        if self.dialect.backslash:
            shown = "'" + shown[1:-1].replace("''", "\\'").replace("\n", "\\n").replace("\r", "\\r") + "'"
        return shown if text.isascii() else f"{self.dialect.wide}{shown}"

    def _visit_conjunction(self, node: dict[str, Any]) -> Piece:
        word = "AND" if node["type"] == "CONJUNCTION_AND" else "OR"
        parts = [
            piece.closed if child["class"] in ("CONJUNCTION", "BETWEEN") else piece.text
            for child in node["children"]
            for piece in [self.condition(child)]
        ]
        return Piece(f" {word} ".join(parts), False, True)

    def _visit_comparison(self, node: dict[str, Any]) -> Piece:
        return self._compared(COMPARISONS[node["type"]], node["left"], node["right"])

    def _compared(self, sign: str, left: dict[str, Any], right: dict[str, Any]) -> Piece:
        kinds = self.kind(left), self.kind(right)
        moments = {"date": "DATE", "timestamp": "TIMESTAMP"}
        if kinds[1] in moments and constant_kind(left) == "STRING":
            left = cast_of(left, moments[kinds[1]])
        if kinds[0] in moments and constant_kind(right) == "STRING":
            right = cast_of(right, moments[kinds[0]])
        made = self._call(sign, [left, right])
        return Piece(made.text, made.tight, True)

    def _visit_between(self, node: dict[str, Any]) -> Piece:
        low, high = (self._compared(s, node["input"], node[k]) for s, k in ((">=", "lower"), ("<=", "upper")))
        return Piece(f"{low.text} AND {high.text}", False, True)

    def _visit_operator(self, node: dict[str, Any]) -> Piece:
        kind, children = node["type"], node["children"]
        if kind in ("OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL"):
            word = "IS NULL" if kind == "OPERATOR_IS_NULL" else "IS NOT NULL"
            return Piece(f"{self.value(children[0]).closed} {word}", False, True)
        if kind == "OPERATOR_NOT":
            return Piece(f"NOT {self.condition(children[0]).closed}", False, True)
        if kind == "OPERATOR_COALESCE":
            self._alike(node, children)
            return Piece(f"coalesce({', '.join(self.value(child).text for child in children)})")
        if kind in ("COMPARE_IN", "COMPARE_NOT_IN"):
            word = "IN" if kind == "COMPARE_IN" else "NOT IN"
            self._alike(node, children)
            shown = [self.value(child) for child in children]
            return Piece(f"{shown[0].closed} {word} ({', '.join(p.text for p in shown[1:])})", False, True)
        raise NotPortable(f"{short(to_sql(node))} ({kind.lower()})")

    def _alike(self, node: dict[str, Any], children: Sequence[dict[str, Any]]) -> None:
        """Refuse values of several families, which engines bring together in their own ways."""
        kinds = {self.kind(child) for child in children} - {"null"}
        if len(kinds) > 1 and not kinds <= FAMILIES["number"]:
            raise NotPortable(f"{short(to_sql(node))} mixes {' and '.join(sorted(kinds))}", "cast them to one type")

    def _visit_case(self, node: dict[str, Any]) -> Piece:
        results = [check["then_expr"] for check in node["case_checks"]] + [node["else_expr"]]
        self._alike(node, results)
        text = "CASE"
        for check in node["case_checks"]:
            text += f" WHEN {self.condition(check['when_expr']).text} THEN {self.value(check['then_expr']).text}"
        if constant_kind(node["else_expr"]) != "NULL_LITERAL":
            text += f" ELSE {self.value(node['else_expr']).text}"
        return Piece(f"{text} END")

    def _visit_cast(self, node: dict[str, Any]) -> Piece:
        child, target = node["child"], self.type(node)
        if node["try_cast"]:
            raise NotPortable(f"{short(to_sql(node))}: what fits a type differs", "filter what doesn't fit, then CAST")
        if constant_kind(child) == "NULL_LITERAL":
            return Piece(f"CAST(NULL AS {self._type(target)})")
        if constant_kind(child) == "STRING" and target in ("DATE", "TIMESTAMP"):
            shown = self.columns.constant(to_sql(node))
            return Piece(self.dialect.casts["literal", target].replace("{0}", literal(shown)))
        source = self.type(child)
        if source == target:
            return self.value(child)
        key = kind_of(source), "DECIMAL" if kind_of(target) == "decimal" else target
        if key not in self.dialect.casts:
            raise NotPortable(f"{short(to_sql(node))}, a cast from {source} to {target}")
        template = self.dialect.casts[key]
        size = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", target if kind_of(target) == "decimal" else source)
        if size and "{s}" in template and (self.dialect.scale is None or int(size[2]) > self.dialect.scale):
            raise NotPortable(f"{short(to_sql(node))}: decimals with {size[2]} places")
        if size:
            places = int(size[2])
            unit = f"0.{'0' * (places - 1)}1" if places else "1"
            for word, part in (("p", size[1]), ("s", size[2]), ("power", f"{10**places}.0"), ("unit", unit)):
                template = template.replace(f"{{{word}}}", part)
        return filled(template, [self.value(child)])

    def _type(self, name: str) -> str:
        found = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", name)
        key = "DECIMAL" if found else name
        if key not in self.dialect.types:
            raise NotPortable(f"the type {name}")
        made = self.dialect.types[key]
        return made.replace("{p}", found[1]).replace("{s}", found[2]) if found else made

    def _visit_function(self, node: dict[str, Any]) -> Piece:
        name = node["function_name"].lower()
        arguments = [argument["expression"] for argument in node["arguments"]]
        if node.get("schema") or node.get("catalog"):
            raise NotPortable(f"{short(to_sql(node))}: a function behind a dot", f"write {name}(…)")
        if name == "date_part" and constant_kind(arguments[0]) == "STRING":
            name, arguments = arguments[0]["literal"]["text"].lower(), arguments[1:]
        if name in ("datediff", "date_diff", "date_trunc", "datetrunc") and constant_kind(arguments[0]) == "STRING":
            arguments[0] = text_constant(arguments[0], arguments[0]["literal"]["text"].lower())
        if name in ("strptime", "try_strptime") and arguments[1].get("function_name") == "list_value":
            arguments[1:] = [argument["expression"] for argument in arguments[1]["arguments"]]
        name = SAME_FUNCTION.get(name, name)
        if name in library():
            return self._macro(node, name, arguments)
        if name == "if":
            return self._visit_case({
                **node, "class": "CASE", "else_expr": arguments[2],
                "case_checks": [{"when_expr": arguments[0], "then_expr": arguments[1]}],
            })  # fmt: skip
        if name in ("!~~", "!~~*"):
            like = self._call(name[1:], arguments)
            return Piece(f"NOT {like.closed}", False, True)
        if catalogue().get(name) == "aggregate" or name == "count_star":
            return self._aggregate(node, name, arguments)
        if name in ("+", "-") and len(arguments) == 2:
            step = interval_of(arguments[1])
            if step:
                return self._call(f"{name} {step[0]}", [arguments[0], step[1]])
        made = self._call(name, arguments)
        return Piece(made.text, made.tight, self.type(node) == "BOOLEAN")

    def _macro(self, node: dict[str, Any], name: str, arguments: list[dict[str, Any]]) -> Piece:
        """Return a macro of the library as the dialect's own words for it, else as what it stands for."""
        for entry, template in self.dialect.allowed.get(name, ()):
            pieces = self._matched(entry, arguments)
            if pieces is not None:
                return filled(template, pieces)
        tree = expand(sqlglot.parse_one(to_sql(node), dialect="duckdb"))
        piece = self._piece(node_of(tree.sql(dialect="duckdb")))
        return Piece(piece.text, piece.tight, piece.condition)

    def _aggregate(self, node: dict[str, Any], name: str, arguments: list[dict[str, Any]]) -> Piece:
        orders = (node.get("order_bys") or {}).get("orders") or []
        form = f"{name}{' distinct' if node.get('distinct') else ''}{' ordered' if orders else ''}"
        chosen = self.condition(node["filter"]) if node.get("filter") else None
        wrap = chosen if chosen and not self.dialect.filter else None
        if wrap and orders:
            raise NotPortable(f"{name} with both a filter and an order", "filter the rows in a step before")
        if wrap and name == "count_star":
            return Piece(f"count(CASE WHEN {wrap.text} THEN 1 END)")
        made = self._call(form, arguments, wrap.text if wrap else "")
        text = made.text.replace("{order}", ", ".join(self._orders(orders)))
        if chosen and self.dialect.filter:
            part = f" FILTER (WHERE {chosen.text})"
            text = text.replace("{filter}", part) if "{filter}" in text else text + part
        return Piece(text.replace("{filter}", ""))

    def _orders(self, orders: Sequence[dict[str, Any]]) -> list[str]:
        """Return the keys of an ORDER BY."""
        keys = []
        for order in orders:
            key = self.value(order["expression"])
            text = key.text
            if self.kind(order["expression"]) == "text":
                text = self.dialect.text_order.replace("{0}", key.closed)
            first = order["null_order"] in ("NULLS_FIRST", "NULLS FIRST")
            down = " DESC" if order["type"] == "DESCENDING" else ""
            if self.dialect.nulls:
                keys.append(f"{text}{down} NULLS {'FIRST' if first else 'LAST'}")
            else:
                ends = (0, 1) if first else (1, 0)
                keys.append(f"CASE WHEN {key.closed} IS NULL THEN {ends[0]} ELSE {ends[1]} END, {text}{down}")
        return keys

    def _visit_window(self, node: dict[str, Any]) -> Piece:
        name = SAME_FUNCTION.get(node["function_name"].lower(), node["function_name"].lower())
        odd = [k for k in ("filter_expr", "distinct", "arg_orders") if node.get(k)]
        if odd or node.get("exclude_clause", "NO_OTHER") != "NO_OTHER":
            raise NotPortable(f"{short(to_sql(node))}: {', '.join(odd) or 'EXCLUDE'} in a window")
        arguments = [argument.get("expression", argument) for argument in node.get("arguments") or []]
        name = "count_star" if name == "count" and not arguments else name
        function = self._call(f"{name} over", arguments).text
        if node.get("ignore_nulls"):
            if not self.dialect.ignore_nulls:
                raise NotPortable("IGNORE NULLS in a window")
            inside = self.dialect.ignore_nulls == "inside"
            function = f"{function.removesuffix(')')} IGNORE NULLS)" if inside else f"{function} IGNORE NULLS"
        parts = []
        if node.get("partitions"):
            parts.append(f"PARTITION BY {', '.join(self.value(part).text for part in node['partitions'])}")
        if node.get("orders"):
            parts.append(f"ORDER BY {', '.join(self._orders(node['orders']))}")
        frame = frame_of(node, self.dialect.frames)
        return Piece(f"{function} OVER ({' '.join([*parts, *([frame] if frame else [])])})")

    def _call(self, name: str, arguments: Sequence[dict[str, Any]], only: str = "") -> Piece:
        """Return a function of the allow-list, of rows for which `only` is true if that is given."""
        for entry, template in self.dialect.allowed.get(name, ()):
            pieces = self._matched(entry, arguments)
            if pieces is not None:
                if only and pieces:
                    pieces[0] = Piece(f"CASE WHEN {only} THEN {pieces[0].text} END")
                return filled(template, pieces)
        raise NotPortable(self._unknown(name, arguments), self._offer(name))

    def _unknown(self, name: str, arguments: Sequence[dict[str, Any]]) -> str:
        shown = name
        for form, words in _FORMS.items():
            shown = shown.replace(form, words)
        if name not in self.dialect.allowed:
            return shown
        given = ", ".join(short(to_sql(a)) if a["class"] == "CONSTANT" else self.type(a) for a in arguments)
        return f"{shown} of ({given})"

    def _offer(self, name: str) -> str:
        known = [f"({', '.join(entry.arguments)})" for entry, _ in self.dialect.allowed.get(name, ())]
        return f"it takes {', '.join(known[:4])}" if known else ""

    def _matched(self, entry: Signature, arguments: Sequence[dict[str, Any]]) -> list[Piece] | None:
        """Return the arguments as SQL where they are what the entry takes."""
        if not entry.takes(len(arguments)):
            return None
        constants: list[Piece | None] = []
        for place, node in enumerate(arguments):
            wanted = entry.argument(place)
            if wanted in FAMILIES:
                if self.kind(node) not in FAMILIES[wanted] | {"null"}:
                    return None
                constants.append(None)
            else:
                found = self._constant(wanted, node, arguments)
                if found is None:
                    return None
                constants.append(found)
        return [made or self.value(node) for made, node in zip(constants, arguments, strict=True)]

    def _constant(self, wanted: str, node: dict[str, Any], arguments: Sequence[dict[str, Any]]) -> Piece | None:
        kind = constant_kind(node)
        text = node["literal"].get("text", "") if kind else ""
        if wanted.startswith("'"):
            return Piece(wanted) if kind == "STRING" and literal(text) == wanted else None
        if wanted.isdigit():
            return Piece(text) if kind == "INTEGER" and text == wanted else None
        if wanted == "nonzero":
            guarded = node["class"] == "FUNCTION" and node["function_name"] == "nullif"
            zero = guarded and constant_kind(node["arguments"][1]["expression"]) and node["arguments"][1]["expression"]
            known = kind in ("INTEGER", "NUMERIC") and float(text) != 0
            return self.value(node) if known or (zero and float(zero["literal"].get("text") or 1) == 0) else None
        if wanted in ("count", "positive"):
            whole = kind == "INTEGER" and int(text) >= (wanted == "positive")
            return Piece(text) if whole else None
        if wanted == "share":
            return Piece(text) if kind in ("INTEGER", "NUMERIC") and 0 <= float(text) <= 1 else None
        if kind != "STRING" or not (text or wanted == "replacement"):
            return None
        return Piece(self._text(self._pattern(wanted, text, arguments)))

    def _pattern(self, wanted: str, text: str, arguments: Sequence[dict[str, Any]]) -> str:
        """Return a constant text in the dialect's terms."""
        if wanted == "like":
            return patterns.like(text, self.dialect.like)
        if wanted == "glob":
            return patterns.glob(text)
        if wanted == "format":
            return patterns.moment_format(text, self.dialect.formats)
        if wanted == "dayformat":
            days = {code: self.dialect.formats[code] for code in _DAYS if code in self.dialect.formats}
            return patterns.moment_format(text, days)
        if wanted == "replacement":
            return patterns.replacement(text)
        if wanted == "pattern":
            chosen = arguments[2] if len(arguments) > 2 and constant_kind(arguments[2]) == "INTEGER" else None
            return patterns.regex(text, self.dialect.regex, int(chosen["literal"]["text"]) if chosen else 0)
        if wanted in ("match", "fullmatch"):
            return patterns.regex(text, self.dialect.regex, whole=wanted == "fullmatch")
        return text
