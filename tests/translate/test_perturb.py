"""Perturbed inputs: what changes, what stays, and that it is the same each time."""

from __future__ import annotations

from pathlib import Path

from prepsql.tables import records, sniff_encoding
from prepsql.translate.perturb import PERTURBATIONS, perturb
from prepsql.translate.records import read_records

TEXT = 'Report of May\r\n\r\nid;name;note\r\n1;"Ann";"says ""hi""\r\ntwice"\r\n2;Bé;\r\n3;"C;D";x\r\n4;E;y\r\n'


def test_a_file_is_written_back_as_it_was(tmp_path: Path) -> None:
    for name, coded in (
        ("a.csv", TEXT.encode()),
        ("b.csv", TEXT.encode("cp1252")),
        ("c.csv", TEXT.encode("utf-8-sig")),
    ):
        (tmp_path / name).write_bytes(coded)
        found = read_records(tmp_path / name)
        assert found is not None
        assert found.with_rows(found.rows) == coded
        assert [row[0] for row in found.rows] == ["1", "2", "3", "4"]
        assert found.with_rows([]).decode(found.encoding.name).endswith("id;name;note\r\n")


def test_changed_cells_are_quoted_where_they_must_be(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TEXT, newline="")
    found = read_records(tmp_path / "a.csv")
    assert found is not None
    assert found.with_rows([["9", "C;D", ""]]).endswith(b'id;name;note\r\n9;"C;D";\r\n')


def test_what_is_no_delimited_text_is_copied(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    (inputs / "input_01.json").write_text('[{"a": 1}]')
    assert read_records(inputs / "input_01.json") is None
    assert list(perturb([inputs / "input_01.json"], tmp_path / "made")) == []


def test_each_perturbation_is_what_its_name_says(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    given = [[str(i), f"n{i}", "x" if i % 4 else ""] for i in range(40)]
    (inputs / "input_01.csv").write_text("id,name,note\n" + "".join(f"{','.join(row)}\n" for row in given))
    made = {p.perturbation.name: p.folder for p in perturb([inputs / "input_01.csv"], tmp_path / "made")}
    assert list(made) == [perturbation.name for perturbation in PERTURBATIONS]
    rows = {}
    for name, folder in made.items():
        path = folder / "input_01.csv"
        header, *rows[name] = list(records(path, sniff_encoding(path), ","))
        assert header == ["id", "name", "note"]
    assert (len(rows["half of the rows"]), len(rows["a tenth of the rows"])) == (20, 4)
    assert rows["half of the rows"] == [row for row in given if row in rows["half of the rows"]]
    assert rows["rows shuffled"] != given
    assert sorted(rows["rows shuffled"]) == sorted(given)
    assert rows["rows doubled"] == given + given
    assert (rows["one row"], rows["no rows"]) == (given[:1], [])
    for name, columns in (("any cells emptied", {0, 1, 2}), ("more of the empty cells", {2})):
        emptied = [
            (place, cell)
            for row, old in zip(rows[name], given, strict=True)
            for place, (cell, before) in enumerate(zip(row, old, strict=True))
            if cell != before
        ]
        assert 0 < len(emptied) <= 4
        assert {cell for _, cell in emptied} == {""}
        assert {place for place, _ in emptied} <= columns

    sizable = perturb([inputs / "input_01.csv"], tmp_path / "sizable", edges=False)
    assert [p.perturbation.name for p in sizable] == list(made)[:-2]
    again = {p.perturbation.name: p.folder for p in perturb([inputs / "input_01.csv"], tmp_path / "again")}
    for name, folder in made.items():
        assert (folder / "input_01.csv").read_bytes() == (again[name] / "input_01.csv").read_bytes()


def test_of_long_files_only_so_many_rows_are_drawn(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    (inputs / "input_01.csv").write_text("id,x\n" + "".join(f"{i},{i % 7 or ''}\n" for i in range(9_000)))
    (inputs / "input_02.csv").write_text("id\n1\n2\n3\n4\n")
    made = {each.perturbation.name: each.folder for each in perturb(sorted(inputs.iterdir()), tmp_path / "made")}
    rows = {name: len((folder / "input_01.csv").read_text().splitlines()) - 1 for name, folder in made.items()}
    assert rows == {
        "half of the rows": 1_000, "a tenth of the rows": 200, "rows shuffled": 2_000, "rows doubled": 4_000,
        "more of the empty cells": 2_000, "any cells emptied": 2_000, "one row": 1, "no rows": 0,
    }  # fmt: skip
    assert (made["rows doubled"] / "input_02.csv").read_text() == "id\n1\n2\n3\n4\n1\n2\n3\n4\n"
