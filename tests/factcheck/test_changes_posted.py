"""Dialogues of changed minds, from the post to what is known."""

import pytest

from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.facts.models import UserFact
from knowledge.facts.selectors.facts import view_fact
from tests.factories.conversations import post_and_extract


@pytest.fixture(autouse=True)
def _patterns_alone(settings):
    settings.INSTANT_SEMANTIC = "off"


def list_known():
    views = map(view_fact, UserFact.objects.filter(is_active=True).order_by("pk"))
    return [(view.type, view.key, view.value, view.is_disputed) for view in views]


@pytest.mark.parametrize(
    ("said", "off"),
    [
        ("I'm flying to Porto in May", "had to postpone Porto indefinitely"),
        ("下周六要去成都玩三天！求攻略", "呜呜别写了 成都不去了，假没批下来"),
        ("в июле у меня поездка в карелию на байдарках", "всё, карелия отменяется((( мужу отпуск не дали"),
    ],
)
def test_a_journey_is_over_by_the_name_of_its_place(chat, said, off):
    post_and_extract(chat, said, ("assistant", "Noted."), "ok!", ("assistant", "Anything else?"))
    assert [each[0] for each in list_known()] == ["life_event"]
    post_and_extract(chat, off)

    assert list_known() == []
    assert rebuild_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id).differences.is_none


@pytest.mark.parametrize("beside", ["the hotel in Porto cancelled, found another", "健身房不去了", "Lisbon is off"])
def test_another_thing_that_is_off_leaves_it(chat, beside):
    post_and_extract(chat, "I'm flying to Porto in May", ("assistant", "Noted."), beside)

    assert [each[0] for each in list_known()] == ["life_event"]


@pytest.mark.parametrize(
    ("said", "more", "narrow"),
    [
        ("i'm allergic to beans", "not all of them, only lupin. lentils are fine", "lupin"),
        ("У меня аллергия на рыбу", "Если точнее, только на скумбрию. Треску и лосось ем спокойно", "mackerel"),
        ("انا عندي حساسية من البقوليات", "لا مش كلها، العدس بس. الفول والحمص باكلهم كل يوم عادي", "lentils"),
        ("ana 3andi 7asaseya men el mokassarat", "mesh kollaha, 3ein gamal bas. el ba2y 3ady", "3ein_gamal"),
    ],
)
def test_not_all_of_a_thing_leaves_it_in_doubt_beside_the_narrower(chat, said, more, narrow):
    post_and_extract(chat, said, ("assistant", "Noted."))
    [(_, wide, _, _)] = list_known()
    post_and_extract(chat, more)

    assert {(type_, key, is_disputed) for type_, key, _, is_disputed in list_known() if type_ == "allergy"} == {
        ("allergy", wide, True),
        ("allergy", narrow, False),
    }


@pytest.mark.parametrize(
    ("said", "more", "values"),
    [
        ("looking for an espresso machine, my budget is 350 dollars tops",
         "oh and mum's chipping in so we can go up to 520", ["520 USD"]),
        ("мой бюджет на подарок 7000 рублей", "Пусть тогда будет 12000, дали премию.", ["12000 RUB"]),
        ("3ayez laptop w mizaniyti 20000 geneh", "games tab3an. khaleeha 27000 baba hayezawedli", ["27000 pound"]),
    ],
)  # fmt: skip
def test_a_new_sum_takes_the_place_of_the_one_for_the_same_thing(chat, said, more, values):
    post_and_extract(chat, said, ("assistant", "Noted."))
    post_and_extract(chat, more)

    assert [value for type_, _, value, _ in list_known() if type_ == "budget"] == values


def test_what_asks_to_forget_a_wish_is_no_wish(chat):
    post_and_extract(chat, "7kini bel english bas plz, 3am bet3allam", ("assistant", "Sure!"))
    post_and_extract(chat, "uff t3ebet wallah. nsa eno 2eltellak t7kini bel english")

    assert list_known() == []


def test_a_name_is_mended_whatever_is_said_behind(chat):
    post_and_extract(chat, "please call me Theodore in this chat", ("assistant", "Of course, Theodore."))
    post_and_extract(chat, "Not Theodore, Ted. Sounds like my grandma's telling me off")

    assert [(key, value) for _, key, value, _ in list_known()] == [("name", "Ted")]


def test_what_harms_not_was_named_by_mistake(chat):
    post_and_extract(chat, "i'm allergic to almonds", ("assistant", "Noted."))
    post_and_extract(chat, "sorry not almonds, cashews. almonds are fine")

    assert [(key, is_disputed) for _, key, _, is_disputed in list_known()] == [("cashews", False)]


def test_two_journeys_of_one_message_are_known_by_no_place(chat):
    post_and_extract(chat, "I'm flying to Rome in May and moving to Berlin in June", ("assistant", "Noted."))
    known = list_known()
    post_and_extract(chat, "Rome is off")

    assert len(known) == 2
    assert list_known() == known


@pytest.mark.parametrize("beside", ["lunch is off, boss is sick", "the party is off", "New York is off"])
def test_what_is_no_place_names_no_journey(chat, beside):
    post_and_extract(chat, "I'm flying to Porto in May. Today I'm going to lunch", ("assistant", "Noted."), beside)

    assert [each[0] for each in list_known()] == ["life_event"]


def test_what_is_said_beside_a_word_to_forget_stays(chat):
    post_and_extract(chat, "I weigh 72 kg", ("assistant", "Noted."))
    assert [key for _, key, _, _ in list_known()] == ["weight_kg"]
    post_and_extract(chat, "Please delete my weight. Please write in Russian from now on")

    assert [key for _, key, _, _ in list_known()] == ["language"]
