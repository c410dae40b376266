"""Where a cosine begins to mean something: by the partition's own spread, wherever a model puts its cosines."""

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.search.core.background import MIN_SAMPLE, SPELLING_FLOOR, Background, find_vector_floor


def measure(cosines):
    median = statistics.median(cosines)
    return Background(len(cosines), median, statistics.median(abs(each - median) for each in cosines))


def draw_unrelated(low, high, count=200):
    source = random.Random(7)
    middle, spread = (low + high) / 2, (high - low) / 6
    return [source.gauss(middle, spread) for _ in range(count)]


def find(cosines, background, **changed):
    return find_vector_floor(cosines, background, **({"floor": 1.5, "peak": 2.75, "is_semantic": True} | changed))


@pytest.mark.parametrize(("low", "high"), [(0.7, 0.82), (-0.1, 0.2), (0.3, 0.5)])
def test_an_answer_stands_out_wherever_the_model_puts_its_cosines(low, high):
    background = measure(draw_unrelated(low, high))
    width = high - low
    floor = find([high + 0.3 * width, low], background)
    assert low + width / 2 < floor < high


@pytest.mark.parametrize(("low", "high"), [(0.7, 0.82), (-0.1, 0.2), (0.3, 0.5)])
def test_nothing_counts_where_the_nearest_is_no_nearer_than_chance(low, high):
    cosines = draw_unrelated(low, high)
    background = measure(cosines)
    nearest = sorted(each for each in cosines if each < background.to_cosine(2.7))[-12:]
    assert find(nearest, background) == math.inf


def test_the_worked_example():
    background = Background(100, 0.75, 0.02 / 1.4826)
    assert find([0.80], background) == math.inf
    assert find([0.86], background) == pytest.approx(0.78)


def test_a_few_outliers_do_not_move_the_floor():
    cosines = draw_unrelated(0.7, 0.82)
    floor, with_answers = find([0.95], measure(cosines)), find([0.95], measure([*cosines, *[0.95] * 20]))
    assert with_answers == pytest.approx(floor, abs=0.01)


def test_a_small_partition_can_not_tell():
    assert find([0.76], Background(MIN_SAMPLE - 1, 0.75, 0.02)) == -1.0
    assert find([0.76], None) == -1.0
    assert find([0.76], Background(100, 0.75, 0.0)) == -1.0


def test_a_floor_of_none_lets_all_through():
    assert find([0.76], Background(100, 0.75, 0.02), floor=0.0) == -1.0


def test_an_embedder_that_compares_spelling_has_a_floor_of_its_own():
    assert find([0.9], Background(100, 0.0, 0.01), is_semantic=False) == SPELLING_FLOOR


@given(shift=st.floats(-0.5, 0.5), scale=st.floats(0.1, 3.0), best=st.floats(0.5, 1.5))
def test_moving_and_stretching_a_models_cosines_moves_the_floor_with_them(shift, scale, best):
    plain = Background(100, 0.2, 0.05)
    moved = Background(100, 0.2 * scale + shift, 0.05 * scale)
    assert find([best * scale + shift], moved) == pytest.approx(find([best], plain) * scale + shift)
