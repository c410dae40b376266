"""The geometry of charts: where marks, bars and labels stand. Drawing is the template's.

Charts are narrow, so that their text can be read on a phone. Each has its figures in a table beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

WIDTH = 420
LEFT, RIGHT, TOP, BOTTOM = 92, 22, 12, 24
ROW_HEIGHT = 30
TREND_HEIGHT = 190
TREND_LEFT = 46
STEPS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
MAX_DATES = 5
LABEL_WIDTH, LABEL_HEIGHT = 34, 14
"""Labels nearer to each other would overlap."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled value on the axis. `is_limit`: a line that a breaker or a policy goes by."""

    at: float
    text: str
    is_limit: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A rate with its interval, on one row. `told` is read out and shown on pointing."""

    label: str
    y: float
    x: float
    low: float
    high: float
    told: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A count, as wide as its share of the greatest."""

    label: str
    y: float
    width: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """All that is drawn, in the units of its own width and height."""

    key: str
    title: str
    height: float
    spans: tuple[Span, ...] = ()
    bars: tuple[Bar, ...] = ()
    marks: tuple[Mark, ...] = ()
    line: str = ""
    band: str = ""
    dots: tuple[Span, ...] = ()
    values: tuple[Mark, ...] = ()
    width: int = WIDTH
    left: float = LEFT
    right: float = WIDTH - RIGHT
    bottom: float = field(default=0.0)


@dataclass(frozen=True, slots=True)
class Point:
    """A rate with its interval, and the words for it."""

    label: str
    rate: float
    lower: float
    upper: float
    told: str


def chart_intervals(key: str, title: str, points: Sequence[Point], limits: Sequence[float] = ()) -> Chart:
    """One row a point: its rate as a dot, its interval as a line, from 0 to what the widest needs."""
    top = _round_up(max([*(point.upper for point in points), *limits], default=1.0))
    height = TOP + ROW_HEIGHT * len(points) + BOTTOM

    def place(value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * min(value, top) / top, 1)

    spans = tuple(
        Span(
            point.label, TOP + ROW_HEIGHT * (row + 0.5), place(point.rate), place(point.lower), place(point.upper),
            point.told,
        )
        for row, point in enumerate(points)
    )  # fmt: skip
    marks = _build_axis(limits, top, place, gap=LABEL_WIDTH)
    return Chart(key, title, height, spans=spans, marks=marks, bottom=height - BOTTOM)


def chart_bars(key: str, title: str, counts: Sequence[tuple[str, int]]) -> Chart:
    """One bar a count, as wide as its share of the greatest."""
    top = max((count for _, count in counts), default=0) or 1
    room = WIDTH - LEFT - RIGHT - 44
    bars = tuple(
        Bar(label, TOP + ROW_HEIGHT * row, round(room * count / top, 1), f"{count:,}")
        for row, (label, count) in enumerate(counts)
    )
    return Chart(key, title, TOP + ROW_HEIGHT * len(counts), bars=bars)


def chart_trend(key: str, title: str, points: Sequence[Point], limits: Sequence[float] = ()) -> Chart:
    """Rates over time, oldest first, the same way apart, with the band of their intervals."""
    top = _round_up(max([*(point.upper for point in points), *limits], default=1.0))
    bottom, room = TREND_HEIGHT - BOTTOM, WIDTH - TREND_LEFT - RIGHT
    step = room / max(1, len(points) - 1)

    def height(value: float) -> float:
        return round(bottom - (bottom - TOP) * min(value, top) / top, 1)

    places = [round(TREND_LEFT + step * place, 1) for place in range(len(points))]
    upper = [f"{x},{height(point.upper)}" for x, point in zip(places, points, strict=True)]
    lower = [f"{x},{height(point.lower)}" for x, point in zip(places, points, strict=True)]
    every = max(1, -(-len(points) // MAX_DATES))
    return Chart(
        key,
        title,
        TREND_HEIGHT,
        line=" ".join(f"{x},{height(point.rate)}" for x, point in zip(places, points, strict=True)),
        band=" ".join([*upper, *reversed(lower)]),
        dots=tuple(
            Span(point.label, height(point.rate), x, 0, 0, point.told) for x, point in zip(places, points, strict=True)
        ),
        marks=tuple(Mark(places[place], points[place].label) for place in range(0, len(points), every)),
        values=_build_axis(limits, top, height, gap=LABEL_HEIGHT),
        left=TREND_LEFT,
        bottom=bottom,
    )


def _build_axis(
    limits: Sequence[float], top: float, place: Callable[[float], float], *, gap: float
) -> tuple[Mark, ...]:
    """Lines at the limits and at both ends; of labels that would overlap the greatest limit's stays."""
    marks: list[Mark] = []
    for value in [*sorted(limits, reverse=True), top, 0.0]:
        at = place(value)
        if any(mark.at == at for mark in marks):
            continue
        has_room = all(abs(mark.at - at) >= gap for mark in marks if mark.text)
        marks.append(Mark(at, f"{value:.0%}" if has_room else "", is_limit=value in limits))
    return tuple(marks)


def _round_up(value: float) -> float:
    return next((step for step in STEPS if step >= value), 1.0)
