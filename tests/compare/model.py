"""An independent model, in plain Python, of what the published evaluator is said to do."""

import re
from datetime import datetime

NULL_WORDS = {"", "none", "nan", "null", "n/a", "na"}


def number(text):
    if text.strip().lower() in NULL_WORDS:
        return None
    try:
        return float(re.sub(r"[,$%]\s*", "", text.strip().lower()))
    except ValueError:
        return None


def text_exact(text):
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return None if text.strip().lower() in NULL_WORDS else text


def text_norm(text):
    text = text_exact(text)
    return None if text is None else re.sub(r"\s+", " ", text.strip().lower())


def boolean(text):
    word = text.strip().lower()
    if word in NULL_WORDS:
        return None
    if word in {"true", "1", "yes", "y", "t", "是"}:
        return "true"
    return "false" if word in {"false", "0", "no", "n", "f", "否"} else word


def _moment(text, formats, shown):
    text = text.strip()
    if text.lower() in {"", "na", "n/a", "null"}:
        return None
    padded = re.sub(r"^(\d{1,2}/\d{1,2}/)(\d{3})(?!\d)", r"\g<1>0\2", text)
    for form in formats:
        try:
            moment = datetime.strptime(padded if form.startswith("%d") else text, form)
        except ValueError:
            continue
        return f"{moment.year:04d}" + moment.strftime(shown)
    return text


def date(text):
    return _moment(text, ("%Y-%m-%d", "%Y/%m/%d", "%d/%m/%Y"), "-%m-%d")


def moment(text):
    forms = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M:%S", "%d/%m/%Y %H:%M:%S")
    return _moment(text, forms, "-%m-%d %H:%M:%S")


NORMALISE = {"number": number, "text_exact": text_exact, "text_norm": text_norm, "boolean": boolean, "date": date}


def close(a, b):
    if a == 0 and b == 0:
        return True
    if a == 0 or b == 0:
        return abs(a - b) < 0.02
    return abs(a - b) / max(abs(a), abs(b)) < 0.02


def agree(type_, a, b):
    if a is None or b is None:
        return a is None and b is None
    return close(a, b) if type_ == "number" else a == b


def published(types, keys, gold, candidate):
    """Return error type and reason for tables whose columns have these types, the first `keys` being the key."""
    if len(gold) != len(candidate):
        return "ROW_COUNT_MISMATCH", ""
    gold = [[NORMALISE[t](cell) for t, cell in zip(types, row, strict=True)] for row in gold]
    candidate = [[NORMALISE[t](cell) for t, cell in zip(types, row, strict=True)] for row in candidate]
    for side in (gold, candidate):
        if len({tuple(row[:keys]) for row in side}) < len(side):
            return "NON_UNIQUE_KEY", ""
    free, pairs = list(range(len(candidate))), []
    for row in gold:
        near = [i for i in free if all(map(agree, types[:keys], row, candidate[i]))]
        if len(near) != 1:
            return "KEY_MISMATCH", "multiple_matches" if near else "missing_key"
        free.remove(near[0])
        pairs.append((row, candidate[near[0]]))
    if any(not all(map(agree, types, *pair)) for pair in pairs):
        return "VALUE_MISMATCH", ""
    return "", ""
