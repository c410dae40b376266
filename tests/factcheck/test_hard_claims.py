"""Claims that are hard to judge, held against the sample world's public articles without a database.

The list of a language is one test, so that a change of the rules shows everything that it turns at once.
"""

from functools import cache

import pytest

from factcheck.claims.core.field_comparison import compare_claim
from factcheck.claims.core.subject_index import ArticleFacts, build_subjects
from factcheck.core.tokens import tokenize
from tests.samples.articles import read_articles


@cache
def read_subjects(domain):
    articles = [article for article in read_articles() if article.domain == domain and not article.is_secret]
    facts = [
        ArticleFacts(
            slug=article.slug,
            title=article.front["title"],
            type=article.front["type"],
            aliases=tuple(article.front.get("aliases", ())),
            fields=article.front.get("fields", {}),
            field_labels=article.front.get("field_labels", {}),
            translation_of=next(
                (one["to"] for one in article.front.get("relations", ()) if one["type"] == "translation_of"), ""
            ),
        )
        for article in articles
    ]
    return build_subjects(facts, facts)


def judge(claim, domain="lore"):
    verdict = compare_claim(tokenize(claim), read_subjects(domain))
    return "unknown" if verdict is None else verdict.verdict


CLAIMS = {
    "en": {
        "true": [
            "The Moon Bridge wasn't built in 1150.",
            "Tomas Wick is not the keeper of the Moon Bridge.",
            "Li Shen is the keeper of the Moon Bridge.",
            "Bell Hill is 92 metres tall.",
            "Bell Hill is 92 metres high.",
            "The tower of Bell Hill is 41 metres tall.",
            "Bell Hill has 233 steps.",
            "The Moon Bridge is 0.214 km long.",
            "The Moon Bridge is 21400 cm long.",
            "The Moon Bridge is 214 long.",
            "The Night of Silence happened on September 14, 1219.",
            "The Night of Silence happened on 1219-09-14.",
            "Selmar has 48,000 inhabitants.",
            "Selmar has forty-eight thousand inhabitants.",
            "The Mute Bell is made of bronze and river silver.",
            "Tomas Wick is thirteen years old.",
            "The Moon Bridge's height is 17 metres.",
            "The Mute Bell weighs 0.88 tonnes.",
            "Edda Crane was born in 1181.",
            "The Council has eleven seats.",
            "Xu Lan is 29 years old.",
            "The Bridge of the Moon was raised in 1123.",
            "Li Shen has eight fingers.",
            "The Drowned Library has four floors.",
            "The Drowned Library has three floors under water.",
            "The Bridge Council was founded in 1221.",
            "The term of the Bridge Council is three years.",
            "The Moon Bridge has 9 spans.",
            "The toll of the Moon Bridge is two grains.",
            "The Moon Bridge toll was 2.",
            "Selmar has 11 bridges.",
            "The river of Selmar is the Issen.",
            "Li Shen has been keeper since 1226.",
            "The Bell Guild has 96 members.",
            "Perrin Hale was on duty on the Night of Silence.",
            "The Night of Silence lasted eleven hours.",
            "The Night of Silence lasted 660 minutes.",
            "The Mute Bell was never cast in 1200.",
            "The Mute Bell was cast in the year 1171.",
            "The Hush rises 40 minutes after sunset.",
            "The highest record of the Hush is 71 metres.",
            "Reedside's population is 3100.",
            "Reedside has 420 stilt houses.",
        ],
        "false": [
            "The Moon Bridge was not built in 1123.",
            "The architect of the Moon Bridge is Oda Marr.",
            "The Bell Guild is led by Li Shen.",
            "Li Shen is not the keeper of the Moon Bridge.",
            "Bell Hill has 200 steps.",
            "The Moon Bridge is 300 m long.",
            "The Night of Silence happened in 1220.",
            "Selmar has 50,000 inhabitants.",
            'The sign of the Unlit is "a burning bell".',
            "The Moon Bridge is 18 metres high.",
            "The Mute Bell weighs 900 kg.",
            "Li Shen has ten fingers.",
            "The Moon Bridge is nine metres high.",
            "The Moon Bridge is two metres high.",
            "The toll of the Moon Bridge is three grains.",
            "Oda Marr is 52.5 years old.",
            "Selmar has 6 wards.",
            "The river of Selmar is called Danube.",
            "Li Shen has been the keeper since 1230.",
            "The Night of Silence lasted 11 minutes.",
            "The Mute Bell was not cast in 1171.",
            "The fog rises 50 minutes after sunset.",
        ],
        "unknown": [
            "Was the Moon Bridge built in 1123?",
            "The Moon Bridge has more than nine arches.",
            "The Moon Bridge has at least two arches.",
            "The Moon Bridge has about nine arches.",
            "One of the Moon Bridge's arches is broken.",
            "Two of the arches of the Moon Bridge collapsed.",
            "The Moon Bridge was built by 1150.",
            "The Moon Bridge was built by Bai Ruo in 1123.",
            "The Moon Bridge was built before 1150.",
            "The architect of the Moon Bridge is French.",
            "Nobody designed the Moon Bridge.",
            "Oda Marr is led by the Bell Guild.",
            "Li Shen's keeper is the Moon Bridge.",
            "The keeper of the Moon Bridge is Tomas Wick's friend.",
            "The keeper of the Moon Bridge knows Tomas Wick.",
            "The Moon Bridge is 214 feet long.",
            "The Moon Bridge is 702 feet long.",
            "The Moon Bridge is 241 long.",
            "The Moon Bridge is 214 days long.",
            "The Moon Bridge was built in 9 days.",
            "The Night of Silence happened in September 1219.",
            "The Night of Silence happened in October 1219.",
            "The date of the Night of Silence is 09/08/1219.",
            "Selmar has nearly 48,000 inhabitants.",
            "Selmar was founded in 1041 and has eleven bridges.",
            "If the Moon Bridge has nine arches, Oda rules.",
            "The Mute Bell is made of gold.",
            "Tomas Wick was thirteen years old when found.",
            "Tomas Wick will be 14 years old.",
            "The height of the Moon Bridge is seventeen metres and a half.",
            "The Mute Bell weighs 880 pounds.",
            "Edda Crane's mother was born in 1150.",
            "Li Shen has eight fingers on one hand.",
            "The Moon Bridge, not the Broken Bridge, has nine arches.",
            "The Moon Bridge has nine arches in theory.",
            "Some say the Moon Bridge has eleven arches.",
            "The Moon Bridge had eleven arches before the flood.",
            "The Moon Bridge should have eleven arches.",
            "The Moon Bridge has eleven broken arches.",
            "No, the Moon Bridge has nine arches.",
            "It is false that the Moon Bridge has nine arches.",
            "The Moon Bridge doesn't have nine arches or ten.",
            "The Moon Bridge has neither nine arches.",
            "The Drowned Library has three floors.",
            "Four floors of the Drowned Library are under water.",
            "The term of the Bridge Council is 36 months.",
            "Oda Marr has led the Bell Guild since 1231.",
            "The Moon Bridge was rebuilt in 1150.",
            "The Moon Bridge was first opened in 1150.",
            "The Moon Bridge's long arches are nine.",
            "The Moon Bridge spans 214 metres.",
            "The Moon Bridge is 17 metres long.",
            "The toll of the Moon Bridge is two bars.",
            "Oda Marr is older than 50 years.",
            "Oda Marr is at most 60 years old.",
            "Oda Marr turned 52 years old in 1247.",
            "Oda Marr was born in 1195 in Selmar.",
            "Selmar was founded in 1041 by Oda Marr.",
            "The Bell Guild was founded in 1068 in Selmar.",
            "Selmar has 11 wards.",
            "The river of Selmar is great.",
            "The river of Selmar is Great.",
            "The keeper of the Moon Bridge is blind.",
            "The keeper of the Moon Bridge is the Bell Guild.",
            "The keeper of the Moon Bridge is a man called Li Shen.",
            "The true name of the Speaker is Perrin Hale.",
            "The Speaker is 71 years old.",
            "The door under the fifth arch has 61 steps.",
            "Li Shen has kept the bridge for 1226 years.",
            "Oda Marr, born in 1195, leads the Bell Guild.",
            "The Bell Guild has 96 female members.",
            "The Bell Guild has a hundred members.",
            "The Bell Guild has 100 members or so.",
            "The Bell Guild has up to 100 members.",
            "The Night of Silence lasted eleven years.",
            "The Mute Bell was cast in 1171 AD.",
            "The Mute Bell was cast in 71.",
            "The Hush rises 40 minutes before sunset.",
            "Reedside has 64 stilt houses.",
        ],
    },
    "ru": {
        "true": [
            "Лунный мост не построен в 1150 году.",
            "Длина Лунного моста 214 метров.",
            "Длина Лунного моста двести четырнадцать метров.",
            "Длина Лунного моста 21400 см.",
            "Ломаный мост рухнул в 1188 году.",
            "У Ломаного моста уцелело три арки.",
            "Глеб Омут родился в 1210 году.",
            "Вода в Большую воду поднялась на 7,5 метра.",
            "Рост Варвары Плёс 184 см.",
            "В Камышах 3100 жителей.",
            "В Камышах живёт 3 100 человек.",
            "Колокол «Старуха» весит 6,4 тонны.",
            "Туман поднимается через 40 минут после заката.",
            "Ли Шэню 58 лет.",
            "Варвара Плёс родилась в 1203 году.",
            "В Немую ночь пропало 87 человек.",
            "В Немую ночь не нашли 87 человек.",
            "В Немую ночь дежурил Перрин Хейл.",
            "Игнат не слышит левое ухо.",
            "Глухое ухо Игната — левое.",
            "Цвет шнура Узел-слова — красный.",
            "Артель сплавщиков возглавляет Варвара Плёс.",
        ],
        "false": [
            "Лунный мост построен не в 1123 году.",
            "Ломаный мост построен в 1188 году.",
            "Смотритель Лунного моста — Томас Вик.",
            "Смотритель Лунного моста — Глеб Омут.",
            "Возраст Глеба Омута 40 лет.",
            "В Немую ночь пропало не 87 человек.",
            "В Немую ночь не нашли 90 человек.",
            "В Немую ночь дежурила Ода Марр.",
            "В Немую ночь дежурил Глеб Омут.",
            "Артель сплавщиков возглавляет Глеб Омут.",
        ],
        "unknown": [
            "Не Лунный мост построен в 1123 году.",
            "Лунный мост построен до 1150 года.",
            "Лунный мост построен в 1123 году?",
            "Построен ли Лунный мост в 1150 году?",
            "Лунный мост построен почти в 1123 году.",
            "Длина Лунного моста не менее 300 метров.",
            "Гильдия звонарей возглавляет Оду Марр.",
            "Смотритель Ли Шэня — Лунный мост.",
            "Лунный мост за 3 года построен.",
            "Глеб родился 12 мая 1210 года.",
            "Рост Варвары Плёс 2 метра.",
            "Смотритель Лунного моста дружит с Глебом Омутом.",
            "В Камышах живёт больше 3100 человек.",
            "Сельмар основан не раньше 1041 года.",
            "Девятая арка Лунного моста построена в 1150 году.",
            "Колокол «Старуха» весит 6 тонн.",
            "Неправда, что у Лунного моста девять арок.",
            "Тридцать один раз Варвара родилась в 1203 году.",
            "Варвара Плёс родилась в 1204 году в Камышах.",
            "Глебу Омуту через год исполнится 38 лет.",
            "Глебу Омуту меньше 40 лет.",
            "Глебу Омуту нет 40 лет.",
            "Глухое ухо Игната — правое.",
            "Штраф Руки, когда схвачен, -2.",
            "Перевоз у Глеба стоит три зерна.",
            "Артель сплавщиков состоит из 180 сплавщиков.",
        ],
    },
    "ar": {
        "true": [
            "ارتفاع باب الملح ١٢ مترًا.",
            "ليس ارتفاع باب الملح 15 مترًا.",
            "في باب الملح ثلاثة أبواب.",
            "كبيرة الوزّانين في باب الملح هي سميرة الميزان.",
            "يقود رابطة الملح يوسف المالح.",
            "عدد الجمال في رابطة الملح تسعمئة جمل.",
            "عمر سميرة 34 سنة.",
            "قطر إسطرلاب الرمل ١٩ سم.",
            "قطر إسطرلاب الرمل 0.19 متر.",
            "بدأ إضراب الملح في 3 يونيو 1240.",
            "بدأ إضراب الملح في 3 حزيران سنة 1240.",
            "عدد سكان سلمار 48000.",
            "في سلمار أحد عشر جسرًا.",
            "عمر يوسف المالح 49 سنة.",
            "مادة إسطرلاب الرمل نحاس وملح صخري.",
        ],
        "false": [
            "ليس ارتفاع باب الملح 12 مترًا.",
            "في باب الملح أربعة أبواب.",
            "عدد الجمال في رابطة الملح ألف جمل.",
            "سنة إضراب الملح 1241.",
            "عدد سكان سلمار ٥٠٠٠٠.",
            "في سلمار اثنا عشر جسرًا.",
            "صُنع إسطرلاب الرمل سنة 1103.",
        ],
        "unknown": [
            "هل بُني باب الملح سنة 1123؟",
            "لم يُبنَ باب الملح سنة 1123.",
            "بُني باب الملح قبل سنة 1123.",
            "ارتفاع باب الملح حوالي ١٥ مترًا.",
            "تقود رابطة الملح سميرة الميزان.",
            "يسكن سلمار خمسون ألف نسمة.",
            "صنع نورا إسطرلاب الرمل.",
        ],
    },
    "zh": {
        "true": [
            "月桥没有十一个桥孔。",
            "月桥长0.214公里。",
            "月桥的守桥人是李慎。",
            "许岚是灯社的社首。",
            "灯社有二百四十名成员。",
            "灯社有240个成员。",
            "瑟尔玛有四万八千人口。",
            "瑟尔玛人口4.8万。",
            "第一盏灯是三月二日点起的。",
            "青灯高26厘米。",
            "青灯高0.26米。",
            "许岚29岁。",
            "陈泊生于1192年。",
            "月窑建于1160年。",
            "月窑没有六间窑室。",
            "月窑烧十二天。",
            "月窑的窑主是陈泊。",
            "灯笼坊有17条街。",
            "青灯有八面玻璃。",
            "许岚治好了四十一个病人。",
            "静雾平常高六米。",
            "静雾最高七十一米。",
        ],
        "false": [
            "月桥不是建于1123年。",
            "月桥的守桥人是陈泊。",
            "陈泊是灯社的社首。",
            "灯社有三百名成员。",
            "瑟尔玛人口五万。",
            "第一盏灯是1041年3月3日点起的。",
            "月桥由李慎设计。",
            "青灯高30厘米。",
            "许岚三十岁。",
            "月窑有六间窑室。",
            "月窑的窑主是许岚。",
            "许岚治好了四十二个病人。",
            "静雾平常高七米。",
            "静雾最高一次有八十米。",
        ],
        "unknown": [
            "月桥有十多个桥孔。",
            "月桥大约长二百一十四米。",
            "月桥是建于1150年吗？",
            "月桥建于1150年之前。",
            "李慎的守桥人是月桥。",
            "许岚是灯社社首的朋友。",
            "瑟尔玛有一座桥。",
            "月镜由陈望制作。",
            "月桥不但有九个桥孔。",
            "陈泊的窑主是月窑。",
            "灯笼坊有三十三家茶馆。",
            "灯笼坊有不止17条街。",
            "送灯要连放三夜。",
            "灯社由许岚创立于1052年。",
        ],
    },
}


