import csv
import json

import pytest

from prepsql.compare import compare_policies, workspace


@pytest.fixture(scope="session")
def work():
    with workspace() as con:
        yield con


@pytest.fixture
def folders(tmp_path):
    """Write a gold folder with a config and a candidate folder, each file a header and rows."""

    def write(key, columns, gold, candidate, **more):
        for side, rows in (("gold", gold), ("candidate", candidate)):
            (tmp_path / side).mkdir(exist_ok=True)
            with (tmp_path / side / "output_01.csv").open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(rows if rows and rows[0] else [list(columns), *rows[1:]])
        config = {"files": {"output_01.csv": {"key": key, "columns": columns, **more}}}
        (tmp_path / "gold" / "config.json").write_text(json.dumps(config))
        return tmp_path / "gold", tmp_path / "candidate"

    return write


@pytest.fixture
def judge(folders, work):
    """Compare tables given as rows under all policies; return (error_type, reason) by policy, or a whole comparison."""

    def judged(key, columns, gold, candidate, policy=None, **more):
        header = list(columns)
        paths = folders(key, columns, [header, *gold], [header, *candidate], **more)
        found = compare_policies(*paths, ("paper", "strict", "published"), con=work)
        return found[policy] if policy else {name: (c.error_type, c.reason) for name, c in found.items()}

    return judged
