"""Tables for people, and one line a figure for programs: `NAME.figure value limit ok|short`."""

from __future__ import annotations

import json
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A measured number and the limit it must keep: at most, or at least."""

    name: str
    value: float
    limit: float
    at_least: bool = False

    @property
    def ok(self) -> bool:
        """Whether the limit is kept."""
        if math.isnan(self.value):
            return False
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclass
class Report:
    """What one benchmark found."""

    name: str
    figures: list[Figure] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    json_path: Path | None = None

    def say(self, text: str) -> None:
        """Progress, as it comes."""
        print(f"[{self.name}] {text}", flush=True)

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Columns as wide as they need to be."""
        cells = [[_show(cell) for cell in row] for row in rows]
        widths = [max(len(line[column]) for line in [list(heads), *cells]) for column in range(len(heads))]
        for line in [list(heads), ["-" * width for width in widths], *cells]:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
        print(flush=True)

    def figure(self, name: str, value: float, *, at_most: float | None = None, at_least: float | None = None) -> None:
        """Records a number with its limit."""
        limit = at_most if at_most is not None else at_least
        if limit is None:
            raise ValueError("a figure needs a limit")
        self.figures.append(Figure(name, value, limit, at_least=at_least is not None))

    def finish(self) -> int:
        """Prints the figures last and returns the exit code: 1 when one falls short."""
        for figure in self.figures:
            print(f"{self.name}.{figure.name} {figure.value:.4g} {figure.limit:g} {'ok' if figure.ok else 'short'}")
        self.save()
        return 0 if all(figure.ok for figure in self.figures) else 1

    def save(self) -> None:
        """Writes what is known so far to the file of `--json`, if there is one."""
        if self.json_path:
            content = {
                "figures": [{"name": f.name, "value": f.value, "limit": f.limit, "ok": f.ok} for f in self.figures],
                **self.data,
            }
            self.json_path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def measure_ms(call: Callable[[Any], object], arguments: Sequence[Any]) -> list[float]:
    """Milliseconds of each call, one after another."""
    times = []
    for argument in arguments:
        start = time.perf_counter()
        call(argument)
        times.append((time.perf_counter() - start) * 1000)
    return times


def median(values: Sequence[float]) -> float:
    """The middle value; nan of nothing."""
    return statistics.median(values) if values else math.nan


def _show(cell: object) -> str:
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
