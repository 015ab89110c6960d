"""The code's own outputs: on the given inputs, and on perturbed ones, run once for all attempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from prepsql.errors import NotTranslatable
from prepsql.sandbox import Language, Status, run_code, run_several
from prepsql.sandbox.job import input_files
from prepsql.translate.perturb import perturb
from prepsql.translate.terms import Terms
from prepsql.translate.translation import GIVEN

_LONG = 10.0


@dataclass(frozen=True)
class Case:
    """One set of inputs, and the folder of the code's own outputs, made in so many seconds; `failure` says why not."""

    name: str
    inputs: Path
    own: Path
    edge: bool = False
    failure: str = ""
    seconds: float = 0.0


def given_case(code: str, language: Language, inputs: Path, scratch: Path, terms: Terms) -> Case:
    """Run the code on its inputs; raise NotTranslatable where it fails: there is nothing to be equal to."""
    own = scratch / "own"
    done = run_code(code, inputs, own, language, **terms.options)
    if done.status is not Status.OK:
        raise NotTranslatable(f"the code itself doesn't run on these inputs ({done.status.value}): {done.message}")
    return Case(GIVEN, inputs, own, seconds=done.seconds)


def perturbed_cases(code: str, language: Language, given: Case, scratch: Path, terms: Terms) -> Sequence[Case]:
    """Make perturbed inputs and run the code on all of them, in one process; only small ones where it takes long."""
    files, small = input_files(given.inputs), given.seconds > _LONG
    made = list(perturb(files, scratch / "perturbed", small=small, edges=terms.edges))
    if not made:
        return []
    sets = {each.folder.name: each.folder for each in made}
    own = scratch / "own of perturbed"
    failures = run_several(code, sets, own, language, **terms.options)
    return [
        Case(
            each.perturbation.name, each.folder, own / each.folder.name, each.perturbation.edge,
            failures[each.folder.name],
        )
        for each in made
    ]  # fmt: skip


def other_cases(codes: Sequence[str], language: Language, case: Case, out: Path, terms: Terms) -> Sequence[Case]:
    """Run other code on the inputs of a case, and return the case with its outputs in the place of the code's own.

    The outputs come into folders in `out`. Code that gives what another gave is left out, and so is what fails. All
    share one process, which may use what they might use together.
    """
    if not codes:
        return []
    texts = {str(number): code for number, code in enumerate(codes)}
    given = dict.fromkeys(texts, case.inputs)
    one, count = terms.limits, len(texts)
    limits = replace(one, seconds=one.seconds * count, output_mb=one.output_mb * count, files=one.files * count)
    failures = run_several(texts, given, out, language, **replace(terms, limits=limits).options)
    made: dict[tuple[bytes, ...], Case] = {}
    for own in (out / name for name in texts if not failures[name]):
        made.setdefault(tuple(path.read_bytes() for path in sorted(own.iterdir())), replace(case, own=own))
    return list(made.values())
