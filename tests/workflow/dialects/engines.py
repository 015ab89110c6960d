"""Real engines for tests: the same rows in DuckDB, SQLite and PostgreSQL, and their results in one form."""

from __future__ import annotations

import math
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from prepsql.macros import install
from prepsql.sqltext import quote
from prepsql.workflow.dialects import dialect_of

Rows = list[tuple[Any, ...]]
_BINARIES = [Path("/usr/lib/postgresql") / str(version) / "bin" for version in range(19, 14, -1)]


def equal(left: object, right: object) -> bool:
    """Return whether two values are the same: numbers to the last bits, dates also as SQLite's text."""
    if left is None or right is None:
        return left is right
    if isinstance(left, bool) or isinstance(right, bool):
        return bool(left) == bool(right) and float(right) in (0.0, 1.0)  # type: ignore[arg-type]
    if isinstance(left, Decimal) and isinstance(right, Decimal | int):
        return left == right
    if isinstance(left, int | float | Decimal) and isinstance(right, int | float | Decimal):
        return math.isclose(float(left), float(right), rel_tol=1e-12, abs_tol=1e-12)
    if isinstance(left, date) and isinstance(right, str):
        return left.isoformat(" ") == right if isinstance(left, datetime) else left.isoformat() == right
    return type(left) is type(right) and left == right


def same(left: Rows, right: Rows) -> bool:
    """Return whether two results have the same rows in the same order."""
    return len(left) == len(right) and all(
        len(a) == len(b) and all(map(equal, a, b)) for a, b in zip(left, right, strict=True)
    )


class Engine:
    """An engine with tables in it."""

    def __init__(self, dialect: str, con: Any) -> None:
        self.dialect, self.con = dialect, con

    def load(self, table: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
        """Make a table of rows, with the dialect's types."""
        target = dialect_of(self.dialect)
        cells = ", ".join(f"{quote(name)} {_type(kind, target.types)}" for name, kind in columns.items())
        self.con.execute(f'DROP TABLE IF EXISTS "{table}"')
        self.con.execute(f'CREATE TABLE "{table}" ({cells})')
        mark = "%s" if self.dialect == "postgres" else "?"
        insert = f'INSERT INTO "{table}" VALUES ({", ".join([mark] * len(columns))})'
        for row in rows:
            self.con.execute(insert, list(row))

    def query(self, sql: str) -> Rows:
        """Return the rows of a query."""
        return [tuple(row) for row in self.con.execute(sql).fetchall()]


def _type(kind: str, types: Mapping[str, str]) -> str:
    if not types:
        return kind
    if kind.startswith("DECIMAL"):
        p, s = kind.removeprefix("DECIMAL(").removesuffix(")").split(",")
        return types.get("DECIMAL", "REAL").replace("{p}", p).replace("{s}", s)
    return types[kind]


def sqlite() -> Engine:
    """Return an empty SQLite."""
    return Engine("sqlite", sqlite3.connect(":memory:"))


def duck() -> Engine:
    """Return an empty DuckDB, with the library's macros."""
    con = duckdb.connect(config={"threads": 1})
    install(con)
    return Engine("duckdb", con)


def postgres_missing() -> str:
    """Return why no PostgreSQL can be started here, '' where it can."""
    if _binary("initdb") is None or _binary("pg_ctl") is None:
        return "no PostgreSQL server (initdb, pg_ctl) on this machine"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg isn't installed"
    return ""


@contextmanager
def postgres(folder: Path) -> Iterator[Engine]:
    """Start a private PostgreSQL in a folder, reached by a socket in it, and stop it at the end."""
    import psycopg

    data, user = folder / "data", _user()
    run = (lambda *words: _as(user, *words)) if user else _plain
    if user:
        shutil.chown(folder, user)
        folder.chmod(0o755)
    run(_binary("initdb"), "-D", data, "-U", "tests", "-A", "trust", "--locale=C.UTF-8", "--encoding=UTF8", "-N")
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    run(_binary("pg_ctl"), "-D", data, "-l", folder / "log", "-w", "-o", options, "start")
    try:
        with psycopg.connect(f"host={folder} user=tests dbname=postgres", autocommit=True) as con:
            yield Engine("postgres", con)
    finally:
        run(_binary("pg_ctl"), "-D", data, "-m", "immediate", "-w", "stop")


def _binary(name: str) -> str | None:
    known = [str(folder / name) for folder in _BINARIES if (folder / name).exists()]
    return known[0] if known else shutil.which(name)


def _user() -> str:
    """Return the user who may run a server: PostgreSQL refuses root."""
    import os
    import pwd

    if os.geteuid() != 0:
        return ""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _plain(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _as(user: str, *words: object) -> None:
    subprocess.run(
        [str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, user=user,
        group=user if user == "postgres" else "nogroup", cwd="/",
    )  # fmt: skip
