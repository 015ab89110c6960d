"""BM25 over a few short documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import bm25s
import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]


class Index:
    """Documents as lists of terms, scored against a question; a document without terms scores 0.

    `k1` says how much a term counts that comes again (0: not at all), `b` how much long documents are marked down.

    >>> Index([["round", "price"], ["join", "city"]]).scores(["price"]).argmax()
    np.int64(0)
    """

    def __init__(self, documents: Sequence[Sequence[str]], *, k1: float = 2.0, b: float = 0.6) -> None:
        self._size = len(documents)
        self._known = {term for document in documents for term in document}
        self._bm25 = bm25s.BM25(k1=k1, b=b, method="lucene")
        if self._known:
            self._bm25.index([list(document) for document in documents], show_progress=False)

    def scores(self, terms: Iterable[str] | Mapping[str, float]) -> Scores:
        """Return one score a document, in their order, for terms, or for terms with weights; each counts once."""
        weights = terms if isinstance(terms, Mapping) else dict.fromkeys(terms, 1.0)
        total = np.zeros(self._size)
        for weight in set(weights.values()):
            known = sorted(term for term, own in weights.items() if own == weight and term in self._known)
            if known:
                total += weight * np.asarray(self._bm25.get_scores(known), dtype=np.float64)
        return total
