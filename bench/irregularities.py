"""How many of the irregularities that PrepBench's authors labelled the profile finds, and how high it ranks them.

python bench/irregularities.py RELEASE [DETAILS] [--list]: RELEASE holds data/*/inputs and irregularity_labels.csv;
DETAILS is a CSV with case, pattern, visibility: labels whose visibility is 'not in the data' or 'needs the request' are
left out. Prints per pattern the recall over labelled tasks, the share of unlabelled tasks with such a finding, and how
often a labelled pattern is among the first three findings. --list prints the misses and the findings of each task.
"""

import csv
import sys
import time
from collections import defaultdict
from multiprocessing import Pool
from pathlib import Path

from prepsql import profile

PATTERNS = ("HI", "RI", "FV", "SV", "MV")
HIDDEN = ("not in the data", "needs the request")


def labels(release, details):
    """Return the visible patterns of each task."""
    with (release / "irregularity_labels.csv").open(encoding="utf-8") as file:
        labelled = {row["case"]: set(filter(None, row["patterns"].split("|"))) for row in csv.DictReader(file)}
    if details:
        seen, hidden = defaultdict(set), defaultdict(set)
        with Path(details).open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                (hidden if row["visibility"] in HIDDEN else seen)[row["case"]].add(row["pattern"])
        return {
            case: {p for p in found if p not in hidden[case] - seen[case]} for case, found in labelled.items()
        }, labelled
    return labelled, labelled


def findings(folder):
    start = time.perf_counter()
    found = profile(sorted((folder / "inputs").iterdir())).findings
    rows = [(f.pattern, f.kind, f.table, f.column, f.count, f.total, f.detail, f.examples[:2]) for f in found]
    return folder.name, rows, time.perf_counter() - start


def main():
    given = [argument for argument in sys.argv[1:] if argument != "--list"]
    release = Path(given[0])
    visible, labelled = labels(release, given[1] if len(given) > 1 else None)
    folders = sorted(folder for folder in (release / "data").iterdir() if (folder / "inputs").is_dir())
    with Pool() as pool:
        found = {case: rows for case, rows, _ in pool.imap_unordered(findings, folders)}
    print("| pattern | labelled and visible | found | recall | unlabelled tasks flagged |\n|---|---|---|---|---|")
    for pattern in PATTERNS:
        cases = [case for case in found if pattern in visible[case]]
        hits = [case for case in cases if any(row[0] == pattern for row in found[case])]
        others = [case for case in found if not labelled[case]]
        flagged = [case for case in others if any(row[0] == pattern for row in found[case])]
        share = f"{len(flagged)} of {len(others)} ({100 * len(flagged) / len(others):.0f} %)"
        print(f"| {pattern} | {len(cases)} | {len(hits)} | {len(hits) / len(cases):.2f} | {share} |")
        if "--list" in sys.argv and set(cases) - set(hits):
            print("   missed:", sorted(set(cases) - set(hits)))
    pairs = [(case, pattern) for case in found for pattern in visible[case]]
    first = [(case, pattern) for case, pattern in pairs if pattern in [row[0] for row in found[case][:3]]]
    print(f"\nlabelled pattern among the first three findings: {len(first)} of {len(pairs)}", len(first) / len(pairs))
    if "--list" in sys.argv:
        print("not among the first three:", sorted(set(pairs) - set(first)))
        for case in sorted(found):
            print(f"\n{case} {sorted(labelled[case])}")
            for row in found[case]:
                print("  ", *row)


if __name__ == "__main__":
    main()