@pytest.mark.parametrize("language", CLAIMS)
def test_hard_claims_get_the_verdict_that_canon_bears_out(language):
    judged = {claim: judge(claim) for claims in CLAIMS[language].values() for claim in claims}
    expected = {claim: verdict for verdict, claims in CLAIMS[language].items() for claim in claims}
    assert judged == expected


def test_false_verdict_says_what_canon_has_instead():
    verdict = compare_claim(tokenize("The Moon Bridge has eleven arches."), read_subjects("lore"))
    assert (verdict.field, verdict.expected, verdict.slug) == ("arches", 9, "moon-bridge")


def test_other_number_of_a_name_that_two_things_share_is_not_false():
    facts = [
        ArticleFacts("old-crane", "Old Crane", "character", fields={"age": 66}),
        ArticleFacts("old-crane-inn", "Old Crane", "place", fields={"rooms": 4}),
    ]
    subjects = build_subjects(facts, facts)
    assert compare_claim(tokenize("Old Crane is 70 years old."), subjects) is None
    assert compare_claim(tokenize("Old Crane is 66 years old."), subjects).verdict == "true"


def test_translations_that_differ_decide_nothing():
    facts = [
        ArticleFacts("tower", "The Tower", "place", fields={"floors": 4}),
        ArticleFacts("tower-ru", "Башня", "place", fields={"floors": 5}, translation_of="tower"),
    ]
    assert compare_claim(tokenize("The Tower has 4 floors."), build_subjects(facts, facts)) is None


