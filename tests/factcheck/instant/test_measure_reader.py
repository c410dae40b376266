"""What a sentence says of its author's body and sizes, read without a pattern."""

import pytest

from factcheck.instant.core.measure_reader import read_measures
from factcheck.instant.core.messages import fold_message


def read(text: str) -> dict[str, str]:
    message = fold_message(text)
    return {each.key: each.value for each in read_measures(message, (0, len(message.text)))}


SAID = [
    ("im usually between a small and a medium but go medium if its fitted", {"size": "S"}),
    ("size small up top, large on the bottom half", {"size": "S", "size_bottom": "L"}),
    ("XXL in tees thanks to the gym", {"size": "XXL"}),
    ("i wear a m in pretty much every hoodie", {"size": "M"}),
    ("hoodies in 3XL please, I like em roomy", {"size": "3XL"}),
    ("im a 14 UK on top and my feet are a size 6", {"size": "14", "shoe_size": "6"}),
    ("US women's 8.5 in boots, narrow", {"shoe_size": "8.5"}),
    ("boots are 39", {"shoe_size": "39"}),
    ("my feet are EU 44 and a half depending on brand", {"shoe_size": "44.5"}),
    ("i take a ten and a half in trainers", {"shoe_size": "10.5"}),
    ("pants 34x32 slim fit", {"jeans_size": "34x32"}),
    ("W32 L34 in jeans, nothing stretchy", {"jeans_size": "32x34"}),
    ("jeans wise I am a 30/30", {"jeans_size": "30x30"}),
    ("im a 32DD bra, 28 waist if ur picking swimwear", {"bra_size": "32DD", "waist": "28"}),
    ("need a supportive sports bra, 36 F here", {"bra_size": "36F"}),
    ("my chest is 42 inches and my neck 16.5", {"chest": "42", "neck": "16.5"}),
    ("waist 29 hips 39 bust 35", {"waist": "29", "hips": "39", "chest": "35"}),
    ("ring finger is a size 7 and a half", {"ring_size": "7.5"}),
    ("I take a size P in rings, UK sizing", {"ring_size": "P"}),
    ("i'm 5'7 and 140 lbs", {"height_cm": "170", "weight_lb": "140"}),
    ("im 5ft3 and 60 kilos", {"height_cm": "160", "weight_kg": "60"}),
    ("5 ft 11 in, 82kg", {"height_cm": "180", "weight_kg": "82"}),
    ("standing at 6'2\" most doors are my enemy", {"height_cm": "188"}),
    ("five foot three, yes i need the petite range", {"height_cm": "160"}),
    ("I'm about eleven stone four these days", {"weight_lb": "158"}),
    ("height 1.82m weight 77.5 kg", {"height_cm": "182", "weight_kg": "78"}),
    ("I weigh a hundred and five kilos so check the chair limit", {"weight_kg": "105"}),
    ("6 feet tall and still growing sideways", {"height_cm": "183"}),
    ("i'm 168 cm tall, so midi skirts become maxi", {"height_cm": "168"}),
    ("my hat size is 58 cm", {"hat_size": "58"}),
    ("inseam thirty four, always hard to find", {"inseam": "34"}),
    ("gloves in medium pls, size 8 hands", {"glove_size": "M"}),
    ("я сверху с, снизу эмка", {"size": "S", "size_bottom": "M"}),
    ("ношу сорок восьмой, в плечах пятидесятый", {"size": "48", "size_shoulders": "50"}),
    ("ботинки 39-й, полнота широкая", {"shoe_size": "39"}),
    ("нога тридцать семь с половиной", {"shoe_size": "37.5"}),
    ("рост 170 вес 60", {"height_cm": "170", "weight_kg": "60"}),
    ("я метр восемьдесят два, вешу девяносто", {"height_cm": "182", "weight_kg": "90"}),
    ("1м70 и 65 кг, если что", {"height_cm": "170", "weight_kg": "65"}),
    ("талия 68, бедра 96, грудь 90", {"waist": "68", "hips": "96", "chest": "90"}),
    ("лифчик 75С ношу", {"bra_size": "75C"}),
    ("безымянный палец 17,5 если кольцо", {"ring_size": "17.5"}),
    ("футболки беру XL, джинсы 33 на 34", {"size": "XL", "jeans_size": "33x34"}),
    ("икс эль мне, не меньше", {"size": "XL"}),
    ("икс икс эль мне", {"size": "XXL"}),
    ("محتاج بدلة رياضة ٢ اكس لارج", {"size": "2XL"}),
    ("весы показали 72, рост прежний 165", {"weight_kg": "72", "height_cm": "165"}),
    ("طولي ١٦٥ ووزني ٦٠", {"height_cm": "165", "weight_kg": "60"}),
    ("طولي متر وسبعين", {"height_cm": "170"}),
    ("ألبس لارج فوق وميديم تحت", {"size": "L", "size_bottom": "M"}),
    ("مقاس جزمتي ٤١ ونص", {"shoe_size": "41.5"}),
    ("وزني تسعين كيلو وطولي ١٨٢ سم", {"weight_kg": "90", "height_cm": "182"}),
    ("خصري ٧٠ والأرداف ٩٨", {"waist": "70", "hips": "98"}),
    ("بلبس اكس لارج في التيشيرتات", {"size": "XL"}),
    ("مقاس البنطلون ٣٢ عندي", {"size": "32"}),
    ("toli 165 w wazni 60", {"height_cm": "165", "weight_kg": "60"}),
    ("regli 40 w msh dayma bala2i", {"shoe_size": "40"}),
    ("balbes medium fo2 w large ta7t", {"size": "M", "size_bottom": "L"}),
    ("ma2as el gazma bta3i 43", {"shoe_size": "43"}),
    ("5asri 74 w tooli metr w sab3een", {"waist": "74", "height_cm": "170"}),
]


