"""Every alternative of the expressions that seed 002 writes for hard facts is recognised as its type."""

import pytest

from bench.facts import Reader

ALTERNATIVES = {
    "body_params": """мой размер M|мой размер теперь M|мой размер стал 42|я ношу 42|я ношу M|my size is M
my size now M|my size 42|I wear M|I wear a M|I wear size M|I'm size M|I'm a size 42|مقاسي M
مقاسي صار M|مقاسي هو M|حجمي M|حجمي صار 42|مقاسي 42|ألبس M|أرتدي M|لابس M|لابسة مقاس M
ألبس مقاس 42|أرتدي مقاس M|ma2asi M|ma2asy M|ma2asi sar M|7ajmi M|7ajmy 42|sizei M|sizey M
albis M|albas M|albis 42|أنا size M|ana size 42""",
    "allergy": """аллергия на никель|аллергию на никель|allergy to nickel|allergic to nickel|حساسية من النيكل
عندي حساسية من النيكل|أعاني من حساسية من النيكل|عندي تحسس من النيكل|تحسس من النيكل|حساسية للنيكل
7asasiya min nickel|3indi 7asasiya min nickel|3ndi 7asasiya min nickel|ta7assos min nickel
3indi ta7assos min nickel""",
    "hard_ban": """не предлагай кожу|никогда не предлагай кожу|никогда не хочу кожу|никогда не буду кожу носить
не ношу кожу|никогда не ношу кожу|never suggest leather|I don't want leather|I dont want leather
don't wear leather|I don't wear leather|لا تقترح جلد|لا تقترح علي جلد|ما تعرض علي جلد
لا تعرض جلد|ما أبي جلد|مابي جلد|ما أبغى جلد|مابغى جلد|la t2tiri7 leather|la t3irid leather
ma abi leather|mabi leather|ma abgha leather""",
    "budget": """бюджет до 500 дирхам|бюджет не больше 500 дирхам|бюджет 500 aed|бюджет 500 dhs
budget up to 500 aed|budget max 500 dhs|budget 500 dirhams|budget 500 dirham|ميزانيتي 500 درهم
ميزانية 500 درهم|ميزانيتي لا تتجاوز 500 درهم|ميزانيتي حدود 500 درهم|بجت ماكس 500 درهم
ما أبي أصرف أكثر من 500 درهم|مابي أصرف فوق 500 درهم|budget max 500 dirham|bajt 500 darham
bajt la 500 dhs|500 درهم max|500 dhs max|500 aed максимум|500 درهم بس|500 aed only|500 درهم ماكس""",
    "life_event": """через 2 недели свадьба|через 3 дня день рождения|через 2 месяца переезд|через 5 дней отпуск
скоро свадьба|скоро переезд|планирую отпуск|планирую поездку|готовлюсь к презентации
готовлюсь к выпускному|готовлюсь к юбилею|in 2 weeks my wedding|in 3 days my birthday
within 2 months vacation|in 2 weeks trip|planning a wedding|preparing for a presentation
preparing for graduation|soon my anniversary|عندي عرس|عندنا زواج بعد 2 أسبوع|بعد 2 شهر عيد ميلاد
خلال 2 أسبوع سفر|أجهز حق عرس|أستعد لزواج|أحضر لحفلة|3indi 3irs ba3d esboo3|ba3d 2 zawaj
5ilal 2 safar|preparing for 3irs|getting ready for zawaj""",
}
CASES = [(kind, text) for kind, texts in ALTERNATIVES.items() for line in texts.split("\n") for text in line.split("|")]


@pytest.fixture(scope="module")
def reader():
    return Reader()


@pytest.mark.parametrize(("kind", "text"), CASES)
def test_alternative_of_the_seed_is_recognised(kind, text, reader):
    assert kind in {fact.type for fact in reader.read(text)}
