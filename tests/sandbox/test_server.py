"""A server's jobs are behind the same walls as processes of their own, and end as they do."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attack
import pandas as pd
import pyarrow as pa
import pytest

from prepsql.errors import SandboxError
from prepsql.sandbox import Limits, job_server, run_code, run_scalar, run_several, run_transform
from prepsql.sandbox.layers import LAYERS, bubblewrap, environment, landlock, rlimits, seccomp
from prepsql.sandbox.server import Server

PYTHON = attack.attacks("python")
SQL = [each for each in attack.attacks("sql") if each.status != {"refused"}]
CHANCE = """
import random

import numpy as np
import pandas as pd

def solve(tables):
    return {"output_01": pd.DataFrame({"a": [random.random()], "b": [np.random.rand()], "c": [np.random.randint(1e9)]})}
"""
PLACES = """
import os, sys, tempfile
import pandas as pd

def solve(tables):
    said = {**os.environ, "tmp": tempfile.gettempdir(), "here": os.getcwd(), "files": len(os.listdir("../tmp"))}
    return {"output_01": pd.DataFrame({"said": [f"{k}={v}" for k, v in sorted(said.items()) if k != "PWD"]})}
"""


def started(language="pandas", **options):
    made = job_server(language, **options)
    found = made.__enter__()
    if found is None:
        pytest.skip("no server can be had here: Landlock or seccomp is missing")
    return made, found


@pytest.fixture(scope="module")
def served():
    made, found = started(hidden=attack.SECRETS)
    yield found
    made.__exit__(None, None, None)
    assert not found.folder.exists()


@pytest.fixture(scope="module")
def sql_served():
    made, found = started("sql", hidden=attack.SECRETS)
    yield found
    made.__exit__(None, None, None)
    assert not found.folder.exists()


@pytest.fixture(scope="module")
def plain():
    made, found = started()
    yield found
    made.__exit__(None, None, None)


@pytest.mark.parametrize("each", PYTHON, ids=lambda a: a.name)
def test_attack(each, served):
    assert attack.attempt(each, server=served) == []
    assert not served.gone
    assert {path.name for path in served.folder.iterdir()} <= {".lock", "server"}


@pytest.mark.parametrize("each", SQL, ids=lambda a: a.name)
def test_attack_of_a_script(each, sql_served):
    test_attack(each, sql_served)


def test_a_job_sees_nothing_of_another(plain, inputs, tmp_path):
    code = """
import glob, os, time
from pathlib import Path
import pandas as pd

def solve(inputs_dir):
    mine = Path.cwd().parent
    Path("secret").write_text("token")
    found = []
    for _ in range(20):
        for other in ("inputs", "out", "tmp", "code", "own"):
            for path in mine.parent.glob(f"*/{other}") if os.access(mine.parent, os.R_OK) else []:
                found.append(str(path))
        try:
            found += os.listdir(mine.parent)
        except OSError:
            pass
        time.sleep(0.05)
    return {"output_01": pd.DataFrame({"found": found + ["end"]})}
