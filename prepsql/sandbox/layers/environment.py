"""A clean environment: no variable of the parent's reaches the code."""

from __future__ import annotations

from prepsql.sandbox.layers.base import Layer

LAYER = Layer("environment", "reading secrets from environment variables", real=False, missing=lambda: None)


def variables(home: str, threads: int) -> dict[str, str]:
    """Return the whole environment of a run; the fixed seed and time zone make runs repeat."""
    cores = str(threads)
    return {
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": cores,
        "OPENBLAS_NUM_THREADS": cores,
        "MKL_NUM_THREADS": cores,
    }
