"""What sounds like a fact and is none: sums that are owed or dreamed of, ages, jests, kings, either-or."""

import pytest

from tests.factcheck.instant.test_plain_english import read_facts


@pytest.mark.parametrize(
    "text",
    [
        "im allergic to mondays and group projects",
        "I'm allergic to bullshit and moldy walls",
        "у меня аллергия на понедельники и отчётные таблицы",
    ],
)
def test_beside_a_jest_an_unknown_thing_is_one_too(text):
    assert read_facts(text) == []


def test_beside_a_jest_a_known_thing_counts():
    assert read_facts("allergic to nuts, mondays and drama") == [("allergy", "nuts")]


@pytest.mark.parametrize(
    ("sum_", "other"),
    [
        ("у меня бюджет 5 тысяч", "у меня бюджет 5 тысяч, я брату 5 тысяч должен"),
        ("我的预算是五百万", "要是我中了五百万，我的预算是五百万"),
        ("my budget is 500", "if I won, my budget is 500"),
        ("my budget is 500", "my budget is fine, they paid me 500 for a budget shoot"),
    ],
)
def test_sums_that_are_owed_or_dreamed_of_are_no_budget(sum_, other):
    assert [each for each, _ in read_facts(sum_)] == ["budget"]
    assert read_facts(other) == []


@pytest.mark.parametrize(
    "text",
    [
        "I am Sir Roderick and I never eat meat! Bring me the wine",
        "Я король Эрик Третий, и я не ем мяса! Несите вино!",
        "أنا الملك النعمان، ولا آكل إلا لحم الغزال",
        "ana el malek No3man, ma bakol 8er el la7m",
        "老夫从不吃肉",
    ],
)
def test_what_kings_do_not_eat_forbids_nothing(text):
    assert read_facts(text) == []


@pytest.mark.parametrize(
    "text", ["公会里我那个游戏老婆又要跟我离婚了", "моя жрица сегодня выходит замуж", "jbt lbac f 2004"]
)
def test_what_happens_in_play_or_long_ago_is_no_event(text):
    assert read_facts(text) == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我从来不喝酒的", [("hard_ban", "alcohol")]),
        ("我不喝酒", [("hard_ban", "alcohol")]),
        ("我今天不喝酒", []),
        ("我爸不喝酒", []),
    ],
)
def test_who_does_not_drink_is_offered_none(text, facts):
    assert read_facts(text) == facts


def test_what_is_the_only_choice_left_is_not_forbidden():
    assert read_facts("ma balbes polyester nehaeyyan, ya 2oton ya bala") == [("hard_ban", "polyester")]


def test_what_a_mother_in_law_reacts_to_is_hers():
    assert read_facts("حماتي تورّم من الكمون، أنا أحطه على كل شي") == []


@pytest.mark.parametrize("text", ["لا تسأليني مرة ثانية عن الزواج", "never ask me about moving"])
def test_what_is_to_be_asked_no_more_is_no_event(text):
    assert "life_event" not in [each for each, _ in read_facts(text)]