"""
    with ThreadPoolExecutor(2) as pool:
        outs = [tmp_path / str(number) for number in range(2)]
        done = list(pool.map(lambda out: run_code(code, inputs, out, server=plain), outs))
    assert [each.status for each in done] == ["ok", "ok"]
    assert all((out / "output_01.csv").read_text() == "found\nend\n" for out in outs)


def test_its_jobs_are_what_processes_of_their_own_are(plain, inputs, tmp_path):
    said = []
    for server in (None, plain):
        done = run_code(PLACES, inputs, tmp_path / "out", server=server)
        assert done.status == "ok", done.message
        lines = pd.read_csv(tmp_path / "out" / "output_01.csv")["said"].tolist()
        here = Path(next(line for line in lines if line.startswith("here=")).removeprefix("here="))
        said.append([line.replace(str(here), "@") for line in lines])
    assert said[0] == said[1]


def test_each_job_has_a_chance_of_its_own(plain, inputs, tmp_path):
    texts = []
    for number in range(2):
        assert run_code(CHANCE, inputs, tmp_path / str(number), server=plain).status == "ok"
        texts.append(set((tmp_path / str(number) / "output_01.csv").read_text().splitlines()[1].split(",")))
    assert not texts[0] & texts[1]


def test_what_a_job_does_to_a_module_is_gone_with_it(plain, inputs, tmp_path):
    harm = "import pandas as pd\npd.read_csv = None\n\ndef solve(tables):\n    raise ValueError(pd.read_csv)\n"
    good = "import pandas as pd\n\ndef solve(tables):\n    return {'output_01': pd.DataFrame({'a': [pd.read_csv]})}\n"
    assert "ValueError: None" in run_code(harm, inputs, tmp_path / "out", server=plain).message
    assert run_code(good, inputs, tmp_path / "out", server=plain).status == "ok"


@pytest.mark.parametrize(
    ("body", "limits", "status"),
    [
        ("while True: pass", Limits(seconds=1), "timed_out"),
        ("x = bytearray(3 << 30)", Limits(memory_mb=2500), "out_of_memory"),
        ("open('f', 'wb').write(bytes(2 << 20))", Limits(file_mb=1), "file_too_large"),
        ("print('x' * 100_000)", Limits(log_kb=10), "output_too_large"),
        ("import os; os._exit(3)", Limits(), "failed"),
        ("import os; os.abort()", Limits(), "failed"),
        ("1 / 0", Limits(), "failed"),
    ],
)
def test_limits_and_ends(plain, inputs, tmp_path, body, limits, status):
    code = f"def solve(tables):\n    {body}\n"
    alone = run_code(code, inputs, tmp_path / "out", limits=limits)
    found = run_code(code, inputs, tmp_path / "out", limits=limits, server=plain)
    assert (found.status, found.message, found.line) == (alone.status, alone.message, alone.line)
    assert found.status == status
    assert not plain.gone


def test_scripts_and_several(plain, inputs, tmp_path):
    table = pa.table({"a": [1, 2]})
    done = run_transform("def transform(df, pd, np):\n    return df * 2\n", {"in": table}, "python", server=plain)
    assert done.table.to_pydict() == {"a": [2, 4]}
    done = run_scalar("def transform(row):\n    return row['a'] + 1\n", table, server=plain)
    assert done.table.to_pydict() == {"value": [2, 3]}
    code = "def solve(tables):\n    return {'output_01': tables['input_02']}\n"
    sets = {"x": inputs, "y": inputs}
    assert run_several(code, sets, tmp_path / "out", "pandas", server=plain) == {"x": "", "y": ""}


def test_stop_ends_a_job(plain, inputs, tmp_path):
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    begun = time.monotonic()
    with pytest.raises(SandboxError, match="stopped"):
        run_code("def solve(tables):\n    while True: pass\n", inputs, tmp_path / "out", server=plain, stop=stop)
    assert time.monotonic() - begun < 20


def test_other_terms_get_a_process_of_their_own(plain, inputs, tmp_path, monkeypatch):
    monkeypatch.setattr(Server, "run", lambda *given, **named: pytest.fail("it was the server's"))
    code = "def solve(tables):\n    return {'output_01': tables['input_02']}\n"
    done = run_code(code, inputs, tmp_path / "out", server=plain, hidden=[tmp_path / "secret"])
    assert done.status == "ok"
    assert run_code(code, inputs, tmp_path / "out", server=plain, limits=Limits(threads=1)).status == "ok"


def test_without_a_server_that_lives_jobs_run_alone(inputs, tmp_path):
    made, server = started()
    code = "def solve(tables):\n    return {'output_01': tables['input_02']}\n"
    # a server that is still starting would leave its outer process waiting
    assert run_code(code, inputs, tmp_path / "first", server=server).status == "ok"
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    while attack.processes(str(server.folder)):
        time.sleep(0.05)
    assert run_code(code, inputs, tmp_path / "out", server=server).status == "ok"
    assert server.gone
    made.__exit__(None, None, None)


@pytest.mark.parametrize(
    "layers",
    [
        (environment.LAYER, rlimits.LAYER),
        (environment.LAYER, rlimits.LAYER, bubblewrap.LAYER),
        (environment.LAYER, landlock.LAYER, seccomp.LAYER),
    ],
)
def test_no_server_where_jobs_would_not_be_apart(layers):
    with job_server("pandas", layers=layers) as server:
        assert server is None
    assert len(LAYERS) == 5


def test_a_server_that_ends_while_it_starts_leaves_nothing():
    made, server = started()
    made.__exit__(None, None, None)
    assert not attack.left(str(server.folder))
