import csv

import pytest

from prepsql import profile

KIND = "repeated rows"


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["order", "day", "item", "pieces"], *rows])


def found(path):
    return [finding for finding in profile(path).findings if finding.kind == KIND]


@pytest.mark.parametrize("columns", [2, 4])
def test_rows_of_few_values_are_equal_by_chance(tmp_path, columns):
    path = tmp_path / "orders.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join("abcd"[:columns]) + "\n")
        file.writelines(",".join(str((n >> k) % 2) for k in range(columns)) + "\n" for n in range(100))
    assert not found(path)
