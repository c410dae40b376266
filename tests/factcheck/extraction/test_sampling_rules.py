"""At which odds proposals are reviewed, and why."""

from __future__ import annotations

import pytest

from factcheck.extraction.core.sampling import (
    LOW_POLICY,
    POLICY,
    Policy,
    Standing,
    Stratum,
    Volumes,
    choose,
    count_needed,
    decide_policy,
    describe_rates,
    is_risky,
    make_draw,
    set_rates,
)
from factcheck.extraction.core.statistics import Outcome, Rate, estimate_rate

KEY = b"k" * 32


def reviewed(n: int, errors: int) -> Rate:
    return estimate_rate([Outcome(is_error=place < errors, probability=0.01) for place in range(n)])


def standing(n: int = 149, errors: int = 0, **more) -> Standing:
    return Standing(**{"reviewed": reviewed(n, errors), "strata": {}, "days": 20.0, **more})


def test_a_draw_is_kept_and_depends_on_the_key():
    draws = [make_draw(KEY, "delta", place) for place in range(2000)]
    assert draws == [make_draw(KEY, "delta", place) for place in range(2000)]
    assert draws[:9] != [make_draw(b"other", "delta", place) for place in range(9)]
    assert draws[:9] != [make_draw(KEY, "run", place) for place in range(9)]
    assert all(0 <= each < 1 for each in draws)
    assert sum(each < 0.1 for each in draws) == pytest.approx(200, abs=45)


def test_the_first_of_a_day_are_certain_and_stand_for_themselves():
    assert choose(0.99, 0.01, floor_left=1) == choose(0.001, 0.01, floor_left=3)
    chosen = choose(0.99, 0.01, floor_left=1)
    assert (chosen.reason, chosen.probability) == ("floor", 1.0)
    assert choose(0.99, 0.01, floor_left=0) is None
    drawn = choose(0.009, 0.01, floor_left=0)
    assert (drawn.reason, drawn.probability) == ("random", 0.01)
    assert choose(0.99, 1.0, floor_left=3).reason == "all"


def test_odds_of_floor_and_draw_estimate_the_whole_day():
    """1,000 items a day for 40 days, each 7th of them wrong: items weighed by 1/p sum up to about all of them."""
    weights = []
    for day in range(40):
        left = 3
        for place in range(1000):
            chosen = choose(make_draw(KEY, "delta", day * 1000 + place), 0.05, floor_left=left)
            left -= bool(chosen and chosen.reason == "floor")
            if chosen:
                weights.append(1 / chosen.probability)
    assert sum(weights) == pytest.approx(40_000, rel=0.06)
    assert weights.count(1.0) == 120


def test_fifty_proposals_a_month_are_all_reviewed_and_it_is_said_why():
    volumes = Volumes(accepted=25, rejected=0, runs=40)
    rates = set_rates(POLICY, count_needed(0), volumes)
    assert rates.accepted == 1
    told = describe_rates(Policy(POLICY, "1 %: new"), count_needed(0), volumes, rates)
    assert told == (
        "100 %: 25 proposals passed the gate in 14 days, and 149 reviews decide, so all are reviewed. Policy 1 %: new"
    )


@pytest.mark.parametrize(
    ("policy", "accepted", "rate"),
    [(POLICY, 1490, 0.1), (POLICY, 149_000, 0.01), (LOW_POLICY, 29_800, 0.005), (LOW_POLICY, 10_000_000, 0.001)],
)
def test_the_rate_brings_the_reviews_that_decide_and_never_less_than_the_policy(policy, accepted, rate):
    assert set_rates(policy, 149, Volumes(accepted, 0, 0)).accepted == pytest.approx(rate)


def test_errors_found_ask_for_more_reviews():
    assert [count_needed(errors) for errors in (0, 1, 5, 40)] == [149, 236, 523, 523]


def test_one_review_in_twenty_is_a_whole_run_and_one_in_eleven_is_of_what_was_refused():
    rates = set_rates(LOW_POLICY, 149, Volumes(accepted=20_000, rejected=10_000, runs=5_000))
    accepted, rejected, runs = rates.accepted * 20_000, rates.rejected * 10_000, rates.run * 5_000
    assert rejected / accepted == pytest.approx(0.1)
    assert runs / (accepted + rejected + runs) == pytest.approx(1 / 20)


def test_the_low_policy_takes_a_proof():
    assert decide_policy(standing(149)).share == LOW_POLICY
    assert decide_policy(standing(148)).share == POLICY
    assert decide_policy(standing(236, 1)).share == LOW_POLICY
    # The seed's case: 100 reviews with one error prove 4.7 %, not 2 %.
    assert decide_policy(standing(100, 1)).share == POLICY
    assert "up to 4.7% may be" in decide_policy(standing(100, 1)).why


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"new": ["prompt en-4"]}, "new within 14 days: prompt en-4"),
        ({"was_paused": True}, "a breaker was open"),
        ({"days": 13.9}, "13 of 14 days"),
        ({"correction_rate": 0.031}, "players correct 3.1%"),
        ({"strata": {"ar · ADD · en-4": (2, 20)}}, "more than 5 % wrong in ar · ADD · en-4"),
    ],
)
def test_what_takes_the_policy_back_to_one_percent(more, why):
    policy = decide_policy(standing(400, **more))
    assert policy.share == POLICY
    assert why in policy.why


def test_a_stratum_of_few_tells_nothing():
    assert decide_policy(standing(400, strata={"ar": (5, 19)}, correction_rate=0.03)).share == LOW_POLICY


def test_strata_tell_what_was_refused_apart():
    assert Stratum("ar", "ADD", "v3").name == "ar · ADD · v3"
    assert Stratum("", "ADD", "", is_rejected=True).name == "other · rejected ADD · –"
    assert (Stratum("ar", "ADD", "v3").floor, Stratum("ar", "ADD", "v3", is_rejected=True).floor) == (3, 1)


def test_what_is_worth_a_look_beside_the_sample():
    assert is_risky(operation="REMOVE", type_="budget", confidence=0.99)
    assert is_risky(operation="ADD", type_="allergy", confidence=0.99)
    assert is_risky(operation="ADD", type_="budget", confidence=0.81)
    assert not is_risky(operation="ADD", type_="budget", confidence=0.9)
