"""What players add to the allergy or the ban that they stated last: "and to kiwi too"."""

import pytest

from factcheck.instant.core.additions import find_additions
from factcheck.instant.core.corrections import KnownFact, may_correct, may_take_back
from factcheck.instant.core.pattern_sets import load_shipped

STRAWBERRIES = ("allergy", "strawberries", "strawberries")
SNAKES = ("hard_ban", "snakes", "snakes")
NOTED = "Noted, I'll keep away from that."
SERVED = "Here's your stew. Anything to drink?"


def add(text, stated, previous=NOTED):
    _, concepts = load_shipped()
    found = find_additions(text, just_said=[KnownFact(1, *stated)], previous_assistant_text=previous, concepts=concepts)
    return [(fact.type, fact.key) for fact in found]


@pytest.mark.parametrize(
    ("text", "stated", "key"),
    [
        ("and kiwi too", STRAWBERRIES, "kiwi"),
        ("oh and to cats", STRAWBERRIES, "cats"),
        ("cats too btw", STRAWBERRIES, "cats"),
        ("forgot, also shellfish", STRAWBERRIES, "shellfish"),
        ("and mango and kiwi as well", STRAWBERRIES, "mango"),
        ("yes. oh and eye gore, that's another never. no gouging", SNAKES, "eye_injury"),
        ("add clowns to that list", SNAKES, "clowns"),
        ("и на киви тоже", STRAWBERRIES, "kiwi"),
        ("еще и на пыльцу", STRAWBERRIES, "pollen"),
        ("то же самое с орехами", STRAWBERRIES, "nuts"),
        ("ещё сороконожек туда же добавь, бррр", SNAKES, "centipedes"),
        ("وكمان من الموز", STRAWBERRIES, "bananas"),
        ("وكمان المانغا", STRAWBERRIES, "mango"),
        ("نفس الشي مع الفول", STRAWBERRIES, "beans"),
        ("w mn l 3asal kamen", STRAWBERRIES, "honey"),
        ("w 3al fosto2 kamen", STRAWBERRIES, "pistachios"),
        ("eh fruit salad bas intebih, 3al kiwi kamen 3ande 7asesiye", STRAWBERRIES, "kiwi"),
        ("还有芒果", STRAWBERRIES, "mango"),
        ("花生也一样", STRAWBERRIES, "peanuts"),
        ("折耳根也拉黑，谢谢", SNAKES, "折耳根"),
    ],
)
def test_what_is_added_is_of_the_type_that_was_stated(text, stated, key):
    compiled, _ = load_shipped()
    assert may_correct(text, compiled=compiled)
    assert may_take_back(text)
    assert (stated[0], key) in add(text, stated)


@pytest.mark.parametrize("previous", [NOTED, SERVED])
@pytest.mark.parametrize(
    "text",
    [
        "and a beer too",
        "can i get mango too?",
        "my sister too",
        "my brother is allergic to kiwi too",
        "me too",
        "i also like cats",
        "i'll take the soup too",
        "add some milk",
        "add two eggs",
        "add wine to the list",
        "add it to the cart",
        "also, what's for dinner",
        "also the dragon, kill it",
        "and potatoes as well please",
        "same time tomorrow",
        "to the market too",
        "and to the king too",
        "that road is out",
        "на ужин тоже",
        "وكمان من السوق",
        "я тоже",
        "еще чай",
        "добавь сахара",
        "то же самое с утра",
        "ضيف سكر",
        "w kamen shai",
        "也行",
        "加上一杯茶",
        "还有茶吗",
    ],
)
def test_orders_and_talk_add_nothing(text, previous):
    assert add(text, STRAWBERRIES, previous) == []


def test_a_bare_thing_is_added_only_where_the_assistant_keeps_to_the_statement():
    assert add("and kiwi too", STRAWBERRIES, SERVED) == []
    assert add("and to kiwi too", STRAWBERRIES, SERVED) == [("allergy", "kiwi")]


def test_nothing_is_added_to_other_statements():
    assert add("and kiwi too", ("budget", "general", "50 EUR")) == []
