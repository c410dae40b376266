"""What is said plainly is heard, whatever layers say; what is called harmless, or is only likely, is in doubt."""

import pytest

from factcheck.instant.core.contrasts import is_called_harmless
from factcheck.instant.core.messages import fold
from factcheck.instant.core.value_candidates import is_chosen
from factcheck.instant.scorer import get_scorer
from tests.factcheck.instant.conftest import NOW  # noqa: F401
from tests.factcheck.instant.test_implied_yes import AboutScorer


@pytest.fixture
def scorer(settings):
    """The layers that ship."""
    settings.INSTANT_SEMANTIC = "inline"
    found = get_scorer()
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I can't have gluten", ("hard_ban", "gluten", "gluten")),
        ("Бюджет 5000 рублей.", ("budget", "general", "5000 RUB")),
        ("我乳糖不耐受,早餐别放牛奶。我在乌鲁木齐上班,早上十点才天亮透", ("allergy", "lactose", "lactose")),
        ("我一米八三 180斤 这电竞椅坐得下不", ("body_params", "height_cm", "183")),
        ("ещё бёдра 102, забыла", ("body_params", "hips", "102")),
        ("ring size 7", ("body_params", "ring_size", "7")),
        ("вчера схоронили деда", ("life_event", "death_grandfather", "death grandfather")),
        ("вчера умер мой кот", ("life_event", "death", "death")),
        ("مات قطي أمس", ("life_event", "death", "death")),
        ("انفصلت من شغلي", ("life_event", "job_loss", "job loss")),
        ("matet 2otti mbare7", ("life_event", "death", "death")),
        ("我的猫昨天死了", ("life_event", "death", "death")),
    ],
)
def test_plain_statements_are_heard(extract, scorer, text, fact):
    assert fact in {(each.type, each.key, each.value) for each in extract(text, scorer=scorer)}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("هل لديك حساسية من أي طعام؟", "روبيان فراوله حليب"),
        ("Any food allergies?", "shrimp, strawberry n milk"),
        ("На что у вас аллергия?", "креветки клубника и молоко"),
    ],
)
def test_a_list_of_known_things_behind_a_question_for_them_is_heard(extract, question, text):
    scorer = AboutScorer()
    found = {(each.key, each.is_doubtful) for each in extract(text, previous=question, scorer=scorer)}
    assert found == {("shrimp", False), ("strawberries", False), ("milk", False)}
    assert extract(text + " у сестры", previous=question, scorer=scorer) == []
    (fact,) = extract("wala shrimp", previous="Any allergies?", scorer=AboutScorer()) or [None]
    assert fact is None or fact.is_doubtful


@pytest.mark.parametrize(
    "text",
    [
        "can't have kids",
        "I can't have a dog in my flat",
        "I can't have alcohol tonight, driving",
        "the wardrobe is 183 tall",
    ],
)
def test_what_only_looks_like_one_is_not(extract, scorer, text):
    assert extract(text, scorer=scorer) == []


@pytest.mark.parametrize(
    ("question", "text", "size"),
    [
        ("What shoe size do you take?", "uk 9", "9"),
        ("What size shoe do you usually take?", "uk 9 wide fit", "9"),
        ("What shoe size do you take?", "10 and a half", "10.5"),
        ("What shoe size are you?", "42", "42"),
    ],
)
def test_british_and_american_shoes_are_sizes_too(extract, question, text, size):
    assert [(each.key, each.value) for each in extract(text, previous=question)] == [("shoe_size", size)]


