"""Against the public release: the published evaluator's verdicts, and gold against itself."""

import csv
import random
import shutil

import pytest

from prepsql.compare import compare_policies
from prepsql.compare.config import load_config

PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_published_policy_gives_the_evaluators_verdicts(prepbench, work, part, tmp_path):
    with (prepbench / "verdicts" / "verdicts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 715
    wrong = []
    for row in rows[part::PARTS]:
        gold = prepbench / "src" / "evaluate" / "gt" / row["case"]
        candidate = prepbench / "verdicts" / row["id"]
        if not candidate.exists():
            # the release has no folders without a file
            candidate = tmp_path
        found = compare_policies(gold, candidate, ("published",), con=work, examples=0)["published"]
        said = str(found.passed), found.error_type, found.reason
        if said != (row["passed"], row["error_type"], row["reason"]):
            wrong.append((row, said))
    assert not wrong


def _cases(prepbench):
    return sorted((prepbench / "src" / "evaluate" / "gt").iterdir())


def test_gold_equals_itself_under_paper_and_strict(prepbench, work):
    cases = _cases(prepbench)
    assert len(cases) == 196
    failed = []
    for case in cases:
        found = compare_policies(case, case, ("paper", "strict"), con=work, examples=0)
        failed += [(case.name, c.policy, c.message) for c in found.values() if not c.passed]
    assert not failed


def test_strict_sees_any_small_error_in_any_number(prepbench, work, tmp_path):
    chance, seen, unseen = random.Random(7), 0, []
    for case in chance.sample(_cases(prepbench), 50):
        name, config = chance.choice(sorted(load_config(case).items()))
        with (case / name).open(newline="", encoding="utf-8-sig", errors="surrogateescape") as file:
            header, *rows = list(csv.reader(file))
        cells = [
            (i, header.index(column))
            for i, row in enumerate(rows)
            for column, type_ in config.columns
            if type_ == "number" and column in header and header.index(column) < len(row)
            and _is_number(row[header.index(column)])
        ]  # fmt: skip
        if not cells:
            continue
        i, j = chance.choice(cells)
        error = chance.choice([1e-4, -1e-4, 1e-5, 2e-6, -2e-6])
        rows[i][j] = repr(float(rows[i][j]) * (1 + error))
        shutil.copytree(case, tmp_path / case.name)
        with (tmp_path / case.name / name).open("w", newline="", encoding="utf-8", errors="surrogateescape") as file:
            csv.writer(file).writerows([header, *rows])
        seen += 1
        if compare_policies(case, tmp_path / case.name, ("strict",), con=work, examples=0)["strict"].passed:
            unseen.append((case.name, name, header[j], rows[i][j], error))
    assert seen > 30
    assert not unseen


def _is_number(text):
    try:
        return float(text) != 0 and abs(float(text)) < 1e300
    except ValueError:
        return False