NOT_SAID = [
    "the village is 165 km away and we have 60 minutes",
    "i rolled a 20 and a 12",
    "it's a small world and a large pizza is never enough",
    "medium rare please, and a large coke",
    "i'm 38 and tired",
    "my son is 12 years old",
    "page 42 of the book made me cry",
    "the ceiling is 6 feet high and the room 12 feet wide",
    "i ran 10 km in 52 minutes",
    "the score was 34-32 at halftime",
    "he lives in flat 32B, second floor",
    "wash it at 40C, never hotter",
    "it's 30C outside and i'm melting",
    "i lost 5 kg since spring",
    "i can bench 100 kg now",
    "the goblin has 42 hp left and armour class 16",
    "room 36, 4th floor",
    "we ordered 2 kg of apples",
    "see you at 10.30 at platform 9",
    "i've read 38 pages today",
    "vitamin c and vitamin d every morning",
    "that was an L for me, huge L",
    "plan s, plan m, whatever works",
    "the suitcase weighs 23 kg",
    "levelled my wizard to 46",
    "the tv is 55 inches",
    "мне 38 лет, и я устал",
    "до дачи 42 километра",
    "с понедельника начинаю бегать",
    "купи 2 кг картошки и батон",
    "похудела на 7 кг за лето",
    "автобус 46 опять не приехал",
    "в игре у меня 60 уровень",
    "температура 38, лежу",
    "عمري ٣٨ سنة",
    "المسافة ١٦٥ كيلو من هنا",
    "الساعة ٤٢ دقيقة",
    "3omri 25 sana",
    "ma3i 40 sa7bi fel group",
    "battery at 34 percent",
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_measures_are_read_from_a_sentence(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize("text", NOT_SAID)
def test_other_figures_are_no_measures(text):
    assert read(text) == {}


def test_places_lead_back_to_the_words_as_typed():
    text = "So… my Waist's 74 and I'm a 75C."
    message = fold_message(text)
    read = read_measures(message, (0, len(message.text)))
    assert [message.quote(each.start, each.end) for each in read] == ["Waist's 74", "75C"]


def test_only_the_sentence_asked_for_is_read():
    message = fold_message("Waist 70. Hips 98.")
    assert [each.key for each in read_measures(message, (0, 9))] == ["waist"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("172 and 64, if that helps with the grid", {"height_cm": "172", "weight_kg": "64"}),
        ("44, не переживай, я знаю", {"size": "44"}),
    ],
)
def test_bare_figures_count_only_where_measures_are_expected(text, expected):
    message = fold_message(text)
    span = (0, len(message.text))
    assert {each.key: each.value for each in read_measures(message, span, is_expected=True)} == expected
    assert read_measures(message, span, is_expected=True) != read_measures(message, span)
