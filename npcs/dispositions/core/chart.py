"""The geometry of a chart of dispositions: where lines, steps and labels stand. Drawing is the template's."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from npcs.dispositions.core.moves import Scale

WIDTH, HEIGHT = 760, 260
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 14, 28
MAX_LINES = 6
MAX_DATES = 8


@dataclass(frozen=True, slots=True)
class Move:
    """One step of one line, as it was applied."""

    id: int
    name: str
    """Towards whom."""
    applied: int | float
    balance_after: int | float
    happened_at: dt.datetime
    told: str
    """What is said of the step when one points at it."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One step on its place."""

    id: int
    x: float
    y: float
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """One party's or user's course: a corner for every step."""

    name: str
    place: int
    points: str
    """As `points` of an SVG polyline has it."""
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled value or date at its place on the axis."""

    at: float
    text: str
    is_bound: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """All that is drawn, in the units of its own width and height."""

    lines: tuple[Line, ...]
    values: tuple[Mark, ...]
    dates: tuple[Mark, ...]
    left_out: int
    """Lines for which there was no room."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def build_chart(moves: Sequence[Move], scale: Scale) -> Chart:
    """The chart of moves in the order of the ledger, each the same way apart; the least moved lines are left out.

    A line begins where its first move found it and goes on flat to the right edge. Values of an older, wider scale
    stay inside of the drawing.
    """
    names = _choose_names(moves)
    shown = [move for move in moves if move.name in names]
    reach = [value for move in shown for value in (move.balance_after, move.balance_after - move.applied)]
    low, high = min([scale.least, *reach]), max([scale.most, *reach])
    columns = [_place_column(index, len(shown)) for index in range(len(shown))]

    def to_y(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    lines = tuple(_draw_line(name, place, shown, columns, to_y) for place, name in enumerate(names))
    bounds = {scale.least: True, scale.initial: False, scale.most: True}
    values = tuple(Mark(to_y(value), f"{value:g}", is_bound) for value, is_bound in sorted(bounds.items()))
    return Chart(lines, values, _mark_dates(shown, columns), len({move.name for move in moves}) - len(names))


def _choose_names(moves: Sequence[Move]) -> list[str]:
    """Those with the most moves, in the order of their first."""
    counts: dict[str, int] = {}
    for move in moves:
        counts[move.name] = counts.get(move.name, 0) + 1
    most = sorted(counts, key=lambda name: -counts[name])[:MAX_LINES]
    return [name for name in counts if name in most]


def _place_column(index: int, count: int) -> float:
    return round(LEFT + (index + 1) * (WIDTH - LEFT - RIGHT) / (count + 1), 1)


def _draw_line(
    name: str, place: int, moves: Sequence[Move], columns: Sequence[float], to_y: Callable[[float], float]
) -> Line:
    dots: list[Dot] = []
    corners: list[tuple[float, float]] = []
    y = 0.0
    for x, move in zip(columns, moves, strict=True):
        if move.name != name:
            continue
        if not dots:
            y = to_y(move.balance_after - move.applied)
            corners.append((LEFT, y))
        corners.append((x, y))
        y = to_y(move.balance_after)
        corners.append((x, y))
        dots.append(Dot(move.id, x, y, move.told))
    corners.append((WIDTH - RIGHT, y))
    return Line(name, place, " ".join(f"{x},{each}" for x, each in corners), tuple(dots))


def _mark_dates(moves: Sequence[Move], columns: Sequence[float]) -> tuple[Mark, ...]:
    """The date of a move where it differs from the one before, thinned out to what can be read."""
    marks: list[Mark] = []
    for x, move in zip(columns, moves, strict=True):
        text = f"{move.happened_at:%-d %b %Y}"
        if not marks or marks[-1].text != text:
            marks.append(Mark(x, text))
    room = (WIDTH - LEFT - RIGHT) / MAX_DATES
    kept: list[Mark] = []
    for mark in marks:
        if not kept or mark.at - kept[-1].at >= room:
            kept.append(mark)
    return tuple(kept)
