"""The files of an import: which there are, in a fixed order, and their text."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from knowledge.canon.core.drafts import Place, Refusal
from knowledge.errors import ImportPathMissing

MARKDOWN_ENDINGS = frozenset({".md", ".markdown"})
JSON_ENDINGS = frozenset({".json"})
LINES_ENDINGS = frozenset({".jsonl", ".ndjson"})
ENDINGS = MARKDOWN_ENDINGS | JSON_ENDINGS | LINES_ENDINGS
IGNORED_NAMES = frozenset({"readme.md"})
MAX_MARKDOWN_BYTES = 32 * 1024 * 1024
_OTHER_ENCODINGS = {codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to be read; `name` is how reports and sources call it."""

    path: Path
    name: str

    @property
    def ending(self) -> str:
        """The ending of its name, in lower case."""
        return self.path.suffix.lower()


def list_source_files(paths: Iterable[Path]) -> list[SourceFile]:
    """The files named, and those in the folders named that can be read, in an order that is always the same.

    Hidden files and READMEs of folders are left out. Raises ImportPathMissing.
    """
    found: dict[Path, SourceFile] = {}
    for path in paths:
        if path.is_dir():
            for inner in sorted(path.rglob("*"), key=lambda each: each.relative_to(path).parts):
                parts = inner.relative_to(path).parts
                if not inner.is_file() or inner.suffix.lower() not in ENDINGS:
                    continue
                if any(part.startswith(".") for part in parts) or inner.name.lower() in IGNORED_NAMES:
                    continue
                found.setdefault(inner.resolve(), SourceFile(inner, "/".join(parts)))
        elif path.is_file():
            found.setdefault(path.resolve(), SourceFile(path, path.name))
        else:
            raise ImportPathMissing(f"There is no file or folder {str(path)!r}.", path=str(path))
    return list(found.values())


def read_text(file: SourceFile) -> str | Refusal:
    """The text of a Markdown file with line ends as `\\n`, or why it can't be read."""
    try:
        if file.path.stat().st_size > MAX_MARKDOWN_BYTES:
            most = MAX_MARKDOWN_BYTES // 1024 // 1024
            return Refusal(Place(file.name), "file_too_large", f"is larger than {most} MB: split it")
        data = file.path.read_bytes()
    except OSError as error:
        return Refusal(Place(file.name), "file_unreadable", error.strerror or str(error))
    text = decode(data, Place(file.name))
    if isinstance(text, Refusal):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        return Refusal(Place(file.name), "file_empty", "is empty")
    return text


def decode(data: bytes, place: Place) -> str | Refusal:
    """UTF-8, with or without a byte order mark; the refusal names the line of the first byte that is not."""
    for mark, encoding in _OTHER_ENCODINGS.items():
        if data.startswith(mark):
            return Refusal(place, "encoding_invalid", f"is {encoding}: save it as UTF-8")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = (place.line or 1) + data.count(b"\n", 0, error.start)
        reason = f"byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8"
        return Refusal(Place(place.file, line=line), "encoding_invalid", reason)


def skip_byte_order_mark(data: bytes) -> int:
    """How many bytes at the start are a UTF-8 byte order mark."""
    return len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
