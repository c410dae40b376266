"""Which episodes and neighbours are told. Source: seed 002, fixes 5, 6, 7 and 12."""

from dataclasses import replace

import pytest

from runtime.config import load_budgets
from runtime.core.episodes import (
    Episode,
    Neighbour,
    choose_density_cap,
    guard_span,
    needs_span,
    rerank_by_mood,
)

RULES = load_budgets().to_span_rules()
LONG_QUERY = "Помнишь, какое платье из тех трёх я тогда выбрала?"
BEFORE = Neighbour(1, "assistant", "Вот три образа: синий, белый, серый.", -1, similarity=0.0)
ASIDE = Neighbour(2, "user", "У меня опять ссора дома.", 1, similarity=0.1)
NEAR = Neighbour(3, "user", "Платье нужно на свадьбу.", -2, similarity=0.31)
UNKNOWN = Neighbour(4, "user", "Ещё без вектора.", 2, similarity=None)


def episode(excerpt="Второй!", **values):
    return Episode(9, 1, "user", excerpt, 1.0, neighbours=(NEAR, BEFORE, ASIDE, UNKNOWN), **values)


@pytest.mark.parametrize(
    ("messages", "items", "share"),
    [(0, 3, 0.30), (49, 3, 0.30), (50, 5, 0.35), (299, 5, 0.35), (300, 7, 0.40), (10**6, 7, 0.40)],
)
def test_density_grows_with_the_user(messages, items, share):
    cap = choose_density_cap(load_budgets().to_density(), messages)
    assert (cap.max_items, cap.share) == (items, share)


@pytest.mark.parametrize(
    ("excerpt", "needs"),
    [
        ("Второй!", True),
        ("Да, " + "беру именно то платье, о котором мы говорили вчера вечером", True),
        ("الثاني، " + "اللي تكلمنا عنه أمس في المساء مع أختي وصديقتها في المول", True),
        ("第二个，" + "就是我们昨天晚上聊到的那一件" * 5, True),
        ("The second one, which we spoke about yesterday evening at length", True),
        ("Даша купила новое пальто и теперь ходит в нём каждый день на работу", False),
        ("x" * 49, True),
        ("x" * 50, False),
    ],
)
def test_short_and_pointing_episodes_need_what_was_said_before(excerpt, needs):
    assert needs_span(excerpt, RULES) is needs


def test_personal_neighbour_is_kept_back_and_counted():
    kept, filtered = guard_span(episode(), query=LONG_QUERY, language="ru", rules=RULES)
    assert [each.message_id for each in kept.neighbours] == [3, 1]
    assert filtered == 2


def test_assistant_before_a_long_episode_must_be_near_too():
    kept, _ = guard_span(
        episode("Платье синего цвета мне нравится больше, чем белое или серое."),
        query=LONG_QUERY,
        language="ru",
        rules=RULES,
    )
    assert [each.message_id for each in kept.neighbours] == [3]


def test_very_short_query_takes_only_evidence_and_what_the_assistant_said_before():
    evidence = replace(ASIDE, message_id=5, is_core=True)
    short = replace(episode(), neighbours=(NEAR, BEFORE, ASIDE, evidence))
    kept, _ = guard_span(short, query="да", language="ru", rules=RULES)
    assert [each.message_id for each in kept.neighbours] == [1, 5]


@pytest.mark.parametrize(
    ("language", "threshold"),
    [("ru", 0.3), ("en", 0.3), ("ar", 0.25), ("arabizi", 0.25), ("mixed", 0.25), ("zh", 0.28), ("und", 0.28)],
)
def test_threshold_goes_by_language(language, threshold):
    def kept(similarity):
        neighbour = replace(ASIDE, similarity=similarity)
        found, _ = guard_span(
            replace(episode(), neighbours=(neighbour,)), query=LONG_QUERY, language=language, rules=RULES
        )
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