def test_other_small_numbers_are_no_shoes(extract):
    assert extract("6 eggs", previous="What shoe size are you?") == []


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("wool gives me hives, cashmere weirdly doesnt", "cashmere"),
        ("cashews swell my lips, almonds never gave me any grief", "almonds"),
        ("Орехи: грецкий и фундук - горло закрывается. Миндаль ем.", "Миндаль"),
        ("عندي حساسية نحاس، الذهب والفضة ألبسهم", "الذهب"),
        ("makanakolch lkebda, djaj w l7out mer7ba bihom", "djaj"),
        ("我对香精过敏，酒精倒不怕", "酒精"),
    ],
)
def test_a_thing_is_called_harmless_right_behind_it(text, thing):
    folded = fold(text)
    assert is_called_harmless(folded, folded.index(fold(thing)) + len(fold(thing)))


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("allergic to nuts, i eat around them", "nuts"),
        ("لا آكل لحم الخنزير ولا أشرب الخمر", "الخنزير"),
        ("никаких клоунов пожалуйста", "клоунов"),
        ("عندي الحساسية ديال الفريز، غير كناكل وحدة كيطلع ليا الحبوب", "الفريز"),
    ],
)
def test_what_is_said_of_other_things_calls_none_harmless(text, thing):
    folded = fold(text)
    assert not is_called_harmless(folded, folded.index(fold(thing)) + len(fold(thing)))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("wool gives me hives :( cashmere weirdly doesnt", "cashmere"),
        ("у меня аллергия на мёд, даже пряники не могу", "cookies"),
        ("i cant have salt, my kidneys", "salt"),
    ],
)
def test_what_is_less_than_plain_is_in_doubt(extract, scorer, text, key):
    assert [each.is_doubtful for each in extract(text, scorer=scorer) if each.key == key] == [True]


def test_an_option_of_a_question_is_no_wish():
    assert is_chosen("налево конечно", "Налево, к мельнице, или направо, к болоту?")
    assert not is_chosen("dollar", "7ottellak l as3ar dayman bel dollar aw bel lira?")
    assert not is_chosen("answer in French", "Left or right?")


@pytest.mark.parametrize(
    "text",
    [
        "要是我有十万块闲钱，早把这铺子盘下来了",
        "年轻时候我才90斤，照片给你看你都不信",
        "لو كان معايا ٣٠ الف كنت جبت انفرتر",
        "if i had 500 to spend i would not be asking you",
    ],
)
def test_what_its_author_does_not_have_is_no_number(extract, scorer, text):
    assert extract(text, scorer=scorer) == []


def test_a_number_beside_it_is_one(extract, scorer):
    (fact,) = extract("when i was a kid we had nothing. my budget is 500 euros now", scorer=scorer)
    assert fact.value == "500 EUR"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("no spiders, but bats are fine", "spiders"),
        ("No alcohol, but kombucha is fine.", "alcohol"),
        ("no horror, though dark fantasy is cool", "horror"),
    ],
)
def test_a_ban_beside_what_is_fine_is_heard(extract, scorer, text, key):
    assert ("hard_ban", key) in {(each.type, each.key) for each in extract(text, scorer=scorer) if not each.is_doubtful}


@pytest.mark.parametrize(
    "text",
    [
        "can't stand horror films but whatever, chuck a scary bit in if the story needs it",
        "مبحبش الملوخية خالص بس عادي لو في الأكل",
    ],
)
def test_what_its_author_bears_is_in_doubt(extract, scorer, text):
    assert all(each.is_doubtful for each in extract(text, scorer=scorer))


@pytest.mark.parametrize(
    "text", ["no spiders, but I can deal with bats", "I can't do spiders, but I live in Australia"]
)
def test_other_things_that_its_author_bears_leave_it_sure(extract, scorer, text):
    assert not any(each.is_doubtful for each in extract(text, scorer=scorer) if each.key == "spiders")


@pytest.mark.parametrize("text", ["我对花生 过敏", "我从小对花生 严重过敏"])
def test_a_space_before_the_relation_is_no_comma(extract, text):
    assert "peanuts" in {each.key for each in extract(text)}


def test_known_things_joined_by_and_are_two(extract, scorer):
    found = extract("мех и кожу, любые", previous="Какие материалы исключить из показа?", scorer=scorer)
    assert {each.key for each in found} == {"fur", "leather"}


def test_and_is_written_with_a_short_word(extract, scorer):
    found = extract("سحر، جن، ودم", previous="هل هناك أشياء لا تريد أن تظهر في القصة؟", scorer=scorer)
    assert "blood" in {each.key for each in found}


@pytest.mark.parametrize(
    ("previous", "text", "found"),
    [
        ("So you're looking at roughly $200 for the whole outfit?", "yep thats the ceiling", ["200 USD"]),
        ("ya3ni el budget bta3ak 1500 geneh?", "aywa bezabt keda", ["1500"]),
        ("You mentioned the wedding in Goa on the 14th. Did I get that right?", "correct, my brother's", ["wedding"]),
        ("You're a size M, right?", "yes, my sister's an L", []),
    ],
)
def test_a_yes_with_a_word_more(extract, scorer, previous, text, found):
    assert [each.value for each in extract(text, previous=previous, scorer=scorer)] == found
