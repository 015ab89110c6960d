"""A translation as a person reads it on a terminal, 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from prepsql.translate.translation import GIVEN, Proof, Translation, Verdict

_WIDTH = 80
_QUIET = (Verdict.REORDERED, Verdict.UNDETERMINED)
_WORDS: Mapping[Verdict, str] = {
    Verdict.EQUAL: "equal",
    Verdict.REORDERED: "equal, rows in another order",
    Verdict.DIFFERENT: "DIFFERENT",
    Verdict.FAILED: "the workflow FAILS",
    Verdict.FLAGGED: "differs, as flagged",
    Verdict.UNDETERMINED: "equal to one of several answers that the code leaves open",
    Verdict.NOT_APPLICABLE: "not applicable, the code itself fails",
}


def summary(translation: Translation) -> str:
    """Return the verdict, the steps, the proofs, what is specialised, and why each script step is one."""
    lines = [*_verdict(translation), *_steps(translation), "", *_proofs(translation.proofs)]
    for title, entries in (
        ("Specialised to these inputs", translation.specialised.items()),
        ("Script steps", ((s.step, f"{s.language}, {s.characters:,} characters: {s.reason}")
                          for s in translation.scripts)),
        ("Became scripts, since the proof spoke against their first translation",
         ((part.origin, f"on {_inputs(part.inputs)}: {part.why}") for part in translation.gave_way)),
    ):  # fmt: skip
        shown = [line for name, text in entries for line in _entry(name, text)]
        lines += ["", title, *shown] if shown else []
    return "\n".join(lines)


def _verdict(translation: Translation) -> Iterator[str]:
    if translation.proven:
        verdict = "proven: the workflow's outputs are the code's own"
        if any(proof.verdict is Verdict.FLAGGED for proof in translation.proofs):
            verdict += ", but for inputs as flagged below"
        yield from _wrapped(verdict)
        return
    against = [proof for proof in translation.proofs if not proof.sound and not proof.edge]
    names = ", ".join(_inputs(proof.inputs) for proof in against)
    yield from _wrapped(f"NOT PROVEN: the workflow's outputs aren't the code's own on {names or 'any inputs'}")


def _steps(translation: Translation) -> Iterator[str]:
    kinds = translation.kinds
    total = sum(kinds.values())
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    yield from _wrapped(f"{total} {'step' if total == 1 else 'steps'}: {listed}")
    scripts = translation.script_characters
    held = f"{scripts:,} characters in scripts" if scripts else "no scripts"
    yield from _wrapped(f"native: {translation.native_share:.0%} of the steps between inputs and outputs; {held}")


def _proofs(proofs: Iterable[Proof]) -> Iterator[str]:
    yield "Proof"
    for proof in proofs:
        edge = " (decides nothing)" if proof.edge and not proof.sound else ""
        yield from _entry(_inputs(proof.inputs), _WORDS[proof.verdict] + edge)
        if proof.inputs == GIVEN:
            for output in proof.outputs:
                rows = f"{output.rows:,} {'row' if output.rows == 1 else 'rows'}"
                message = f": {output.message}" if output.verdict is Verdict.DIFFERENT else ""
                yield from _entry(f"  {output.path}", f"{_WORDS[output.verdict]}, {rows}{message}")
        if proof.message and (proof.inputs != GIVEN or not proof.outputs) and proof.verdict not in _QUIET:
            yield from _wrapped(proof.message, indent="      ")


def _inputs(name: str) -> str:
    return "the given inputs" if name == GIVEN else name


def _entry(name: str, text: str) -> list[str]:
    """Return a name with its text beside it, or below where the name is long."""
    if len(name) <= 24:
        return _wrapped(f"  {name:<24} {text}", later=" " * 27)
    return [*_wrapped(f"  {name}"), *_wrapped(text, indent=" " * 27)]


def _wrapped(text: str, indent: str = "", later: str = "") -> list[str]:
    return textwrap.wrap(
        " ".join(text.split(" ")), _WIDTH, initial_indent=indent, subsequent_indent=later or indent or "  ",
        drop_whitespace=True, break_long_words=True, break_on_hyphens=False,
    )  # fmt: skip
