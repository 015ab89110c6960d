"""The least and the greatest of a column: numbers and dates as such, not in the order of text."""


def test_ends_are_numbers_and_iso_dates(tabled, scanned):
    columns = {
        "whole": ["9", "10", "-5"],
        "decimal": ["9.5", "10.25", "n/a"],
        "dressed": ["$9", "$1,000", "$20"],
        "in words": ["5 March 2024", "1 April 2023", "Feb 2024"],
        "mixed": ["2024-02-10", "31.1.2024", "2024-02-30"],
        "iso": ["2024-02-10", "2023-12-31", "unknown"],
        "day or month": ["1/2/2024", "3/4/2024", "5/6/2024"],
        "words": ["b", "a", "c"],
    }
    [scan] = scanned(tabled(list(columns), list(zip(*columns.values(), strict=True))))
    assert {column.name: (column.minimum, column.maximum) for column in scan.columns} == {
        "whole": (-5, 10),
        "decimal": (9.5, 10.25),
        "dressed": (9.0, 1000.0),
        "in words": ("2023-04-01", "2024-03-05"),
        "mixed": ("2024-01-31", "2024-02-10"),
        "iso": ("2023-12-31", "2024-02-10"),
        "day or month": (None, None),
        "words": ("a", "c"),
    }
