"""What sounds like a fact and is none: sums that are owed or dreamed of, kings, either-or; and what is one."""

import pytest

from tests.factcheck.instant.test_plain_english import read_facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我的预算是五百万", ["budget"]),
        ("预算五百，如果我捡到便宜就更好", ["budget"]),
        ("my budget is 400, tell me if i hit the limit", ["budget"]),
        ("my budget is 200 if i won't need extras", ["budget"]),
        ("у меня бюджет 5 тысяч", ["budget"]),
        ("у меня бюджет 5 тысяч должен, вот так", []),
        ("мой бюджет 20 тысяч рублей. маме должна подойти", ["budget"]),
        ("my budget is $500, I owe my mom a nice gift", ["budget"]),
        ("انا مديون. ميزانيتي 300 دينار", ["budget"]),
    ],
)
def test_sums_that_are_owed_are_no_budget_and_others_are(text, facts):
    assert [each for each, _ in read_facts(text)] == facts


@pytest.mark.parametrize(
    "text",
    [
        "I am Sir Roderick the Bold and I never eat meat! Bring me the wine",
        "Я король Эрик Третий, и я не ем мяса! Несите вино!",
        "أنا الملك النعمان، ولا آكل إلا لحم الغزال",
        "ana el malek No3man, ma bakol 8er el la7m",
        "老夫从不吃肉",
    ],
)
def test_what_kings_do_not_eat_forbids_nothing(text):
    assert read_facts(text) == []


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("я принципиально не ем мясо и рыбу", {"meat", "fish"}),
        ("я принципиально против меха и не ношу кожу", {"leather"}),
        ("я князев антон, не ем рыбу", {"fish"}),
        ("أنا فارس من حلب وما باكل لحمة", {"meat"}),
        ("انا قائد فريق وما آكل لحم خنزير", {"pork"}),
        ("ana amir men 7alab, ma bekol samak", {"fish"}),
        ("I'm Prince Okafor and I don't eat pork", {"pork"}),
        ("我是公会会长，对花生过敏", {"peanuts"}),
    ],
)
def test_who_is_only_called_so_is_heard(text, keys):
    assert keys <= {key for _, key in read_facts(text)}


@pytest.mark.parametrize("text", ["моя жрица сегодня выходит замуж", "jbt lbac f 2004"])
def test_what_happens_in_play_or_long_ago_is_no_event(text):
    assert read_facts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "я на третьем месяце испытательного срока",
        "今天和老公分开睡",
        "ana w 7abibi sebna el bet",
        "thats how teta and jeddo met",
        "мой друг рассказал: жена подала на развод",
    ],
)
def test_what_begins_like_an_event_is_none(text):
    assert "life_event" not in [each for each, _ in read_facts(text)]


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


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("حماتي تورّم من الكمون، أنا أحطه على كل شي", []),
        ("حماتي عازمتني عندي حساسية من السمك", [("allergy", "fish")]),
    ],
)
def test_what_a_mother_in_law_reacts_to_is_hers_and_what_i_have_is_mine(text, facts):
    assert read_facts(text) == facts


@pytest.mark.parametrize("text", ["لا تسأليني مرة ثانية عن الزواج", "la tes2alini 3an 3ersi"])
def test_what_is_to_be_asked_no_more_is_no_event(text):
    assert "life_event" not in [each for each, _ in read_facts(text)]
