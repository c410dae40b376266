"""Figures of labelled samples, against published tables and by simulation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factcheck.extraction.core.statistics import (
    Agreement,
    Outcome,
    ParityState,
    ReviewerQuality,
    bucket_reliability,
    clopper_pearson_lower,
    clopper_pearson_upper,
    compare_languages,
    correct_for_reviewers,
    correct_rate,
    count_agreement,
    count_reviews_needed,
    estimate_rate,
    find_bucket,
    wilson_bounds,
)


@pytest.mark.parametrize(
    ("target", "needed"),
    [(0.02, [149, 236, 313, 386, 456, 523]), (0.05, [59, 93, 124, 153, 181, 208])],
)
def test_reviews_needed_for_a_claim(target, needed):
    assert [count_reviews_needed(errors, target) for errors in range(6)] == needed


@pytest.mark.parametrize(("n", "upper"), [(6, 0.39), (12, 0.22), (20, 0.14), (58, 0.050), (125, 0.024)])
def test_what_a_clean_sample_proves(n, upper):
    assert clopper_pearson_upper(0, n) == pytest.approx(upper, abs=0.006)


def test_exact_bounds_at_the_ends():
    assert clopper_pearson_upper(5, 5) == clopper_pearson_upper(0, 0) == 1
    assert clopper_pearson_lower(0, 5) == clopper_pearson_lower(0, 0) == 0
    assert clopper_pearson_lower(5, 5) == pytest.approx(0.05 ** (1 / 5))


@pytest.mark.parametrize(
    ("errors", "n", "lower", "upper"),
    # Newcombe 1998, table I, method 3; and everything of nothing.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718), (0, 0, 0, 1)],
)
def test_wilson_s_interval(errors, n, lower, upper):
    bounds = wilson_bounds(errors, n)
    assert (bounds.lower, bounds.upper) == pytest.approx((lower, upper), abs=0.0002)


@given(st.integers(0, 400), st.integers(0, 400))
def test_wilson_s_interval_holds_the_rate(errors, right):
    bounds = wilson_bounds(errors, errors + right)
    share = errors / (errors + right) if errors + right else 0
    assert 0 <= bounds.lower <= share + 1e-9
    assert share - 1e-9 <= bounds.upper <= 1


def test_a_sample_of_equal_odds_is_the_exact_interval():
    rate = estimate_rate([Outcome(is_error=place < 3, probability=0.01) for place in range(100)])
    assert (rate.n, rate.errors, rate.rate) == (100, 3, pytest.approx(0.03))
    assert (rate.lower, rate.upper) == pytest.approx((0.0062, 0.0852), abs=0.0001)
    assert rate.ceiling == pytest.approx(clopper_pearson_upper(3, 100))
    assert rate.effective_n == pytest.approx(100)


def test_nothing_labelled_is_nothing_known():
    rate = estimate_rate([])
    assert (rate.n, rate.lower, rate.upper, rate.ceiling) == (0, 0, 1, 1)


def test_an_item_stands_for_as_many_as_its_odds_say():
    """Ten right items that were certain, and one wrong of one hundred: nine in ten are wrong, and n is about 1."""
    rate = estimate_rate([Outcome(is_error=False)] * 10 + [Outcome(is_error=True, probability=0.01)])
    assert rate.rate == pytest.approx(100 / 110)
    assert rate.effective_n < 1.3
    assert rate.upper - rate.lower > 0.7


def test_weighted_intervals_hold_the_true_rate_in_95_of_100_samples():
    """2,000 bad items drawn at 2 % and 300 good ones drawn at 50 %, 400 times: the interval holds the rate of all."""
    import numpy

    random = numpy.random.default_rng(37)
    truth = (2000 * 0.10 + 300 * 0.01) / 2300
    held = unweighted = 0
    for _ in range(400):
        rare = random.random(random.binomial(2000, 0.02)) < 0.10
        often = random.random(random.binomial(300, 0.50)) < 0.01
        sample = [Outcome(bool(each), 0.02) for each in rare] + [Outcome(bool(each), 0.5) for each in often]
        rate = estimate_rate(sample)
        held += rate.lower <= truth <= rate.upper
        plain = wilson_bounds(rate.errors, rate.n)
        unweighted += plain.lower <= truth <= plain.upper
    assert held >= 380
    assert unweighted < 200


@pytest.mark.parametrize(("observed", "true"), [(0.015, 0.0063), (0.03, 0.0253), (0.005, 0.0), (0.9, 1.0)])
def test_the_rate_behind_what_reviewers_see(observed, true):
    assert correct_rate(observed, sensitivity=0.8, specificity=0.99) == pytest.approx(true, abs=0.0001)


def test_reviewers_who_guess_correct_nothing():
    assert correct_rate(0.03, sensitivity=0.5, specificity=0.5) == 0.03


def test_a_few_known_items_excuse_no_error():
    rate = estimate_rate([Outcome(is_error=place < 3) for place in range(100)])
    few = ReviewerQuality(planted=3, planted_found=1, right=3, right_passed=1)
    assert correct_for_reviewers(rate, few) == rate
    many = ReviewerQuality(planted=40, planted_found=32, right=40, right_passed=40)
    corrected = correct_for_reviewers(rate, many)
    assert corrected.rate == pytest.approx(0.03 / 0.8)
    assert corrected.ceiling > rate.ceiling / 0.8
    assert corrected.lower < rate.lower


def test_agreement_of_rare_errors():
    table = count_agreement([(False, False)] * 90 + [(True, True)] * 2 + [(True, False)] * 4 + [(False, True)] * 4)
    assert table == Agreement(both_right=90, both_wrong=2, split_first_wrong=4, split_second_wrong=4)
    assert (table.raw, table.ac1, table.kappa) == pytest.approx((0.92, 0.91, 0.29), abs=0.005)


def test_agreement_of_nobody_and_of_one_answer():
    assert (count_agreement([]).raw, count_agreement([]).ac1, count_agreement([]).kappa) == (None, None, None)
    alike = count_agreement([(False, False)] * 5)
    assert (alike.raw, alike.ac1, alike.kappa) == (1, 1, None)


def test_parity_says_nothing_below_thirty_of_each():
    assert compare_languages((9, 29), (0, 500)).state == ParityState.NOT_ENOUGH_DATA
    assert compare_languages((0, 500), (9, 29)).p_value is None


def test_parity_by_fisher_s_exact_test():
    different = compare_languages((9, 60), (1, 60))
    assert different.state == ParityState.DIFFERENT
    assert different.p_value == pytest.approx(0.0170, abs=0.0005)
    assert different.difference == pytest.approx(8 / 60)
    assert compare_languages((4, 60), (2, 60)).state == ParityState.NO_DIFFERENCE_FOUND


def test_reliability_by_how_sure_the_proposer_was():
    assert [find_bucket(each) for each in (0, 0.79, 0.8, 0.85, 0.949, 0.95, 1)] == [0, 0.75, 0.8, 0.85, 0.9, 0.95, 0.95]
    buckets = bucket_reliability([(0.81, True), (0.84, False), (0.99, True)])
    assert [(each.floor, each.n, each.right, each.share) for each in buckets] == [(0.8, 2, 1, 0.5), (0.95, 1, 1, 1.0)]


@pytest.mark.parametrize(
    ("n", "right", "is_trusted"),
    [(19, 0, True), (20, 18, True), (20, 17, False), (200, 180, False), (200, 185, True)],
)
def test_a_bucket_is_mute_once_twenty_prove_it_wrong(n, right, is_trusted):
    (bucket,) = bucket_reliability([(0.9, place < right) for place in range(n)])
    assert bucket.is_trusted == is_trusted
