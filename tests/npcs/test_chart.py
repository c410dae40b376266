"""The geometry of the chart: lines stay inside, begin where they were found, and go with the moves."""

from __future__ import annotations

import datetime as dt

from hypothesis import given, settings
from hypothesis import strategies as st

from npcs.dispositions.core.chart import (
    BOTTOM,
    HEIGHT,
    LEFT,
    MAX_DATES,
    MAX_LINES,
    RIGHT,
    TOP,
    WIDTH,
    Move,
    build_chart,
)
from npcs.dispositions.core.moves import Scale

SCALE = Scale(-5, 5, 0, 3)
DAY = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


def move(number, name, applied, after, days=0):
    return Move(number, name, applied, after, DAY + dt.timedelta(days=days), "told")


def corners(line):
    return [tuple(float(each) for each in point.split(",")) for point in line.points.split()]


def test_a_line_begins_where_its_first_move_found_it_and_steps_with_each():
    chart = build_chart([move(1, "party a", 2, 2), move(2, "party a", -5, -3)], SCALE)
    [line] = chart.lines
    top, zero, bottom = TOP, (TOP + HEIGHT - BOTTOM) / 2, HEIGHT - BOTTOM
    per_point = (bottom - top) / 10
    ys = [y for _, y in corners(line)]
    assert ys == [zero, zero, zero - 2 * per_point, zero - 2 * per_point, zero + 3 * per_point, zero + 3 * per_point]
    assert corners(line)[0][0] == LEFT
    assert corners(line)[-1][0] == WIDTH - RIGHT
    assert [dot.id for dot in line.dots] == [1, 2]
    assert [(mark.at, mark.text, mark.is_bound) for mark in chart.values] == [
        (bottom, "-5", True),
        (zero, "0", False),
        (top, "5", True),
    ]


def test_the_least_moved_lines_are_left_out_and_counted():
    moves = [move(number, f"party {number % 8}", 1, 1) for number in range(14)]
    chart = build_chart(moves, SCALE)
    assert len(chart.lines) == MAX_LINES
    assert chart.left_out == 2
    assert {line.name for line in chart.lines} == {f"party {number}" for number in range(6)}


def test_dates_are_told_once_and_never_too_near():
    moves = [move(number, "party a", 0, 0, days=number // 2) for number in range(100)]
    chart = build_chart(moves, SCALE)
    assert 2 <= len(chart.dates) <= MAX_DATES
    assert len({mark.text for mark in chart.dates}) == len(chart.dates)
    assert build_chart(moves[:1], SCALE).dates[0].text == "1 Mar 2026"


def test_a_start_at_an_end_of_the_scale_is_marked_once():
    assert [mark.text for mark in build_chart([], Scale(0, 10, 0, 1)).values] == ["0", "10"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-20, 20), st.integers(-20, 20)), max_size=60))
def test_nothing_leaves_the_drawing(rows):
    chart = build_chart([move(n, f"user {name}", by, to) for n, (name, by, to) in enumerate(rows)], SCALE)
    assert sum(len(line.dots) for line in chart.lines) <= len(rows)
    for line in chart.lines:
        for x, y in corners(line):
            assert LEFT <= x <= WIDTH - RIGHT
            assert TOP - 0.1 <= y <= HEIGHT - BOTTOM + 0.1
