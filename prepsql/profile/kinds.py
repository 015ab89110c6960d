"""The kinds of findings: what each is called, which pattern it belongs to, what it counts and how grave it is.

Patterns are those of PrepBench's Table 3: HI headers, RI rows that are no records, FV formats, SV spellings, MV
missing values. Severity 1: the layout can't be read; 2: a cast, a group or a join breaks; 3: values need a look
before use; 4: common, and harmless once known; 5: good to know.
"""

from __future__ import annotations

from dataclasses import dataclass

PATTERNS = {
    "HI": "headers",
    "RI": "rows that are no records",
    "FV": "formats",
    "SV": "spellings",
    "MV": "missing values",
}


@dataclass(frozen=True)
class Kind:
    """One kind of finding; `unit` is what its `count` counts."""

    pattern: str
    severity: int
    unit: str
    meaning: str


KINDS: dict[str, Kind] = {
    # headers
    "unnamed column with data": Kind("HI", 1, "columns", "a column without a name holds values"),
    "unnamed empty column": Kind("HI", 4, "columns", "a column without a name or a value"),
    "duplicate header": Kind("HI", 2, "columns", "a name that another column has, but for case or white space"),
    "composite header": Kind("HI", 2, "columns", "one name lists several fields, and its cells hold as many"),
    "data as header": Kind("HI", 2, "columns", "names that are dates, years or numbers: values, not fields"),
    "header is a record": Kind("HI", 1, "columns", "the first row of values stands where the names should"),
    "misplaced data": Kind("HI", 2, "columns", "named columns are empty while one column holds what they name"),
    "header on a later row": Kind("HI", 1, "rows", "the names stand on a row below the first"),
    # rows
    "preamble": Kind("RI", 1, "rows", "lines of titles or notes above the names"),
    "two-row header": Kind("RI", 1, "rows", "the names stand on two rows, one grouping the other"),
    "repeated header": Kind("RI", 1, "rows", "the row of names comes again among the records"),
    "repeated rows": Kind("RI", 3, "rows", "records that are there again, cell by cell"),
    "blank rows": Kind("RI", 4, "rows", "rows without a filled cell"),
    "section rows": Kind("RI", 2, "rows", "rows with one filled cell that head the rows below"),
    "total rows": Kind("RI", 2, "rows", "rows that sum up others: a cell says total or average"),
    "note rows": Kind("RI", 2, "rows", "rows of notes, sources or footnotes"),
    "odd rows": Kind("RI", 3, "rows", "rows most of whose cells look unlike their columns"),
    "rows of another width": Kind("RI", 2, "rows", "rows with more or fewer cells than the header"),
    "fixed-width records": Kind("RI", 1, "rows", "a whole record in one cell, its fields parted by runs of blanks"),
    "multi-line records": Kind("RI", 1, "rows", "a whole record in one cell, a field a line"),
    "markup": Kind("RI", 1, "rows", "cells of HTML"),
    # formats
    "corrupted dates": Kind("FV", 2, "cells", "scores or ranges that a spreadsheet turned into dates"),
    "mixed date formats": Kind("FV", 2, "cells", "dates in more than one notation"),
    "impossible dates": Kind("FV", 2, "cells", "dates that no calendar has, such as 30 February"),
    "ambiguous day and month": Kind("FV", 3, "cells", "no row decides which of day and month comes first"),
    "mixed time formats": Kind("FV", 2, "cells", "times in more than one notation"),
    "dates and numbers": Kind("FV", 2, "cells", "dates or times beside numbers in one column"),
    "mixed decimal signs": Kind("FV", 2, "cells", "decimal points and decimal commas in one column"),
    "mixed units": Kind("FV", 2, "cells", "numbers in more than one unit"),
    "mixed booleans": Kind("FV", 2, "cells", "truth values in more than one notation"),
    "minus signs": Kind("FV", 2, "cells", "negative numbers with another sign than the hyphen"),
    "scaled numbers": Kind("FV", 3, "cells", "numbers with a letter or word for their size"),
    "dressed numbers": Kind("FV", 3, "cells", "numbers with currency, percent, thousands, units or words"),
    "marked numbers": Kind("FV", 3, "cells", "numbers with a mark, a bound or a note"),
    "invisible characters": Kind("FV", 3, "cells", "characters nobody sees: no-break or zero-width space, control"),
    "footnote marks": Kind("FV", 3, "cells", "values with a footnote's sign or digits"),
    "text in a typed column": Kind("FV", 3, "cells", "words in a column of numbers, dates or times"),
    "date text": Kind("FV", 4, "cells", "dates that are not ISO"),
    "time text": Kind("FV", 4, "cells", "times that are not ISO"),
    "unix times": Kind("FV", 4, "cells", "moments as counts of seconds since 1970"),
    "offset timestamps": Kind("FV", 4, "cells", "moments with a zone or an offset"),
    "padding": Kind("FV", 4, "cells", "white space at the ends of most values"),
    "leading zeros": Kind("FV", 5, "cells", "digits with zeros in front: codes, not numbers"),
    "unlike masks": Kind("FV", 5, "cells", "codes whose shape is unlike the others' of the column"),
    "compound values": Kind("FV", 5, "cells", "several values in one cell"),
    "lists": Kind("FV", 5, "cells", "lists of varying length in one cell"),
    "codes against words": Kind("FV", 3, "cells", "codes here, words in the column of that name elsewhere"),
    "formats across tables": Kind("FV", 2, "cells", "columns of one name written differently in two tables"),
    "header drift": Kind("FV", 3, "columns", "one column with different names over tables of one shape"),
    # spellings
    "same after folding": Kind("SV", 2, "values", "values equal but for case, accents, white space or punctuation"),
    "near values": Kind("SV", 3, "values", "values an edit or two apart"),
    "digits for letters": Kind("SV", 3, "values", "letters written as digits, such as L0ndon"),
    "near words": Kind("SV", 3, "values", "words inside values an edit or two apart"),
    "near across tables": Kind("SV", 2, "values", "values an edit apart from those of a column elsewhere"),
    "same after folding across tables": Kind("SV", 2, "values", "values of two columns equal but for case or marks"),
    "padded values": Kind("SV", 4, "cells", "white space at the ends of some values"),
    "inner blanks": Kind("SV", 4, "cells", "runs of white space inside values"),
    "padded headers": Kind("SV", 5, "columns", "names with white space at their ends"),
    # missing values
    "null words": Kind("MV", 3, "cells", "words that stand for nothing known"),
    "null words in a typed column": Kind("MV", 2, "cells", "words for nothing known in a column of numbers or dates"),
    "sentinels": Kind("MV", 2, "cells", "numbers or dates that stand for nothing known"),
    "only null words": Kind("MV", 3, "cells", "a column of words for nothing known"),
    "complementary columns": Kind("MV", 2, "cells", "where one column is empty another is filled"),
    "fill down": Kind("MV", 2, "cells", "a value stands once, above the empty cells it is meant for"),
    "flag by presence": Kind("MV", 4, "cells", "one value or nothing: a yes without its no"),
    "empty cells": Kind("MV", 4, "cells", "cells without a value"),
    "blank cells": Kind("MV", 4, "cells", "cells of white space alone"),
    "empty column": Kind("MV", 5, "cells", "a named column without a value"),
}

# what has no mend, and why
UNMENDED = {
    "codes against words": "no table lists what the codes mean, and the words don't begin with them",
    "date text": "the dates lack the day, the month or the year, or are on no calendar",
    "mixed date formats": "the same of all dates of the column",
    "time text": "the times are on no clock, such as 13:00 pm",
    "mixed time formats": "the same of all times of the column",
    "empty column": "the table has no other",
}
