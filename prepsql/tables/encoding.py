"""Which encoding a text file is in, never failing: what can't be told apart is read as Latin-1, and said so."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from charset_normalizer import from_bytes

from prepsql.errors import InputError, ReadError
from prepsql.tables.ledger import Entry

CHUNK = 1 << 22
SAMPLE = 1 << 18

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_OF_NAMES = {"idna", "punycode", "undefined"}
_HIGH_RUN = re.compile(rb"[\x80-\xff]+[\x40-\x7e]?")
_HANZI = re.compile(rb"(?:[\xa1-\xf7][\xa1-\xfe])+")
_LINE_WITH_HIGH = re.compile(rb"[^\r\n]*[\x80-\xff][^\r\n]*")
# what charset-normalizer may decide between; close Latin tables are left out, since it can't tell them from cp1252
_OTHERS = ("cp1251", "cp1253", "koi8_r", "shift_jis", "euc_jp", "euc_kr", "big5")


@dataclass(frozen=True)
class Encoding:
    """The encoding of a file: its Python codec name, the length of its byte-order mark and how it was found.

    `certain` is false where the name is the likeliest of several that decode the same bytes.
    """

    name: str
    bom: int = 0
    certain: bool = True


def sniff_encoding(path: Path) -> Encoding:
    """Return the encoding of the whole file at `path`: UTF-8 if it is valid, UTF-16 or -32, else the likeliest table.

    Every byte of the file decodes with the answer. Raises OSError where the file can't be read, ReadError for UTF-16
    or UTF-32 that is damaged.
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE)
    for mark, name in _BOMS:
        if head.startswith(mark):
            found = Encoding(name, len(mark))
            if _decodes(path, found):
                return found
            if name == "utf-8":
                return Encoding("latin-1", certain=False)
            raise _broken(path, name)
    wide = _wide_without_mark(head)
    if wide and _decodes(path, Encoding(wide)):
        return Encoding(wide)
    if wide and head.count(0) * 3 > len(head):
        raise _broken(path, wide)
    if _decodes(path, Encoding("utf-8")):
        return Encoding("utf-8")
    if wide:
        raise _broken(path, wide)
    for name in (_table(_high_lines(path)), "cp1252"):
        if _decodes(path, Encoding(name)):
            return Encoding(name, certain=False)
    return Encoding("latin-1", certain=False)


def text_chunks(path: Path, encoding: Encoding) -> Iterator[str]:
    """Yield the text of `path` in pieces, without the byte-order mark, line ends untouched.

    Raises UnicodeDecodeError where the bytes don't decode.
    """
    decoder = codecs.getincrementaldecoder(encoding.name)()
    with path.open("rb") as file:
        file.seek(encoding.bom)
        while block := file.read(CHUNK):
            yield decoder.decode(block)
    yield decoder.decode(b"", final=True)


def _decodes(path: Path, encoding: Encoding) -> bool:
    try:
        for _ in text_chunks(path, encoding):
            pass
    except UnicodeDecodeError:
        return False
    return True


def _broken(path: Path, name: str) -> ReadError:
    return ReadError(f"{path}: the bytes look like {name} but some are missing or wrong; save it again, as UTF-8")