def test_reference_to_what_the_reader_may_not_know_decides_nothing():
    facts = [ArticleFacts("guild", "The Guild", "faction", fields={"leader": "[[shadow]]"})]
    subjects = build_subjects(facts, [])
    assert compare_claim(tokenize("The leader of The Guild is Oda Marr."), subjects) is None


def test_booleans_lists_and_signs_are_compared_in_their_kind():
    facts = [
        ArticleFacts(
            "ring",
            "The Ring",
            "item",
            fields={"is_magical": True, "bearers": ["Oda Marr", "[[li-shen]]"], "cold_modifier": -2},
            field_labels={"is_magical": ["magical"], "bearers": ["bearer", "bearers"], "cold_modifier": ["modifier"]},
        ),
        ArticleFacts("li-shen", "Li Shen", "character"),
    ]
    subjects = build_subjects(facts, facts)

    def verdict(claim):
        found = compare_claim(tokenize(claim), subjects)
        return "unknown" if found is None else found.verdict

    assert verdict("The Ring is magical.") == "true"
    assert verdict("The Ring is not magical.") == "false"
    assert verdict("Li Shen is a bearer of the Ring.") == "true"
    assert verdict("Tomas Wick is a bearer of the Ring.") == "unknown"
    assert verdict("The modifier of the Ring is -2.") == "true"
    assert verdict("The modifier of the Ring is -3.") == "false"
    assert verdict("The modifier of the Ring is 2.") == "unknown"


def test_claim_that_repeats_itself_is_left_undecided_at_once():
    assert judge("月桥有十一个桥孔" * 125) == "unknown"
    assert judge("The Moon Bridge has nine arches. " * 15) == "unknown"
