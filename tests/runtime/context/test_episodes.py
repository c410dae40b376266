"""Which episodes and neighbours are told. Source: seed 002, fixes 5, 6, 7 and 12."""

from dataclasses import replace

import pytest

from runtime.config import load_budgets
from runtime.context.core.budgets import choose_density_cap
from runtime.context.core.episodes import (
    Episode,
    Neighbour,
    guard_span,
    rerank_by_mood,
)

RULES = load_budgets().to_span_rules()
BEFORE = Neighbour(1, "assistant", "Вот три образа: синий, белый, серый.", similarity=0.0, is_core=True)
ASIDE = Neighbour(2, "user", "У меня опять ссора дома.", similarity=0.1)
NEAR = Neighbour(3, "user", "Платье нужно на свадьбу.", similarity=0.31)
UNKNOWN = Neighbour(4, "user", "Ещё без вектора.", similarity=None)


def episode(excerpt="Второй!", **values):
    return Episode(9, 1, "user", excerpt, 1.0, neighbours=(NEAR, BEFORE, ASIDE, UNKNOWN), **values)


@pytest.mark.parametrize(
    ("messages", "items", "share"),
    [(0, 3, 0.30), (49, 3, 0.30), (50, 6, 0.40), (299, 6, 0.40), (300, 7, 0.40), (10**6, 7, 0.40)],
)
def test_density_grows_with_the_user(messages, items, share):
    cap = choose_density_cap(load_budgets().to_density(), messages)
    assert (cap.max_items, cap.share) == (items, share)


def test_personal_neighbour_is_kept_back_and_counted():
    kept, filtered = guard_span(episode(), language="ru", rules=RULES)
    assert [each.message_id for each in kept.neighbours] == [3, 1]
    assert filtered == 2


@pytest.mark.parametrize(
    ("language", "threshold"),
    [("ru", 0.3), ("en", 0.3), ("ar", 0.25), ("arabizi", 0.25), ("mixed", 0.25), ("zh", 0.28), ("und", 0.28)],
)
def test_threshold_goes_by_language(language, threshold):
    def kept(similarity):
        neighbour = replace(ASIDE, similarity=similarity)
        found, _ = guard_span(replace(episode(), neighbours=(neighbour,)), language=language, rules=RULES)
        return bool(found.neighbours)

    assert kept(threshold)
    assert not kept(threshold - 0.001)


def test_mood_lowers_only_emotions_of_another_mood_and_removes_nothing():
    found = [
        Episode(1, 1, "user", "a", 1.0, memory_type="emotion", mood="sad"),
        Episode(2, 1, "user", "b", 0.9, memory_type="fact", mood="sad"),
        Episode(3, 1, "user", "c", 0.85, memory_type="emotion", mood="glad"),
        Episode(4, 1, "user", "d", 0.81, memory_type="emotion"),
    ]
    ranked = rerank_by_mood(found, "glad")
    assert [each.message_id for each in ranked] == [2, 3, 4, 1]
    assert ranked[-1].score == pytest.approx(0.8)
    assert [each.message_id for each in rerank_by_mood(found, "")] == [1, 2, 3, 4]


def test_a_mood_counts_as_much_whatever_put_the_episodes_in_order():
    reranked = [
        Episode(3, 1, "user", "c", 0.81),
        Episode(1, 1, "user", "a", 1.0, memory_type="emotion", mood="sad"),
        Episode(2, 1, "user", "b", 0.9),
    ]
    assert [each.message_id for each in rerank_by_mood(reranked, "")] == [3, 1, 2]
    assert [each.message_id for each in rerank_by_mood(reranked, "glad")] == [3, 2, 1]


def test_what_an_episode_answers_is_told_however_far_from_the_query_it_is():
    far = replace(BEFORE, similarity=None)
    kept, filtered = guard_span(replace(episode(), neighbours=(far,)), language="zh", rules=RULES)
    assert (kept.neighbours, filtered) == ((far,), 0)
