"""Translate folders of programs and tell how many are proven, wrong or not translated, and what they consist of.

python bench/translate.py FOLDER … [--language sql] [--release DIR] [--jobs 2] [--scripts] [--json FILE]

A FOLDER holds one folder for each program, `program.py` or `solution.py` (with --language sql: `solution.sql`), with
its `inputs/`, or an `about.json` that names a task of the release (`prepbench`), whose inputs it reads; or it holds
scripts, `*.sql`, over the folder `inputs` beside it, or that in it which a line `-- inputs: NAME` names. Each program
has a process of its own, which imports prepsql before time counts. `own` is one run of the program in the sandbox,
`translated` the whole of `prepsql.translate` with all its proofs.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

LONGEST = 900  # seconds for one program


def programs_in(folder: Path, language: str, release: Path | None) -> dict[str, tuple[Path, Path]]:
    """Return the programs of a folder by name, each with the folder of its inputs."""
    found = {}
    for path in sorted(folder.glob("*.sql")):
        named = re.search(r"^-- inputs: (\w+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        found[path.stem] = (path, folder.parent / "inputs" / (named[1] if named else ""))
    for one in sorted(path for path in folder.iterdir() if path.is_dir()):
        names = ("solution.sql",) if language == "sql" else ("program.py", "solution.py")
        program = next((one / name for name in names if (one / name).is_file()), None)
        if program:
            found[one.name] = (program, inputs_of(one, release))
    return found


def inputs_of(folder: Path, release: Path | None) -> Path:
    """Return the folder of a program's inputs."""
    about = folder / "about.json"
    task = json.loads(about.read_text(encoding="utf-8")).get("prepbench") if about.is_file() else None
    return (release / "data" / task / "inputs").resolve() if task and release else folder / "inputs"


def one(program: Path, inputs: Path) -> dict[str, Any]:
    """Translate one program in this process; return what came of it."""
    import tempfile

    from prepsql import errors
    from prepsql.sandbox import run_code
    from prepsql.translate import translate

    with tempfile.TemporaryDirectory() as out:
        start = time.monotonic()
        run_code(program, inputs, out)
        own = time.monotonic() - start
    found: dict[str, Any] = {"own": own}
    start = time.monotonic()
    try:
        made = translate(program, inputs)
    except errors.PrepsqlError as bad:
        return found | {"verdict": "Fail", "why": " ".join(str(bad).split()), "seconds": time.monotonic() - start}
    against = [proof for proof in made.proofs if not proof.sound and not proof.edge]
    first = made.proofs[0]
    said = [output.message for output in against[0].outputs if output.message] if against else []
    return found | {
        "seconds": time.monotonic() - start,
        "verdict": "Correct" if made.proven else "Wrong" if not first.sound else "Perturbed",
        "why": f"{against[0].inputs}: {against[0].message or '; '.join(said)}" if against else "",
        "steps": made.kinds,
        "native": made.native_share,
        "scripts": [[script.step, script.characters, script.reason] for script in made.scripts],
        "gave_way": [[part.origin, part.inputs, part.why] for part in made.gave_way],
        "specialised": len(made.specialised),
        "flagged": sum(proof.verdict == "flagged" for proof in made.proofs),
    }


def run(program: Path, inputs: Path) -> dict[str, Any]:
    """Translate one program in a process of its own."""
    command = [sys.executable, __file__, "--one", str(program), str(inputs)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return {"verdict": "Fail", "why": f"took more than {LONGEST} s"}
    if done.returncode:
        return {"verdict": "Fail", "why": f"CRASHED: {done.stderr.strip().splitlines()[-1:]}"}
    return json.loads(done.stdout)


def table(found: dict[str, dict[str, Any]]) -> str:
    """Return the figures of all programs together."""
    verdicts = Counter(each["verdict"] for each in found.values())
    ready = [each for each in found.values() if "steps" in each]
    kinds: Counter[str] = sum((Counter(each["steps"]) for each in ready), Counter())
    between = sum(count for kind, count in kinds.items() if kind not in ("input", "output"))
    free = sum(not each["scripts"] and each["verdict"] == "Correct" for each in ready)
    steps = sorted(sum(each["steps"].values()) for each in ready) or [0]
    beyond = sorted(each["seconds"] - each["own"] for each in found.values() if "seconds" in each) or [0.0]
    native = 1 - kinds["script"] / between if between else 1.0
    rows = [
        ("programs", len(found)),
        ("Correct: proven", verdicts["Correct"]),
        ("Wrong on perturbed inputs only", verdicts["Perturbed"]),
        ("Wrong", verdicts["Wrong"]),
        ("Fail: not translated", verdicts["Fail"]),
        ("steps that are no scripts", f"{100 * native:.1f} % of {between}"),
        ("programs proven without any script", f"{free} ({100 * free / len(found):.0f} %)"),
        ("steps, median", steps[len(steps) // 2]),
        ("seconds beyond one run of its own, median and most", f"{beyond[len(beyond) // 2]:.1f}, {beyond[-1]:.1f}"),
    ]
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def main() -> None:
    """Translate all, print a line for each program, then the table."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("folders", nargs="*", type=Path)
    given.add_argument("--release", type=Path, help="the folder of PrepBench's release")
    given.add_argument("--language", choices=["sql", "pandas"], default="pandas", help="which solution of a folder")
    given.add_argument("--jobs", type=int, default=1)
    given.add_argument("--scripts", action="store_true", help="print why each script is one")
    given.add_argument("--json", type=Path, help="write what came of each program here")
    given.add_argument("--one", nargs=2, type=Path)
    options = given.parse_args()
    if options.one:
        print(json.dumps(one(*options.one)))
        return
    work: dict[str, tuple[Path, Path]] = {}
    for folder in options.folders:
        work |= programs_in(folder, options.language, options.release)
    if not work:
        given.error("no programs; name folders that hold scripts, or one folder for each program")
    found: dict[str, dict[str, Any]] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, each in zip(work, pool.map(lambda pair: run(*pair), work.values()), strict=True):
            found[name] = each
            shape = f" {sum(each['steps'].values())} steps, {len(each['scripts'])} scripts" if "steps" in each else ""
            spent = f" {each['seconds']:.1f} s ({each['own']:.1f} its own)" if "seconds" in each else ""
            print(f"{name}: {each['verdict']}{shape}{spent} {each['why'][:400]}", flush=True)
            if options.scripts:
                for step, characters, why in each.get("scripts", ()):
                    print(f"    script {step}, {characters} characters: {why[:160]}")
                for origin, inputs, why in each.get("gave_way", ()):
                    print(f"    gave way {origin} on {inputs}: {why[:160]}")
    print("\n" + table(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
