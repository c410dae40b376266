"""Chinese: folding, numerals, dates, and the way back to what was typed."""

import datetime
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.heard import judge, read_lines
from factcheck.instant.core.chinese import fold_chinese, is_chinese
from factcheck.instant.core.event_dates import find_event_date
from factcheck.instant.core.event_reader import read_events
from factcheck.instant.core.measure_reader import read_measures
from factcheck.instant.core.messages import fold, fold_message
from factcheck.instant.core.money import read_money
from factcheck.instant.core.sum_reader import read_sums
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import PROTECTED_TYPES
from tests.factcheck.instant.conftest import NOW

PACKS = Path(__file__).resolve().parents[3] / "factcheck" / "pattern_sets"
EVERYDAY = Path(__file__).resolve().parents[3] / "qa" / "facts" / "everyday-zh.jsonl"
CHARACTERS = "我对花生过敏對過五百块一米六二两十万千月号周下，。！？、 \nMabc123.,😀ア"


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        ("我對花生過敏", "我 对 花生 过敏"),
        ("我不能吃螃蟹。谢谢！", "我 不能 吃 螃蟹. 谢谢!"),
        ("鞋４２碼", "鞋 42 码"),
        ("你这个笨蛋", "你 这个 笨蛋"),
        ("我一米六五，一百一十斤", "我 165 厘米, 110 斤"),
        ("1米8", "180 厘米"),
        ("35号半", "35.5 码"),
        ("大概米九二", "大概 192 厘米"),
        ("我米七", "我 170 厘米"),
        ("出得起五舊水", "出 得 起 500 块"),
        ("十舊水", "1000 块"),
        ("腰二尺三", "腰 77 厘米"),
        ("裤腰2尺4", "裤腰 80 厘米"),
        ("二六零的靴子", "260 的 靴子"),
        ("I moved to 北京", "i moved to 北京"),
    ],
)
def test_text_is_cut_into_simplified_words(typed, folded):
    assert fold(typed) == folded
    assert fold(folded) == folded


@pytest.mark.parametrize("text", ["私はピーナッツアレルギーです", "плавание", "plain text", "حساسية"])
def test_other_languages_are_left_alone(text):
    assert not is_chinese(text)
    assert fold_chinese(text) == text


@pytest.mark.parametrize(
    ("typed", "digits"),
    [
        ("五百块", "500 块"), ("两千三", "2300"), ("1万2块", "12000 块"), ("三千五百元", "3500 元"), ("2.5万", "25000"),
        ("十五号", "15 号"), ("一千零五十", "1050"), ("二百五", "250"), ("三天", "3 天"), ("两个月", "2 个 月"),
    ],
)  # fmt: skip
def test_numerals_become_digits(typed, digits):
    assert fold(f"大概{typed}").removeprefix("大概 ") == digits


@pytest.mark.parametrize(
    "text",
    [
        "千万别",
        "万一",
        "十分好",
        "一起去",
        "周三",
        "星期五",
        "一吃就吐",
        "一点",
        "百分百",
        "小米八",
        "煮米五分钟",
        "米七成熟",
        "得寸进尺",
    ],
)
def test_words_with_numerals_stay_words(text):
    assert not any(character.isdigit() for character in fold(f"我{text}"))


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=CHARACTERS, max_size=40))
def test_every_range_leads_back_to_the_typed_text(text):
    message = fold_message(text)
    end = len(message.text)
    if end:
        first, last = message.locate(0, end)
        assert 0 <= first <= last <= len(text)
        places = [message.locate(place, place + 1)[0] for place in range(end)]
        assert places == sorted(places)


def test_quotes_are_what_was_typed(extract):
    (fact,) = extract("哈囉，我對花生過敏喔")
    assert "花生過敏" in fact.quote
    assert fact.language == "zh"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("后天", (2026, 2, 12)), ("下周五", (2026, 2, 20)), ("周五", (2026, 2, 13)), ("这周日", (2026, 2, 15)),
        ("三天后", (2026, 2, 13)), ("过两个礼拜", (2026, 2, 24)), ("12月18号", (2026, 12, 18)),
        ("十二月十八日", (2026, 12, 18)), ("1月3号", (2027, 1, 3)), ("下个月8号", (2026, 3, 8)),
        ("国庆", (2026, 10, 1)), ("十一", (2026, 10, 1)), ("春节", (2026, 2, 17)), ("2027年3月1日", (2027, 3, 1)),
        ("2025年3月5号报的名,下周五", (2026, 2, 20)), ("on friday", (2026, 2, 13)),
    ],
)  # fmt: skip
def test_dates_are_read(text, day):
    found = find_event_date(fold(f"{text}考试"), NOW)
    assert found is not None
    assert found.day == datetime.date(*day)


