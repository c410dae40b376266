"""A table of figures: one shape for the page and for CSV."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

Cell = str | int | float | dt.datetime | dt.date | None
MAX_TEXT_LENGTH = 2000
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet reads such a cell as a formula: a quote before it makes it text."""


class ColumnKind(StrEnum):
    """How a cell is written on the page. CSV has the bare value."""

    TEXT = "text"
    WORD = "word"
    """Never broken over lines."""
    COUNT = "count"
    SHARE = "share"
    NUMBER = "number"
    TIME = "time"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in CSV, its heading on the page."""

    key: str
    title: str
    kind: ColumnKind = ColumnKind.TEXT

    @property
    def is_short(self) -> bool:
        """Whether its cells stay on one line."""
        return self.kind in (ColumnKind.WORD, ColumnKind.DAY)

    @property
    def is_number(self) -> bool:
        """Whether its cells stand at the end of their column."""
        return self.kind in (ColumnKind.COUNT, ColumnKind.SHARE, ColumnKind.NUMBER)


@dataclass(frozen=True, slots=True)
class Table:
    """Figures with their headings. `empty` says what to do where there are none."""

    key: str
    title: str
    lead: str
    empty: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def printed(self) -> list[list[tuple[Column, str]]]:
        """Rows as the page shows them, each cell with its column."""
        return [
            [(column, print_cell(column.kind, cell)) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]


def print_cell(kind: ColumnKind, cell: Cell) -> str:
    """A cell as people read it."""
    if cell is None or cell == "":
        return "–"
    if kind == ColumnKind.SHARE and isinstance(cell, (int, float)):
        return f"{cell:.1%}"
    if kind == ColumnKind.COUNT and isinstance(cell, int):
        return f"{cell:,}"
    if kind == ColumnKind.NUMBER and isinstance(cell, (int, float)):
        return f"{cell:,.2f}"
    if isinstance(cell, dt.datetime):
        return f"{cell:%Y-%m-%d %H:%M}"
    return str(cell)


def write_csv(table: Table) -> str:
    """The table as CSV by RFC 4180, with bare values and UTC times; texts that look like formulas are quoted."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([column.key for column in table.columns])
    writer.writerows([_write_cell(cell) for cell in row] for row in table.rows)
    return out.getvalue()


def _write_cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, (dt.datetime, dt.date)):
        return cell.isoformat()
    if isinstance(cell, float):
        return f"{cell:.6g}"
    text = str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(_FORMULA_STARTS) else text
