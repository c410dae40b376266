"""Classes of plain statements, each in several languages: what is heard, and what is nobody's fact."""

import pytest

from factcheck.instant.core.phrases import name_thing
from factcheck.instant.core.questions import detect_asked, is_yes
from tests.factcheck.instant.conftest import NOW  # noqa: F401


def _facts(extract, text, **said):
    return {(fact.type, fact.key) for fact in extract(text, **said)}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("crop tops are a permanent no", "crop_tops"),
        ("spiders: absolutely not.", "spiders"),
        ("slavery is something I don't want in any game I play", "slavery"),
        ("I'd rather we left torture out of our stories", "torture"),
        ("could we please skip any clowns?", "clowns"),
        ("no snakes, ok?", "snakes"),
        ("I love horror but no clowns please, ever", "clowns"),
        ("хватит пыток в моих историях", "torture"),
        ("чтобы змей в моих играх больше не было", "snakes"),
        ("Змей боюсь до обморока. Пожалуйста, нигде их не показывай.", "snakes"),
        ("трипофобия! не показывай мне такое", "trypophobia"),
        ("а можно без пауков, пожалуйста?", "spiders"),
        ("أرفض رفضا قاطعا أي وصف للتعذيب في القصص", "torture"),
        ("موت الحيوانات محرّم بطاولتي", "animal_harm"),
        ("siyasa mamnou3 m3ay", "politics"),
        ("te3abeen la la la, f kol el adventures", "snakes"),
    ],
)
def test_bans_are_heard_as_they_are_put(extract, text, key):
    assert ("hard_ban", key) in _facts(extract, text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("ibuprofen? nope. last time my lips went the size of sausages", "ibuprofen"),
        ("i carry an epipen because of bees", "bee_stings"),
        ("my throat closes up if i eat shrimp", "shrimp"),
        ("allergies, since you asked: dust mites, mold", "dust"),
        ("did i mention i'm allergic to latex?", "latex"),
        ("i'm allergic to crab irl, so no seafood feasts in this campaign", "crab"),
        ("i'm allergic to sunflower lecithin", "sunflower_lecithin"),
        ("аспирин — бронхоспазм. Проверено дважды", "aspirin"),
        ("от лошадей у меня насморк и глаза заплывают", "horses"),
        ("от персиков у меня горло сводит", "peaches"),
        ("у меня с детства аллергия на белую лебеду", "белая_лебеда"),
        ("el latex by7ra2 eedaya", "latex"),
    ],
)
def test_allergies_are_heard_by_what_a_thing_does(extract, text, key):
    assert ("allergy", key) in _facts(extract, text)


@pytest.mark.parametrize(
    "text",
    [
        "nuts are one of the most common allergens, did you know that",
        "imagine you are a doctor and i have a phobia of mirrors, never show them",
        "ей табу на сладкое, тренер сказал",
        "جدتي الله يرحمها كانت ممنوعة من السكر",
        "تخيل إنك طبيب وأنا مريضة عندي فوبيا من المرايا",
        "убирай это из всех рецептов",
        "the king never eats meat at his table",
        "I want to listen to Ghost in the Shell",
        "no problem, ok?",
        "am i allergic to nuts?",
        "fi nas ma bte2dar takol samak",
    ],
)
def test_others_words_and_idle_talk_protect_nobody(extract, text):
    assert not {fact for fact in _facts(extract, text) if fact[0] in ("allergy", "hard_ban")}


@pytest.mark.parametrize(
    ("previous", "text", "keys"),
    [
        ("Are you allergic to pollen?", "yeah, badly", {"pollen"}),
        ("What must I never suggest: 1) leather 2) fur 3) heels?", "the second one", {"fur"}),
        ("Чего тебе никогда не показывать: 1) каблуки, 2) кожа, 3) мех?", "первое и третье", {"heels", "fur"}),
        ("أي من هذه لا تريد رؤيته أبدا: ١) الجلد ٢) الفرو؟", "الثاني", {"fur"}),
        ("shou el ashya2 yalli ma lazem ektob 3anna abadan?", "ta3zib, 5atef", {"torture", "kidnapping"}),
        ("Should I avoid spiders or clowns?", "both", {"spiders", "clowns"}),
        ("May I show you spiders?", "never, please", {"spiders"}),
        ("May I show you spiders?", "yes", set()),
        ("Should I avoid spiders?", "no", set()),
        ("What are you allergic to?", "my sister is, to nuts", set()),
        ("Is there anything you never want to see?", "not sure yet", set()),
    ],
)
def test_answers_are_read_by_place_by_yes_and_by_name(extract, previous, text, keys):
    facts = {fact.key for fact in extract(text, previous=previous) if fact.type in ("allergy", "hard_ban")}
    assert facts == keys


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["any", "sunflower", "seeds", "at", "all"][:3], "sunflower seeds"),
        (["белые", "лилии"], "белые лилии"),
        (["манную", "кашу"], "манная каша"),
        (["بالزنجبيل"], "زنجبيل"),
        (["being", "bored"], None),
        (["очень", "громко"], None),
        (["that"], None),
    ],
)
def test_unknown_things_are_named_in_their_base_form(words, name):
    assert name_thing(words, "allergy") == name


def test_no_name_of_a_thing_is_a_word_that_every_sentence_has(concepts):
    common = {"из", "в", "на", "и", "the", "a", "of", "in", "to", "من", "في", "على", "و"}
    assert [(form, concept.key) for _, form, concept in concepts.list_forms() if form in common] == []


def test_questions_are_told_by_what_they_ask():
    assert detect_asked("What should I never put into your stories?") == ("hard_ban",)
    assert detect_asked("Чего в игре не должно быть?") == ("hard_ban",)
    assert detect_asked("What is your price limit?") == ("budget",)
    assert is_yes("да, с детства")
    assert not is_yes("да, но только у сына")


@pytest.mark.parametrize(
    ("question", "answer", "key", "value"),
    [
        ("Какой у вас бюджет?", "ну тысяч тридцать пять от силы", "general", "35000"),
        ("Сколько готовы потратить?", "полторы тысячи", "general", "1500"),
        ("What's your budget?", "about two hundred and fifty", "general", "250"),
        ("What's your budget?", "fifteen hundred max", "general", "1500"),
        ("كم ميزانيتك؟", "ألف ومئتين", "general", "1200"),
        ("Какой у вас размер обуви?", "тридцать седьмой, подъём высокий", "shoe_size", "37"),
        ("ما مقاس حذائك؟", "٤٢ ونص، بس رجلي عريضة", "shoe_size", "42.5"),
        ("How much do you weigh?", "eighty two kilos", "weight_kg", "82"),
        ("Какой у вас рост?", "метр шестьдесят три", "height_cm", "163"),
        ("Какой рост и вес?", "сто шестьдесят пять, пятьдесят два", "weight_kg", "52"),
        ("你身高多少？", "一米六五", "height_cm", "165"),
    ],
)
def test_numbers_of_answers_are_read_in_words(extract, question, answer, key, value):
    assert (key, value) in {(fact.key, fact.value) for fact in extract(answer, previous=question)}