def _wide_without_mark(head: bytes) -> str | None:
    """Return the UTF-16 or UTF-32 codec that `head` is in, as its zeros tell."""
    for name in ("utf-32-le", "utf-32-be"):
        try:
            text = head[: len(head) // 4 * 4].decode(name)
        except UnicodeDecodeError:  # four bytes of any other text are no character
            continue
        if text and "\0" not in text:
            return name
    return _utf16_without_mark(head)


def _utf16_without_mark(head: bytes) -> str | None:
    """Return the UTF-16 codec whose high bytes are the zeros of `head`; a stray NUL in other text is none."""
    low, high = head[0::2], head[1::2]
    for name, text, zeros in (("utf-16-le", low, high), ("utf-16-be", high, low)):
        if not zeros.count(0) or text.count(0) * 10 > zeros.count(0):
            continue
        breaks = [zero for byte, zero in zip(text, zeros, strict=False) if byte in b"\n,;\t"]
        if breaks.count(0) * 2 > len(breaks) or (not breaks and zeros.count(0) * 2 > len(zeros)):
            return name
    return None


def _high_lines(path: Path) -> bytes:
    """Return lines with bytes beyond ASCII, as many as a sample holds: they alone tell one table from another."""
    found: list[bytes] = []
    size = 0
    with path.open("rb") as file:
        while size < SAMPLE and (block := file.read(CHUNK)):
            for match in _LINE_WITH_HIGH.finditer(block):
                found.append(match[0])
                size += len(match[0])
                if size >= SAMPLE:
                    break
    return b"\n".join(found)


def _table(sample: bytes) -> str:
    """Return the likeliest table of text that is not UTF-8: Chinese bytes come in pairs, Latin ones mostly alone."""
    runs = [run for match in _HIGH_RUN.finditer(sample) if (run := match[0])]
    paired = sum(_HANZI.fullmatch(run.rstrip(bytes(range(0x40, 0x7F)))) is not None for run in runs)
    if paired * 10 >= len(runs) * 9 and _valid(sample, "gb18030") and not _kana_or_hangul(sample):
        return "gb18030"
    best = from_bytes(sample, cp_isolation=list(_OTHERS)).best()
    if best is not None and best.coherence >= 0.3:
        return best.encoding
    return "cp1252" if re.search(rb"[\x80-\x9f]", sample) else "latin-1"


def _valid(sample: bytes, name: str) -> bool:
    try:
        # the sample may end inside a character
        codecs.getincrementaldecoder(name)().decode(sample)
    except UnicodeDecodeError:
        return False
    return True


def _kana_or_hangul(sample: bytes) -> bool:
    """Return whether EUC-JP or EUC-KR, which use the same byte pairs, reads more plausibly than GBK."""
    best = from_bytes(sample, cp_isolation=["gb18030", "euc_jp", "euc_kr", "cp1251", "koi8_r", "big5"]).best()
    return best is not None and best.encoding in {"euc_jp", "euc_kr", "cp1251", "koi8_r"} and best.coherence >= 0.3


def declared_encoding(path: Path, name: str) -> Encoding:
    """Return the encoding that the caller names, with the byte-order mark that the file has.

    Raises InputError for a name that Python doesn't know as one of a text encoding, and for UTF-16 or UTF-32 without
    a mark where the bytes don't tell their order.
    """
    try:
        # refuses codecs from bytes to bytes and from text to text
        io.TextIOWrapper(io.BytesIO(), name)
        codec = codecs.lookup(name).name.removesuffix("-sig")
        if codec in _OF_NAMES:
            raise LookupError(f"{codec} is for domain names")
    except (LookupError, ValueError) as unknown:
        raise InputError(
            f"encoding {name!r}: not known; use a name such as utf-8, cp1252, gb18030 or utf-16"
        ) from unknown
    with path.open("rb") as file:
        head = file.read(SAMPLE)
    for mark, marked in _BOMS:
        if head.startswith(mark) and marked.startswith(codec):
            return Encoding(marked, len(mark))
    if codec in {"utf-16", "utf-32"}:
        found = _wide_without_mark(head)
        if found is None or not found.startswith(codec):
            raise InputError(f"{path}: no byte-order mark; name the encoding {codec}-le or {codec}-be")
        return Encoding(found)
    return Encoding(codec)


def encoding_entry(encoding: Encoding) -> Entry | None:
    """Return the entry for text that is not UTF-8 or has a byte-order mark."""
    parts = []
    if encoding.name not in {"utf-8", "ascii"}:
        likely = "" if encoding.certain else ", the likeliest: it is not valid UTF-8"
        parts.append(f"read as {encoding.name}{likely}")
    if encoding.bom:
        parts.append("byte-order mark taken off")
    return Entry("encoding", "; ".join(parts)) if parts else None