@pytest.mark.parametrize(
    ("text", "month_end"), [("下个月", (2026, 3, 31)), ("月底", (2026, 2, 28)), ("六月", (2026, 6, 30))]
)
def test_longer_times_end_with_their_last_day(text, month_end):
    found = find_event_date(fold(f"{text}考试"), NOW)
    assert found is not None
    assert found.day is None
    assert found.expires_at.date() == datetime.date(*month_end) + datetime.timedelta(days=1)


@pytest.mark.parametrize("text", ["上周五", "然后天黑", "以后再说", "五百年"])
def test_no_date_is_made_up(text):
    assert find_event_date(fold(text), NOW) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("五百块", "500 CNY"),
        ("两千港币", "2000 HKD"),
        ("￥300", "300 CNY"),
        ("200刀", "200 USD"),
        ("人民币一千", "1000 CNY"),
    ],
)
def test_money_is_read(text, value):
    money = read_money(text)
    assert money is not None
    assert money[0] == value


def test_every_chinese_name_and_list_word_is_one_token():
    files = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in PACKS.glob("concepts*.yaml")]
    groups = [group for content in files for group in content.values()]
    names = [name for group in groups for row in group["concepts"].values() for name in row.get("zh", ())]
    assert len(names) > 1_000
    assert [name for name in names if re.fullmatch("(?!我)[\u4e00-\u9fff]+", name) and " " in fold(f"({name})")] == []
    assert [word for word in read_words("other_people") if " " in fold(f"({word})")] == []


def test_everyday_lines_are_heard(compiled):
    from bench.facts import Reader

    judged = [judge(line, Reader()) for line in read_lines(EVERYDAY)]
    counts = {name: sum(len(getattr(each, name)) for each in judged) for name in ("right", "wrong", "missed")}
    assert len(judged) >= 200
    assert counts["right"] / (counts["right"] + counts["wrong"]) >= 0.98
    assert counts["right"] / (counts["right"] + counts["missed"]) >= 0.93
    assert not [
        each.line["text"] for each in judged if any(fact.split(" ")[0] in PROTECTED_TYPES for fact in each.wrong)
    ]


@pytest.mark.parametrize(
    ("question", "answer", "facts"),
    [
        ("你有什么过敏吗？", "花生和虾", [("allergy", "peanuts"), ("allergy", "shrimp")]),
        ("你对什么食物过敏？", "没有", []),
        ("你对什么过敏？", "什么都不过敏", []),
        ("你有什么过敏吗？", "我妈对花生过敏", []),
        ("你的鞋码是多少？", "42", [("body_params", "shoe_size")]),
        ("体重多少？", "110斤", [("body_params", "weight_kg")]),
        ("预算是多少元？", "八百", [("budget", "general")]),
        ("有什么内容要避开的吗？", "蜘蛛、小丑", [("hard_ban", "spiders"), ("hard_ban", "clowns")]),
        ("可以写蜘蛛吗？", "不要", [("hard_ban", "spiders")]),
        ("最近有什么重要的日子吗？", "下周五考试", [("life_event", "exam")]),
        ("你今天吃什么了？", "虾", []),
    ],
)
def test_bare_answers_are_read(extract, question, answer, facts):
    assert [(fact.type, fact.key) for fact in extract(answer, previous=question)] == facts


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("我一米六五，一百一十斤", {"height_cm": "165", "weight_kg": "55"}),
        ("身高170，体重一百四", {"height_cm": "170", "weight_kg": "70"}),
        ("鞋子我穿四十一码的", {"shoe_size": "41"}),
        ("從M換成L碼了", {"size": "L"}),
        ("腰围72，臀围95", {"waist": "72", "hips": "95"}),
    ],
)
def test_measures_are_read_without_a_pattern(text, measures):
    message = fold_message(text)
    assert {each.key: each.value for each in read_measures(message, (0, len(message.text)))} == measures


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("预算：2000-3000元", "3000 CNY"), ("最多能花两千三", "2300"), ("總預算大約三萬台幣", "30000 TWD"),
        ("昨天花了三千块", None),
    ],
)  # fmt: skip
def test_sums_are_read_without_a_pattern(text, value):
    message = fold_message(text)
    found = read_sums(message, (0, len(message.text)))
    assert [each.value for each in found] == ([value] if value else [])


def test_events_are_read_without_a_pattern(concepts):
    message = fold_message("我老婆预产期在六月底")
    (event,) = read_events(message, (0, len(message.text)), concepts, NOW)
    assert event.key == "birth_wife"
