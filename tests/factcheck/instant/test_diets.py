"""Who eats no meat, or nothing of animals, says so by a word for what they are."""

import pytest

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped

VEGETARIAN, VEGAN = {"meat"}, {"meat", "animal_products"}


def read_bans(text, question=""):
    compiled, concepts = load_shipped()
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT, previous=question)
    return {fact.key for fact in facts if fact.type == "hard_ban"}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("I'm a vegetarian", VEGETARIAN),
        ("im vegan btw", VEGAN),
        ("as a strict vegan, what do I order here", VEGAN),
        ("I've been vegetarian since 2009", VEGETARIAN),
        ("я вегетарианка с 9 класса", VEGETARIAN),
        ("веган третий год", VEGAN),
        ("мы вегетарианцы оба с женой", VEGETARIAN),
        ("أنا نباتية من خمس سنين", VEGETARIAN),
        ("انا نباتي بالكامل", VEGAN),
        ("ana nabati mn zaman", VEGETARIAN),
        ("ana vegan mn 2019", VEGAN),
        ("我是素食者", VEGETARIAN),
        ("吃素二十年了", VEGETARIAN),
        ("我是纯素主义者", VEGAN),
        ("I'm vegan, any recipes for dinner?", VEGAN),
        ("я веганка, где торт без яиц?", VEGAN),
        ("انا نباتيه لو سمحت", VEGETARIAN),
    ],
)
def test_a_diet_is_a_ban_of_what_it_leaves_out(text, keys):
    assert read_bans(text) == keys


@pytest.mark.parametrize(
    "text",
    [
        "my cousin is vegetarian",
        "she's vegan, i just cook for her",
        "my character is a vegan druid",
        "if i were vegan, what would you suggest?",
        "i was vegan for two years",
        "everyone thinks I'm vegan",
        "i'm not vegan",
        "looking for a vegan cake",
        "I'm trying vegan in january",
        "what do vegans eat?",
        "научрук вегетарианец",
        "если б я был веганом, помер бы",
        "Кравец — веган",
        "думают, что я веган",
        "لو كنت نباتي كنت متت",
        "مو نباتي أنا",
        "صاحبي نباتي",
        "kont vegan 3 snin",
        "protein nabati",
        "如果我是素食者你会推荐什么",
        "我不吃素",
        "party platter: cheese, vegan, ham",
        "new shoes, vegan, 40 euros",
        "пиццы три: пепперони, веган, сырная",
        "صابون، نباتي، رخيص",
        "全素1号套餐",
        "她吃素十年了",
    ],
)
def test_a_word_of_diets_alone_forbids_nothing(text):
    assert read_bans(text).isdisjoint(VEGAN)


@pytest.mark.parametrize(
    ("question", "text", "key"),
    [
        ("Do you eat meat?", "not since 2011 and not planning on it", "meat"),
        ("Do you eat pork, or should I look for something else?", "never touch it, im muslim", "pork"),
        ("Ты ешь свинину?", "нет, никогда", "pork"),
        ("بتاكلي لحمة؟", "لا خالص", "meat"),
    ],
)
def test_a_no_for_good_forbids_what_was_asked(question, text, key):
    assert key in read_bans(text, question)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Do you eat meat?", "not today"),
        ("Do you eat meat?", "no idea, what's on the menu?"),
        ("Do you eat pork?", "my wife never does"),
        ("Do you eat fish?", "not really, but I never say no to sushi"),
        ("Do you eat fish?", "never on mondays"),
        ("Do you eat pork?", "never mind that"),
        ("Do you eat sushi?", "never had a chance, would love to"),
        ("Do you mind swearing?", "not at all"),
        ("Can I include spiders?", "no problem at all"),
        ("عندك مانع من الدم؟", "لا خالص"),
        ("你介意血腥吗？", "不，绝对不介意"),
    ],
)
def test_a_no_for_now_forbids_nothing(question, text):
    assert read_bans(text, question) == set()
