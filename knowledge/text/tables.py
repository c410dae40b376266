"""Tables of Markdown told row by row, so that each value keeps the name of its column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_CELL_EDGE = re.compile(r"(?<!\\)\|")
_DELIMITER_CELL = re.compile(r":?-+:?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MAX_INDENT = 3


def render_tables(text: str) -> str:
    """The text with every row of a table as a paragraph of its own: `Column: value; column: value.`

    Empty cells are left out, as is the name of a column that has none. Rows that a cut parted from their head stand as
    `value; value.` Code stays as it is.

    Worked example: ``| Ward | Bell |\\n|---|---|\\n| Hill | brass |`` gives ``Ward: Hill; Bell: brass.``
    """
    if "|" not in text:
        return text
    lines = text.splitlines()
    told: list[str] = []
    fence = ""
    index = 0
    while index < len(lines):
        line = lines[index]
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        rows = [] if fence or mark else list(_read_rows(lines[index:]))
        if rows:
            told += ["", *_render_rows(rows), ""]
            index += len(rows)
        else:
            told.append(line)
            index += 1
    return "\n".join(told)


def _read_rows(lines: Sequence[str]) -> Iterator[list[str]]:
    """The cells of the rows that begin here; a head has its delimiter below it, rows without one begin with an edge."""
    is_headed = len(lines) > 1 and _is_row(lines[0]) and _is_delimiter(_split(lines[0]), _split(lines[1]))
    if not is_headed and not _has_edges(lines[0]):
        return
    for line in lines:
        if not (_is_row(line) if is_headed else _has_edges(line)):
            return
        yield _split(line)


def _render_rows(rows: Sequence[list[str]]) -> Iterator[str]:
    is_headed = len(rows) > 1 and _is_delimiter(rows[0], rows[1])
    names = rows[0] if is_headed else []
    for cells in rows[2:] if is_headed else rows:
        if all(_DELIMITER_CELL.fullmatch(cell) for cell in cells):
            continue
        pairs = ((names[place] if place < len(names) else "", cell) for place, cell in enumerate(cells))
        row = "; ".join(f"{name.rstrip(':')}: {cell}" if name else cell for name, cell in pairs if cell)
        if row:
            yield from (row if row[-1] in ".!?…。！？؟" else f"{row}.", "")


def _is_row(line: str) -> bool:
    indent = len(line) - len(line.lstrip(" "))
    return indent <= _MAX_INDENT and bool(line.strip()) and _CELL_EDGE.search(line) is not None


def _has_edges(line: str) -> bool:
    return _is_row(line) and line.strip().startswith("|") and len(_CELL_EDGE.findall(line)) > 1


def _is_delimiter(head: Sequence[str], cells: Sequence[str]) -> bool:
    return len(head) == len(cells) and all(_DELIMITER_CELL.fullmatch(cell) for cell in cells)


def _split(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL_EDGE.split(inner)]
